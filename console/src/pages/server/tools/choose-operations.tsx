import { useServer } from '../frame.tsx';
import { NewVersion } from '../versions/new-version.tsx';

/** Chooses which operations of the served description are tools. It begins anew with each version that is served. */
export const Page = () => <NewVersion key={useServer().server.version} isOfPresent />;

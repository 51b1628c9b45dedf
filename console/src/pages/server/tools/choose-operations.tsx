import { useServer } from '../frame.tsx';
import { NewVersion } from '../versions/new-version.tsx';

/** Which operations of the served description are tools. Begins anew with each version that is served. */
export const Page = () => <NewVersion key={useServer().server.version} isOfPresent />;

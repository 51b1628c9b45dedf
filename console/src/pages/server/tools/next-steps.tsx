import { Link } from '../../../kit/link.tsx';
import { Note } from '../../../kit/notice.tsx';
import { useQuery } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';

/** What people do once they have published: shown on the way from there. */
export const NextSteps = () => {
  const { server } = useServer();
  const [isNew] = useQuery('new');
  if (isNew === '') return null;
  const at = `/servers/${server.slug}`;
  return (
    <Note kind="good">
      <p>
        <strong>It is published, and can be called at once.</strong> What comes next:
      </p>
      <ol class="steps">
        <li>
          <Link to={`${at}/credentials`}>Set the credential</Link>, if the API wants one.
        </li>
        <li>Choose a tool below and try it.</li>
        <li>
          <Link to={`${at}/connect`}>Connect a client</Link> and see its first call arrive.
        </li>
      </ol>
    </Note>
  );
};

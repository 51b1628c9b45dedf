import { Link } from '../../kit/button.tsx';
import { Note } from '../../kit/show.tsx';
import { useQuery } from '../../state/location.ts';
import { useServer } from './frame.tsx';

export const NextSteps = ({ at }: { readonly at: 'credentials' | 'tools' }) => {
  const { server } = useServer();
  const [isNew] = useQuery('new');
  if (isNew === '') return null;
  const base = `/servers/${server.slug}`;
  return (
    <Note kind="good">
      <p>
        <strong>Published.</strong> Next steps:
      </p>
      <ol class="steps">
        {at === 'credentials' ? (
          <li>Set the credential that its operations ask for: it is tested at once.</li>
        ) : (
          <li>
            <Link to={`${base}/credentials`}>Set the credential</Link>, if the API wants one.
          </li>
        )}
        {at === 'credentials' ? (
          <li>
            <Link to={`${base}/tools`}>Try a tool</Link>.
          </li>
        ) : (
          <li>Choose a tool below and try it.</li>
        )}
        <li>
          <Link to={`${base}/connect`}>Connect a client</Link> and see its first call arrive.
        </li>
      </ol>
    </Note>
  );
};

import { CodeBlock, Command } from '../../../kit/copy.tsx';
import { Note } from '../../../kit/notice.tsx';
import { Link } from '../../../kit/link.tsx';
import { useQuery } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { instructionsFor } from './clients.ts';
import { Doctor } from './doctor.tsx';
import { FirstCall } from './first-call.tsx';

/** How each client is connected, and the first call as it arrives. */
export const Page = () => {
  const { server } = useServer();
  const needsToken = server.mcp_auth_method === 'jwt';
  const signsIn = server.mcp_auth_method === 'oauth';
  const all = instructionsFor({ slug: server.slug, url: server.mcp_url, needsToken, signsIn });
  const [wanted, setWanted] = useQuery('client');
  const shown = all.find(({ client }) => client === wanted) ?? all[0];
  return (
    <>
      <section class="panel">
        <h2>Connect a client</h2>
        <div class="switch" role="group" aria-label="Client">
          {all.map(({ client }) => (
            <button
              key={client}
              type="button"
              aria-pressed={client === shown?.client}
              onClick={() => setWanted(client)}
            >
              {client}
            </button>
          ))}
        </div>
        {shown && (
          <>
            <p>{shown.where}</p>
            <CodeBlock text={shown.paste} label={`For ${shown.client}`} />
            {shown.notes.map((note) => (
              <p key={note} class="soft small">
                {note}
              </p>
            ))}
          </>
        )}
        {needsToken && (
          <Note>
            <p>
              Clients of this server need a token:{' '}
              <Link to={`/servers/${server.slug}/access`}>mint one under Access</Link>.
            </p>
          </Note>
        )}
        {server.mcp_auth_method === 'oauth' && server.access.mode === 'owner' && (
          <Note>
            <p>
              Only you may sign in so far.{' '}
              <Link to={`/servers/${server.slug}/access`}>Let others in under Access</Link>.
            </p>
          </Note>
        )}
        <Command
          lines={[
            `npx hosted-mcp config ${server.slug} --client claude-code`,
            `npx hosted-mcp doctor ${server.mcp_url}`,
          ]}
        />
      </section>
      <FirstCall />
      <Doctor slug={server.slug} />
    </>
  );
};

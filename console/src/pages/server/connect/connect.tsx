import { call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { CodeBlock, Coded, Command, Copy } from '../../../kit/copy.tsx';
import { Note, ProblemNote } from '../../../kit/notice.tsx';
import { Link } from '../../../kit/link.tsx';
import { useLoad } from '../../../state/load.ts';
import { useQuery } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { Doctor } from './doctor.tsx';
import { FirstCall } from './first-call.tsx';

/** How each client is connected, and the first call as it arrives. */
export const Page = () => {
  const { server } = useServer();
  const { slug } = server;
  const needsToken = server.mcp_auth_method === 'jwt';
  const clients = useLoad(
    `clients:${slug}:${server.mcp_auth_method}`,
    async () => (await call('GET /deployments/{slug}/clients', { path: { slug } })).body.items,
  );
  const [wanted, setWanted] = useQuery('client');
  const all = (clients.value ?? []).filter(({ obstacle }) => obstacle === undefined);
  const installs = all.flatMap(({ name, link }) => (link === undefined ? [] : [{ name, link }]));
  const obstacles = (clients.value ?? []).flatMap(({ obstacle }) => obstacle ?? []);
  const shown = all.find(({ name }) => name === wanted) ?? all[0];
  return (
    <>
      <section class="panel">
        <h2>Connect a client</h2>
        <ProblemNote problem={clients.problem} onRetry={clients.reload} />
        {installs.length > 0 && (
          <>
            <p class="row">
              {installs.map(({ name, link }) => (
                <a key={name} class="button" href={link}>
                  Add to {name}
                </a>
              ))}
            </p>
            <p>The application asks before it adds the server. Or by hand, in your client:</p>
          </>
        )}
        {all.length > 0 && (
          <div class="switch" role="group" aria-label="Client">
            {all.map(({ name }) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === shown?.name}
                onClick={() => setWanted(name)}
              >
                {name}
              </button>
            ))}
          </div>
        )}
        {shown && <Instructions {...shown} />}
        {obstacles.map((obstacle) => (
          <p key={obstacle} class="soft small">
            {obstacle}
          </p>
        ))}
        {needsToken && (
          <Note>
            <p>
              Clients of this server need a token:{' '}
              <Link to={`/servers/${server.slug}/access`}>create one under Access</Link>.
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
      <section class="panel">
        <h2>For your colleagues</h2>
        <p>
          This page says the same to whoever may use the server:{' '}
          <a href={server.docs_url} target="_blank" rel="noreferrer">
            what it can do, and how each client is connected
          </a>
          .{' '}
          {server.mcp_auth_method === 'none' || server.docs === 'public'
            ? 'Everybody who has its address can read it.'
            : 'Its tools are shown to those who are signed in and may use the server.'}
        </p>
        <p class="address">
          <code>{server.docs_url}</code>
          <Copy text={server.docs_url} what="the link for colleagues" />
        </p>
      </section>
      <FirstCall />
      <Doctor slug={server.slug} />
    </>
  );
};

type Client = AnswerOf<'GET /deployments/{slug}/clients'>['items'][number];

const Instructions = ({ name, where, paste, notes }: Client) => (
  <>
    <p>
      <Coded text={where} />
    </p>
    <CodeBlock text={paste} label={`For ${name}`} />
    {notes.map((note) => (
      <p key={note} class="soft small">
        <Coded text={note} />
      </p>
    ))}
  </>
);

import { useEffect, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import type { AnswerOf, ItemOf } from '../../../api/operation.ts';
import { Button, Link } from '../../../kit/button.tsx';
import { Switch } from '../../../kit/choice.tsx';
import { CodeBlock, Coded, Command, Copy } from '../../../kit/copy.tsx';
import { sentence } from '../../../kit/form.tsx';
import { Badge, Message, ProblemNote } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { duration } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useAnswer } from '../../../state/load.ts';
import { useQuery } from '../../../state/location.ts';
import { Result } from '../activity/one-call.tsx';
import { reasonOf } from '../activity/reasons.ts';
import { useServer } from '../frame.tsx';
import { ScriptToken } from './script-token.tsx';

export const Page = () => {
  const { slug, server } = useServer();
  const needsToken = server.mcp_auth_method === 'jwt';
  const clients = useAnswer(
    `clients:${slug}:${server.mcp_auth_method}`,
    'GET /deployments/{slug}/clients',
    { path: { slug } },
  );
  const [wanted, setWanted] = useQuery('client');
  const all = (clients.value?.items ?? []).filter(({ obstacle }) => obstacle === undefined);
  const installs = all.flatMap(({ name, link }) => (link === undefined ? [] : [{ name, link }]));
  const obstacles = (clients.value?.items ?? []).flatMap(({ obstacle }) => obstacle ?? []);
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
          <Switch
            label="Client"
            value={shown?.name ?? ''}
            onValue={setWanted}
            options={all.map(({ name }) => [name, name])}
          />
        )}
        {shown && <Instructions {...shown} />}
        {obstacles.map((obstacle) => (
          <p key={obstacle} class="soft small">
            {obstacle}
          </p>
        ))}
        {needsToken && (
          <Message>
            Clients of this server need a token:{' '}
            <Link to={`/servers/${server.slug}/access`}>create one under Access</Link>.
          </Message>
        )}
        {server.mcp_auth_method === 'none' && server.has_credential && (
          <Message kind="warn">
            <strong>This server is public and carries your credential.</strong> Whoever knows its
            address calls the API with it. <Link to={`/servers/${slug}/access`}>Change access</Link>{' '}
            if that is not meant.
          </Message>
        )}
        {server.mcp_auth_method === 'oauth' && server.access.mode === 'owner' && (
          <Message>
            Nobody but you can sign in yet.{' '}
            <Link to={`/servers/${server.slug}/access`}>Invite people under Access</Link>.
          </Message>
        )}
        <Command
          lines={[
            `npx --no-install hosted-mcp config ${server.slug} --client claude-code`,
            `npx --no-install hosted-mcp doctor ${server.mcp_url}`,
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
      {server.mcp_auth_method !== 'none' && (
        <ScriptToken curl={all.find(({ client }) => client === 'curl')?.paste} />
      )}
      <FirstCall />
      <Doctor slug={server.slug} />
    </>
  );
};

type Client = ItemOf<'GET /deployments/{slug}/clients'>;

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

const ASK_MS = 4000;
const SHOWN = 5;
/** Calls that are read at a time: some may be trials of the owner, which are not shown. */
const READ = 25;

const FirstCall = () => {
  const { slug } = useServer();
  const calls = useAnswer(`latest-calls:${slug}`, 'GET /deployments/{slug}/calls', {
    path: { slug },
    query: { limit: READ },
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => {
      // A hidden page loads nothing.
      if (!document.hidden) calls.reload();
      setTurn((before) => before + 1);
    }, ASK_MS);
    return () => clearTimeout(timer);
  }, [turn]);
  // Trials in this console are no calls of clients.
  const latest = (calls.value?.items ?? []).filter(({ trial }) => trial !== true).slice(0, SHOWN);
  return (
    <section class="panel" aria-live="polite">
      <h2>{latest.length > 0 ? 'It is being called' : 'Waiting for the first call'}</h2>
      <ProblemNote problem={calls.problem} onRetry={calls.reload} />
      {latest.length === 0 ? (
        <p class="soft waiting">
          Connect a client and ask it something: the call appears here a few seconds later.
        </p>
      ) : (
        <ul class="plain entries">
          {latest.map((one) => (
            <li key={`${one.request_id}:${one.index}`}>
              <span class="grow">
                <code>{one.tool}</code> <Result one={one} />
                <span class="means">
                  <Time at={one.at} /> by {one.email ?? one.subject}, {duration(one.duration_ms)}
                  {one.outcome === 'refused' && one.reason && `. ${reasonOf(one.reason).text}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        <Link to={`/servers/${slug}/activity`}>All activity</Link>
      </p>
    </section>
  );
};

type Examined = AnswerOf<'GET /deployments/{slug}/doctor'>;

const OUTCOMES = {
  ok: ['fine', 'good'],
  warning: ['look at it', 'warn'],
  failed: ['wrong', 'bad'],
} as const satisfies Record<
  Examined['items'][number]['outcome'],
  readonly [string, 'good' | 'warn' | 'bad']
>;

const Doctor = ({ slug }: { readonly slug: string }) => {
  const [examined, setExamined] = useState<Examined>();
  const looking = useAction(async () =>
    setExamined((await call('GET /deployments/{slug}/doctor', { path: { slug } })).body),
  );
  return (
    <section class="panel">
      <h2>It does not connect?</h2>
      <p>Let the service look at what may be in the way. Nothing is changed by it.</p>
      <Button action={looking}>{examined ? 'Look again' : 'Check the connection'}</Button>
      <ProblemNote problem={looking.problem} onRetry={() => void looking.run()} />
      <div aria-live="polite">
        {examined?.ok === true && (
          <Message kind="good">Nothing here keeps a client from connecting.</Message>
        )}
        {examined && (
          <ul class="events">
            {examined.items.map(({ step, outcome, what, hint }) => {
              const [name, kind] = OUTCOMES[outcome];
              return (
                <li key={step}>
                  <Badge kind={kind}>{name}</Badge>
                  <span class="grow">
                    <strong>{step}</strong> {sentence(what, hint ?? '')}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </div>
      {examined && (
        <p class="soft small">
          What lies between a client and this service only the client’s machine can see:{' '}
          <code>npx --no-install hosted-mcp doctor</code> looks from there.
        </p>
      )}
    </section>
  );
};

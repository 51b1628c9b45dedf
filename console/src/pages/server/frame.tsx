import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Answered, call } from '../../api/call.ts';
import type { AnswerOf, BodyOf } from '../../api/operation.ts';
import { Button, ButtonLink, Link } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Badge, Empty, Message, Note, PageTitle, ProblemNote, Skeleton } from '../../kit/show.tsx';
import { Time } from '../../kit/time.tsx';
import { useAction } from '../../state/action.ts';
import { type Loaded, useAnswer, useLoad } from '../../state/load.ts';
import { usePlace } from '../../state/location.ts';
import { PlanNote } from '../plan-note.tsx';
import { type Difference, DifferenceNote } from './difference.tsx';

export type Server = AnswerOf<'GET /deployments/{slug}'>;

type Changed = Answered<Server & { readonly tools: Difference }>;

export interface OwnServer {
  readonly slug: string;
  readonly server: Server;
  readonly etag: string;
  reload(): void;
  /** Changes the server unless it was changed elsewhere in the meantime (412 `stale`). */
  patch(body: BodyOf<'PATCH /deployments/{slug}'>): Promise<Changed>;
  /** Shows the server as the answer of a change has it. */
  put(answered: Answered<Server>): void;
  /** Like `put`, for a change that made a version: its difference is shown above the tab. */
  putVersion(answered: Changed): void;
}

export const TABS = [
  ['tools', 'Tools'],
  ['talk', 'Talk'],
  ['cases', 'Cases'],
  ['credentials', 'Credentials'],
  ['access', 'Access'],
  ['content', 'Resources & prompts'],
  ['activity', 'Activity'],
  ['versions', 'Versions'],
  ['connect', 'Connect'],
  ['settings', 'Settings'],
] as const;

const TOOL_PLACES = [
  ['tools', 'All tools'],
  ['tools/edit', 'Edit many'],
  ['tools/choose', 'Choose operations'],
] as const;

const Context = createContext<OwnServer | undefined>(undefined);

export const useServer = (): OwnServer => {
  const found = useContext(Context);
  if (!found) throw new Error('a page of a server is drawn outside of its frame');
  return found;
};

/** Name, state and address of a server above its tabs, loaded once for all tabs. */
export const ServerFrame = ({ slug, children }: { slug: string; children: ComponentChildren }) => {
  const loaded = useLoad(`server:${slug}`, () =>
    call('GET /deployments/{slug}', { path: { slug } }),
  );
  const { value, problem, reload, put } = loaded;
  const { path } = usePlace();
  const [difference, setDifference] = useState<Difference>();
  useEffect(() => setDifference(undefined), [path]);
  if (problem?.status === 404 && !value) return <Gone slug={slug} />;
  if (!value) {
    return (
      <>
        <Crumbs slug={slug} />
        <div class="page-head server-head">
          <h1>{slug}</h1>
        </div>
        <Tabs slug={slug} />
        {problem ? <ProblemNote problem={problem} onRetry={reload} /> : <Skeleton />}
      </>
    );
  }
  const own: OwnServer = {
    slug,
    server: value.body,
    etag: value.etag,
    patch: (body) =>
      call('PATCH /deployments/{slug}', { path: { slug }, body, ifMatch: value.etag }),
    reload,
    put,
    putVersion: (answered) => {
      setDifference(answered.body.tools);
      put(answered);
    },
  };
  return (
    <Context.Provider value={own}>
      <Head own={own} loaded={loaded} />
      <DifferenceNote difference={difference} version={own.server.version} />
      {children}
    </Context.Provider>
  );
};

const Head = ({ own: { server }, loaded }: { own: OwnServer; loaded: Loaded<unknown> }) => (
  <>
    <Crumbs slug={server.slug} />
    <div class="page-head server-head">
      <h1>{server.name}</h1>
      <State status={server.status} />
    </div>
    <div class="address">
      <span class="soft">MCP address</span>
      <code>{server.mcp_url}</code>
      <Copy text={server.mcp_url} what="the MCP address" />
    </div>
    <ProblemNote problem={loaded.problem} onRetry={loaded.reload} />
    <PlanNote />
    {server.credential_refused && (
      <Message kind="bad">
        <strong>The API refuses the credential</strong> since{' '}
        <Time at={server.credential_refused.since} />: calls fail until you{' '}
        <Link to={`/servers/${server.slug}/credentials`}>set another one</Link>.
      </Message>
    )}
    {server.managed_by !== undefined && <Managed by={server.managed_by} />}
    {server.status === 'paused' && <Paused />}
    {server.status === 'stopped' && (
      <Message kind="bad">
        <strong>The operators of this service have stopped it.</strong> It refuses all requests, and
        only they can let it go on.
      </Message>
    )}
    <Tabs slug={server.slug} />
  </>
);

const Crumbs = ({ slug }: { readonly slug: string }) => (
  <nav class="crumbs" aria-label="Where you are">
    <Link to="/servers">Servers</Link> <span aria-hidden="true">/</span> {slug}
  </nav>
);

const Tabs = ({ slug }: { readonly slug: string }) => {
  const { path } = usePlace();
  const nav = useRef<HTMLElement>(null);
  // Scrolls to the open tab, which a narrow screen may hide.
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && open) nav.current.scrollLeft = open.offsetLeft - nav.current.offsetLeft - 16;
  }, [path]);
  const at = `/servers/${slug}/`;
  const within = (tab: string) => path === at + tab || path.startsWith(`${at}${tab}/`);
  return (
    <>
      <nav class="tabs" aria-label="Parts of this server" ref={nav}>
        {TABS.map(([tab, name]) => (
          <Link key={tab} to={at + tab} aria-current={within(tab) ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      {within('tools') && (
        <nav class="places row" aria-label="Tools">
          {TOOL_PLACES.map(([place, name]) => (
            <Link
              key={place}
              to={at + place}
              aria-current={path === at + place ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
    </>
  );
};

/** The service refuses changes of a declared server here, since the next apply would undo them. */
const Managed = ({ by }: { readonly by: string }) => {
  const { server, etag, reload } = useServer();
  const releasing = useAction(async () => {
    const path = { slug: server.slug };
    await call('DELETE /deployments/{slug}/manager', { path, ifMatch: etag });
    reload();
  });
  return (
    <Note kind="info">
      <p>
        <strong>Declared in {by}.</strong> Change it there and apply that: here it can be looked at,
        tried and paused, and its secrets can be set. Released, it stays as it is and is yours to
        change here.
      </p>
      <Confirm label="Release it" title={`Release ${server.name}?`} quiet action={releasing}>
        The file that declares it changes it no more, unless it is told to adopt it.
      </Confirm>
      <ProblemNote problem={releasing.problem} onStale={reload} />
    </Note>
  );
};

const Paused = () => {
  const { patch, put, reload } = useServer();
  const resuming = useAction(async () => put(await patch({ status: 'active' })));
  return (
    <Note kind="warn">
      <p>
        <strong>Paused.</strong> It refuses all requests until it is resumed; clients see a server
        that is not there.
      </p>
      <Button action={resuming}>Resume</Button>
      <ProblemNote problem={resuming.problem} onStale={reload} />
    </Note>
  );
};

const STATES = { active: 'good', paused: 'warn', stopped: 'bad' } as const;

export const State = ({ status }: { readonly status: Server['status'] }) => (
  <Badge kind={STATES[status]}>{status}</Badge>
);

/** A server of another account may be shared with this one. */
const Gone = ({ slug }: { readonly slug: string }) => {
  const shared = useAnswer('shared', 'GET /account/shared', {});
  const one = shared.value?.items.find((other) => other.slug === slug);
  if (!shared.value && !shared.problem) return <Skeleton />;
  return (
    <>
      <Crumbs slug={slug} />
      <PageTitle>{one?.name ?? slug}</PageTitle>
      {one ? (
        <Empty title={`${one.name} is shared with you`}>
          <p>Its owner alone changes it. You can connect a client to it.</p>
          <a class="button primary" href={one.docs_url}>
            Connect
          </a>
        </Empty>
      ) : (
        <Empty title={`There is no server “${slug}” of yours`}>
          <p>It has been removed, or belongs to another account.</p>
          <ButtonLink to="/servers" kind="primary">
            To your servers
          </ButtonLink>
        </Empty>
      )}
    </>
  );
};

import { readAll } from '../api/call.ts';
import { ButtonLink, Link } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Badge, Empty, ProblemNote, Show, Skeleton } from '../kit/show.tsx';
import { Time } from '../kit/time.tsx';
import { count } from '../kit/words.ts';
import { useAnswer, useList, useLoad } from '../state/load.ts';
import { PlanNote } from './plan-note.tsx';
import type { AnswerOf, ItemOf } from '../api/operation.ts';

export const Page = () => {
  const servers = useList('servers', 'GET /deployments', {});
  const today = useLoad('today', async () => {
    const counted = await readAll('GET /account/calls', {});
    return new Map(counted.map((one) => [one.slug, one]));
  });
  const shared = useAnswer('shared', 'GET /account/shared', {});
  // The button waits until the person is known to have servers: an empty page has a button of its own.
  const hasButton = servers.value ? servers.value.length > 0 : servers.problem !== undefined;
  const others = shared.value?.items ?? [];
  const sharedWith = others.length > 0 && <Shared servers={others} />;
  const hasNone = servers.value?.length === 0;
  // A person who was invited to a server is not told first to make one.
  const isUndecided = hasNone && shared.value === undefined && !shared.problem;
  return (
    <>
      <div class="page-head">
        <h1>Servers</h1>
        {hasButton && (
          <ButtonLink to="/new" kind="primary">
            New server
          </ButtonLink>
        )}
      </div>
      <PlanNote />
      {hasNone && sharedWith}
      <Show loaded={servers}>
        {(listed) =>
          isUndecided ? (
            <Skeleton />
          ) : listed.length === 0 ? (
            <None hasShared={others.length > 0} />
          ) : (
            <List servers={listed} today={today.value} />
          )
        }
      </Show>
      <ProblemNote problem={shared.problem} onRetry={shared.reload} />
      {!hasNone && sharedWith}
    </>
  );
};

const Shared = ({ servers }: { readonly servers: AnswerOf<'GET /account/shared'>['items'] }) => (
  <section>
    <h2>Shared with you</h2>
    <ul class="cards">
      {servers.map(({ slug, name, docs_url: docs, mcp_url: url, connected }) => (
        <li key={slug} class="card">
          <span class="card-name">{name}</span>
          <a class="button" href={docs} aria-label={`Connect ${name}`}>
            Connect
          </a>
          <span class="address">
            <code>{url}</code>
            <Copy text={url} what={`the MCP address of ${name}`} />
          </span>
          <span class="soft small">{connected ? 'connected' : 'not connected yet'}</span>
        </li>
      ))}
    </ul>
  </section>
);

const None = ({ hasShared }: { readonly hasShared: boolean }) => (
  <Empty title={hasShared ? 'No server of your own' : 'No server yet'}>
    <p>
      Give the OpenAPI description of an API, as a file or by its address. You see what every
      operation becomes before anything is published.
    </p>
    <ButtonLink to="/new" kind="primary">
      Make your first server
    </ButtonLink>
  </Empty>
);

const MODES = {
  oauth: 'Sign-in (OAuth)',
  jwt: 'API tokens',
  none: 'Public',
} as const;

type Today = ReadonlyMap<string, ItemOf<'GET /account/calls'>>;

interface ListProps {
  readonly servers: readonly ItemOf<'GET /deployments'>[];
  /** Loaded after the list, which reserves space for it. */
  readonly today: Today | undefined;
}

const List = ({ servers, today }: ListProps) => (
  <ul class="cards">
    {servers.map((server) => (
      <li key={server.slug}>
        <Link to={`/servers/${server.slug}/tools`} class="card">
          <span class="card-name">{server.name}</span>
          <Badge kind={server.status === 'active' ? 'good' : 'warn'}>{server.status}</Badge>
          {server.credential_refused && <Badge kind="warn">credential refused by the API</Badge>}
          <span class="soft">
            {server.slug} · {count(server.tool_count, 'tool')}
            {server.tool_mode === 'search' && ', searched'} · {MODES[server.mcp_auth_method]}
          </span>
          <span class="soft numbers">
            <Numbers today={today} slug={server.slug} />
          </span>
          <span class="soft small">
            changed <Time at={server.updated_at} />
          </span>
        </Link>
      </li>
    ))}
  </ul>
);

const Numbers = ({ today, slug }: { readonly today: Today | undefined; readonly slug: string }) => {
  if (!today) return <>&nbsp;</>;
  const { calls = 0, errors = 0 } = today.get(slug) ?? {};
  return (
    <>
      {calls === 0 ? 'no calls today' : `${count(calls, 'call')} today`}
      {errors > 0 && (
        <>
          , <strong class="wrong">{count(errors, 'error')}</strong>
        </>
      )}
    </>
  );
};

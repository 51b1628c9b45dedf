import { call, readAll } from '../api/call.ts';
import { Link } from '../kit/button.tsx';
import { Note, nowInSeconds, Show } from '../kit/show.tsx';
import { count, numbered } from '../kit/words.ts';
import { useLoad } from '../state/load.ts';
import { Totals } from './server/activity/totals.tsx';

const DAYS = 30;
const DAY = 86_400;

/** What the plan allows, how much of it is used, and which server uses it. */
export const Page = () => {
  const account = useLoad('account', async () => (await call('GET /account')).body);
  const servers = useLoad('account-calls', () => {
    const since = new Date((nowInSeconds() - DAYS * DAY) * 1000).toISOString();
    return readAll('GET /account/calls', { query: { since } });
  });
  const mine = useLoad<readonly unknown[]>('servers', (show) =>
    readAll('GET /deployments', {}, { come: show }),
  );
  return (
    <>
      <div class="page-head">
        <h1>Usage</h1>
      </div>
      <Show loaded={account}>
        {({ plan, usage, limits }) => (
          <>
            <p class="lead">
              The plan is <strong>{plan}</strong>. Operators of this service change it.
            </p>
            <div class="columns two">
              <Meter what="Requests this hour" {...usage.hour} />
              <Meter what="Requests this month" {...usage.month} />
              {mine.value && (
                <Meter
                  what="Servers"
                  used={mine.value.length}
                  limit={limits.active_deployments_per_user}
                />
              )}
            </div>
            <p class="soft small">
              A server may have {count(limits.endpoints_per_deployment, 'tool')}
              {limits.searchable_operations > 0 &&
                `, or ${count(limits.searchable_operations, 'operation')} that clients search`}
              .
            </p>
          </>
        )}
      </Show>
      <Show loaded={servers}>
        {(totals) => (
          <Totals
            title={`Calls by server, last ${DAYS} days`}
            column="Server"
            totals={totals.map(({ slug, calls, errors, trials, latency_ms: latency }) => ({
              name: slug,
              calls,
              errors,
              trials,
              timed: latency.count,
              totalMs: latency.sum,
              longestMs: latency.max,
            }))}
            nameOf={(slug) => <Link to={`/servers/${slug}/activity`}>{slug}</Link>}
          />
        )}
      </Show>
    </>
  );
};

const NEARLY = 0.9;

const Meter = ({
  what,
  used,
  limit,
}: {
  readonly what: string;
  readonly used: number;
  readonly limit: number;
}) => (
  <div class="panel meter">
    <p>
      <strong>{what}</strong>{' '}
      <span class="soft">
        {numbered(used)} of {numbered(limit)}
      </span>
    </p>
    <meter aria-label={what} min={0} max={limit} high={limit * NEARLY} value={used} />
    {used >= limit && (
      <Note kind="warn">
        <p>Nothing more is taken until this is below its limit again.</p>
      </Note>
    )}
  </div>
);

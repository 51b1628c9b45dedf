import { readAll } from '../api/call.ts';
import { Link } from '../kit/button.tsx';
import { Message, PageTitle, Show } from '../kit/show.tsx';
import { nowInSeconds } from '../kit/time.tsx';
import { count, moment, numbered } from '../kit/words.ts';
import { useAnswer, useList, useLoad } from '../state/load.ts';
import { numbersOf } from './server/activity/series.ts';
import { Totals } from './server/activity/totals.tsx';

const DAYS = 30;
const DAY = 86_400;

export const Page = () => {
  const account = useAnswer('account', 'GET /account');
  const servers = useLoad('account-calls', () => {
    const since = new Date((nowInSeconds() - DAYS * DAY) * 1000).toISOString();
    return readAll('GET /account/calls', { query: { since } });
  });
  const mine = useList('servers', 'GET /deployments', {});
  return (
    <>
      <PageTitle>Usage</PageTitle>
      <Show loaded={account}>
        {({ plan, usage, limits }) => (
          <>
            <p class="lead">
              The plan is <strong>{plan}</strong>. Operators of this service change it.
            </p>
            <div class="columns two">
              <Meter
                what="Requests this hour"
                {...usage.hour}
                atLimit={`Requests are refused until ${moment(usage.hour.ends_at)}.`}
              />
              <Meter
                what="Requests this month"
                {...usage.month}
                atLimit={`Requests are refused until ${moment(usage.month.ends_at)}.`}
              />
              {mine.value && (
                <Meter
                  what="Servers"
                  used={mine.value.length}
                  limit={limits.active_deployments_per_user}
                  atLimit="Remove a server before you publish another one."
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
            totals={totals.map((one) => ({ name: one.slug, ...numbersOf(one) }))}
            nameOf={(slug) => <Link to={`/servers/${slug}/activity`}>{slug}</Link>}
          />
        )}
      </Show>
    </>
  );
};

const NEARLY = 0.9;

interface MeterProps {
  readonly what: string;
  readonly used: number;
  readonly limit: number;
  readonly atLimit: string;
}

const Meter = ({ what, used, limit, atLimit }: MeterProps) => (
  <div class="panel meter">
    <p>
      <strong>{what}</strong>{' '}
      <span class="soft">
        {numbered(used)} of {numbered(limit)}
      </span>
    </p>
    <meter aria-label={what} min={0} max={limit} high={limit * NEARLY} value={used} />
    {used >= limit && <Message kind="warn">{atLimit}</Message>}
  </div>
);

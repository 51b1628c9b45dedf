import { call } from '../api/call.ts';
import { Note } from '../kit/show.tsx';
import { useLoad } from '../state/load.ts';

/** From here on it is said before calls are refused. */
const NEARLY = 0.8;

/** That the plan's requests are used up, or nearly: no page waits for it. */
export const PlanNote = () => {
  const { value: account } = useLoad('account', async () => (await call('GET /account')).body);
  if (!account) return null;
  const { hour, month } = account.usage;
  const [window, { used, limit }] =
    month.used / month.limit > hour.used / hour.limit
      ? (['month', month] as const)
      : (['hour', hour] as const);
  if (used < limit * NEARLY) return null;
  const isOver = used >= limit;
  return (
    <Note kind={isOver ? 'bad' : 'warn'}>
      <p>
        <strong>
          {isOver
            ? `All ${limit} requests of this ${window} are used: your calls are refused until it ends.`
            : `${used} of ${limit} requests of this ${window} are used.`}
        </strong>{' '}
        Calls of others count on their own plans, and trials here on none. The operator of this
        service can change your plan.
      </p>
    </Note>
  );
};

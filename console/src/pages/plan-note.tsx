import { Message } from '../kit/show.tsx';
import { moment, numbered } from '../kit/words.ts';
import { useAnswer } from '../state/load.ts';

const NEARLY = 0.8;

export const PlanNote = () => {
  const { value: account } = useAnswer('account', 'GET /account');
  if (!account) return null;
  const { hour, month } = account.usage;
  const [window, { used, limit, ends_at: endsAt }] =
    month.used / month.limit > hour.used / hour.limit
      ? (['month', month] as const)
      : (['hour', hour] as const);
  if (used < limit * NEARLY) return null;
  const isOver = used >= limit;
  return (
    <Message kind={isOver ? 'bad' : 'warn'}>
      <strong>
        {isOver
          ? `All ${numbered(limit)} requests of this ${window} are used. Your calls are refused until ${moment(endsAt)}.`
          : `${numbered(used)} of ${numbered(limit)} requests of this ${window} are used.`}
      </strong>{' '}
      Calls of others count on their own plans. Trials here count on none. The operator of this
      service can change your plan.
    </Message>
  );
};

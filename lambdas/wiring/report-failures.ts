import type { InvocationTime } from '../../layers/platform/system/clock.ts';
import { errorDetail } from '../../layers/platform/rules/error-detail.ts';
import type { Log } from '../../layers/platform/rules/log.ts';

/**
 * Has an invocation that ends in an error leave a line of ours. The runtime writes one as well, but as text: who
 * looks for names of errors there also finds those that a stranger has put into a message.
 */
export const reportFailures = (time: InvocationTime, log: Log): InvocationTime => ({
  ...time,
  within: (context, work) =>
    time.within(context, () =>
      work().catch((error: unknown) => {
        const { outcome, detail } = errorDetail(error);
        log.write({ message: 'invocation_failed', level: 'error', outcome, ...detail });
        throw error;
      }),
    ),
});

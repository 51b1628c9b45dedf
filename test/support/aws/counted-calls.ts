import { dynamoCallStore } from '../../../layers/activity/store/call-store.ts';
import { dynamoCallTally } from '../../../layers/activity/store/call-tally.ts';
import type { TouchedMinute } from '../../../layers/activity/rules/touched.ts';
import { recountMarks, tallyNow } from '../../../layers/activity/steps/tally-calls.ts';
import { minuteOf } from '../../../layers/activity/rules/minutes.ts';
import { aClock, type SettableClock, type Store } from './dynamodb-fixtures.ts';
import type { PortsOf } from '../../../layers/platform/ports.ts';

/** What `tally` has, on a clock of one's own; what cannot be counted is in `untold`. */
export const tallyPorts = (
  store: Pick<Store, 'instance' | 'tableName'>,
  clock: SettableClock = aClock(),
) => {
  const untold: TouchedMinute[] = [];
  const ports: PortsOf<typeof tallyNow> = {
    clock,
    callTally: dynamoCallTally(store.instance(), store.tableName('calls'), 90),
    untallied: {
      tell: async (minutes) => void untold.push(...minutes),
      some: async () => ({
        told: untold.map((minute, at) => ({ minute, receipt: String(at) })),
        isAll: true,
      }),
      remove: async (told) => {
        const gone = new Set(told.map(({ receipt }) => Number(receipt)));
        untold.splice(0, untold.length, ...untold.filter((_, at) => !gone.has(at)));
      },
    },
    tallyRequests: { send: () => Promise.reject(new Error('there is no other instance')) },
  };
  return { ...ports, untold, run: () => tallyNow(ports) };
};

/** Stores calls as `activity` does, and counts them as `tally` does, at once. */
export const countedCallStore = (store: Pick<Store, 'instance' | 'tableName'>) => {
  const ports = tallyPorts(store);
  const pause = async () => undefined;
  const calls = dynamoCallStore(
    { ...ports, pause },
    store.instance(),
    store.tableName('calls'),
    90,
  );
  const now = minuteOf(ports.clock.now());
  return {
    store: async (...stored: Parameters<typeof calls.store>): Promise<void> => {
      await calls.store(...stored);
      await recountMarks(ports, { from: now, to: now, isAnew: false });
    },
  };
};

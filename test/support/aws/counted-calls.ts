import { dynamoCallStore } from '../../../layers/activity/store/call-store.ts';
import { type CallTally, dynamoCallTally } from '../../../layers/activity/store/call-tally.ts';
import type { TouchedMinute } from '../../../layers/activity/rules/touched.ts';
import { recountMarks, tallyNow, tallyPart } from '../../../layers/activity/steps/tally-calls.ts';
import { minuteOf } from '../../../layers/activity/rules/minutes.ts';
import type { PortsOf } from '../../../layers/platform/ports.ts';
import { aClock, type SettableClock, type Store } from './dynamodb-fixtures.ts';

/** What `tally` has, on a clock of one's own. */
export const tallyPorts = (
  store: Pick<Store, 'instance' | 'tableName'>,
  clock: SettableClock = aClock(),
) => tallyPortsOn(dynamoCallTally(store.instance(), store.tableName('calls'), 90), clock);

/** The same on any table; what cannot be counted is in `untold`, and parts are counted by the same instance. */
export const tallyPortsOn = <Clock extends PortsOf<typeof tallyNow>['clock']>(
  callTally: CallTally,
  clock: Clock,
) => {
  const untold: TouchedMinute[] = [];
  const ports = {
    clock,
    callTally,
    untallied: {
      tell: async (minutes: readonly TouchedMinute[]) => void untold.push(...minutes),
      some: async () => ({
        told: untold.map((minute, at) => ({ minute, receipt: String(at) })),
        isAll: true,
      }),
      remove: async (told: readonly { readonly receipt: string }[]) => {
        const gone = new Set(told.map(({ receipt }) => Number(receipt)));
        untold.splice(0, untold.length, ...untold.filter((_, at) => !gone.has(at)));
      },
    },
    tallyRequests: {
      send: (event: object) => tallyPart(ports, event as Parameters<typeof tallyPart>[1]),
    },
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

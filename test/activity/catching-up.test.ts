import { expect, test } from '@jest/globals';
import { minuteOf, minutesAfter } from '../../layers/activity/rules/minutes.ts';
import { dynamoCallStore } from '../../layers/activity/store/call-store.ts';
import { dynamoCallTally } from '../../layers/activity/store/call-tally.ts';
import { dynamoCalls } from '../../layers/activity/store/calls.ts';
import { tallyNow } from '../../layers/activity/steps/tally-calls.ts';
import { memoryTable } from '../support/aws/memory-table.ts';
import { aClock, NOON } from '../support/aws/dynamodb-fixtures.ts';
import { tallyPortsOn } from '../support/aws/counted-calls.ts';
import { aCall } from '../support/aws/replayed-calls.ts';

const MINUTES = 6 * 60;
const SERVERS = Array.from({ length: 3 }, (_, at) => `dep-${at}`);
/** Minutes that a run counts for good at most. */
const A_RUN = 30;
const GRACE = 5;

test('six hours without a run are caught up within a quarter of an hour, and no call is lost', async () => {
  const table = memoryTable();
  const clock = aClock(NOON);
  const store = dynamoCallStore(
    { clock, pause: async () => undefined },
    table.client(),
    'calls',
    90,
  );
  const send = () => Promise.reject(new Error('one instance is enough'));
  const ports = {
    ...tallyPortsOn(dynamoCallTally(table.client(), 'calls', 90), clock),
    tallyRequests: { send },
  };
  const storeCalls = async (from: number) => {
    const calls = SERVERS.map((deploymentId, at) =>
      aCall({ at: clock.time, requestId: `request-${from}-${at}`, deploymentId }, () => 0.5),
    );
    // As many log streams as instances.
    for (const [at, call] of calls.entries()) await store.store([call], `stream-${at % 4}`);
  };
  await tallyNow(ports);
  for (let minute = 0; minute < MINUTES; minute += 1) {
    clock.time += 60;
    await storeCalls(minute);
  }

  let runs = 0;
  let isBehind = true;
  while (isBehind) {
    clock.time += 60;
    await storeCalls(MINUTES + runs);
    const { done } = await tallyNow(ports);
    runs += 1;
    isBehind = done < minutesAfter(minuteOf(clock.time), -GRACE);
  }

  expect(runs).toBeLessThanOrEqual(15);
  expect(runs).toBeGreaterThanOrEqual(MINUTES / A_RUN);
  const stored = MINUTES + runs;
  for (let last = 0; last < GRACE; last += 1) {
    clock.time += 60;
    await tallyNow(ports);
  }
  for (const id of SERVERS) {
    const days = await dynamoCalls(table.client(), 'calls').days(id, '2020-01-01', '2099-01-01');
    const calls = days.reduce((sum, day) => sum + day.calls, 0);
    expect([id, calls]).toEqual([id, stored]);
  }
  expect(ports.untold).toEqual([]);
});

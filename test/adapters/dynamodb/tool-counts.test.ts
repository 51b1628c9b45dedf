import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoActivity } from '../../../layers/core/adapters/dynamodb/activity.ts';
import { shardOf, SHARDS } from '../../../layers/core/adapters/dynamodb/tool-count-item.ts';
import { dynamoToolCounts } from '../../../layers/core/adapters/dynamodb/tool-counts.ts';
import { DAY } from '../../../layers/core/domain/time.ts';
import { aClock, startStore, type Store } from './fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

let deployments = 0;
const aDeploymentId = () => `dep-${(deployments += 1)}`;

/** An instance of the router, with a clock and a log of its own. */
const anInstance = (name = 'instance-1') => {
  const clock = aClock();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { write: (line: Readonly<Record<string, unknown>>) => void lines.push(line) };
  const mint = { id: () => name, secret: () => name };
  const table = store.tableName('security-events');
  const counts = dynamoToolCounts({ clock, log, mint }, store.instance(), table, 90);
  return { clock, lines, ...counts };
};

const daysOf = (deploymentId: string, from = '2026-11-20', to = '2026-11-20') =>
  dynamoActivity(store.instance(), store.tableName('security-events')).toolDays(
    deploymentId,
    from,
    to,
  );

const ok = (durationMs: number) => ({ outcome: 'ok', durationMs }) as const;

describe('counting calls of tools', () => {
  test('shows the first call at once, and how it ended with a later one', async () => {
    const call = { deploymentId: aDeploymentId(), tool: 'listPets' };
    const instance = anInstance();

    await instance.began(call);
    instance.ended(call, ok(120));
    expect(await daysOf(call.deploymentId)).toEqual([
      {
        day: '2026-11-20',
        tool: 'listPets',
        calls: 1,
        ok: 0,
        targetErrors: 0,
        noAnswers: 0,
        latencySumMs: 0,
        latencyMaxMs: 0,
      },
    ]);

    instance.clock.time += 10;
    await instance.began(call);
    expect(await daysOf(call.deploymentId)).toMatchObject([
      { calls: 2, ok: 1, latencySumMs: 120, latencyMaxMs: 120 },
    ]);
  });

  test('asks the store at most once in ten seconds, however many calls there are', async () => {
    const call = { deploymentId: aDeploymentId(), tool: 'listPets' };
    const instance = anInstance();
    await instance.began(call);
    store.aws.calls.reset();

    instance.clock.time += 9;
    for (let calls = 0; calls < 50; calls += 1) await instance.began(call);
    expect(store.aws.calls.count()).toBe(0);

    instance.clock.time += 1;
    await instance.began(call);
    expect(store.aws.calls.count()).toBe(1);
    expect(await daysOf(call.deploymentId)).toMatchObject([{ calls: 52 }]);
  });

  test('tells outcomes apart, and keeps the longest latency', async () => {
    const call = { deploymentId: aDeploymentId(), tool: 'listPets' };
    const instance = anInstance();
    const ends = [
      ok(5),
      { outcome: 'target_error', durationMs: 40 } as const,
      { outcome: 'no_answer', durationMs: 20 } as const,
    ];
    for (const end of ends) {
      await instance.began(call);
      instance.ended(call, end);
      instance.clock.time += 10;
    }
    await instance.began(call);

    expect(await daysOf(call.deploymentId)).toMatchObject([
      { calls: 4, ok: 1, targetErrors: 1, noAnswers: 1, latencySumMs: 65, latencyMaxMs: 40 },
    ]);
  });

  test('adds up what instances have counted in different places', async () => {
    const call = { deploymentId: aDeploymentId(), tool: 'listPets' };
    const names = Array.from({ length: 40 }, (_, number) => `instance-${number}`);
    expect(new Set(names.map(shardOf)).size).toBe(SHARDS);

    await Promise.all(names.map((name) => anInstance(name).began(call)));

    expect(await daysOf(call.deploymentId)).toMatchObject([{ calls: 40 }]);
  });

  test('keeps days, tools and deployments apart', async () => {
    const instance = anInstance();
    const [one, other] = [aDeploymentId(), aDeploymentId()];
    await instance.began({ deploymentId: one, tool: 'a' });
    instance.clock.time += 10;
    await instance.began({ deploymentId: one, tool: 'b' });
    instance.clock.time += 10;
    await instance.began({ deploymentId: other, tool: 'a' });
    instance.clock.time += DAY;
    await instance.began({ deploymentId: one, tool: 'a' });

    const days = await daysOf(one, '2026-11-20', '2026-11-21');
    expect(days.map(({ day, tool }) => `${day} ${tool}`).sort()).toEqual([
      '2026-11-20 a',
      '2026-11-20 b',
      '2026-11-21 a',
    ]);
    expect(await daysOf(one, '2026-11-21', '2026-11-21')).toHaveLength(1);
    expect(await daysOf(other)).toMatchObject([{ tool: 'a', calls: 1 }]);
  });

  test('stores no more than twenty at once, and the rest with the next call', async () => {
    const deploymentId = aDeploymentId();
    const instance = anInstance();
    await instance.began({ deploymentId, tool: 'first' });
    for (let tool = 0; tool < 29; tool += 1) {
      await instance.began({ deploymentId, tool: `tool-${tool}` });
    }
    instance.clock.time += 10;
    await instance.began({ deploymentId, tool: 'tool-29' });
    expect(await daysOf(deploymentId)).toHaveLength(21);

    await instance.began({ deploymentId, tool: 'tool-29' });
    expect(await daysOf(deploymentId)).toHaveLength(31);
  });

  test('says in the log what is lost when the store is down, and calls go on', async () => {
    const call = { deploymentId: aDeploymentId(), tool: 'listPets' };
    const instance = anInstance();
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(instance.began(call)).resolves.toBeUndefined();
    expect(instance.lines).toEqual([{ message: 'tool_counts_lost', level: 'error', count: 1 }]);
  });
});

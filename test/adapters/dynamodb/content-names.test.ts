import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoResources } from '../../../layers/core/adapters/dynamodb/resources.ts';
import { contentRevision } from '../../../layers/core/domain/deployments/content-revision.ts';
import type { Resource } from '../../../layers/core/domain/deployment.ts';
import { dyingBefore, losingAnswers, overtakenBefore } from '../../support/flaky-dynamo.ts';
import { NOON, startStore, type Store } from './fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const table = () => store.tableName('deployment-content');
const resources = (dynamo = store.instance()) => dynamoResources(dynamo, table());
const ROOM = { maxCount: 3, maxBytes: 100 };

const aResource = (name: string, over: Partial<Resource> = {}): Resource => ({
  name,
  uri: `docs://${name}`,
  content: 'text',
  encoding: 'text',
  ...over,
});

/** How many calls it takes to add the first resource of a deployment. */
const CALLS_OF_CREATE = 4;
const CALLS_OF_REPLACE = 4;

describe('adding a resource that is killed before one of its calls', () => {
  test.each(Array.from({ length: CALLS_OF_CREATE }, (_, index) => index + 1))(
    'number %i leaves nothing that can be read, and the next try succeeds',
    async (nth) => {
      const deployment = `killed-${nth}`;
      const dying = resources(dyingBefore(store.instance(), nth));
      const guide = aResource('guide');
      await expect(dying.create(deployment, guide, ROOM, NOON)).rejects.toThrow();
      expect(await resources().list(deployment)).toEqual([]);

      expect(await resources().create(deployment, guide, ROOM, NOON)).toBe('placed');
      expect(await resources().list(deployment)).toEqual([guide]);
    },
  );

  test('before its last call keeps the name from others for a minute', async () => {
    const dying = resources(dyingBefore(store.instance(), CALLS_OF_CREATE));
    await expect(dying.create('held', aResource('guide'), ROOM, NOON)).rejects.toThrow();

    const other = aResource('guide', { content: 'another' });
    expect(await resources().create('held', other, ROOM, NOON + 59)).toBe('name_taken');
    expect(await resources().create('held', other, ROOM, NOON + 60)).toBe('placed');
  });

  test('takes no room for ever', async () => {
    for (const name of ['a', 'b', 'c']) {
      const calls = name === 'a' ? CALLS_OF_CREATE : CALLS_OF_CREATE - 1;
      const dying = resources(dyingBefore(store.instance(), calls));
      await expect(dying.create('room', aResource(name), ROOM, NOON)).rejects.toThrow();
    }

    const create = (now: number) => resources().create('room', aResource('d'), ROOM, now);
    expect(await create(NOON + 59)).toBe('too_many');
    expect(await create(NOON + 60)).toBe('placed');
  });

  test('needs as many calls as it says here', async () => {
    store.aws.calls.reset();
    await resources().create('counted', aResource('guide'), ROOM, NOON);
    expect(store.aws.calls.count()).toBe(CALLS_OF_CREATE);
  });
});

describe('replacing a resource that is killed before one of its calls', () => {
  test.each(Array.from({ length: CALLS_OF_REPLACE }, (_, index) => index + 1))(
    'number %i leaves the old one, and the next try succeeds',
    async (nth) => {
      const deployment = `replaced-${nth}`;
      const before = aResource('guide');
      const after = aResource('guide', { uri: 'docs://new', content: 'new' });
      await resources().create(deployment, before, ROOM, NOON);
      const dying = resources(dyingBefore(store.instance(), nth));
      await expect(dying.replace(deployment, after, ROOM, NOON)).rejects.toThrow();
      expect(await resources().list(deployment)).toEqual([before]);

      expect(await resources().replace(deployment, after, ROOM, NOON)).toBe('placed');
      expect(await resources().list(deployment)).toEqual([after]);
    },
  );
});

describe('removing a resource', () => {
  test('that is killed halfway leaves nothing that is in the way a minute later', async () => {
    await resources().create('removed', aResource('guide'), ROOM, NOON);
    const dying = resources(dyingBefore(store.instance(), 2));
    await expect(dying.remove('removed', 'guide')).rejects.toThrow();

    expect(await resources().list('removed')).toEqual([]);
    const other = aResource('guide', { content: 'another' });
    expect(await resources().create('removed', other, ROOM, NOON + 60)).toBe('placed');
  });

  test('that is not there is told', async () => {
    expect(await resources().remove('empty', 'guide')).toBe('missing');
  });
});

describe('two writers at once', () => {
  test('are both heard, also where one overtakes the other', async () => {
    const late = overtakenBefore(store.instance(), 'NAMES#RES', () =>
      resources().create('race', aResource('first'), ROOM, NOON),
    );
    expect(await resources(late).create('race', aResource('second'), ROOM, NOON)).toBe('placed');

    const names = (await resources().list('race')).map(({ name }) => name);
    expect(names).toEqual(['first', 'second']);
  });

  test('get one name once, also where one overtakes the other', async () => {
    const late = overtakenBefore(store.instance(), '"revision"', () =>
      resources().create('same', aResource('guide', { content: 'first' }), ROOM, NOON),
    );
    const second = aResource('guide', { content: 'second' });
    expect(await resources(late).create('same', second, ROOM, NOON)).toBe('name_taken');
    expect(await resources().list('same')).toMatchObject([{ content: 'first' }]);
  });
});

describe('a change that is meant for what was looked at', () => {
  const before = aResource('guide');
  const winner = aResource('guide', { uri: 'docs://winner', content: 'winner' });
  const after = aResource('guide', { uri: 'docs://after', content: 'after' });
  const lookedAt = [contentRevision(before)];
  /** Somebody replaces it before the last call of whoever came first. */
  const overtaken = (deployment: string, part: string) =>
    resources(
      overtakenBefore(store.instance(), part, () =>
        resources().replace(deployment, winner, ROOM, NOON),
      ),
    );
  const holding = async (deployment: string) => {
    await resources().create(deployment, before, ROOM, NOON);
    return deployment;
  };

  test('is made to that alone', async () => {
    const deployment = await holding('looked-at');
    const { replace, remove } = resources();
    expect(await replace(deployment, after, ROOM, NOON, ['other'])).toBe('stale');
    expect(await remove(deployment, 'guide', ['other'])).toBe('stale');
    expect(await resources().list(deployment)).toEqual([before]);

    expect(await replace(deployment, after, ROOM, NOON, ['other', ...lookedAt])).toBe('placed');
    expect(await remove(deployment, 'guide', [contentRevision(after)])).toBe('removed');
    expect(await remove(deployment, 'guide', lookedAt)).toBe('missing');
  });

  test('is stale where another overtakes it, and leaves no trace', async () => {
    const deployment = await holding('overtaken');
    const late = overtaken(deployment, '"content":"after"');
    expect(await late.replace(deployment, after, ROOM, NOON, lookedAt)).toBe('stale');
    expect(await resources().list(deployment)).toEqual([winner]);

    const create = (uri: string) =>
      resources().create(deployment, aResource('next', { uri }), ROOM, NOON);
    expect(await create(winner.uri)).toBe('uri_taken');
    expect(await create(after.uri)).toBe('placed');
  });

  test('is a removal of that alone, too', async () => {
    const deployment = await holding('overtaken-removal');
    const late = overtaken(deployment, 'ALL_OLD');
    expect(await late.remove(deployment, 'guide', lookedAt)).toBe('stale');
    expect(await resources().list(deployment)).toEqual([winner]);
  });

  test('comes after the other, with its own uri, where it was meant for whatever is there', async () => {
    const deployment = await holding('whatever');
    const late = overtaken(deployment, '"content":"after"');
    expect(await late.replace(deployment, after, ROOM, NOON)).toBe('placed');
    expect(await resources().list(deployment)).toEqual([after]);
    const next = aResource('next', { uri: after.uri });
    expect(await resources().create(deployment, next, ROOM, NOON)).toBe('uri_taken');
  });

  test('knows what was stored before revisions were', async () => {
    const Item = { pk: 'DEP#unnamed', sk: 'RES#guide', ...before };
    await store.instance().send(new PutCommand({ TableName: table(), Item }));
    expect(await resources().replace('unnamed', after, ROOM, NOON, lookedAt)).toBe('placed');
  });

  test('is not stale because an answer was lost', async () => {
    const deployment = await holding('lost-removal');
    const flaky = resources(losingAnswers(store.instance(), { to: 'Delete' }));
    expect(await flaky.remove(deployment, 'guide', lookedAt)).toBe('removed');
    expect(await resources().list(deployment)).toEqual([]);
  });
});

describe('a lost answer', () => {
  test('does not make an addition fail on itself', async () => {
    const flaky = resources(losingAnswers(store.instance(), { to: 'Put', times: 2 }));
    expect(await flaky.create('lost', aResource('guide'), ROOM, NOON)).toBe('placed');
    expect(await resources().list('lost')).toHaveLength(1);
  });
});

describe('what was stored before names were kept', () => {
  test('counts, and keeps its name and uri', async () => {
    await resources().put('older', aResource('guide'));

    const create = (resource: Resource) => resources().create('older', resource, ROOM, NOON);
    expect(await create(aResource('guide', { uri: 'docs://b' }))).toBe('name_taken');
    expect(await create(aResource('b', { uri: 'docs://guide' }))).toBe('uri_taken');
    expect(await create(aResource('b', { content: 'x'.repeat(97) }))).toBe('too_much');
    expect(await create(aResource('b', { content: 'x'.repeat(96) }))).toBe('placed');
  });
});

import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoPrompts } from '../../../layers/contents/store/prompts.ts';
import { dynamoResources } from '../../../layers/contents/store/resources.ts';
import { contentRevision } from '../../../layers/deployments/rules/content-revision.ts';
import type { Resource } from '../../../layers/contents/rules/contents.ts';
import { dyingBefore, losingAnswers, overtakenBefore } from '../../support/aws/flaky-dynamo.ts';
import { contentTables, home, startStore } from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => store.aws.faults.clear());

const resources = (dynamo = store.instance()) => dynamoResources(dynamo, contentTables(store));
const ROOM = { maxCount: 3, maxBytes: 100 };

const aResource = (name: string, over: Partial<Resource> = {}): Resource => ({
  name,
  uri: `docs://${name}`,
  content: 'text',
  encoding: 'text',
  ...over,
});

describe('a function that is killed before its transaction', () => {
  test('adds nothing, and takes neither name nor uri nor room', async () => {
    const dying = resources(dyingBefore(store.instance(), 1));
    const guide = aResource('guide');
    await expect(dying.create(home('killed'), guide, ROOM)).rejects.toThrow();
    expect(await resources().list('killed')).toEqual([]);

    const one = { maxCount: 1, maxBytes: 4 };
    expect(await resources().create(home('killed'), guide, one)).toBe('placed');
    expect(await resources().list('killed')).toEqual([guide]);
  });

  test.each([1, 2])('leaves the old one before its call number %i to replace it', async (nth) => {
    const deployment = `replaced-${nth}`;
    const before = aResource('guide');
    const after = aResource('guide', { uri: 'docs://new', content: 'new' });
    await resources().create(home(deployment), before, ROOM);
    const dying = resources(dyingBefore(store.instance(), nth));
    await expect(dying.replace(home(deployment), after, ROOM)).rejects.toThrow();
    expect(await resources().list(deployment)).toEqual([before]);

    expect(await resources().replace(home(deployment), after, ROOM)).toBe('placed');
    expect(await resources().list(deployment)).toEqual([after]);
  });

  test.each([1, 2])('leaves the old one before its call number %i to remove it', async (nth) => {
    const deployment = `removed-${nth}`;
    await resources().create(home(deployment), aResource('guide'), ROOM);
    const dying = resources(dyingBefore(store.instance(), nth));
    await expect(dying.remove(home(deployment), 'guide')).rejects.toThrow();
    expect(await resources().list(deployment)).toEqual([aResource('guide')]);

    expect(await resources().remove(home(deployment), 'guide')).toBe('removed');
  });
});

describe('names and uris of resources', () => {
  test('are each taken once in a deployment', async () => {
    await resources().create(home('taken'), aResource('guide'), ROOM);
    const create = (resource: Resource) => resources().create(home('taken'), resource, ROOM);

    expect(await create(aResource('guide', { uri: 'docs://b' }))).toBe('name_taken');
    expect(await create(aResource('b', { uri: 'docs://guide' }))).toBe('uri_taken');
    expect(await resources().create(home('another'), aResource('guide'), ROOM)).toBe('placed');
  });

  test('are free again once their resource is removed or has another uri', async () => {
    await resources().create(home('freed'), aResource('guide'), ROOM);
    await resources().replace(home('freed'), aResource('guide', { uri: 'docs://moved' }), ROOM);
    const create = (name: string, uri: string) =>
      resources().create(home('freed'), aResource(name, { uri }), ROOM);
    expect(await create('b', 'docs://guide')).toBe('placed');

    await resources().remove(home('freed'), 'guide');
    expect(await create('guide', 'docs://guide')).toBe('uri_taken');
    expect(await create('guide', 'docs://moved')).toBe('placed');
  });

  test('are not taken by a replacement that is refused', async () => {
    await resources().create(home('refused'), aResource('a'), ROOM);
    await resources().create(home('refused'), aResource('b'), ROOM);

    const onto = aResource('a', { uri: 'docs://b' });
    expect(await resources().replace(home('refused'), onto, ROOM)).toBe('uri_taken');
    expect(await resources().list('refused')).toEqual([aResource('a'), aResource('b')]);
  });

  test('go to exactly one of many that ask for them at once', async () => {
    const names = Array.from({ length: 10 }, (_, number) => `name-${number}`);
    const uri = 'docs://same';
    const ends = await Promise.all(
      names.map((name) => resources().create(home('crowd'), aResource(name, { uri }), ROOM)),
    );

    expect(ends.filter((end) => end === 'placed')).toHaveLength(1);
    expect(await resources().list('crowd')).toHaveLength(1);
  });
});

describe('the room for resources', () => {
  const bytes = (count: number) => 'x'.repeat(count);

  test('ends with the last resource that there may be', async () => {
    for (const name of ['a', 'b', 'c']) {
      expect(await resources().create(home('count'), aResource(name), ROOM)).toBe('placed');
    }
    expect(await resources().create(home('count'), aResource('d'), ROOM)).toBe('too_many');

    await resources().remove(home('count'), 'a');
    expect(await resources().create(home('count'), aResource('d'), ROOM)).toBe('placed');
  });

  test('ends with the last byte that there may be', async () => {
    await resources().create(home('bytes'), aResource('a', { content: bytes(60) }), ROOM);
    const create = (count: number) =>
      resources().create(home('bytes'), aResource('b', { content: bytes(count) }), ROOM);

    expect(await create(41)).toBe('too_much');
    expect(await create(40)).toBe('placed');
  });

  test('is too small for a first one that is larger than all of it', async () => {
    const create = (content: string) =>
      resources().create(home('first'), aResource('a', { content }), ROOM);

    expect(await create(bytes(101))).toBe('too_much');
    expect(await create(bytes(100))).toBe('placed');
  });

  test('counts bytes of UTF-8, and the difference where one is replaced', async () => {
    await resources().create(home('utf'), aResource('a', { content: 'ä'.repeat(25) }), ROOM);
    const replace = (content: string) =>
      resources().replace(home('utf'), aResource('a', { content }), ROOM);
    const next = aResource('b', { content: 'x' });

    expect(await replace('ä'.repeat(51))).toBe('too_much');
    expect(await replace('ä'.repeat(50))).toBe('placed');
    expect(await resources().create(home('utf'), next, ROOM)).toBe('too_much');
  });

  test('lets nothing be replaced while there are too many by a lower limit', async () => {
    await resources().create(home('lowered'), aResource('a'), ROOM);
    await resources().create(home('lowered'), aResource('b'), ROOM);
    const replace = (maxCount: number) =>
      resources().replace(home('lowered'), aResource('a', { content: 'new' }), {
        ...ROOM,
        maxCount,
      });

    expect(await replace(1)).toBe('too_many');
    expect(await replace(2)).toBe('placed');
  });

  test('is never exceeded by many at once', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `name-${number}`);
    const content = bytes(40);
    const ends = await Promise.all(
      names.map((name) => resources().create(home('many'), aResource(name, { content }), ROOM)),
    );

    expect(ends.filter((end) => end === 'placed')).toHaveLength(2);
    expect(await resources().list('many')).toHaveLength(2);
  });

  test('is that of resources alone, where there are prompts', async () => {
    const prompts = dynamoPrompts(store.instance(), contentTables(store));
    const one = { maxCount: 1, maxBytes: Infinity };
    await resources().create(home('both'), aResource('same'), one);

    const prompt = { name: 'same', arguments: [], template: bytes(200) };
    expect(await prompts.create(home('both'), prompt, one)).toBe('placed');
    expect(await prompts.create(home('both'), { ...prompt, name: 'other' }, one)).toBe('too_many');
  });
});

describe('removing a resource', () => {
  test('says where there is none', async () => {
    expect(await resources().remove(home('empty'), 'guide')).toBe('missing');
  });
});

describe('a change that is meant for what was looked at', () => {
  const before = aResource('guide');
  const winner = aResource('guide', { uri: 'docs://winner', content: 'winner' });
  const after = aResource('guide', { uri: 'docs://after', content: 'after' });
  const lookedAt = [contentRevision(before)];
  /** Somebody else does something right before the transaction of whoever came first. */
  const overtakenBy = (event: () => Promise<unknown>) =>
    resources(overtakenBefore(store.instance(), 'TransactItems', event));
  const replacedIn = (deployment: string) =>
    overtakenBy(() => resources().replace(home(deployment), winner, ROOM));
  const holding = async (deployment: string) => {
    await resources().create(home(deployment), before, ROOM);
    return deployment;
  };

  test('is made to that alone', async () => {
    const deployment = await holding('looked-at');
    const { replace, remove } = resources();
    expect(await replace(home(deployment), after, ROOM, ['other'])).toBe('stale');
    expect(await remove(home(deployment), 'guide', ['other'])).toBe('stale');
    expect(await resources().list(deployment)).toEqual([before]);

    expect(await replace(home(deployment), after, ROOM, ['other', ...lookedAt])).toBe('placed');
    expect(await remove(home(deployment), 'guide', [contentRevision(after)])).toBe('removed');
    expect(await remove(home(deployment), 'guide', lookedAt)).toBe('missing');
  });

  test('is stale where another overtakes it, and leaves no trace', async () => {
    const deployment = await holding('overtaken');
    expect(await replacedIn(deployment).replace(home(deployment), after, ROOM, lookedAt)).toBe(
      'stale',
    );
    expect(await resources().list(deployment)).toEqual([winner]);

    const create = (uri: string) =>
      resources().create(home(deployment), aResource('next', { uri }), ROOM);
    expect(await create(winner.uri)).toBe('uri_taken');
    expect(await create(after.uri)).toBe('placed');
  });

  test('is stale as a removal, too, where another overtakes it', async () => {
    const deployment = await holding('overtaken-removal');
    expect(await replacedIn(deployment).remove(home(deployment), 'guide', lookedAt)).toBe('stale');
    expect(await resources().list(deployment)).toEqual([winner]);
  });

  test('comes after the other, with its own uri, where it was meant for whatever is there', async () => {
    const deployment = await holding('whatever');
    expect(await replacedIn(deployment).replace(home(deployment), after, ROOM)).toBe('placed');
    expect(await resources().list(deployment)).toEqual([after]);
    const create = (uri: string) =>
      resources().create(home(deployment), aResource('next', { uri }), ROOM);
    expect(await create(after.uri)).toBe('uri_taken');
    expect(await create(winner.uri)).toBe('placed');
  });

  test('learns that nothing is there where somebody else has removed it in the meantime', async () => {
    const deployment = await holding('gone');
    const late = overtakenBy(() => resources().remove(home(deployment), 'guide'));
    expect(await late.replace(home(deployment), after, ROOM)).toBe('missing');
  });
});

describe('a lost answer', () => {
  const shaken = () => resources(losingAnswers(store.instance(), { to: 'TransactWriteItems' }));

  test('does not make an addition fail on itself', async () => {
    expect(await shaken().create(home('lost'), aResource('guide'), ROOM)).toBe('placed');
    expect(await resources().list('lost')).toHaveLength(1);
  });

  test('does not make a removal miss what it has removed, nor count it twice', async () => {
    const one = { maxCount: 1, maxBytes: 100 };
    await resources().create(home('lost-removal'), aResource('guide'), one);
    const lookedAt = [contentRevision(aResource('guide'))];
    expect(await shaken().remove(home('lost-removal'), 'guide', lookedAt)).toBe('removed');

    expect(await resources().create(home('lost-removal'), aResource('guide'), one)).toBe('placed');
    expect(await resources().create(home('lost-removal'), aResource('b'), one)).toBe('too_many');
  });
});

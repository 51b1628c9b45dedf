import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamoUsers } from '../../../layers/core/adapters/dynamodb/users.ts';
import { dyingBefore, losingAnswers, overtakenBefore } from '../../support/flaky-dynamo.ts';
import { startStore, type Store } from './fixtures.ts';
import { aUser } from './oauth-fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const users = (dynamo = store.instance()) => dynamoUsers(dynamo, store.tableName('users'));
const named = (name: string, over = {}) =>
  aUser({ id: `id-${name}`, email: `${name}@example.com`, ...over });

describe('registering a user', () => {
  test.each([
    ['nameless', named('nameless')],
    ['verified and named', named('whole', { name: 'Ada', emailVerified: true, plan: 'pro' })],
  ])('%s makes one that is found by id and by e-mail', async (_, user) => {
    expect(await users().create(user)).toBe(true);
    expect(await users().find(user.id)).toEqual(user);
    expect(await users().findByEmail(user.email)).toEqual(user);
  });

  test('is refused where the e-mail is taken, however it is written', async () => {
    await users().create(named('taken'));

    for (const email of ['taken@example.com', 'Taken@EXAMPLE.com']) {
      expect(await users().create(named('taken', { id: 'other', email }))).toBe(false);
    }
    expect(await users().find('other')).toBeUndefined();
    expect(await users().findByEmail('TAKEN@example.com')).toEqual(named('taken'));
  });

  test('takes two writes', async () => {
    await users().create(named('cheap'));

    expect(store.aws.calls.list()).toMatchObject([{ operation: 'PutItem', times: 2 }]);
  });

  test.each([1, 2, 3, 4, 5, 8])(
    'of %i at once under one e-mail makes exactly one',
    async (contenders) => {
      const name = `raced-${contenders}`;
      const ids = Array.from({ length: contenders }, (_, i) => `${name}-${i}`);

      const won = await Promise.all(ids.map((id) => users().create(named(name, { id }))));

      expect(won.filter(Boolean)).toHaveLength(1);
      const winner = ids[won.indexOf(true)]!;
      expect(await users().findByEmail(`${name}@example.com`)).toMatchObject({ id: winner });
      const found = await Promise.all(ids.map((id) => users().find(id)));
      expect(found.filter((user) => user !== undefined)).toHaveLength(1);
    },
  );

  test.each([1, 2])('that dies before its write %i does not block the next', async (nth) => {
    const name = `dead-${nth}`;
    const dying = users(dyingBefore(store.instance(), nth));
    await expect(dying.create(named(name, { id: `${name}-first` }))).rejects.toThrow('Killed');
    expect(await users().findByEmail(`${name}@example.com`)).toBeUndefined();

    expect(await users().create(named(name))).toBe(true);
    expect(await users().findByEmail(`${name}@example.com`)).toEqual(named(name));
  });

  // Its calls: a pointer refused, twice a read of it, the dead user's place taken, the old pointer
  // gone, the new one, the user.
  test.each([1, 2, 3, 4, 5, 6, 7])(
    'that dies before its call %i while it repairs does not block the next either',
    async (nth) => {
      const name = `repair-${nth}`;
      const first = users(dyingBefore(store.instance(), 2)).create(
        named(name, { id: `${name}-first` }),
      );
      await expect(first).rejects.toThrow('Killed');
      const second = users(dyingBefore(store.instance(), nth));
      await expect(second.create(named(name, { id: `${name}-second` }))).rejects.toThrow('Killed');

      expect(await users().create(named(name))).toBe(true);
      expect(await users().findByEmail(`${name}@example.com`)).toEqual(named(name));
      expect(await users().find(`${name}-second`)).toBeUndefined();
    },
  );

  test('that was only slow comes too late once another has its e-mail', async () => {
    const slow = overtakenBefore(store.instance(), '"USER#slow-first"', () =>
      users().create(named('slow')),
    );

    expect(await users(slow).create(named('slow', { id: 'slow-first' }))).toBe(false);
    expect(await users().findByEmail('slow@example.com')).toEqual(named('slow'));
    expect(await users().find('slow-first')).toBeUndefined();
  });

  test('succeeds where answers were lost on their way', async () => {
    const shaken = users(losingAnswers(store.instance(), { to: 'PutItem', times: 1 }));
    expect(await shaken.create(named('lost'))).toBe(true);
    expect(await users().findByEmail('lost@example.com')).toEqual(named('lost'));
  });

  test('may be repeated by the same one', async () => {
    await users().create(named('repeated'));

    expect(await users().create(named('repeated'))).toBe(true);
  });
});

describe('changing a user', () => {
  test('writes over the revision before', async () => {
    await users().create(named('changed'));
    const changed = named('changed', { emailVerified: true, revision: 2 });

    expect(await users().replace(changed)).toBe(true);
    expect(await users().findByEmail('changed@example.com')).toEqual(changed);
  });

  test.each([
    ['an older revision', 1],
    ['a revision that is not there yet', 3],
  ])('is refused for %s', async (_, revision) => {
    const name = `kept-${revision}`;
    await users().create(named(name));

    expect(await users().replace(named(name, { plan: 'pro', revision }))).toBe(false);
    expect(await users().find(`id-${name}`)).toEqual(named(name));
  });

  test('is refused where there is none', async () => {
    expect(await users().replace(named('nobody', { revision: 2 }))).toBe(false);
    expect(await users().find('id-nobody')).toBeUndefined();
  });

  test('of two at once over one revision exactly one wins', async () => {
    await users().create(named('contested'));
    const names = ['left', 'right'];
    const won = await Promise.all(
      names.map((name) => users().replace(named('contested', { name, revision: 2 }))),
    );

    expect([...won].sort()).toEqual([false, true]);
    expect(await users().find('id-contested')).toMatchObject({ name: names[won.indexOf(true)] });
  });

  test('succeeds where the answer was lost on its way', async () => {
    await users().create(named('shaken'));
    const shaken = users(losingAnswers(store.instance(), { to: 'PutItem' }));

    expect(await shaken.replace(named('shaken', { revision: 2 }))).toBe(true);
  });
});

describe('looking for a user', () => {
  test('finds nobody by an e-mail that nobody has', async () => {
    expect(await users().findByEmail('nobody@example.com')).toBeUndefined();
    expect(await users().find('id-nobody')).toBeUndefined();
  });

  test('is a fault where the stored one does not have its form', async () => {
    const Item = { pk: 'USER#broken', id: 'broken' };
    await store.instance().send(new PutCommand({ TableName: store.tableName('users'), Item }));

    await expect(users().find('broken')).rejects.toMatchObject({
      message: 'dynamodb: USER#broken is not readable',
    });
  });

  test.each(['fail', 'drop'] as const)('is a fault when the store is down: %s', async (kind) => {
    store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });
    const fault = { neighbour: 'dynamodb' };

    await expect(users().find('any')).rejects.toMatchObject(fault);
    await expect(users().findByEmail('any@example.com')).rejects.toMatchObject(fault);
    await expect(users().create(aUser())).rejects.toMatchObject(fault);
    await expect(users().replace(aUser())).rejects.toMatchObject(fault);
  });
});

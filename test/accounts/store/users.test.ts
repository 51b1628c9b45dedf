import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamoSignOuts } from '../../../layers/accounts/store/sign-outs.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import { emailKey, identityKey } from '../../../layers/platform/dynamodb/keys.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { dyingBefore, losingAnswers, overtakenBefore } from '../../support/aws/flaky-dynamo.ts';
import { aClock, NOON, startStore, usersOf } from '../../support/aws/dynamodb-fixtures.ts';
import { aUser } from '../../support/oauth/oauth-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const users = (dynamo = store.instance()) => usersOf(store, dynamo);
const named = (name: string, over = {}) =>
  aUser({ id: `id-${name}`, email: `${name}@example.com`, ...over });

describe('signing a user out', () => {
  const signOuts = () => dynamoSignOuts(store.instance(), store.tableName('oauth'), aClock());

  test('informs those who cannot read users, in one transaction', async () => {
    const user = named('leaving');
    await users().create(user);
    store.aws.calls.reset();

    expect(await signOuts().find(user.id)).toBe(0);
    expect(await users().signOut({ ...user, signedOutAt: NOON, revision: 2 })).toBe(true);
    expect(await signOuts().find(user.id)).toBe(NOON);
    expect(await users().find(user.id)).toMatchObject({ signedOutAt: NOON });
    expect(store.aws.calls.count({ operation: 'TransactWriteItems' })).toBe(1);
  });

  test('says nothing where somebody else changed the user in the meantime', async () => {
    const user = named('changing');
    await users().create(user);

    expect(await users().signOut({ ...user, signedOutAt: NOON, revision: 3 })).toBe(false);
    expect(await signOuts().find(user.id)).toBe(0);
  });
});

describe('giving a user an identity', () => {
  const ISSUER = 'https://idp.example.com';
  const linkedTo = (user: User, name: string): User => ({
    ...user,
    identities: [{ issuer: ISSUER, subject: fingerprint(name) }],
    revision: user.revision + 1,
  });
  const linked = async (name: string) => {
    const user = named(name);
    await users().create(user);
    expect(await users().link(linkedTo(user, name), fingerprint(name))).toBe(true);
    return linkedTo(user, name);
  };

  test('has the user found by it', async () => {
    const user = await linked('linked');

    expect(await users().findByIdentity(fingerprint('linked'))).toEqual(user);
    expect(await users().findByIdentity(fingerprint('nobody'))).toBeUndefined();
  });

  test('is refused where it is another one', async () => {
    const first = await linked('first');
    const second = named('second');
    await users().create(second);

    expect(await users().link(linkedTo(second, 'first'), fingerprint('first'))).toBe(false);
    expect(await users().findByIdentity(fingerprint('first'))).toEqual(first);
    expect(await users().find(second.id)).toEqual(second);
  });

  test('is refused where somebody else changed the user meanwhile', async () => {
    const user = named('overtaken');
    await users().create(user);
    const late = { ...linkedTo(user, 'overtaken'), revision: 3 };

    expect(await users().link(late, fingerprint('overtaken'))).toBe(false);
    expect(await users().findByIdentity(fingerprint('overtaken'))).toBeUndefined();
  });

  test('can be undone, and is another one after that', async () => {
    const user = await linked('parted');
    const { identities: _, ...others } = user;
    const parted = { ...others, revision: user.revision + 1 };
    const subjects = [fingerprint('parted')];

    expect(await users().unlink({ ...parted, revision: 9 }, subjects)).toBe(false);
    expect(await users().findByIdentity(fingerprint('parted'))).toEqual(user);
    expect(await users().unlink(parted, subjects)).toBe(true);
    expect(await users().findByIdentity(fingerprint('parted'))).toBeUndefined();
    expect(await users().find(user.id)).toEqual(parted);

    const next = named('next');
    await users().create(next);
    expect(await users().link(linkedTo(next, 'parted'), fingerprint('parted'))).toBe(true);
  });

  test('ends with the user, and is another one after that', async () => {
    const user = await linked('leaver');
    await users().remove(user);
    expect(await users().findByIdentity(fingerprint('leaver'))).toBeUndefined();

    const successor = named('successor');
    await users().create(successor);
    expect(await users().link(linkedTo(successor, 'leaver'), fingerprint('leaver'))).toBe(true);
  });

  test('does not matter that it was left behind by one who is gone', async () => {
    // A former version removed users as they were before they had an identity.
    const Item = { ...identityKey(fingerprint('ghost')), userId: 'id-ghost' };
    await store.instance().send(new PutCommand({ TableName: store.tableName('users'), Item }));

    const successor = named('after-ghost');
    await users().create(successor);
    expect(await users().link(linkedTo(successor, 'ghost'), fingerprint('ghost'))).toBe(true);
    expect((await users().findByIdentity(fingerprint('ghost')))?.id).toBe(successor.id);
  });
});

describe('registering a user', () => {
  test.each([
    ['without a name', named('nameless')],
    ['with everything set', named('whole', { name: 'Ada', plan: 'pro' })],
  ])('makes a user %s who is found by id and by e-mail', async (_, user) => {
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

  test('is one look whether the address is free, and one transaction', async () => {
    await users().create(named('cheap'));

    expect(store.aws.calls.list()).toMatchObject([
      { operation: 'GetItem', times: 1 },
      { operation: 'TransactWriteItems', times: 1 },
    ]);
  });

  test.each([1, 2, 3, 4, 5, 8])(
    'makes exactly one user of %i registrations at once under one e-mail',
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

  test('leaves nothing where it is killed before its transaction', async () => {
    const dying = users(dyingBefore(store.instance(), 1));
    await expect(dying.create(named('dead', { id: 'dead-first' }))).rejects.toThrow('Killed');
    expect(await users().findByEmail('dead@example.com')).toBeUndefined();

    expect(await users().create(named('dead'))).toBe(true);
    expect(await users().findByEmail('dead@example.com')).toEqual(named('dead'));
  });

  test('is refused where another has the e-mail a moment before', async () => {
    const slow = overtakenBefore(store.instance(), '"USER#slow-first"', () =>
      users().create(named('slow')),
    );

    expect(await users(slow).create(named('slow', { id: 'slow-first' }))).toBe(false);
    expect(await users().findByEmail('slow@example.com')).toEqual(named('slow'));
    expect(await users().find('slow-first')).toBeUndefined();
  });

  test('succeeds where answers were lost on their way', async () => {
    const shaken = users(losingAnswers(store.instance(), { to: 'TransactWriteItems' }));
    expect(await shaken.create(named('lost'))).toBe(true);
    expect(await users().findByEmail('lost@example.com')).toEqual(named('lost'));
  });

  test('may be repeated with the very same user', async () => {
    await users().create(named('repeated'));

    expect(await users().create(named('repeated'))).toBe(true);
  });
});

describe('changing a user', () => {
  test('writes over the revision before', async () => {
    await users().create(named('changed'));
    const changed = named('changed', { plan: 'pro', revision: 2 });

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

  test('succeeds for exactly one of two at once over one revision', async () => {
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
    const shaken = users(losingAnswers(store.instance(), { to: 'TransactWriteItems' }));

    expect(await shaken.replace(named('shaken', { revision: 2 }))).toBe(true);
  });
});

describe('removing a user', () => {
  test('frees the e-mail, and may be repeated', async () => {
    const user = named('removed');
    await users().create(user);
    await users().remove(user);
    await users().remove(user);

    expect(await users().find(user.id)).toBeUndefined();
    expect(await users().findByEmail(user.email)).toBeUndefined();
    expect(await users().create(named('removed', { id: 'next' }))).toBe(true);
  });

  test('leaves the next user of the e-mail alone', async () => {
    const [former, next] = [named('passed'), named('passed', { id: 'next-owner' })];
    await users().create(former);
    await users().remove(former);
    await users().create(next);
    await users().remove(former);

    expect(await users().findByEmail('passed@example.com')).toEqual(next);
  });

  test('is refused where the user was changed since it was read', async () => {
    const read = named('changed-since');
    await users().create(read);
    const moved = { ...read, email: 'elsewhere@example.com', revision: 2 };
    await users().move(moved, read.email);

    expect(await users().remove(read)).toBe(false);
    expect(await users().findByEmail(moved.email)).toEqual(moved);
    expect(await users().remove(moved)).toBe(true);
    expect(await users().find(read.id)).toBeUndefined();
  });

  test('frees an address that a former version left to an account that is gone', async () => {
    const Item = { ...emailKey('left@example.com'), userId: 'gone' };
    const TableName = store.tableName('users');
    await store.instance().send(new PutCommand({ TableName, Item }));
    const [one, other] = [named('left'), named('left', { id: 'another' })];
    const made = await Promise.all([users().create(one), users().create(other)]);

    expect([...made].sort()).toEqual([false, true]);
  });

  test('removes both items or none', async () => {
    const user = named('kept-whole');
    await users().create(user);
    const dying = users(dyingBefore(store.instance(), 1));
    await expect(dying.remove(user)).rejects.toThrow('Killed');

    expect(await users().findByEmail(user.email)).toEqual(user);
  });
});

describe('looking for a user', () => {
  test('finds nobody by an e-mail that nobody has', async () => {
    expect(await users().findByEmail('nobody@example.com')).toBeUndefined();
    expect(await users().find('id-nobody')).toBeUndefined();
  });

  test('is reported as a fault where the stored one is not as it was stored', async () => {
    const Item = { pk: 'USER#broken', id: 'broken' };
    await store.instance().send(new PutCommand({ TableName: store.tableName('users'), Item }));

    await expect(users().find('broken')).rejects.toMatchObject({
      message: 'dynamodb: USER#broken is not readable',
    });
  });

  test.each(['fail', 'drop'] as const)(
    'is reported as a fault when the store is down (%s)',
    async (kind) => {
      store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });
      const fault = { neighbour: 'dynamodb' };

      await expect(users().find('any')).rejects.toMatchObject(fault);
      await expect(users().findByEmail('any@example.com')).rejects.toMatchObject(fault);
      await expect(users().create(aUser())).rejects.toMatchObject(fault);
      await expect(users().replace(aUser())).rejects.toMatchObject(fault);
    },
  );
});

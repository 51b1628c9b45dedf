import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { dynamoGrants } from '../../../layers/oauth/store/grants.ts';
import { dynamoSessions } from '../../../layers/accounts/store/sessions.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type { Grant } from '../../../layers/tokens/rules/oauth-records.ts';
import { DAY, HOUR } from '../../../layers/platform/rules/time.ts';
import { dyingBefore, losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import {
  aGrant,
  anAccessToken,
  aSession,
  kept,
  noted,
  shown,
} from '../../support/oauth/oauth-fixtures.ts';
import { committed } from '../../support/aws/committed.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const table = () => store.tableName('oauth');
const grants = (dynamo = store.instance()) => dynamoGrants(dynamo, table(), DEFAULT_LIMITS);
const tokens = () => dynamoAccessTokens(store.instance(), table());

/** A grant that has begun, with one access token, `<id>-first`. */
const begun = async (id: string, over: Partial<Grant> = {}) => {
  const grant = aGrant({ id, ...over });
  await committed(store.instance(), grants().beginning(grant, noted(`${id}-first`)));
  await tokens().put(fingerprint(`${id}-first`), anAccessToken({ grantId: id }));
  return grant;
};

const itemOf = async (id: string) => {
  const Key = { pk: `GRANT#${id}` };
  return (await store.instance().send(new GetCommand({ TableName: table(), Key }))).Item;
};
const notesOf = async (id: string) => Object.keys((await itemOf(id))?.['accessTokens'] ?? {});

describe('beginning a grant', () => {
  test('stores one that is found', async () => {
    expect(
      await committed(store.instance(), grants().beginning(aGrant({ id: 'new' }), noted('t'))),
    ).toBe(true);
    expect(await grants().find('new')).toEqual(aGrant({ id: 'new' }));
  });

  test('for one token alone stores one that cannot be refreshed and is deleted soon after it', async () => {
    const access = noted('alone');
    expect(
      await committed(store.instance(), grants().beginningOnce(aGrant({ id: 'once' }), access)),
    ).toBe(true);

    expect(await grants().find('once')).toEqual(aGrant({ id: 'once' }));
    expect(await grants().refresh('once', kept(), noted('later'), NOON)).toEqual({
      outcome: 'ended',
    });
    expect((await itemOf('once'))?.['deleteAfter']).toBe(access.expiresAt + DAY);
    const { deploymentId } = aGrant();
    const { items } = await grants().page(deploymentId, { limit: 100 }, access.expiresAt);
    expect(items.map(({ grant }) => grant.id)).not.toContain('once');
  });

  test('is refused a second time, as with a code that was redeemed twice', async () => {
    await begun('twice');

    expect(
      await committed(
        store.instance(),
        grants().beginning(aGrant({ id: 'twice' }), noted('other')),
      ),
    ).toBe(false);
    expect(await notesOf('twice')).toEqual([fingerprint('twice-first')]);
  });

  test('is refused once it was ended', async () => {
    await grants().end('ended-ahead', NOON);

    expect(
      await committed(
        store.instance(),
        grants().beginning(aGrant({ id: 'ended-ahead' }), noted('t')),
      ),
    ).toBe(false);
    expect(await grants().find('ended-ahead')).toBeUndefined();
  });

  test('succeeds where the answer was lost on its way', async () => {
    const shaken = losingAnswers(store.instance(), { to: 'TransactWriteItems' });

    expect(await committed(shaken, grants().beginning(aGrant({ id: 'lost' }), noted('t')))).toBe(
      true,
    );
    expect(store.aws.calls.count({ operation: 'TransactWriteItems' })).toBe(2);
  });

  test('succeeds for exactly one of many at once', async () => {
    const begin = (i: number) =>
      committed(store.instance(), grants().beginning(aGrant({ id: 'raced' }), noted(`t-${i}`)));
    const won = await Promise.all(Array.from({ length: 20 }, (_, i) => begin(i)));

    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await notesOf('raced')).toEqual([fingerprint(`t-${won.indexOf(true)}`)]);
  });
});

describe('refreshing a grant', () => {
  test('returns the grant', async () => {
    const grant = await begun('refreshed');

    expect(await grants().refresh('refreshed', kept(), noted('next'), NOON)).toEqual({
      outcome: 'ok',
      grant,
    });
  });

  test('is one call', async () => {
    await begun('cheap');
    store.aws.calls.reset();
    await grants().refresh('cheap', kept(), noted('next'), NOON);

    expect(store.aws.calls.list()).toMatchObject([{ operation: 'UpdateItem', times: 1 }]);
  });

  test('works for 200 at once with one token, and notes each', async () => {
    await begun('crowd');
    const instances = Array.from({ length: 8 }, () => grants());

    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        instances[i % 8]!.refresh('crowd', kept(), noted(`crowd-${i}`), NOON),
      ),
    );

    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['ok']));
    expect(await notesOf('crowd')).toHaveLength(201);
  });

  test.each([
    ['a token again, its successor unused', [0, 0], 'ok'],
    ['the successor', [0, 1], 'ok'],
    ['the successor again', [0, 1, 1], 'ok'],
    ['a token whose successor was used', [0, 1, 0], 'reused'],
    ['a token two generations old', [0, 1, 2, 0], 'reused'],
  ] as const)('with %s is %j: %s', async (_, generations, expected) => {
    const id = `generations-${generations.join('')}`;
    await begun(id);

    let last = '';
    for (const [i, generation] of generations.entries()) {
      last = (await grants().refresh(id, kept(generation), noted(`${id}-${i}`), NOON)).outcome;
    }

    expect(last).toBe(expected);
  });

  test('notes nothing for a token that was reused', async () => {
    await begun('stolen');
    await grants().refresh('stolen', kept(1), noted('successor'), NOON);
    await grants().refresh('stolen', kept(), noted('thief'), NOON);

    expect(await notesOf('stolen')).not.toContain(fingerprint('thief'));
  });

  test.each([
    ['was ended', 'end'],
    ['may not be refreshed any more', 'endRefresh'],
  ] as const)('is over for a grant that %s', async (_, end) => {
    await begun(end);
    await grants()[end](end, NOON);

    expect(await grants().refresh(end, kept(), noted('late'), NOON)).toEqual({ outcome: 'ended' });
    expect(await notesOf(end)).not.toContain(fingerprint('late'));
  });

  test.each(['end', 'endRefresh'] as const)('is refused after %s came first', async (end) => {
    await grants()[end](`ahead-${end}`, NOON);

    expect(await grants().refresh(`ahead-${end}`, kept(), noted('t'), NOON)).toEqual({
      outcome: 'ended',
    });
  });

  test('is no reuse where the answer was lost and a successor came in between', async () => {
    const grant = await begun('overtaken');
    const access = noted('overtaken-1');
    await grants().refresh('overtaken', kept(), access, NOON);
    await grants().refresh('overtaken', kept(1), noted('overtaken-2'), NOON);

    expect(await grants().refresh('overtaken', kept(), access, NOON)).toEqual({
      outcome: 'ok',
      grant,
    });
  });

  test('works where the answer was lost on its way', async () => {
    const grant = await begun('shaken');
    const shaken = grants(losingAnswers(store.instance(), { to: 'UpdateItem' }));

    expect(await shaken.refresh('shaken', kept(), noted('next'), NOON)).toEqual({
      outcome: 'ok',
      grant,
    });
  });

  test('forgets tokens that have expired, now and then, and no others', async () => {
    await begun('old');
    for (let hours = 1; hours <= 60; hours += 1) {
      const now = NOON + hours * HOUR;
      const access = noted(`old-${hours}`, now + HOUR);
      expect(await grants().refresh('old', kept(), access, now)).toMatchObject({ outcome: 'ok' });
    }

    const notes = await notesOf('old');
    expect(notes.length).toBeLessThan(30);
    expect(notes).toContain(fingerprint('old-60'));
    expect(notes).toContain(fingerprint('old-59'));
  });

  test('forgets no token that another clock may still take for alive', async () => {
    await committed(
      store.instance(),
      grants().beginning(aGrant({ id: 'skewed' }), noted('skewed-first', NOON)),
    );
    for (let i = 0; i < 30; i += 1) {
      await grants().refresh('skewed', kept(), noted(`skewed-${i}`, NOON), NOON + 59);
    }

    expect(await notesOf('skewed')).toHaveLength(31);
  });

  test('ends the tokens that are the nearest to their end where a client has hundreds alive', async () => {
    await begun('eager');
    const accessTokens = Object.fromEntries(
      Array.from({ length: 523 }, (_, nth) => [fingerprint(`eager-${nth}`), NOON + HOUR + nth]),
    );
    await store.instance().send(
      new UpdateCommand({
        TableName: table(),
        Key: { pk: 'GRANT#eager' },
        UpdateExpression: 'SET accessTokens = :many',
        ExpressionAttributeValues: { ':many': accessTokens },
      }),
    );
    await tokens().put(fingerprint('eager-0'), anAccessToken({ grantId: 'eager' }));
    await tokens().put(fingerprint('eager-24'), anAccessToken({ grantId: 'eager' }));

    await grants().refresh('eager', kept(), noted('eager-new', NOON + 60), NOON);

    const notes = await notesOf('eager');
    expect(notes).toHaveLength(500);
    expect(notes).toContain(fingerprint('eager-new'));
    expect(await tokens().find(fingerprint('eager-0'))).toMatchObject({ revoked: true });
    expect(await tokens().find(fingerprint('eager-24'))).not.toMatchObject({ revoked: true });
  });
});

describe('refreshing a grant with a token that is given once', () => {
  const start = async (id: string) => {
    await committed(
      store.instance(),
      grants().beginning(aGrant({ id }), noted(`${id}-first`), fingerprint('0')),
    );
  };
  let refreshes = 0;
  const refresh = async (id: string, token: string, successor: string, seconds = 0) => {
    refreshes += 1;
    const access = noted(`${id}-${refreshes}`);
    const answer = await grants().refresh(id, shown(token, successor), access, NOON + seconds);
    return answer.outcome;
  };

  test.each<[string, readonly (readonly [token: string, seconds: number])[], string]>([
    [
      'its successor',
      [
        ['0', 0],
        ['1', 3600],
      ],
      'ok',
    ],
    [
      'the token again',
      [
        ['0', 0],
        ['0b', 3600],
      ],
      'ok',
    ],
    [
      'a successor that was issued at the same time as another',
      [
        ['0', 0],
        ['0b', 60],
        ['1', 90],
      ],
      'ok',
    ],
    [
      'the other one',
      [
        ['0', 0],
        ['0b', 60],
        ['1b', 90],
      ],
      'ok',
    ],
    [
      'a successor after another took its place',
      [
        ['0', 0],
        ['0b', 61],
        ['1', 90],
      ],
      'reused',
    ],
    [
      'the one that took its place',
      [
        ['0', 0],
        ['0b', 61],
        ['1b', 90],
      ],
      'ok',
    ],
    [
      'a sibling of a token that was used',
      [
        ['0', 0],
        ['0b', 0],
        ['1', 90],
        ['1b', 90],
      ],
      'reused',
    ],
    [
      'a token whose successor was used',
      [
        ['0', 0],
        ['1', 0],
        ['0', 0],
      ],
      'reused',
    ],
    ['a token that was never issued', [['1', 0]], 'reused'],
  ])('ends well or not with %s: %j', async (_, steps, expected) => {
    const id = `steps-${JSON.stringify(steps)}`;
    await start(id);

    let last = '';
    for (const [token, seconds] of steps) {
      const again = token.endsWith('b') && token !== '1b';
      const name = again ? token.slice(0, -1) : token;
      const successor = `${Number.parseInt(token, 10) + 1}${again ? 'b' : ''}`;
      last = await refresh(id, name, successor, seconds);
    }

    expect(last).toBe(expected);
  });

  test('is one call, and three for a token that is shown again', async () => {
    await start('calls');
    store.aws.calls.reset();
    await refresh('calls', '0', '1');
    await refresh('calls', '1', '2');
    expect(store.aws.calls.count({})).toBe(2);
    await refresh('calls', '1', '2b');

    expect(store.aws.calls.count({})).toBe(5);
  });

  test('goes on where nothing of it was noted, as it was stored before', async () => {
    await begun('older');

    expect(await refresh('older', '3', '4')).toBe('ok');
    expect(await refresh('older', '3', '4b')).toBe('ok');
    expect(await refresh('older', '3c', '4c')).toBe('reused');
    expect(await refresh('older', '4b', '5')).toBe('ok');
    expect(await refresh('older', '4', '5b')).toBe('reused');
  });

  test('goes on after a refresh by an earlier version, which notes generations alone', async () => {
    await start('beside');
    await refresh('beside', '0', '1');
    await grants().refresh('beside', kept(1), noted('by-another'), NOON);

    expect(await refresh('beside', '2', '3')).toBe('ok');
    expect(await refresh('beside', '2b', '3b')).toBe('reused');
  });

  test('is no reuse for one of twenty at once where nothing was noted before', async () => {
    await begun('older-crowd');
    const crowd = Array.from({ length: 20 }, (_, number) =>
      refresh('older-crowd', '0', `1 ${number}`),
    );

    expect(new Set(await Promise.all(crowd))).toEqual(new Set(['ok']));
    expect(await refresh('older-crowd', '1 7', '2')).toBe('ok');
  });

  test('works where the answer was lost on its way', async () => {
    await start('lost-answer');
    const shaken = grants(losingAnswers(store.instance(), { to: 'UpdateItem' }));
    const { outcome } = await shaken.refresh('lost-answer', shown('0', '1'), noted('n'), NOON);

    expect(outcome).toBe('ok');
    expect(await refresh('lost-answer', '1', '2')).toBe('ok');
  });
});

describe('ending a grant', () => {
  test('keeps it from being found', async () => {
    await begun('gone');
    await grants().end('gone', NOON);

    expect(await grants().find('gone')).toBeUndefined();
  });

  test('revokes every access token of it', async () => {
    await begun('family');
    await grants().refresh('family', kept(), noted('family-second'), NOON);
    await tokens().put(fingerprint('family-second'), anAccessToken({ grantId: 'family' }));
    await grants().end('family', NOON + 1);

    for (const secret of ['family-first', 'family-second']) {
      expect(await tokens().find(fingerprint(secret))).toMatchObject({ revoked: true });
    }
  });

  test('revokes a token that is noted but not stored yet: it is never stored', async () => {
    await committed(
      store.instance(),
      grants().beginning(aGrant({ id: 'between' }), noted('between-first')),
    );
    await grants().end('between', NOON);
    const token = fingerprint('between-first');

    expect(await tokens().put(token, anAccessToken({ grantId: 'between' }))).toBe(false);
    expect(await tokens().find(token)).toBeUndefined();
  });

  test('leaves the tokens of other grants alone', async () => {
    await begun('left');
    await begun('right');
    await grants().end('left', NOON);

    expect(await tokens().find(fingerprint('right-first'))).toMatchObject({ revoked: false });
    expect(await grants().find('right')).toBeDefined();
  });

  test('leaves no token alive, whatever refreshes it races with', async () => {
    await begun('racing');
    const refresh = async (i: number) => {
      const secret = `racing-${i}`;
      const { outcome } = await grants().refresh('racing', kept(), noted(secret), NOON);
      if (outcome === 'ok') await tokens().put(fingerprint(secret), anAccessToken());
      return secret;
    };
    const refreshing = Promise.all(Array.from({ length: 40 }, (_, i) => refresh(i)));
    await Promise.all([refreshing, grants().end('racing', NOON)]);

    for (const secret of await refreshing) {
      const token = await tokens().find(fingerprint(secret));
      expect(token?.revoked ?? true).toBe(true);
    }
  });

  test('may be repeated, and finishes what broke off', async () => {
    await begun('broken');
    await expect(grants(dyingBefore(store.instance(), 2)).end('broken', NOON)).rejects.toThrow(
      'Killed',
    );
    expect(await tokens().find(fingerprint('broken-first'))).toMatchObject({ revoked: false });

    await grants().end('broken', NOON + 5);

    expect(await tokens().find(fingerprint('broken-first'))).toMatchObject({ revoked: true });
    expect(await itemOf('broken')).toMatchObject({ endedAt: NOON });
  });

  test('leaves it in the lists until all its tokens are revoked, so that a removal finds it again', async () => {
    const grant = await begun('half', { deploymentId: 'dep-half', userId: 'user-half' });
    const listed = async () => {
      const query = { limit: 10 };
      const pages = [
        await grants().page('dep-half', query, NOON),
        await grants().pageOfUser('user-half', query, NOON),
      ];
      return pages.map(({ items }) => items.map((live) => live.grant));
    };

    for (const nth of [2, 3]) {
      const dying = grants(dyingBefore(store.instance(), nth));
      await expect(dying.end('half', NOON)).rejects.toThrow('Killed');
      expect(await listed()).toEqual([[grant], [grant]]);
    }
    await grants().end('half', NOON);
    expect(await listed()).toEqual([[], []]);
  });

  test('spends no write on tokens that have expired', async () => {
    await begun('expired');
    store.aws.calls.reset();
    await grants().end('expired', NOON + 2 * HOUR);

    expect(store.aws.calls.list()).toMatchObject([{ operation: 'UpdateItem', times: 1 }]);
  });
});

describe('ending the refreshes of a grant', () => {
  test('leaves the grant and its access tokens alive', async () => {
    const grant = await begun('signed-off');
    await grants().endRefresh('signed-off', NOON);

    expect(await grants().find('signed-off')).toEqual(grant);
    expect(await tokens().find(fingerprint('signed-off-first'))).toMatchObject({ revoked: false });
  });

  test('creates nothing where there is no grant', async () => {
    await grants().endRefresh('nothing', NOON);

    expect(await itemOf('nothing')).toBeUndefined();
  });

  test('does not keep the grant from being ended', async () => {
    await begun('both');
    await grants().endRefresh('both', NOON);
    await grants().end('both', NOON);

    expect(await tokens().find(fingerprint('both-first'))).toMatchObject({ revoked: true });
  });
});

describe('the time to live of a grant', () => {
  /** Access tokens may be good for a day. */
  const last = NOON + 90 * DAY + DAY + DAY;

  test('ends a day after its last token', async () => {
    await begun('swept');

    await store.aws.sweep(last - 1);
    expect(await itemOf('swept')).toBeDefined();
    await store.aws.sweep(last);
    expect(await itemOf('swept')).toBeUndefined();
  });

  test.each([
    ['a grant that was ended ahead', 'ahead', 'GRANT#ahead'],
    ['a token that was revoked ahead', 'token-ahead', `AT#${fingerprint('swept-token')}`],
  ])('lets go of %s as well', async (_, id, pk) => {
    if (id === 'token-ahead')
      await committed(store.instance(), grants().beginning(aGrant({ id }), noted('swept-token')));
    await grants().end(id, NOON);
    const find = () => store.instance().send(new GetCommand({ TableName: table(), Key: { pk } }));
    expect((await find()).Item).toBeDefined();

    await store.aws.sweep(last);

    expect((await find()).Item).toBeUndefined();
  });
});

describe('an index of grants', () => {
  test.each([
    ['by-user', 'userId', 'user-7'],
    ['by-deployment', 'deploymentId', 'dep-7'],
  ])('%s holds grants by their time and nothing else', async (IndexName, attribute, value) => {
    const over = { userId: 'user-7', deploymentId: 'dep-7' };
    const id = (when: string) => `${IndexName}-${when}`;
    await begun(id('later'), { ...over, createdAt: NOON + 1 });
    await begun(id('earlier'), over);
    await tokens().put(fingerprint(id('token')), anAccessToken(over));
    const session = aSession({ userId: 'user-7' });
    await dynamoSessions(store.instance(), table()).put(fingerprint(id('session')), session);

    const { Items } = await store.instance().send(
      new QueryCommand({
        TableName: table(),
        IndexName,
        KeyConditionExpression: '#attribute = :value',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: { ':value': value },
      }),
    );

    const own = Items!.map((item) => String(item['pk'])).filter((pk) => pk.includes(IndexName));
    expect(own).toEqual([`GRANT#${id('earlier')}`, `GRANT#${id('later')}`]);
    expect(Items!.every((item) => String(item['pk']).startsWith('GRANT#'))).toBe(true);
  });
});

describe('a store that is down', () => {
  test.each(['fail', 'throttle', 'drop'] as const)('is reported as a fault (%s)', async (kind) => {
    store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });
    const fault = { neighbour: 'dynamodb' };

    await expect(grants().find('any')).rejects.toMatchObject(fault);
    await expect(
      committed(store.instance(), grants().beginning(aGrant(), noted('t'))),
    ).rejects.toMatchObject(fault);
    await expect(grants().refresh('any', kept(), noted('t'), NOON)).rejects.toMatchObject(fault);
    await expect(grants().end('any', NOON)).rejects.toMatchObject(fault);
    await expect(grants().endRefresh('any', NOON)).rejects.toMatchObject(fault);
  });
});

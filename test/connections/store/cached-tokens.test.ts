import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cachedTokens } from '../../../layers/connections/store/cached-tokens.ts';
import { lambdaTokenBroker } from '../../../layers/connections/store/token-broker.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import {
  aClock,
  NOON,
  type SettableClock,
  startStore,
} from '../../support/aws/dynamodb-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());

const received: Readonly<Record<string, unknown>>[] = [];
beforeEach(() => {
  received.length = 0;
});
store.aws.onInvoke(async (_name, payload) => {
  received.push(JSON.parse(payload));
  const credential = { type: 'bearer', token: `token-${received.length}`, origins: [] };
  return {
    payload: JSON.stringify({ ok: true, credential, until: NOON + 540, expires_at: NOON + 600 }),
  };
});

const tokens = (clock: SettableClock = aClock()) => {
  const broker = lambdaTokenBroker(connectionOf(store.aws, 'router'), 'connections:live', 'r-1');
  return cachedTokens(broker, { clock, log: { write: () => undefined } });
};

const wanted = (user: string, token?: string, perCaller = true) => ({
  ref: {
    deploymentId: 'dep-1',
    ownerId: 'alice',
    sealedFor: 'alice',
    name: 'main',
    from: 'connections' as const,
    version: 'v'.repeat(36),
  },
  kind: 'aws' as const,
  use: { user, ip: '192.0.2.1', requestId: 'request-1' },
  perCaller,
  bearer: token === undefined ? undefined : () => token,
});
const aToken = () => `mcp_access_${randomUUID()}`;

describe('the token that a caller has shown', () => {
  test('is sent along where the caller is to be named, and nowhere else', async () => {
    const token = aToken();
    await tokens().find(wanted('alice', token));
    await tokens().find(wanted('alice', token, false));
    await tokens().find(wanted('192.0.2.1'));

    expect(received[0]).toMatchObject({ per_caller: true, token });
    expect(received[1]).not.toHaveProperty('token');
    expect(received[2]).not.toHaveProperty('token');
  });

  test('is not what tokens are held by: another one of the same user finds them', async () => {
    const held = tokens();
    const first = await held.find(wanted('alice', aToken()));
    const second = await held.find(wanted('alice', aToken()));

    expect(second).toBe(first);
    expect(received).toHaveLength(1);
  });

  test('tells whose name is proven from who calls as the owner', async () => {
    const held = tokens();
    const asUser = await held.find(wanted('alice', aToken()));
    const asOwner = await held.find(wanted('alice'));

    expect(asOwner).not.toEqual(asUser);
    expect(held.held(wanted('alice'))).toEqual([asOwner]);
  });

  test('is not written by what writes down who calls', () => {
    const token = aToken();
    const caller = { subject: 'alice', bearer: wanted('alice', token).bearer };
    expect(JSON.stringify(caller)).toBe('{"subject":"alice"}');
  });
});

test.each([
  ['is used for five minutes', 300 - 1, 1],
  ['is asked for again after five', 300, 2],
])('a token %s', async (_, seconds, retrievals) => {
  const clock = aClock();
  const held = tokens(clock);
  await held.find(wanted('alice'));
  clock.time += seconds;
  await held.find(wanted('alice'));

  expect(received).toHaveLength(retrievals);
});

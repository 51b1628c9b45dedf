import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { roleArn } from '../../../local/aws/iam/evaluate.ts';
import { externalUserId } from '../../../layers/platform/rules/subject.ts';
import {
  accessTokenRevoker,
  dynamoAccessTokens,
} from '../../../layers/tokens/store/access-tokens.ts';
import { dynamoNotBefore } from '../../../layers/tokens/store/not-before.ts';
import {
  NEVER_ENDED,
  withClientEnded,
  withTokensEnded,
} from '../../../layers/tokens/rules/not-before.ts';
import type { CredentialStore } from '../../../layers/credentials/rules/credential-stores.ts';
import type { AccessToken } from '../../../layers/tokens/rules/oauth-records.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import { aConnection } from '../../support/oauth/connections.ts';
import { anAccessToken } from '../../support/oauth/oauth-fixtures.ts';

const store = await startStore();
const { aws } = store;
afterAll(() => store.stop());
afterEach(() => {
  aws.faults.clear();
  aws.calls.reset();
});

const oauth = store.tableName('oauth');
const accessTokens = dynamoAccessTokens(store.instance(), oauth);

/** An API behind IAM of a deployment whose callers are named. `ask` is the router, which may say what it likes. */
const anApi = async (credentialStore: CredentialStore = 'envelope') => {
  const connection = aConnection(store, { credentialStore });
  const deploymentId = randomUUID();
  const role = `arn:aws:iam::000000000000:role/assumable/${deploymentId}`;
  aws.addRole({
    arn: role,
    maxSessionSeconds: 3600,
    trust: [
      {
        Effect: 'Allow',
        Principal: { AWS: roleArn('connections') },
        Action: ['sts:AssumeRole', 'sts:SetSourceIdentity', 'sts:TagSession'],
        Condition: { StringEquals: { 'sts:ExternalId': deploymentId } },
      },
    ],
  });
  const event = await connection.set(
    {
      type: 'aws',
      roleArn: role,
      region: 'eu-central-1',
      service: 'execute-api',
      nameUser: true,
    },
    { deploymentId },
  );
  aws.calls.reset();
  return {
    ...connection,
    deploymentId,
    ask: (user: string, token?: string, over: object = {}) =>
      connection.answer({
        ...event,
        per_caller: true,
        caller: { ...event.caller, user },
        ...(token !== undefined && { token }),
        ...over,
      }),
    names: () => aws.assumed().flatMap((one) => (one.roleArn === role ? [one.sourceIdentity] : [])),
    whys: () => connection.lines.map(({ outcome, why }) => (outcome === 'ok' ? outcome : why)),
  };
};

const aToken = async (
  { deploymentId }: { readonly deploymentId: string },
  over: Partial<AccessToken> = {},
): Promise<string> => {
  const text = `mcp_access_${randomUUID()}`;
  await accessTokens.put(fingerprint(text), anAccessToken({ deploymentId, ...over }));
  return text;
};

const DENIED = { ok: false, reason: 'denied' };

describe('a user', () => {
  test('is named by a token of their own, which each retrieval reads once more', async () => {
    const api = await anApi();
    const token = await aToken(api, { userId: 'alice' });

    expect(await api.ask('alice', token)).toMatchObject({ ok: true });
    expect(api.names()).toEqual(['alice']);
    aws.calls.reset();
    expect(await api.ask('alice', token)).toMatchObject({ ok: true });
    // Of the token, and of the keys that are kept; what operators have ended is remembered.
    expect(aws.calls.count({ operation: 'GetItem' })).toBe(2);
    expect(api.names()).toEqual(['alice']);
  });

  test('has one name, whichever of their tokens they show', async () => {
    const api = await anApi();
    for (const _ of [1, 2]) {
      expect(await api.ask('alice', await aToken(api, { userId: 'alice' }))).toMatchObject({
        ok: true,
      });
    }
    expect(api.names()).toEqual(['alice']);
  });

  test('is not named by the token of another user', async () => {
    const api = await anApi();
    const mallory = await aToken(api, { userId: 'mallory' });

    expect(await api.ask('alice', mallory)).toEqual(DENIED);
    expect(api.names()).toEqual([]);
    expect(api.whys()).toEqual(['caller: the token that was shown is of another user']);
  });

  test('is not named without a token, also where keys in their name are kept', async () => {
    const api = await anApi();
    expect(await api.ask('alice')).toEqual(DENIED);
    await api.ask('alice', await aToken(api, { userId: 'alice' }));

    expect(await api.ask('alice')).toEqual(DENIED);
    expect(await api.ask('alice', await aToken(api, { userId: 'mallory' }))).toEqual(DENIED);
    expect(api.names()).toEqual(['alice']);
    const why = 'caller: a user without a token';
    expect(api.whys()).toMatchObject([why, 'ok', why, expect.stringContaining('of another user')]);
  });

  test('is not named by whoever says that they are the owner', async () => {
    // Where no seal says whose the credential is.
    const api = await anApi('secrets-manager');
    await api.ask('alice', await aToken(api, { userId: 'alice' }));
    const asOwner = await api.ask('alice', undefined, { owner_id: 'alice' });

    expect(asOwner).toMatchObject({ ok: true });
    expect(api.names()).toEqual(['alice', `owner@${api.deploymentId}`]);
  });

  test.each<[string, Partial<AccessToken>, string]>([
    ['was revoked', { revoked: true }, 'token revoked'],
    ['ended more than a minute ago', { expiresAt: NOON - 60 }, 'token expired'],
    ['is of another deployment', { deploymentId: 'dep-other' }, 'token for another deployment'],
  ])('is not named by a token that %s', async (_, over, why) => {
    const api = await anApi();
    const token = await aToken(api, { userId: 'alice', ...over });

    expect(await api.ask('alice', token)).toEqual(DENIED);
    expect(api.names()).toEqual([]);
    expect(api.whys()).toEqual([`caller: ${why}`]);
  });

  test('is not named by a token that was never issued, or revoked before it was stored', async () => {
    const api = await anApi();
    const early = `mcp_access_${randomUUID()}`;
    const revoke = accessTokenRevoker(store.instance(), oauth);
    await revoke({ fingerprint: fingerprint(early), expiresAt: NOON + 60 });

    for (const token of [early, `mcp_access_${randomUUID()}`]) {
      expect(await api.ask('alice', token)).toEqual(DENIED);
    }
    expect(api.whys()).toEqual(['caller: unknown token', 'caller: unknown token']);
  });

  test('is named while a call goes on that was let in before the token ended', async () => {
    const api = await anApi();
    const token = await aToken(api, { userId: 'alice', expiresAt: NOON - 59 });
    expect(await api.ask('alice', token)).toMatchObject({ ok: true });
  });

  test('is not named by a token that operators have ended', async () => {
    const token = (api: Awaited<ReturnType<typeof anApi>>) => aToken(api, { userId: 'alice' });
    const register = dynamoNotBefore(store.instance(), oauth);
    const client = { id: 'mcp_client', seconds: 3600 };
    const ended = withClientEnded(NEVER_ENDED, client, NOON);
    if (!ended) throw new Error('no room');
    await register.replace(ended);
    const one = await anApi();
    expect(await one.ask('alice', await token(one))).toEqual(DENIED);
    await register.replace(withTokensEnded(ended, NOON));
    const other = await anApi();
    expect(await other.ask('alice', await token(other))).toEqual(DENIED);
    expect([...one.whys(), ...other.whys()]).toEqual([
      'caller: client ended',
      'caller: all tokens ended',
    ]);
    await register.replace({ ...NEVER_ENDED, revision: 3 });
  });

  test('is named by nobody while tokens cannot be read', async () => {
    const api = await anApi();
    const token = await aToken(api, { userId: 'alice' });
    aws.faults.inject({ kind: 'fail', on: { operation: 'GetItem' } });

    expect(await api.ask('alice', token)).toEqual({ ok: false, reason: 'unavailable' });
    expect(api.names()).toEqual([]);
  });
});

describe('whoever is no user', () => {
  const external = externalUserId('https://idp.example', 'alice');

  test.each([
    ['an address', '192.0.2.1', '192.0.2.1'],
    ['a network', '2001:db8:0:1::/64', expect.stringMatching(/^2001_db8_0_1___64=[\da-f]{32}$/)],
    ['a user of an external issuer', external, expect.stringMatching(/^jwt_[\da-f]+=[\da-f]{32}$/)],
  ])('is named as the router says: %s', async (_, user, name) => {
    const api = await anApi();
    expect(await api.ask(user)).toMatchObject({ ok: true });
    expect(api.names()).toEqual([name]);
  });

  test('is "the owner" of the server where its owner tries it, and no user', async () => {
    const api = await anApi();
    // Whom the credential was set by.
    expect(await api.ask('user-1')).toMatchObject({ ok: true });
    expect(api.names()).toEqual([`owner@${api.deploymentId}`]);
  });

  test.each(['192.0.2.1', external, 'owner@dep-1'])(
    'shares their name with no user, whatever ids these were given: %s',
    async (userId) => {
      const api = await anApi();
      expect(await api.ask(userId, await aToken(api, { userId }))).toEqual(DENIED);
      expect(api.names()).toEqual([]);
    },
  );

  test.each([
    '',
    ' 192.0.2.1',
    '192.0.2.1/64',
    '192.0.2.1:80',
    'jwt_alice',
    'owner@dep-2',
    'service',
  ])('is not called as a user might be: %j', async (user) => {
    const api = await anApi();
    const answer = await api.ask(user).catch(String);
    expect(answer === 'Error: not a request for a token: caller.user' ? DENIED : answer).toEqual(
      DENIED,
    );
    expect(api.names()).toEqual([]);
  });
});

describe('a token that was shown', () => {
  test('stands in no log, no table and no answer', async () => {
    const api = await anApi();
    const token = await aToken(api, { userId: 'alice' });
    const answers = [
      await api.ask('alice', token),
      await api.ask('mallory', token),
      await api.ask('alice', token, { version: 'f'.repeat(36) }),
      await api.ask('alice', token, { CANARY: true }).catch(String),
      await api.ask('alice', `${token} `).catch(String),
    ];
    const stored = [];
    for (const name of [
      'connections',
      'credentials',
      'security-events',
      'limits',
      'oauth',
    ] as const) {
      const { Items = [] } = await store
        .instance()
        .send(new ScanCommand({ TableName: store.tableName(name) }));
      stored.push(...Items);
    }
    const texts = JSON.stringify([answers, stored, api.lines], (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(answers[0]).toMatchObject({ ok: true });
    expect(answers.slice(3)).toEqual([
      'Error: not a request for a token: the event',
      'Error: not a request for a token: token',
    ]);
    expect(texts).toContain(fingerprint(token));
    expect(texts).not.toContain(token.slice('mcp_access_'.length));
  });
});

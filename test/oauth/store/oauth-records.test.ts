import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { dynamoAuthorizationRequests } from '../../../layers/oauth/store/authorization-requests.ts';
import { dynamoClients } from '../../../layers/oauth/store/clients.ts';
import { dynamoCodes } from '../../../layers/oauth/store/codes.ts';
import { dynamoGrants } from '../../../layers/oauth/store/grants.ts';
import { dynamoMintedTokens } from '../../../layers/tokens/store/minted-tokens.ts';
import { dynamoRefreshTokens } from '../../../layers/oauth/store/grant-items.ts';
import { dynamoSessions } from '../../../layers/accounts/store/sessions.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { type Fingerprint, fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { aClock, NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import {
  aClient,
  aMintedToken,
  aRefreshToken,
  aRequest,
  aSession,
} from '../../support/oauth/oauth-fixtures.ts';
import { committed } from '../../support/aws/committed.ts';
import { aDecision } from '../../support/oauth/oauth-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());

const table = () => store.tableName('oauth');
const clients = (clock = aClock()) => dynamoClients(store.instance(), table(), clock);
const requests = () => dynamoAuthorizationRequests(store.instance(), table());
const answer = (ticket: Fingerprint, dynamo = store.instance()) =>
  committed(dynamo, requests().answering(ticket, aDecision()));
const refreshTokens = () => dynamoRefreshTokens(store.instance(), table());
const mintedTokens = () => dynamoMintedTokens(store.instance(), table());
const sessions = () => dynamoSessions(store.instance(), table());

describe('a client', () => {
  test.each([
    ['that is public', aClient({ id: 'mcp_public' })],
    [
      'that has a secret and scopes',
      aClient({
        id: 'mcp_confidential',
        authMethod: 'client_secret_basic',
        secret: fingerprint('secret_1'),
        scopes: ['openid', 'mcp.tools.read'],
      }),
    ],
    [
      'that has a metadata document',
      aClient({ id: 'https://client.example/metadata.json', source: 'metadata_document' }),
    ],
  ])('%s is found as it was registered', async (_, client) => {
    await clients().put(client);

    expect(await clients().find(client.id)).toEqual(client);
  });

  test.each([
    ['nobody has', 'mcp_nobody'],
    ['is empty', ''],
    ['is longer than any key', 'x'.repeat(5000)],
    ['is longer than any key in bytes', 'é'.repeat(1500)],
  ])('is not found by an id that %s', async (_, id) => {
    expect(await clients().find(id)).toBeUndefined();
  });

  test.each([
    ['in the last second', 59, true],
    ['not from the second on in which it expires', 60, false],
  ])('whose document was cached is found %s', async (_, later, found) => {
    const id = `https://client.example/${later}`;
    const client = aClient({ id, source: 'metadata_document', expiresAt: NOON + 60 });
    await clients().put(client);

    expect((await clients(aClock(NOON + later)).find(client.id)) !== undefined).toBe(found);
  });

  test.each([
    ['in the last second', -1, true],
    ['not from the second on in which it expires', 0, false],
  ])('that is registered is found %s', async (_, later, found) => {
    const client = aClient({ id: `mcp_${later}` });
    await clients().put(client);

    const clock = aClock(client.expiresAt + later);
    expect((await clients(clock).find(client.id)) !== undefined).toBe(found);
  });

  test('lasts as long as it was prolonged, and no shorter', async () => {
    const client = aClient({ id: 'mcp_prolonged' });
    await clients().put(client);
    for (const days of [100, 95]) await clients().prolong(client.id, NOON + days * DAY);

    expect(await clients().find(client.id)).toEqual({ ...client, expiresAt: NOON + 100 * DAY });
    await store.aws.sweep(NOON + 101 * DAY - 1);
    expect(await clients().find(client.id)).toBeDefined();
    await store.aws.sweep(NOON + 101 * DAY);
    expect(await clients().find(client.id)).toBeUndefined();
  });

  test('that is gone does not come back when it is prolonged', async () => {
    await clients().prolong('mcp_gone', NOON + DAY);

    expect(await clients().find('mcp_gone')).toBeUndefined();
  });
});

describe('an authorization request', () => {
  test.each([
    ['with all there may be', aRequest({ state: 'a b/%00&', slug: 'weather' })],
    ['with what there must be', aRequest()],
    ['with an empty state', aRequest({ state: '' })],
  ])('%s is found as it was stored', async (name, request) => {
    await requests().put(fingerprint(name), request);

    expect(await requests().find(fingerprint(name))).toEqual({ request, isAnswered: false });
  });

  test('is answered by exactly one of many at once, and then found with its answer', async () => {
    const ticket = fingerprint('raced');
    await requests().put(ticket, aRequest());
    const taken = await Promise.all(Array.from({ length: 50 }, () => answer(ticket)));

    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await requests().find(ticket)).toEqual({
      request: aRequest(),
      isAnswered: true,
      decided: aDecision(),
    });
  });

  test('is answered where the store’s answer was lost on its way', async () => {
    const ticket = fingerprint('lost');
    await requests().put(ticket, aRequest());
    const shaken = losingAnswers(store.instance(), { to: 'TransactWriteItems' });

    expect(await answer(ticket, shaken)).toBe(true);
    expect(await answer(ticket)).toBe(false);
  });

  test('cannot be answered where there is none', async () => {
    expect(await answer(fingerprint('none'))).toBe(false);
    expect(await requests().find(fingerprint('none'))).toBeUndefined();
  });
});

describe('a refresh token', () => {
  test('is found as it was stored', async () => {
    const record = aRefreshToken({ generation: 3 });
    await refreshTokens().put(fingerprint('r'), record);

    expect(await refreshTokens().find(fingerprint('r'))).toEqual(record);
    expect(await refreshTokens().find(fingerprint('other'))).toBeUndefined();
  });
});

describe('a minted token', () => {
  test.each([
    ['named', aMintedToken({ jti: 'named', name: 'CI' })],
    ['nameless', aMintedToken({ jti: 'nameless' })],
  ])('%s is found as it was stored', async (jti, token) => {
    await mintedTokens().put(token);

    expect(await mintedTokens().find(jti)).toEqual(token);
  });

  test('says that it was revoked', async () => {
    await mintedTokens().put(aMintedToken({ jti: 'revoked' }));
    await mintedTokens().revoke('revoked');

    expect(await mintedTokens().find('revoked')).toMatchObject({ revoked: true });
  });

  test('is not stored by revoking one that was never minted', async () => {
    await mintedTokens().revoke('absent');

    expect(await mintedTokens().find('absent')).toBeUndefined();
  });
});

describe('a session', () => {
  test.each(['browser', 'api'] as const)('of kind %s is found as it began', async (kind) => {
    await sessions().put(fingerprint(kind), aSession({ kind }));

    expect(await sessions().find(fingerprint(kind))).toEqual(aSession({ kind }));
  });

  test('is not found once it has ended, and may be ended again', async () => {
    await sessions().put(fingerprint('over'), aSession());
    await sessions().end(fingerprint('over'));
    await sessions().end(fingerprint('over'));

    expect(await sessions().find(fingerprint('over'))).toBeUndefined();
  });
});

describe('the time to live of a record', () => {
  test('ends a day after the record has expired', async () => {
    const id = fingerprint('swept');
    const expiresAt = NOON + 100;
    await requests().put(id, aRequest({ expiresAt }));
    await refreshTokens().put(id, aRefreshToken({ expiresAt }));
    await mintedTokens().put(aMintedToken({ jti: id, expiresAt }));
    await sessions().put(id, aSession({ expiresAt }));
    const found = () =>
      Promise.all([requests(), refreshTokens(), mintedTokens(), sessions()].map((s) => s.find(id)));

    await store.aws.sweep(expiresAt + DAY - 1);
    expect(await found()).not.toContain(undefined);
    await store.aws.sweep(expiresAt + DAY);
    expect(await found()).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a stored record that is not as it was stored', () => {
  const id = fingerprint('broken');
  test.each([
    ['CLIENT', () => clients()],
    ['AUTHREQ', () => requests()],
    ['CODE', () => dynamoCodes(store.instance(), table())],
    ['GRANT', () => dynamoGrants(store.instance(), table(), DEFAULT_LIMITS)],
    ['AT', () => dynamoAccessTokens(store.instance(), table())],
    ['RT', () => refreshTokens()],
    ['JTI', () => mintedTokens()],
    ['SESSION', () => sessions()],
  ])('is reported as a fault: %s', async (kind, open) => {
    const Item = { pk: `${kind}#${id}`, revoked: false, scopes: ['root'] };
    await store.instance().send(new PutCommand({ TableName: table(), Item }));

    await expect(open().find(id)).rejects.toMatchObject({
      neighbour: 'dynamodb',
      message: `dynamodb: ${kind}#${id} is not readable`,
    });
  });
});

import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import { anAccessToken } from '../../support/oauth/oauth-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const tokens = (dynamo = store.instance()) => dynamoAccessTokens(dynamo, store.tableName('oauth'));

describe('an access token', () => {
  test('is found as it was stored', async () => {
    expect(await tokens().put(fingerprint('whole'), anAccessToken())).toBe(true);
    expect(await tokens().find(fingerprint('whole'))).toEqual(anAccessToken());
  });

  test('is found in one call', async () => {
    await tokens().put(fingerprint('cheap'), anAccessToken());
    store.aws.calls.reset();
    await tokens().find(fingerprint('cheap'));

    expect(store.aws.calls.list()).toMatchObject([{ operation: 'GetItem', times: 1 }]);
  });

  test('is found expired, for the domain to say so', async () => {
    const expired = anAccessToken({ expiresAt: NOON - 1 });
    await tokens().put(fingerprint('expired'), expired);

    expect(await tokens().find(fingerprint('expired'))).toEqual(expired);
  });

  test('is not found where none was stored', async () => {
    expect(await tokens().find(fingerprint('unknown'))).toBeUndefined();
  });

  test('is stored where the answer was lost on its way', async () => {
    const shaken = tokens(losingAnswers(store.instance(), { to: 'PutItem' }));

    expect(await shaken.put(fingerprint('lost'), anAccessToken())).toBe(true);
    expect(store.aws.calls.count({ operation: 'PutItem' })).toBe(2);
  });
});

describe('revoking an access token', () => {
  test('is seen by the next request', async () => {
    await tokens().put(fingerprint('revoked'), anAccessToken());
    await tokens().revoke(fingerprint('revoked'));

    expect(await tokens().find(fingerprint('revoked'))).toEqual(anAccessToken({ revoked: true }));
  });

  test('is not undone by storing it again', async () => {
    await tokens().put(fingerprint('again'), anAccessToken());
    await tokens().revoke(fingerprint('again'));

    expect(await tokens().put(fingerprint('again'), anAccessToken())).toBe(false);
    expect(await tokens().find(fingerprint('again'))).toMatchObject({ revoked: true });
  });

  test('leaves nothing where there is none, so that strangers cannot fill the table', async () => {
    await tokens().revoke(fingerprint('strange'));

    expect(await tokens().put(fingerprint('strange'), anAccessToken())).toBe(true);
  });
});

describe('a store that is down', () => {
  test.each(['fail', 'drop'] as const)('is reported as a fault (%s)', async (kind) => {
    store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });
    const [token, fault] = [fingerprint('any'), { neighbour: 'dynamodb' }];

    await expect(tokens().find(token)).rejects.toMatchObject(fault);
    await expect(tokens().put(token, anAccessToken())).rejects.toMatchObject(fault);
    await expect(tokens().revoke(token)).rejects.toMatchObject(fault);
  });
});

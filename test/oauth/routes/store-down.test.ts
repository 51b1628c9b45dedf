import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { anOAuthService, REDIRECT_URI } from '../../support/oauth/oauth.ts';
import {
  answered,
  exchangeOf,
  form,
  jsonPost,
  redeem,
  refreshOf,
} from '../../support/oauth/oauth-requests.ts';

const service = await anOAuthService();
afterEach(() => service.store.aws.faults.clear());
afterAll(() => service.stop());

const UNAVAILABLE = {
  statusCode: 503,
  headers: { 'retry-after': '5', 'cache-control': 'no-store' },
};

describe('the OAuth endpoints while DynamoDB fails', () => {
  test('refuse a registration that cannot be counted', async () => {
    service.store.aws.faults.inject({ kind: 'fail', on: { operation: 'UpdateItem' } });

    const reply = await service.send(jsonPost('/register', { redirect_uris: [REDIRECT_URI] }));

    expect(reply).toMatchObject(UNAVAILABLE);
  });

  test.each(['GetItem', 'UpdateItem'])('use up no code where %s fails', async (operation) => {
    const code = await service.code();
    service.store.aws.faults.inject({ kind: 'fail', on: { operation } });

    const reply = await service.send(form('/token', exchangeOf(code)));

    expect(reply).toMatchObject(UNAVAILABLE);
    service.store.aws.faults.clear();
    expect((await service.send(form('/token', exchangeOf(code)))).statusCode).toBe(200);
  });

  test.each(['GetItem', 'UpdateItem', 'PutItem'])(
    'use up no refresh token where %s fails',
    async (operation) => {
      const code = await service.code();
      const tokens = await redeem(service, code);
      service.store.aws.faults.inject({ kind: 'fail', on: { operation } });

      const reply = await service.send(form('/token', refreshOf(code, tokens)));

      expect(reply).toMatchObject(UNAVAILABLE);
      service.store.aws.faults.clear();
      expect((await service.send(form('/token', refreshOf(code, tokens)))).statusCode).toBe(200);
    },
  );

  test('do not confirm a revocation that failed', async () => {
    const { refresh_token: token } = await redeem(service, await service.code());
    service.store.aws.faults.inject({ kind: 'fail', on: { operation: 'UpdateItem' } });

    expect(await service.send(form('/revoke', { token }))).toMatchObject(UNAVAILABLE);
  });

  test('leave a code good whose exchange failed, and redeem it once', async () => {
    const code = await service.code();
    service.store.aws.faults.inject({ kind: 'fail', on: { operation: 'TransactWriteItems' } });

    const reply = await service.send(form('/token', exchangeOf(code)));

    expect(reply).toMatchObject(UNAVAILABLE);
    service.store.aws.faults.clear();
    expect((await service.send(form('/token', exchangeOf(code)))).statusCode).toBe(200);
    const again = await service.send(form('/token', exchangeOf(code)));
    expect(answered(again)).toEqual({ status: 400, error: 'invalid_grant' });
  });
});

import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoClients } from '../../../layers/oauth/store/clients.ts';
import { DAY, HOUR } from '../../../layers/platform/rules/time.ts';
import { aClock } from '../../support/aws/dynamodb-fixtures.ts';
import { anOAuthService, NOON, REDIRECT_URI, type TestCode } from '../../support/oauth/oauth.ts';
import {
  answered,
  bodyOf,
  exchangeOf,
  form,
  jsonPost,
  refreshOf,
} from '../../support/oauth/oauth-requests.ts';
import { aGet } from '../../support/oauth/visits.ts';

const service = await anOAuthService();
afterEach(() => {
  service.clock.time = NOON;
});
afterAll(() => service.stop());

const register = async (): Promise<string> => {
  const sent = { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' };
  return String(bodyOf(await service.send(jsonPost('/register', sent)))['client_id']);
};

/** A code that is good now for a client. */
const aCodeFor = async (clientId: string): Promise<TestCode> => {
  const expiresAt = service.clock.time + 600;
  return service.code({ expiresAt }, { clientId });
};

const redeemed = async (clientId: string) => {
  const code = await aCodeFor(clientId);
  const reply = await service.send(form('/token', exchangeOf(code)));
  return { code, reply, refreshToken: String(bodyOf(reply)['refresh_token']) };
};

const refresh = (code: TestCode, refreshToken: string) =>
  service.send(form('/token', refreshOf(code, { refresh_token: refreshToken })));

const endOf = async (clientId: string) => {
  const { store } = service;
  const clients = dynamoClients(store.instance(), store.tableName('oauth'), aClock(NOON));
  return (await clients.find(clientId))?.expiresAt;
};

const authorize = (clientId: string) => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  return service.send(aGet(`/v1/mcp-oauth-server/authorize?${query}`));
};

describe('a registered client without a grant', () => {
  test('ends after 90 days, to the second, at both endpoints', async () => {
    const id = await register();
    service.clock.time = NOON + 90 * DAY - 1;
    expect(await authorize(id)).toMatchObject({ statusCode: 200 });
    service.clock.time = NOON + 90 * DAY;

    expect(await authorize(id)).toMatchObject({ statusCode: 400 });
    const reply = await service.send(form('/token', exchangeOf(await aCodeFor(id))));
    expect(answered(reply)).toEqual({ status: 401, error: 'invalid_client' });
  });

  test('gets its first grant in the last second, and goes on', async () => {
    const id = await register();
    service.clock.time = NOON + 90 * DAY - 1;
    expect((await redeemed(id)).reply.statusCode).toBe(200);
    service.clock.time = NOON + 90 * DAY + HOUR;

    expect((await redeemed(id)).reply.statusCode).toBe(200);
  });
});

describe('a registered client with a grant', () => {
  test('lives as long as its grant can be refreshed, and 90 days more with each refresh', async () => {
    const id = await register();
    const { code, refreshToken } = await redeemed(id);
    service.clock.time = NOON + 90 * DAY - 1;
    expect((await refresh(code, refreshToken)).statusCode).toBe(200);
    service.clock.time = NOON + 180 * DAY - 1;

    expect((await redeemed(id)).reply.statusCode).toBe(200);
  });

  test('ends 91 days after the latest one', async () => {
    const id = await register();
    service.clock.time = NOON + 1;
    await redeemed(id);
    service.clock.time = NOON + 1 + 91 * DAY;

    expect(answered((await redeemed(id)).reply)).toEqual({ status: 401, error: 'invalid_client' });
  });

  test('is written once a day at most', async () => {
    const id = await register();
    const ends = [];
    for (const later of [0, 1, HOUR, DAY, DAY + 1, DAY + 2, 2 * DAY + 1]) {
      service.clock.time = NOON + later;
      await redeemed(id);
      ends.push(((await endOf(id)) ?? 0) - NOON);
    }

    expect(ends).toEqual([
      90 * DAY,
      91 * DAY + 1,
      91 * DAY + 1,
      91 * DAY + 1,
      91 * DAY + 1,
      92 * DAY + 2,
      92 * DAY + 2,
    ]);
  });

  test('lives no shorter than refresh tokens that live longer', async () => {
    const patient = await anOAuthService({ limits: { refresh_token_seconds: 200 * DAY } });
    try {
      const { id } = await patient.client();
      const own = await patient.code({}, { clientId: id });
      const reply = await patient.send(form('/token', exchangeOf(own)));
      const refreshToken = String(bodyOf(reply)['refresh_token']);
      patient.clock.time = NOON + 200 * DAY - 1;

      const sent = refreshOf(own, { refresh_token: refreshToken });
      expect((await patient.send(form('/token', sent))).statusCode).toBe(200);
    } finally {
      await patient.stop();
    }
  });
});

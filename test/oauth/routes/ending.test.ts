import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { listTrusts } from '../../../layers/accounts/steps/trusts.ts';
import { operatorCommands } from '../../../layers/oauth/routes/operator.ts';
import { MAX_ENDED_PARTIES } from '../../../layers/tokens/rules/not-before.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import { anOAuthService, NOON, type TestCode } from '../../support/oauth/oauth.ts';
import {
  answered,
  bodyOf,
  exchangeOf,
  form,
  opens,
  redeem,
  refreshOf,
  type Tokens,
} from '../../support/oauth/oauth-requests.ts';
import { aPerson, mailTo, PASSWORD } from '../../support/oauth/people.ts';
import { anEvent } from '../../support/mcp/router-events.ts';

const service = await anOAuthService();
beforeEach(async () => {
  service.clock.time = NOON;
  const TableName = service.store.tableName('oauth');
  await service.store.instance().send(new DeleteCommand({ TableName, Key: { pk: 'NOTBEFORE' } }));
});
afterAll(() => service.stop());

const { store } = service;
const arranging = wireManagement({
  ...environmentOf(store, 'management'),
  ...store.aws.environment('test'),
});

const operate = (operator: string, sent: object = {}) =>
  operatorCommands(service.ports)({ operator, ...sent });

const begun = async (over = {}): Promise<[TestCode, Tokens]> => {
  const code = await service.code({}, { createdAt: service.clock.time, ...over });
  return [code, await redeem(service, code)];
};
const exchange = async (code: TestCode) =>
  answered(await service.send(form('/token', exchangeOf(code))));
const refresh = async ([code, tokens]: [TestCode, Tokens]) =>
  answered(await service.send(form('/token', refreshOf(code, tokens))));
const opensInfo = ([, tokens]: [TestCode, Tokens]) => opens(service, tokens.access_token);
const why = () => service.lines.findLast((line) => line['why'] !== undefined)?.['why'];

const management = (method: string, path: string, body?: object, token?: string) =>
  service.send(
    anEvent(method, `/v1/mcp-management${path}`, {
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
const signIn = async (email: string, password = PASSWORD) =>
  bodyOf(await management('POST', '/sessions', { email, password }))['access_token'] as string;
/** It is not ended by it where it is none. */
const endsSession = async (token: string) =>
  (await management('DELETE', '/sessions/current', undefined, token)).statusCode;

const REFUSED = { status: 400, error: 'invalid_grant' };

describe('ending all tokens', () => {
  test('ends refreshes, codes that are out, and access tokens, of everybody', async () => {
    const [one, other, code] = [await begun(), await begun(), await service.code()];
    expect(await opensInfo(one)).toBe(true);
    const answer = await operate('end-tokens');

    expect(answer).toEqual({ ok: true, issuedBefore: '2026-11-20T12:00:01.000Z' });
    for (const tokens of [one, other]) {
      expect(await opensInfo(tokens)).toBe(false);
      expect(await refresh(tokens)).toEqual(REFUSED);
    }
    expect(await exchange(code)).toEqual(REFUSED);
    expect(why()).toBe('all tokens ended');
  });

  test('leaves alone what is granted from the next second on', async () => {
    await operate('end-tokens');
    service.clock.time += 1;
    const later = await begun();

    expect(await opensInfo(later)).toBe(true);
    expect(await refresh(later)).toMatchObject({ status: 200 });
  });

  test('does not let a grant of before live on by a refresh that is on its way', async () => {
    const [code, tokens] = await begun();
    service.clock.time += 100;
    const reply = await service.send(form('/token', refreshOf(code, tokens)));
    service.clock.time -= 50;
    await operate('end-tokens');
    service.clock.time += 60;

    expect(await opens(service, bodyOf(reply)['access_token'])).toBe(false);
  });

  test('leaves sessions alone', async () => {
    const { email } = await aPerson(service);
    const token = await signIn(email);
    await operate('end-tokens');

    expect(await endsSession(token)).toBe(204);
  });
});

describe('ending all sessions', () => {
  test('ends those of before, and none that begins later; tokens stay', async () => {
    const { email } = await aPerson(service);
    const [session, tokens] = [await signIn(email), await begun()];
    const answer = await operate('end-sessions');

    expect(answer).toEqual({ ok: true, begunBefore: '2026-11-20T12:00:01.000Z' });
    expect(await endsSession(session)).toBe(401);
    expect(why()).toBe('all sessions ended');
    expect(await opensInfo(tokens)).toBe(true);
    service.clock.time += 1;
    expect(await endsSession(await signIn(email))).toBe(204);
  });
});

describe('ending one client', () => {
  test('removes its registration, and all that was granted to it, and nothing of others', async () => {
    const { id: clientId } = await service.client();
    const [theirs, others] = [await begun({ clientId }), await begun()];
    const code = await service.code({}, { clientId });

    expect(await operate('end-client', { clientId })).toEqual({ ok: true, removed: true });
    expect(await opensInfo(theirs)).toBe(false);
    expect(why()).toBe('client ended');
    expect(await refresh(theirs)).toEqual({ status: 401, error: 'invalid_client' });
    expect(await exchange(code)).toEqual({ status: 401, error: 'invalid_client' });
    expect(await opensInfo(others)).toBe(true);
    expect(await operate('end-client', { clientId })).toEqual({ ok: true, removed: false });
  });

  test('ends what a client has that is described by a document, which may ask again', async () => {
    const clientId = 'https://client.example/metadata.json';
    const [before, code] = [await begun({ clientId }), await service.code({}, { clientId })];
    await operate('end-client', { clientId });

    expect(await refresh(before)).toEqual(REFUSED);
    expect(await exchange(code)).toEqual(REFUSED);
    service.clock.time += 1;
    expect(await opensInfo(await begun({ clientId }))).toBe(true);
  });

  test.each(['', 'books', 'http://client.example/x'])('is refused for "%s"', async (clientId) => {
    const answer = operate('end-client', { clientId });

    await (clientId === ''
      ? expect(answer).rejects.toThrow('clientId')
      : expect(answer).resolves.toMatchObject({ ok: false, code: 'invalid_request' }));
  });

  test('is refused, the registration removed, where too many were ended of late', async () => {
    const parties = Array.from({ length: MAX_ENDED_PARTIES }, (_, index) => ({
      kind: 'client' as const,
      id: `mcp_${index}`,
      before: NOON,
      expiresAt: NOON + 60,
    }));
    await service.ports.notBeforeRegister.replace({ tokens: 0, sessions: 0, parties, revision: 1 });
    const { id: clientId } = await service.client();

    expect(await operate('end-client', { clientId })).toMatchObject({ code: 'limit_reached' });
    service.clock.time += 60;
    // Nothing that those ended lives any more.
    expect(await operate('end-client', { clientId })).toMatchObject({ ok: true });
    expect((await service.ports.notBeforeRegister.find()).parties).toHaveLength(1);
  });
});

describe('ending one account', () => {
  test('ends its sessions, tokens and password, and nothing of others', async () => {
    const [{ id: userId, email }, bob] = [await aPerson(service), await aPerson(service)];
    const [theirs, others] = [await begun({ userId, email }), await begun({ userId: bob.id })];
    const session = await signIn(email);
    const answer = await operate('end-account', { email: email.toUpperCase() });

    expect(answer).toEqual({ ok: true, account: { id: userId, email, plan: 'free' } });
    expect(await endsSession(session)).toBe(401);
    expect(await opensInfo(theirs)).toBe(false);
    expect(why()).toBe('user signed out');
    expect(await refresh(theirs)).toEqual(REFUSED);
    expect(await signIn(email)).toBeUndefined();
    expect(await opensInfo(others)).toBe(true);
  });

  test('ends what machines sign in by, until its owner trusts them again', async () => {
    const { id: userId, email } = await aPerson(service);
    const trusted = async (createdAt: number): Promise<string> => {
      const id = randomUUID();
      await arranging.trusts.put(id, {
        userId,
        name: 'CI',
        issuer: 'https://ci.example',
        claims: { project: '1', ref: 'main' },
        scope: 'all',
        createdAt,
      });
      return id;
    };
    const refusal = async (trust: string) =>
      bodyOf(await management('POST', '/sessions/machine', { trust, token: 'a' }))['detail'];
    const before = await trusted(service.clock.time);
    expect(await refusal(before)).toBe('The token is not accepted: not a signed JWT.');
    await operate('end-account', { email });

    expect(await refusal(before)).toBe('There is no trust of this id (any more).');
    const user = (await service.ports.users.find(userId)) ?? (await aPerson(service));
    expect(await listTrusts(arranging, user)).toEqual([]);
    service.clock.time += 1;
    const again = await trusted(service.clock.time);
    expect(await refusal(again)).toBe('The token is not accepted: not a signed JWT.');
    expect((await listTrusts(arranging, user)).map(({ id }) => id)).toEqual([again]);
  });

  test('opens again for the reader of the mailbox', async () => {
    const { id: userId, email } = await aPerson(service);
    await operate('end-account', { email });
    service.clock.time += 1;
    await management('POST', '/accounts/password-reset', { email });
    const { link } = await mailTo(service, email);
    const token = new URL(link).searchParams.get('token');
    const password = 'quartz lantern meadow';
    await management('POST', '/accounts/password-reset/confirm', { token, password });
    service.clock.time += 1;

    expect(await endsSession(await signIn(email, password))).toBe(204);
    expect(await opensInfo(await begun({ userId, email }))).toBe(true);
  });

  test('is refused where there is none', async () => {
    expect(await operate('end-account', { email: 'nobody@example.com' })).toMatchObject({
      ok: false,
      code: 'not_found',
    });
  });
});

describe('commands at the same time', () => {
  test('lose nothing of each other', async () => {
    const clients = ['mcp_1', 'mcp_2', 'mcp_3'];
    await Promise.all([
      operate('end-tokens'),
      operate('end-sessions'),
      ...clients.map((clientId) => operate('end-client', { clientId })),
    ]);
    const { tokens, sessions, parties } = await service.ports.notBeforeRegister.find();

    expect([tokens, sessions]).toEqual([NOON + 1, NOON + 1]);
    expect(parties.map(({ id }) => id).sort()).toEqual(clients);
  });

  test('are refused where others never stop', async () => {
    const stubborn = { ...service.ports.notBeforeRegister, replace: async () => false };
    const send = operatorCommands({ ...service.ports, notBeforeRegister: stubborn });

    expect(await send({ operator: 'end-tokens' })).toMatchObject({ ok: false, code: 'conflict' });
  });
});

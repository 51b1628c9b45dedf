import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import { aConnection, anOAuthClient, aTokenEndpoint } from '../../support/oauth/connections.ts';

const store = await startStore();
const endpoint = await aTokenEndpoint(() => ({
  body: { access_token: 'CANARY-token', token_type: 'bearer', expires_in: 3600 },
}));
afterAll(async () => {
  await endpoint[Symbol.asyncDispose]();
  await store.stop();
});
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const aClient = async (limits: Readonly<Record<string, number>> = {}) => {
  const connection = aConnection(store, { limits });
  const event = await connection.set(anOAuthClient(endpoint.url));
  store.aws.calls.reset();
  return { ...connection, event };
};

describe('the limit of tokens that are asked for', () => {
  test('is counted by instance and minute, and refuses no token that is stored', async () => {
    const { set, answer, clock } = aConnection(store, {
      limits: { connection_retrievals_per_minute: 2 },
    });
    const deploymentId = randomUUID();
    const client = (name: string) => set(anOAuthClient(endpoint.url), { deploymentId, name });
    const [first, second, third] = [await client('a'), await client('b'), await client('c')];
    const from = (instance: string, event: object) => answer({ ...event, instance });

    expect(await from('router-1', first)).toMatchObject({ ok: true });
    expect(await from('router-1', second)).toMatchObject({ ok: true });
    expect(await from('router-1', third)).toEqual({ ok: false, reason: 'limited' });
    expect(await from('router-1', first)).toMatchObject({ ok: true });
    // Who was refused has not kept the others from asking.
    expect(await from('router-2', third)).toMatchObject({ ok: true });
    clock.time = NOON + 60;
    expect(await from('router-1', await client('d'))).toMatchObject({ ok: true });
  });

  test('is not spent by tokens that are stored', async () => {
    const { answer, event } = await aClient();
    const before = endpoint.asked();
    const answers = [];
    for (let time = 0; time < 100; time += 1) answers.push((await answer(event)).ok);

    expect(answers).not.toContain(false);
    expect(endpoint.asked()).toBe(before + 1);
  });

  test('has a ceiling for all instances together, and refuses what cannot be counted', async () => {
    const { answer, event } = await aClient({ connection_ceiling_per_minute: 2 });
    for (const instance of ['a', 'b']) {
      expect(await answer({ ...event, instance })).toMatchObject({ ok: true });
    }
    store.aws.calls.reset();
    expect(await answer({ ...event, instance: 'made-up' })).toEqual({
      ok: false,
      reason: 'limited',
    });
    // Its name was counted nowhere.
    expect(store.aws.calls.count({ operation: 'UpdateItem' })).toBe(1);
  });
});

describe('the security event of a retrieval of a token', () => {
  test('names caller, credential and outcome, in the log and in the table', async () => {
    const { answer, event, lines } = await aClient();
    await answer(event);
    await answer({ ...event, version: 'f'.repeat(36) });
    const { Items = [] } = await store
      .instance()
      .send(new ScanCommand({ TableName: store.tableName('security-events') }));
    const stored = Items.filter((item) => item['deploymentId'] === event.deployment_id);
    const expected = { type: 'credential_access', kind: 'oauth_client', user: 'user-2' };
    const outcomes = [
      { ...expected, outcome: 'ok' },
      { ...expected, outcome: 'missing', why: 'no such version' },
    ];
    expect(lines).toMatchObject(outcomes);
    expect(stored).toHaveLength(2);
    expect(stored).toEqual(
      expect.arrayContaining(outcomes.map((one) => expect.objectContaining(one))),
    );
  });

  test('is written at least to the log where the table cannot be written', async () => {
    const { answer, event, lines } = await aClient();
    store.aws.faults.inject({ kind: 'fail', on: { operation: 'PutItem' } });
    expect(await answer(event)).toMatchObject({ ok: true });
    expect(lines).toMatchObject([
      { type: 'credential_access', outcome: 'ok' },
      { message: 'events_lost', level: 'error', request_id: 'request-1' },
    ]);
  });
});

describe('a token', () => {
  test('of everybody is given to nobody as his own, and the other way round', async () => {
    const { answer, event } = await aClient();
    const before = endpoint.asked();
    expect(await answer({ ...event, per_caller: true })).toEqual({ ok: false, reason: 'denied' });
    expect(endpoint.asked()).toBe(before);
    expect(await answer(event)).toMatchObject({ ok: true });
  });
});

describe('an item of a token', () => {
  test('does not open in the place of another, or with another end', async () => {
    const { answer, event, ports } = await aClient();
    await answer(event);
    const place = { deploymentId: event.deployment_id, name: 'main' };
    const item = await ports.tokens.find(place);
    if (!item) throw new Error('nothing is kept');
    const denied = { name: 'CredentialUnavailable', reason: 'denied' };
    await expect(ports.tokens.open({ ...place, name: 'other' }, item)).rejects.toMatchObject(
      denied,
    );
    await expect(
      ports.tokens.open(place, { ...item, expiresAt: NOON + 80_000 }),
    ).rejects.toMatchObject(denied);
    await expect(ports.tokens.open(place, item)).resolves.toMatchObject({
      sent: { token: 'CANARY-token' },
    });
  });
});

describe('an event that is no request for a token', () => {
  const refused = async (connection: Awaited<ReturnType<typeof aClient>>, sent: unknown) => {
    const failure: unknown = await connection.answer(sent).catch((error: unknown) => error);
    expect(String(failure)).toContain('not a request for a token');
    expect(String(failure)).not.toContain('CANARY');
    expect(connection.lines).toEqual([]);
    expect(store.aws.calls.count()).toBe(0);
  };

  test.each([undefined, null, 'CANARY', 7, [], {}])('is refused: %j', async (sent) => {
    await refused(await aClient(), sent);
  });

  test.each([
    ['a path in place of a deployment', { deployment_id: '../../CANARY' }],
    ['a version in another format', { version: 'AWSCURRENT' }],
    ['no owner', { owner_id: '' }],
    ['no name', { name: undefined }],
    ['a name with a separator', { name: 'a#CANARY' }],
    ['a kind that calls carry as it is', { kind: 'bearer' }],
    ['a kind that is none', { kind: 'CANARY' }],
    ['an instance with a separator', { instance: 'a#CANARY' }],
    ['no caller', { caller: undefined }],
    ['a token in place of its fingerprint', { not: 'CANARY-token' }],
    ['a token of the caller that is none of ours', { per_caller: true, token: 'CANARY' }],
    ['a fingerprint in place of it', { per_caller: true, token: 'a'.repeat(64) }],
    ['an unknown member', { CANARY: true }],
  ])('is refused for %s', async (_, over) => {
    const connection = await aClient();
    await refused(connection, { ...connection.event, ...over });
  });
});

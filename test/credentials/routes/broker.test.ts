import type { CredentialRef } from '../../../layers/credentials/rules/credential-access.ts';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/credentials/routes/server.ts';
import { dynamoEvents } from '../../../layers/events/store/events.ts';
import { wireCredentials } from '../../../lambdas/credentials/wiring.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { aClock, NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import { storedCredential } from '../../support/aws/stored-credential.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import type { CredentialStore } from '../../../layers/credentials/rules/credential-stores.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

const TOKEN = 'CANARY-0123456789';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

/** The broker in one of the two stores, with a clock of its own and a log that can be read. */
const aBroker = (
  credentialStore: CredentialStore = 'secrets-manager',
  limits: Record<string, number> = {},
) => {
  store.enforce(credentialStore);
  const environment = { CREDENTIAL_STORE: credentialStore, LIMITS: JSON.stringify(limits) };
  const clock = aClock();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { write: (record: Readonly<Record<string, unknown>>) => void lines.push(record) };
  const { random, credentialVault } = wireManagement({
    ...environmentOf(store, 'management'),
    ...environment,
  });
  const wired = wireCredentials({ ...environmentOf(store, 'credentials'), ...environment });
  const eventsTable = store.tableName('security-events');
  const events = dynamoEvents({ clock, log, random }, store.instance(), eventsTable, 90);
  const answer = server({ ...wired, clock, log, events });

  const request = { deployment_id: random.id(), owner_id: 'user-1', version: random.id() };
  const ref: CredentialRef = {
    deploymentId: request.deployment_id,
    ownerId: request.owner_id,
    sealedFor: request.owner_id,
    name: 'main',
    from: 'store',
    version: request.version,
  };
  const event = (over: Readonly<Record<string, unknown>> = {}) => ({
    ...request,
    instance: 'router-1',
    caller: {
      user: 'user-2',
      ip: '192.0.2.7',
      user_agent: 'agent/1 (tester)',
      request_id: 'request-1',
    },
    ...over,
  });
  return {
    clock,
    lines,
    ref,
    vault: credentialVault,
    event,
    put: () =>
      storedCredential(store.instance(), credentialVault, ref, {
        type: 'bearer',
        token: TOKEN,
        origins: ORIGINS,
      }),
    ask: (over: Readonly<Record<string, unknown>> = {}) => answer(event(over)),
    answer,
  };
};

const ORIGINS = ['https://api.example.com'];
const OK = { ok: true, credential: { type: 'bearer', token: TOKEN, origins: ORIGINS } };

describe.each(['secrets-manager', 'envelope'] as const)(
  'the broker on the store %s',
  (credentialStore) => {
    test('returns the credential that the management function stored', async () => {
      const { put, ask } = aBroker(credentialStore);
      await put();

      expect(await ask()).toEqual(OK);
    });

    test('reports a missing credential, another version and a removed one as missing', async () => {
      const { put, ask, vault, ref } = aBroker(credentialStore);
      expect(await ask()).toEqual({ ok: false, reason: 'missing' });
      await put();
      expect(await ask({ version: 'f'.repeat(36) })).toEqual({ ok: false, reason: 'missing' });
      await vault.remove(ref);
      expect(await ask()).toEqual({ ok: false, reason: 'missing' });
    });

    test('distinguishes a store that is unavailable from one that denies access', async () => {
      const { put, ask } = aBroker(credentialStore);
      await put();
      const operation = credentialStore === 'envelope' ? 'Decrypt' : 'GetSecretValue';
      for (const kind of ['throttle', 'fail', 'drop'] as const) {
        const end = store.aws.faults.inject({ kind, on: { operation } });
        expect(await ask()).toEqual({ ok: false, reason: 'unavailable' });
        end();
      }
      store.aws.faults.inject({ kind: 'deny', on: { operation } });
      expect(await ask()).toEqual({ ok: false, reason: 'denied' });
    });
  },
);

describe('the rate limit of the credential broker', () => {
  test('allows an instance five retrievals a minute', async () => {
    const { put, ask, clock } = aBroker();
    await put();
    const inALoop = async (times: number) => {
      const answers = [];
      for (let time = 0; time < times; time += 1) answers.push((await ask()).ok);
      return answers;
    };

    expect(await inALoop(7)).toEqual([true, true, true, true, true, false, false]);
    expect(await ask()).toEqual({ ok: false, reason: 'limited' });
    clock.time = NOON + 59;
    expect(await inALoop(1)).toEqual([false]);
    clock.time = NOON + 60;
    expect(await inALoop(6)).toEqual([true, true, true, true, true, false]);
  });

  test('holds for fifty concurrent retrievals', async () => {
    const { put, ask } = aBroker();
    await put();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()));

    expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
  });

  test('is separate for each instance and each deployment', async () => {
    const { put, ask } = aBroker();
    await put();
    for (let time = 0; time < 6; time += 1) await ask();

    expect(await ask({ instance: 'router-2' })).toEqual(OK);
    expect(await ask({ deployment_id: 'another' })).toEqual({ ok: false, reason: 'missing' });
  });

  test('refuses none of a thousand instances that start at once', async () => {
    const { put, ask } = aBroker();
    await put();
    const instances = Array.from({ length: 1000 }, (_, number) => `router-${number}`);
    const answers: boolean[] = [];
    // As many connections at once as a machine holds.
    for (let first = 0; first < instances.length; first += 20) {
      const some = instances.slice(first, first + 20).map((instance) => ask({ instance }));
      answers.push(...(await Promise.all(some)).map(({ ok }) => ok));
    }

    expect(answers).toHaveLength(1000);
    expect(answers.every(Boolean)).toBe(true);
  });

  test('has a ceiling for all instances of a deployment together', async () => {
    const { put, ask, clock } = aBroker('secrets-manager', { credential_ceiling_per_minute: 3 });
    await put();
    for (const instance of ['a', 'b', 'c']) expect(await ask({ instance })).toEqual(OK);

    store.aws.calls.reset();
    expect(await ask({ instance: 'made-up' })).toEqual({ ok: false, reason: 'limited' });
    // Its name was counted nowhere.
    expect(store.aws.calls.count({ operation: 'UpdateItem' })).toBe(1);
    clock.time = NOON + 60;
    expect(await ask({ instance: 'd' })).toEqual(OK);
  });

  test('refuses every retrieval while it cannot be counted', async () => {
    const { put, ask } = aBroker();
    await put();
    store.aws.faults.inject({ kind: 'fail', on: { operation: 'UpdateItem' } });

    expect(await ask()).toEqual({ ok: false, reason: 'unavailable' });
    expect(store.aws.calls.count({ operation: 'GetSecretValue' })).toBe(0);
  });
});

describe('the security event of a credential retrieval', () => {
  const eventsOf = async (deploymentId: string) => {
    const { Items = [] } = await store
      .instance()
      .send(new ScanCommand({ TableName: store.tableName('security-events') }));
    return Items.filter((item) => item['deploymentId'] === deploymentId);
  };

  test('names caller and deployment in the log and in the table', async () => {
    const { put, ask, lines, ref } = aBroker();
    await put();
    await ask();

    const expected = {
      type: 'credential_access',
      version: ref.version,
      user: 'user-2',
      ip: '192.0.2.7',
      instance: 'router-1',
      outcome: 'ok',
    };
    expect(lines).toEqual([
      {
        ...EVENT_LINE,
        ...expected,
        deployment_id: ref.deploymentId,
        user_agent: 'agent/1 (tester)',
        request_id: 'request-1',
        duration_ms: 0,
      },
    ]);
    expect(await eventsOf(ref.deploymentId)).toMatchObject([
      {
        ...expected,
        deploymentId: ref.deploymentId,
        userAgent: 'agent/1 (tester)',
        requestId: 'request-1',
        durationMs: 0,
        at: NOON,
      },
    ]);
  });

  test('is also written for a failed retrieval, with the reason', async () => {
    const { put, ask, ref, lines } = aBroker('secrets-manager', {
      credential_retrievals_per_minute: 3,
    });
    await ask();
    await put();
    let end = store.aws.faults.inject({ kind: 'deny', on: { operation: 'GetSecretValue' } });
    await ask();
    end();
    end = store.aws.faults.inject({ kind: 'fail', on: { operation: 'GetSecretValue' } });
    await ask();
    end();
    await ask();

    expect(lines.map(({ outcome, why }) => [outcome, why])).toEqual([
      ['missing', 'no such version'],
      ['denied', 'secrets-manager: AccessDeniedException'],
      ['unavailable', 'secrets-manager: InternalServerError'],
      ['limited', 'credential_retrievals_per_minute'],
    ]);
    expect(await eventsOf(ref.deploymentId)).toHaveLength(4);
  });

  test('is written at least to the log where the table cannot be written', async () => {
    const { put, ask, lines } = aBroker();
    await put();
    store.aws.faults.inject({ kind: 'fail', on: { operation: 'PutItem' } });

    expect(await ask()).toEqual(OK);
    expect(lines).toMatchObject([
      { type: 'credential_access', outcome: 'ok' },
      { message: 'events_lost', level: 'error', request_id: 'request-1' },
    ]);
  });
});

describe('an invalid request to the credential broker', () => {
  const caller = { user: 'user-2', ip: '192.0.2.7', request_id: 'request-1' };

  const refused = async (broker: ReturnType<typeof aBroker>, sent: unknown) => {
    const failure: unknown = await broker.answer(sent).catch((error: unknown) => error);
    expect(String(failure)).toContain('not a request for a credential');
    expect(String(failure)).not.toContain('CANARY');
    expect(broker.lines).toEqual([]);
    expect(store.aws.calls.count()).toBe(0);
  };

  test.each([undefined, null, 'CANARY', 7, [], {}])('is refused: %j', async (sent) => {
    await refused(aBroker(), sent);
  });

  test.each([
    ['a path in place of a deployment', { deployment_id: '../../CANARY' }],
    ['a deployment that is not a string', { deployment_id: { CANARY: 1 } }],
    ['an empty deployment', { deployment_id: '' }],
    ['a version in another format', { version: 'AWSCURRENT' }],
    ['no owner', { owner_id: '' }],
    ['an instance with a separator', { instance: 'a#CANARY' }],
    ['an instance that is too long', { instance: 'x'.repeat(65) }],
    ['no caller', { caller: undefined }],
    ['a caller without an IP address', { caller: { ...caller, ip: undefined } }],
    ['a caller with an unknown member', { caller: { ...caller, CANARY: 1 } }],
    ['an unknown member', { CANARY: true }],
  ])('is refused for %s', async (_, over) => {
    const broker = aBroker();
    await refused(broker, broker.event(over));
  });
});

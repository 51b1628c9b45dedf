import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { lambdaCredentialBroker } from '../../../layers/credentials/store/credential-broker.ts';
import { cachedCredentials } from '../../../layers/credentials/store/cached-credentials.ts';
import type { CredentialFailure } from '../../../layers/credentials/rules/credential-access.ts';
import { connectionOf, startTestAws, type TestAws } from '../../support/aws/aws.ts';
import { aClock, NOON } from '../../support/aws/dynamodb-fixtures.ts';

const MINUTE = 60;

let aws: TestAws;
/** What the broker answers; a credential is `token of version`. */
let failure: CredentialFailure | undefined;

beforeAll(async () => {
  aws = await startTestAws();
  aws.aws.onInvoke(async (_name, payload) => {
    const { version } = JSON.parse(payload) as { version: string };
    const credential = { type: 'bearer', token: `token of ${version}`, origins: [] };
    return {
      payload: JSON.stringify(failure ? { ok: false, reason: failure } : { ok: true, credential }),
    };
  });
});
afterAll(() => aws.stop());
beforeEach(() => {
  failure = undefined;
  aws.aws.faults.clear();
  aws.aws.calls.reset();
});

const retrievals = () => aws.aws.calls.count({ service: 'lambda' });
const USE = { user: 'user-1', ip: '192.0.2.7', userAgent: undefined, requestId: 'request-1' };

/** An instance of the router, whose clock stands still until it is set. */
const anInstance = () => {
  const clock = aClock();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const { endpoint, region, credentials } = connectionOf(aws.aws, 'router');
  const broker = lambdaCredentialBroker(
    { endpoint, region, credentials },
    'credentials:live',
    'r-1',
  );
  const remembered = cachedCredentials(broker, {
    clock,
    log: { write: (record) => void lines.push(record) },
  });
  return {
    clock,
    lines,
    ask: (version = 'v1', deploymentId = 'dep-1') =>
      remembered.find(
        {
          deploymentId,
          ownerId: 'user-1',
          sealedFor: 'user-1',
          name: 'main',
          from: 'store',
          version,
        },
        USE,
      ),
  };
};
const of = (version: string) => ({ type: 'bearer', token: `token of ${version}`, origins: [] });

describe('the credential cache of a router instance', () => {
  test('asks the broker once in five minutes', async () => {
    const { ask, clock } = anInstance();
    await ask();
    clock.time = NOON + 5 * MINUTE - 1;
    expect(await ask()).toEqual(of('v1'));
    expect(retrievals()).toBe(1);

    clock.time = NOON + 5 * MINUTE;
    expect(await ask()).toEqual(of('v1'));
    expect(retrievals()).toBe(2);
  });

  test('asks the broker once for concurrent calls', async () => {
    const { ask } = anInstance();
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask()));

    expect(new Set(answers.map(({ type }) => type))).toEqual(new Set(['bearer']));
    expect(retrievals()).toBe(1);
  });

  test('shares a refusal among concurrent calls and asks again for the next', async () => {
    const { ask } = anInstance();
    failure = 'unavailable';
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => ask()));
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(retrievals()).toBe(1);

    failure = undefined;
    expect(await ask()).toEqual(of('v1'));
  });

  test('asks at once for a new version and never returns the previous one', async () => {
    const { ask } = anInstance();
    await ask('v1');
    expect(await ask('v2')).toEqual(of('v2'));

    failure = 'unavailable';
    await expect(ask('v3')).rejects.toMatchObject({ reason: 'unavailable' });
  });

  test('is separate for each deployment', async () => {
    const { ask } = anInstance();
    await ask('v1', 'dep-1');
    await ask('v2', 'dep-2');
    failure = 'unavailable';

    expect(await ask('v1', 'dep-1')).toEqual(of('v1'));
    expect(await ask('v2', 'dep-2')).toEqual(of('v2'));
    await expect(ask('v1', 'dep-3')).rejects.toMatchObject({ reason: 'unavailable' });
  });

  test('asks again when the clock was set back', async () => {
    const { ask, clock } = anInstance();
    await ask();
    clock.time = NOON - 1;
    await ask();

    expect(retrievals()).toBe(2);
  });
});

describe('the credential cache while the store is throttled or down', () => {
  test.each(['unavailable', 'limited'] as const)(
    'uses an expired credential for fifteen more minutes: %s',
    async (reason) => {
      const { ask, clock } = anInstance();
      await ask();
      failure = reason;
      for (const minutes of [5, 12, 19]) {
        clock.time = NOON + minutes * MINUTE;
        expect(await ask()).toEqual(of('v1'));
      }
      clock.time = NOON + 20 * MINUTE - 1;
      expect(await ask()).toEqual(of('v1'));
      clock.time = NOON + 20 * MINUTE;
      await expect(ask()).rejects.toMatchObject({ reason });
    },
  );

  test('also uses it when the broker cannot be invoked', async () => {
    const { ask, clock } = anInstance();
    await ask();
    aws.aws.faults.inject({ kind: 'drop', on: { service: 'lambda' } });
    clock.time = NOON + 10 * MINUTE;

    expect(await ask()).toEqual(of('v1'));
  });

  test('asks every ten seconds and logs the use of an expired credential', async () => {
    const { ask, clock, lines } = anInstance();
    await ask();
    failure = 'unavailable';
    clock.time = NOON + 5 * MINUTE;
    await ask();
    await ask();
    clock.time += 9;
    await ask();
    expect(retrievals()).toBe(2);
    clock.time += 1;
    await ask();
    expect(retrievals()).toBe(3);

    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      message: 'stale_credential_used',
      deployment_id: 'dep-1',
      reason: 'unavailable',
      age_seconds: 300,
    });
    expect(JSON.stringify(lines)).not.toContain('token of');
  });

  test('returns a new credential as soon as the store is back', async () => {
    const { ask, clock } = anInstance();
    await ask();
    failure = 'unavailable';
    clock.time = NOON + 6 * MINUTE;
    await ask();
    failure = undefined;
    clock.time += 10;
    await ask();
    clock.time += 5 * MINUTE - 1;
    await ask();

    expect(retrievals()).toBe(3);
  });
});

describe('the credential cache once access is denied or the credential is removed', () => {
  test.each(['denied', 'missing'] as const)('no longer uses what it cached: %s', async (reason) => {
    const { ask, clock } = anInstance();
    await ask();
    failure = reason;
    clock.time = NOON + 5 * MINUTE;
    await expect(ask()).rejects.toMatchObject({ reason });

    // Not even should the store go down afterwards.
    failure = 'unavailable';
    await expect(ask()).rejects.toMatchObject({ reason: 'unavailable' });
  });

  test('no longer uses what it cached if it may not invoke the broker', async () => {
    const { ask, clock } = anInstance();
    await ask();
    aws.aws.faults.inject({ kind: 'deny', on: { service: 'lambda' } });
    clock.time = NOON + 5 * MINUTE;

    await expect(ask()).rejects.toMatchObject({ reason: 'denied' });
  });
});

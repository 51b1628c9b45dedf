import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { lambdaCredentialBroker } from '../../../layers/credentials/store/credential-broker.ts';
import type { InvokeResult } from '../../../local/aws/index.ts';
import { connectionOf, startTestAws, type TestAws } from '../../support/aws/aws.ts';

let aws: TestAws;
const invoked: { name: string; qualifier: string | undefined; event: unknown }[] = [];
let result: InvokeResult | undefined;

beforeAll(async () => {
  aws = await startTestAws();
  aws.aws.onInvoke(async (name, payload, qualifier) => {
    invoked.push({ name, qualifier, event: JSON.parse(payload) });
    return result;
  });
});
afterAll(() => aws.stop());
afterEach(() => {
  aws.aws.faults.clear();
  invoked.length = 0;
});

const broker = () => {
  const { endpoint, region, credentials } = connectionOf(aws.aws, 'router');
  return lambdaCredentialBroker({ endpoint, region, credentials }, 'credentials:live', 'router-1');
};
const REF = {
  deploymentId: 'dep-1',
  ownerId: 'user-1',
  sealedFor: 'user-1',
  name: 'main',
  from: 'store',
  version: 'v-1',
} as const;
const USE = { user: 'user-2', ip: '192.0.2.7', userAgent: 'agent/1', requestId: 'request-1' };

const answering = (value: unknown) => {
  result = { payload: typeof value === 'string' ? value : JSON.stringify(value) };
};
const CREDENTIAL = { type: 'bearer', token: 'secret', origins: ['https://api.example.com'] };

describe('invoking the credential broker', () => {
  test('uses its alias and sends deployment and caller', async () => {
    answering({ ok: true, credential: CREDENTIAL });

    expect(await broker().fetch(REF, USE)).toEqual(CREDENTIAL);
    expect(invoked).toEqual([
      {
        name: 'credentials',
        qualifier: 'live',
        event: {
          deployment_id: 'dep-1',
          owner_id: 'user-1',
          version: 'v-1',
          instance: 'router-1',
          caller: {
            user: 'user-2',
            ip: '192.0.2.7',
            user_agent: 'agent/1',
            request_id: 'request-1',
          },
        },
      },
    ]);
  });

  test('leaves out a missing user agent', async () => {
    answering({ ok: true, credential: CREDENTIAL });
    await broker().fetch(REF, { ...USE, userAgent: undefined });

    expect(invoked[0]?.event).toMatchObject({
      caller: { user: 'user-2', ip: '192.0.2.7', request_id: 'request-1' },
    });
  });

  test.each(['limited', 'missing', 'denied', 'unavailable'])(
    'passes on the refusal %s',
    async (reason) => {
      answering({ ok: false, reason });

      await expect(broker().fetch(REF, USE)).rejects.toMatchObject({
        name: 'CredentialUnavailable',
        reason,
      });
    },
  );

  test.each([
    ['a string', '"CANARY"'],
    ['another object', '{"ok":true,"credential":{"type":"bearer","value":"CANARY"}}'],
    ['an unknown reason', '{"ok":false,"reason":"CANARY"}'],
    ['null', 'null'],
  ])('refuses the answer %s without quoting it', async (_, payload) => {
    answering(payload);

    const failure: unknown = await broker()
      .fetch(REF, USE)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'unavailable' });
    expect(failure).not.toHaveProperty('cause');
    expect(String(failure)).not.toContain('CANARY');
  });

  test('reports a broker that fails as unavailable', async () => {
    result = { payload: '{"errorMessage":"CANARY"}', functionError: 'Unhandled' };

    await expect(broker().fetch(REF, USE)).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'unavailable: the broker failed',
    });
  });

  test('reports a broker that does not exist as unavailable', async () => {
    result = undefined;

    await expect(broker().fetch(REF, USE)).rejects.toMatchObject({ reason: 'unavailable' });
  });

  test.each([
    ['throttle', 'unavailable'],
    ['fail', 'unavailable'],
    ['drop', 'unavailable'],
    ['deny', 'denied'],
  ] as const)(
    'distinguishes an unavailable broker from a forbidden one: %s',
    async (kind, reason) => {
      aws.aws.faults.inject({ kind, on: { service: 'lambda' } });

      await expect(broker().fetch(REF, USE)).rejects.toMatchObject({ reason });
    },
  );

  test('is repeated once after too many concurrent invocations', async () => {
    answering({ ok: true, credential: CREDENTIAL });
    aws.aws.faults.inject({ kind: 'throttle', on: { service: 'lambda' }, times: 1 });

    expect(await broker().fetch(REF, USE)).toEqual(CREDENTIAL);
  });
});

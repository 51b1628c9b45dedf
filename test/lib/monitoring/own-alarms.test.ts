import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { server as credentialsServer } from '../../../layers/credentials/routes/server.ts';
import { server as mailsServer } from '../../../layers/accounts/mails/server.ts';
import { server as maintenanceServer } from '../../../layers/maintenance/routes/server.ts';
import { server as oauthServer } from '../../../layers/oauth/routes/server.ts';
import { server as routerServer } from '../../../layers/mcp/routes/server.ts';
import { dynamoEvents } from '../../../layers/events/store/events.ts';
import { embeddedMetrics } from '../../../layers/platform/log/embedded-metrics.ts';
import { stdoutLog } from '../../../layers/platform/log/stdout-log.ts';
import { invocationTime } from '../../../layers/platform/system/clock.ts';
import { METRICS } from '../../../layers/platform/rules/metrics/metrics.ts';
import { ROUTE_KINDS } from '../../../layers/platform/rules/metrics/route-kind.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import { companyStandings } from '../../../layers/identity/steps/company-standing.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { setCredential } from '../../../layers/servers/steps/credential/credential.ts';
import { signIn } from '../../../layers/accounts/steps/sign-in.ts';
import { reportFailures } from '../../../layers/platform/log/stdout-log.ts';
import { wireCredentials } from '../../../lambdas/credentials/wiring.ts';
import { wireMails } from '../../../lambdas/mails/wiring.ts';
import { wireMaintenance } from '../../../lambdas/maintenance/wiring.ts';
import { wireOAuth } from '../../../lambdas/oauth/wiring.ts';
import { metricsNamespace } from '../../../lib/monitoring/namespace.ts';
import { aDeployment, NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { alarmsIn, expectFiredBy, filtersIn, stage } from '../../support/stacks/alarms.ts';
import { type Datum, embeddedIn, filteredFrom } from '../../support/aws/cloudwatch.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anIdentityProviderOf } from '../../support/oauth/identity-provider.ts';
import { anAddress, anEvent, at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { PROD } from '../../support/stacks/synthesized.ts';
import { aUser } from '../../support/oauth/oauth.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';

const HOUR = 3600;

let router: TestRouter;
beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
  await router.publish('login', { authMethod: 'oauth' });
});
afterEach(() => {
  router.store.aws.faults.clear();
  router.clock.time = NOON;
});
afterAll(() => router.stop());

type LogRecord = Readonly<Record<string, unknown>>;

/** The records that something has the functions log. */
const recordsOf = async (act: () => Promise<unknown>): Promise<readonly LogRecord[]> => {
  const before = router.lines.length;
  await act();
  return router.lines.slice(before);
};

/** What CloudWatch measures of records, written as the functions write them: by members and by filters. */
const measuredIn = (logGroup: string, records: readonly LogRecord[]): readonly Datum[] => {
  const lines: string[] = [];
  const out = { write: (line: string) => void lines.push(line) };
  const log = stdoutLog(router.clock, out, embeddedMetrics(metricsNamespace(PROD)));
  for (const record of records) log.write(record);
  const filters = filtersIn(stage()).filter((filter) => filter.logGroup === logGroup);
  return lines.flatMap((line) => [
    ...embeddedIn(line),
    ...filters.flatMap((filter) => filteredFrom(line, router.clock.time * 1000, filter)),
  ]);
};

/** The same a number of times in each of some periods of five minutes, the latest now. */
const repeated = (data: readonly Datum[], times: number, periods: number): readonly Datum[] =>
  Array.from({ length: times * periods }, (_, at) => {
    const back = Math.floor(at / times) * FIVE_MINUTES_MS;
    return data.map((datum) => ({ ...datum, atMs: router.clock.time * 1000 - back }));
  }).flat();

/** So many requests at the gateway, in a period. */
const requests = (count: number): readonly Datum[] => [
  {
    namespace: 'AWS/ApiGateway',
    name: 'Count',
    dimensions: { ApiId: 'ApiHttp' },
    value: count,
    atMs: router.clock.time * 1000,
  },
];

const expectFired = (
  alarm: string,
  data: readonly Datum[],
  given: {
    readonly times?: number;
    readonly periods?: number;
    /** What else is measured in each period. */
    readonly besides?: readonly Datum[];
  } = {},
): void => {
  const { times = 1, periods = 1, besides = [] } = given;
  const beside = repeated(besides, 1, periods);
  expectFiredBy(alarm, {
    fine: [...beside, ...repeated(data, times - 1, periods)],
    fired: [...beside, ...repeated(data, times, periods)],
    atMs: router.clock.time * 1000,
  });
};

const FIVE_MINUTES_MS = 300_000;

const send = (event: HttpEvent) => () => router.send(event);
const list = (slug = 'pets') => post(at(slug, '/messages'), rpc('tools/list'));
const events = () =>
  dynamoEvents(
    { ...router.ports, log: { write: (record) => void logged.push(record) } },
    router.store.instance(),
    router.store.tableName('security-events'),
    90,
  );
/** What functions other than the router log. */
const logged: LogRecord[] = [];
const log = { write: (record: LogRecord) => void logged.push(record) };
afterEach(() => void logged.splice(0));

describe('an alarm goes off for', () => {
  test('a request that fails for an error of ours', async () => {
    const deployments = {
      find: () => {
        throw new TypeError('a bug');
      },
    } as unknown as typeof router.ports.deployments;
    const broken = routerServer({ ...router.ports, deployments });

    const records = await recordsOf(() => broken(list('broken')));
    expectFired('Bugs', measuredIn('LogsRouter', records));
  });

  test('one call to AWS that was denied', async () => {
    router.store.aws.faults.inject({ kind: 'deny', on: { operation: 'GetItem' } });

    const records = await recordsOf(send(get(at('denied', '/health'))));
    expectFired('AwsDenials', measuredIn('LogsRouter', records));
  });

  test('one in a hundred requests, and five at least, whose calls to AWS were throttled', async () => {
    router.store.aws.faults.inject({ kind: 'throttle', on: { operation: 'GetItem' } });

    const records = await recordsOf(send(get(at('throttled', '/health'))));
    const data = measuredIn('LogsRouter', records);
    expectFired('AwsThrottles', data, { times: 10, periods: 2, besides: requests(1000) });
    expectFired('AwsThrottles', data, { times: 5, periods: 2, besides: requests(10) });
  });

  test('the same in a function that nobody waits for', async () => {
    const ports = wireMails(environmentOf(router.store, 'mails'));
    const answer = mailsServer({ ...ports, log, events: events(), clock: router.clock });
    const { within } = reportFailures(invocationTime(), log);
    const request = { id: 'mail-1', purpose: 'sign_up', email: 'ada@example.com' };
    router.store.aws.faults.inject({ kind: 'deny', on: { service: 'dynamodb' } });

    await expect(within(undefined, () => answer(request))).rejects.toThrow('AccessDenied');
    expectFired('AwsDenials', measuredIn('LogsMails', logged));
  });

  test('twenty addresses that were blocked', async () => {
    const address = anAddress();
    const flood = post(
      at('pets', '/messages'),
      Array.from({ length: 100 }, (_, id) => rpc('prompts/list', {}, id)),
      {},
      address,
    );
    const records = await recordsOf(async () => {
      for (let sent = 0; sent < 3; sent += 1) await router.send(flood);
    });

    expectFired('AddressBlocks', measuredIn('LogsRouter', records), { times: 20 });
  });

  test('twenty accounts that were locked', async () => {
    const ports = wireOAuth(environmentOf(router.store, 'oauth'));
    const { clock } = router;
    // Five times scrypt would be a second of processor time that shows nothing here.
    const wrong = { ...ports.passwords, verify: async () => false };
    for (let failed = 0; failed < 5; failed += 1) {
      await signIn(
        { ...ports, clock, passwords: wrong, events: events() },
        { email: 'ada@example.com', password: 'wrong', sourceIp: '192.0.2.1' },
      );
    }

    expectFired('AccountLocks', measuredIn('LogsOauth', logged), { times: 20 });
  });

  test('a company that takes us for nobody when it is asked about a person', async () => {
    const ports = wireOAuth(environmentOf(router.store, 'oauth'));
    const { clock } = router;
    const provider = anIdentityProviderOf({
      sign_in: { client_id: 'c', client_auth: 'basic', scopes: ['openid'] },
      endpoints: {
        authorization_endpoint: 'https://idp.acme.example/authorize',
        token_endpoint: 'https://idp.acme.example/token',
        authorization_response_iss_parameter_supported: false,
      },
    });
    const identity = {
      issuer: provider.issuer,
      subject: fingerprint('eve'),
      checkedAt: clock.time - HOUR,
      lastSignIn: clock.time - HOUR,
      checkable: true,
    } as const;
    const standings = companyStandings({
      ...ports,
      clock,
      events: events(),
      identityProviders: {
        list: async () => [provider],
        believed: async () => ({ providers: [provider], passwords: 'on', breakGlass: [] }),
      },
      checker: { check: async () => ({ as: 'misconfigured', why: 'invalid_client' }) },
    });
    await standings.of(aUser({ identities: [identity] }), 'grant');

    expectFired('CompanyCheckFailures', measuredIn('LogsOauth', logged));
  });

  test('an account for emergencies that was opened by its password', async () => {
    const ports = wireOAuth(environmentOf(router.store, 'oauth'));
    const { clock } = router;
    const keeper = aUser({ email: 'keeper@ops.example' });
    await ports.users.create(keeper);
    const terms = {
      off: { address: 'https://mcp.example.com/sign-in' },
      breakGlass: [keeper.id],
      companies: [],
      exceptionOf: undefined,
    };
    await signIn(
      {
        ...ports,
        clock,
        passwords: { ...ports.passwords, verify: async () => true },
        passwordTerms: async () => terms,
        events: events(),
      },
      { email: keeper.email, password: 'right', sourceIp: '192.0.2.1' },
    );

    expectFired('BreakGlass', measuredIn('LogsOauth', logged));
  });

  test('security events that could not be stored', async () => {
    const address = anAddress();
    const flood = Array.from({ length: 100 }, (_, id) => rpc('prompts/list', {}, id));
    const sendFlood = () => router.send(post(at('pets', '/messages'), flood, {}, address));
    for (let sent = 0; sent < 2; sent += 1) await sendFlood();
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'PutItem' } });

    expectFired('EventsLost', measuredIn('LogsRouter', await recordsOf(sendFlood)));
  });

  test('a credential that could not be asked for again', async () => {
    const { ownerId } = await router.publish('guarded');
    const credential = { type: 'bearer', token: 'a-token-of-the-target' } as const;
    await setCredential(router.owner, { ownerId, slug: 'guarded', credential });
    const call = post(
      at('guarded', '/messages'),
      rpc('tools/call', { name: 'getPet', arguments: { id: 7 } }),
    );
    await router.send(call);
    router.clock.time = NOON + 10 * 60;
    router.store.aws.faults.inject({ kind: 'drop', on: { service: 'lambda' } });

    const data = measuredIn('LogsRouter', await recordsOf(send(call)));
    expectFired('StaleCredentials', data, { periods: 2 });
  });

  test('credentials that cannot be read, which no status of the gateway tells', async () => {
    const ports = wireCredentials(environmentOf(router.store, 'credentials'));
    const broker = credentialsServer({ ...ports, log, events: events(), clock: router.clock });
    const retrieval = {
      deployment_id: 'dep-denied',
      owner_id: 'owner-1',
      version: 'v'.repeat(32),
      instance: 'router-1',
      caller: { user: 'user-1', ip: '192.0.2.7', request_id: 'request-1' },
    };
    router.store.aws.faults.inject({ kind: 'deny', on: { operation: 'GetSecretValue' } });

    expect(await broker(retrieval)).toEqual({ ok: false, reason: 'denied' });
    const denied = measuredIn('LogsCredentials', logged);
    const read = denied.map((datum) => ({ ...datum, dimensions: { Outcome: 'ok' } }));
    expectFired('CredentialErrors', denied, { times: 3, periods: 2 });
    expectFired('CredentialErrors', denied, {
      times: 50,
      periods: 2,
      besides: repeated(read, 50, 1),
    });
  });

  test('credentials and tokens that a limit refuses, which fails only the calls behind them', async () => {
    const limits = { LIMITS: JSON.stringify({ credential_ceiling_per_minute: 1 }) };
    const environment = { ...environmentOf(router.store, 'credentials'), ...limits };
    const ports = wireCredentials(environment);
    const broker = credentialsServer({ ...ports, log, events: events(), clock: router.clock });
    const retrieval = {
      deployment_id: 'dep-limited',
      owner_id: 'owner-1',
      version: 'v'.repeat(32),
      instance: 'router-1',
      caller: { user: 'user-1', ip: '192.0.2.7', request_id: 'request-1' },
    };
    await broker(retrieval);
    logged.splice(0);

    expect(await broker(retrieval)).toEqual({ ok: false, reason: 'limited' });
    const limited = measuredIn('LogsCredentials', logged);
    expectFired('CredentialsLimited', limited, { times: 3, periods: 2 });
    const asked = limited.map((datum) => ({ ...datum, name: 'ConnectionRetrieval' }));
    expectFired('ConnectionsLimited', asked, { times: 3, periods: 2 });
  });

  test('sign-ins that fail, which would be lost among many calls', async () => {
    const ports = wireOAuth(environmentOf(router.store, 'oauth'));
    const answer = oauthServer({ ...ports, log, events: events(), clock: router.clock });
    const token = anEvent('POST', '/v1/mcp-oauth-server/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&refresh_token=x&client_id=mcp_unknown',
    });
    const lines = async () => {
      logged.splice(0);
      const { statusCode } = await answer(token);
      return [statusCode, measuredIn('LogsOauth', logged)] as const;
    };
    const [refused, fine] = await lines();
    router.store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });
    const [failed, faulty] = await lines();

    expect([refused, failed]).toEqual([401, 503]);
    expectFired('SignInErrors', faulty, { times: 5, periods: 2, besides: repeated(fine, 20, 1) });
    expectFired('SignInErrors', faulty, { times: 3, periods: 2 });
  });

  test('a sweep that could not do some of its work', async () => {
    const ports = wireMaintenance(environmentOf(router.store, 'maintenance'));
    const sweep = maintenanceServer({ ...ports, log, clock: router.clock });
    await router.owner.deploymentEditor.create(
      aDeployment({
        id: 'dep-stuck',
        slug: 'stuck',
        status: 'removing',
        updatedAt: NOON - 2 * HOUR,
      }),
    );
    router.store.aws.faults.inject({ kind: 'deny', on: { operation: 'DeleteSecret' }, times: 1 });
    await sweep({ operator: 'sweep' });
    const data = measuredIn('LogsMaintenance', logged);

    expectFired('SweepFailures', data);
    expect(data).toContainEqual(expect.objectContaining({ name: 'SweepRounds', value: 1 }));
  });
});

describe('calls of tools', () => {
  test('are counted by how they ended, with what their targets took, by filters', async () => {
    const call = (name: string, args: object) =>
      router.send(post(at('pets', '/messages'), rpc('tools/call', { name, arguments: args })));
    const records = await recordsOf(async () => {
      await call('getPet', { id: 1 });
      await call('fail', { status: 500 });
      await call('getPet', {});
    });
    const ofCalls = new Set(['ToolCalls', 'TargetLatency']);
    const data = measuredIn('LogsRouter', records).filter(({ name }) => ofCalls.has(name));

    expect(data.map(({ name, dimensions }) => [name, dimensions])).toEqual([
      ['ToolCalls', { Outcome: 'ok' }],
      ['TargetLatency', {}],
      ['ToolCalls', { Outcome: 'target_error' }],
      ['TargetLatency', {}],
      ['ToolCalls', { Outcome: 'refused' }],
    ]);
  });
});

describe('mails', () => {
  test('that came back are counted', async () => {
    const ports = wireMails(environmentOf(router.store, 'mails'));
    const answer = mailsServer({ ...ports, log, events: events(), clock: router.clock });
    await answer({
      source: 'aws.ses',
      'detail-type': 'Email Bounced',
      detail: {
        eventType: 'Bounce',
        bounce: {
          bounceType: 'Permanent',
          bouncedRecipients: [{ emailAddress: 'gone@example.com' }],
        },
        mail: {
          destination: ['gone@example.com'],
          tags: { 'ses:configuration-set': [ports.configurationSet] },
        },
      },
    });

    expect(measuredIn('LogsMails', logged)).toMatchObject([{ name: 'MailsReturned', value: 1 }]);
  });
});

describe('the metrics', () => {
  test('of alarms are those that lines make, or filters', () => {
    const made = new Set([
      ...Object.keys(METRICS),
      ...filtersIn(stage()).flatMap(({ MetricTransformations }) =>
        MetricTransformations.map(({ MetricName }) => MetricName),
      ),
    ]);
    const watched = [...alarmsIn(stage()).values()].flatMap(({ Namespace, MetricName }) =>
      Namespace === metricsNamespace(PROD) ? [MetricName ?? ''] : [],
    );

    expect(watched.filter((name) => !made.has(name))).toEqual([]);
  });

  test('are few: dimensions have few values', () => {
    const values = { Route: ROUTE_KINDS.length, Neighbour: 8, Outcome: 5 };
    const most = Object.values(METRICS).map(({ dimensions }) =>
      dimensions.reduce((product, name) => product * values[name], 1),
    );

    expect(most.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(52);
  });
});

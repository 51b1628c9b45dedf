import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { functions } from '../../../lambdas/manifest.ts';
import { type Gateway, startGateway } from '../../../local/gateway/index.ts';
import { expectFiredBy, filtersIn, stage } from '../../support/stacks/alarms.ts';
import { type Datum, filteredFrom } from '../../support/aws/cloudwatch.ts';
import { accessLogLine, gatewayMetrics } from '../../support/service/gateway-measures.ts';

const NOW = 1_795_176_000_000;
const FIVE_MINUTES_MS = 300_000;
const CALLS = '/v1/mcp-router/pets/messages';
const BURST = 30;

let gateway: Gateway;
/** What functions answer. */
let status: number;
/** The route that the last request was led to, if it was. */
let route: string | undefined;

beforeAll(async () => {
  gateway = await startGateway({
    port: 0,
    routes: Object.entries(functions).flatMap(([functionName, { routes }]) =>
      routes.map((key) => ({
        key,
        functionName,
        throttle: { requestsPerSecond: 0.001, burst: BURST },
      })),
    ),
    invoke: async (_, event) => {
      route = (JSON.parse(event) as { routeKey: string }).routeKey;
      return JSON.stringify({ statusCode: status });
    },
  });
});
afterAll(() => gateway.close(0));

/** What CloudWatch has of requests to a path, sent within five minutes. */
const measuredOf = async (
  path: string,
  routeKey: string,
  count: number,
): Promise<readonly Datum[]> => {
  const data: Datum[] = [];
  const filters = filtersIn(stage()).filter(({ logGroup }) => logGroup === 'LogsAccess');
  for (let sent = 0; sent < count; sent += 1) {
    route = undefined;
    const answer = await fetch(`http://127.0.0.1:${gateway.port}${path}`);
    const isAnsweredByFunction = route !== undefined;
    const given = { route: routeKey, status: answer.status, isAnsweredByFunction };
    data.push(...gatewayMetrics(given, NOW));
    data.push(...filters.flatMap((filter) => filteredFrom(accessLogLine(given), NOW, filter)));
  }
  return data;
};

/** The same in each of some periods. */
const during = (periods: number, data: readonly Datum[]): readonly Datum[] =>
  Array.from({ length: periods }, (_, back) =>
    data.map((datum) => ({ ...datum, atMs: NOW - back * FIVE_MINUTES_MS })),
  ).flat();

const repeated = (times: number, data: readonly Datum[]): readonly Datum[] =>
  Array.from({ length: times }, () => data).flat();

/** The same half an hour later. */
const afterwards = (data: readonly Datum[]): readonly Datum[] =>
  data.map((datum) => ({ ...datum, atMs: NOW + 6 * FIVE_MINUTES_MS }));

describe('somebody is woken', () => {
  test('when one in twenty requests fails, whatever their number, and not for two at night', async () => {
    status = 200;
    const fine = await measuredOf('/v1/mcp-oauth-server/userinfo', 'ANY', 1);
    status = 503;
    const failed = await measuredOf('/v1/mcp-oauth-server/userinfo', 'ANY', 1);

    expectFiredBy('ServerErrors', {
      fine: during(2, [...repeated(960, fine), ...repeated(40, failed)]),
      fired: during(2, [...repeated(950, fine), ...repeated(50, failed)]),
      over: afterwards(fine),
      atMs: NOW,
    });
    expectFiredBy('ServerErrors', {
      fine: during(2, repeated(2, failed)),
      fired: during(2, repeated(3, failed)),
      atMs: NOW,
    });
    expectFiredBy('ServerErrors', {
      fine: repeated(100, failed),
      fired: during(2, repeated(100, failed)),
      atMs: NOW,
    });
  });

  test('when the gateway itself refuses calls, and not when a function refuses them', async () => {
    status = 429;
    const limited = await measuredOf(CALLS, 'ANY /v1/mcp-router/{slug}/messages', BURST);
    const throttled = await measuredOf(CALLS, 'ANY /v1/mcp-router/{slug}/messages', 20);

    expect(limited.filter(({ name }) => name === 'GatewayThrottles')).toEqual([]);
    expectFiredBy('Throttled', {
      fine: during(2, repeated(20, limited)),
      fired: during(2, throttled),
      over: afterwards(limited),
      atMs: NOW,
    });
  });

  test('for no flood of pages or of unknown addresses, whose throttles hold', async () => {
    status = 200;
    const pages = await measuredOf('/v1/console/servers', 'ANY /v1/console/{rest+}', BURST + 100);
    const unknown = await measuredOf('/wp-login.php', '$default', BURST + 100);

    for (const flood of [pages, unknown]) {
      expect(flood.filter(({ name, value }) => name === '4xx' && value === 1)).toHaveLength(100);
      expect(flood.filter(({ name }) => name === 'GatewayThrottles')).toEqual([]);
    }
  });
});

describe('a notice', () => {
  test('tells when most requests are refused for a quarter of an hour', async () => {
    status = 200;
    const fine = await measuredOf('/v1/mcp-management/deployments', 'ANY', 1);
    status = 403;
    const refused = await measuredOf('/v1/mcp-management/deployments', 'ANY', 1);

    expectFiredBy('ClientErrors', {
      fine: during(3, [...repeated(101, fine), ...repeated(100, refused)]),
      fired: during(3, [...repeated(100, fine), ...repeated(100, refused)]),
      over: afterwards(fine),
      atMs: NOW,
    });
    expectFiredBy('ClientErrors', {
      fine: during(3, repeated(99, refused)),
      fired: during(3, repeated(100, refused)),
      atMs: NOW,
    });
  });
});

describe('the access log', () => {
  test('has nothing that a client could write members with', () => {
    const line = JSON.parse(accessLogLine({ route: 'r', status: 200, isAnsweredByFunction: true }));

    expect(Object.keys(line).toSorted()).toEqual(
      [
        'bytes',
        'integrationError',
        'integrationStatus',
        'ip',
        'latencyMs',
        'method',
        'requestId',
        'route',
        'status',
      ].toSorted(),
    );
  });

  test('counts what is refused on every route but pages and unknown addresses', () => {
    const [filter] = filtersIn(stage()).filter(({ logGroup }) => logGroup === 'LogsAccess');
    const isCounted = (key: string) =>
      filteredFrom(
        accessLogLine({ route: key, status: 429, isAnsweredByFunction: false }),
        NOW,
        filter!,
      ).length === 1;
    const keys = Object.values(functions).flatMap(({ routes }) => routes);

    expect(keys.filter((key) => !isCounted(key))).toEqual(functions.console.routes);
  });
});

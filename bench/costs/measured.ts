/**
 * What one warm call of a tool on a deployment of mode `oauth` asks of AWS and writes, counted on the
 * embedded endpoints, where the code of production runs.
 */
import { gzipSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { server as activityServer } from '../../lambdas/activity/server.ts';
import { embeddedMetrics } from '../../layers/core/adapters/log/embedded-metrics.ts';
import { stdoutLog } from '../../layers/core/adapters/log/stdout-log.ts';
import { wireActivity } from '../../layers/core/wiring/activity.ts';
import { startRouter } from '../../test/support/router.ts';
import { at, post, rpc } from '../../test/support/router-events.ts';
import { anAccessToken, bearer } from '../../test/support/router-tokens.ts';
import { environmentOf } from '../../test/wiring/environments.ts';

/** What may change with the code: a test counts it again. */
export interface MeasuredCall {
  /** Calls to AWS by the router, by operation. */
  readonly router: Readonly<Record<string, number>>;
  /** Calls to AWS by `activity` for an event of so many calls. */
  readonly activity: Readonly<Record<string, number>>;
  /** Items that it writes for them in transactions, which cost twice, and alone. */
  readonly activityWrites: { readonly inTransactions: number; readonly alone: number };
  /** Bytes of the lines that the router writes for a call, without metrics and with. */
  readonly logBytes: number;
  readonly metricBytes: number;
  /** Bytes of an answer with its headers. */
  readonly answerBytes: number;
}

/** How many calls one event of CloudWatch Logs brings. Busy log groups bring more. */
export const CALLS_PER_EVENT = 20;

/** The slowest call of a tool in an hour is noted by itself; everything else is one transaction. */
const SLOWEST = 1;

/** As long as ids are in production. */
const REQUEST_ID = 'Jq1hYiP3oAMEMdA=';
const ADDRESS = '198.51.100.200';

export const measureCall = async (): Promise<MeasuredCall> => {
  const router = await startRouter();
  try {
    const over = { id: crypto.randomUUID(), access: { mode: 'any_user' } } as const;
    const deployment = await router.publish('a-deployment', { authMethod: 'oauth', ...over });
    const token = await anAccessToken(router, deployment);
    const sent = rpc('tools/call', { name: 'getPet', arguments: { id: 7 } });
    const call = () => {
      const event = post(at('a-deployment', '/messages'), sent, bearer(token), ADDRESS);
      const requestContext = { ...event.requestContext, requestId: REQUEST_ID };
      return router.send({ ...event, requestContext });
    };
    for (let warm = 0; warm < 3; warm += 1) await call();
    const before = router.lines.length;
    router.store.aws.calls.reset();
    const answer = await call();
    const records = router.lines.slice(before);
    const counted = (caller: string) =>
      Object.fromEntries(
        router.store.aws.calls
          .list()
          .filter((each) => each.caller === caller)
          .map(({ operation, times }) => [operation, times]),
      );
    const ofRouter = counted('router');

    const line = records.find(({ message }) => message === 'tool_call') ?? {};
    router.store.aws.calls.reset();
    const store = activityServer(wireActivity(environmentOf(router.store, 'activity')));
    await store(logEvent(line));
    const TableName = router.store.tableName('calls');
    const { Count: written = 0 } = await router.store
      .instance()
      .send(new ScanCommand({ TableName }));
    return {
      router: ofRouter,
      activity: counted('activity'),
      activityWrites: { inTransactions: written - SLOWEST, alone: SLOWEST },
      logBytes: bytesOf(records, false),
      metricBytes: bytesOf(records, true) - bytesOf(records, false),
      answerBytes: answer.body.length + JSON.stringify(answer.headers).length,
    };
  } finally {
    await router.stop();
  }
};

/** As they stand in CloudWatch Logs, which counts 26 bytes more for each event. */
const bytesOf = (records: readonly object[], withMetrics: boolean): number => {
  let bytes = 0;
  const out = { write: (text: string) => void (bytes += Buffer.byteLength(text) - 1 + 26) };
  const clock = { now: () => 1_795_176_000, elapsedMs: () => 0 };
  const metrics = withMetrics ? embeddedMetrics('HostedMcp/prod') : undefined;
  const log = stdoutLog(clock, out, metrics);
  // A duration of the length that they have.
  for (const record of records) log.write({ ...record, duration_ms: 312.4 });
  return bytes;
};

/** What CloudWatch Logs sends a subscription: calls of one tool of one deployment. */
const logEvent = (line: object) => {
  const message = {
    messageType: 'DATA_MESSAGE',
    owner: '111122223333',
    logGroup: '/hosted-mcp/router',
    logStream: '2026/11/20/[1]0123456789abcdef0123456789abcdef',
    subscriptionFilters: ['calls'],
    logEvents: Array.from({ length: CALLS_PER_EVENT }, (_, index) => ({
      id: String(index),
      timestamp: 1_795_176_000_000,
      message: JSON.stringify({ ...line, request_id: `${REQUEST_ID}${index}`, duration_ms: 300 }),
    })),
  };
  const data = gzipSync(JSON.stringify(message)).toString('base64');
  return { awslogs: { data } };
};

/**
 * What one warm call of a tool on a deployment of mode `oauth` asks of AWS and writes, counted on the
 * embedded endpoints, where the code of production runs.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { server as activityServer } from '../../layers/activity/routes/server.ts';
import { embeddedMetrics } from '../../layers/platform/log/embedded-metrics.ts';
import { stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { wireActivity } from '../../lambdas/activity/wiring.ts';
import { startRouter } from '../../test/support/mcp/router.ts';
import { at, post, rpc } from '../../test/support/mcp/router-events.ts';
import { anAccessToken, bearer } from '../../test/support/mcp/router-tokens.ts';
import { environmentOf } from '../../test/lambdas/wiring/environments.ts';

/** What may change with the code: a test counts it again. */
export interface MeasuredCall {
  /** Calls to AWS by the router, by operation. */
  readonly router: Readonly<Record<string, number>>;
  /** Calls to AWS by `activity` for an event of so many calls. */
  readonly activity: Readonly<Record<string, number>>;
  /** Units of DynamoDB for them. */
  readonly activityUnits: ActivityUnits;
  /** The same for an event of one call. */
  readonly unitsOfOne: ActivityUnits;
  /** The same for as many calls whose ends come in another event: what it has more to write. */
  readonly unitsOfBegun: ActivityUnits;
  /** Bytes that a call of such an event takes of the table, its part of the counts included. */
  readonly storedBytes: number;
  /** The same of a call that comes alone. */
  readonly storedBytesOfOne: number;
  /** Bytes of the lines that the router writes for a call, without metrics and with. */
  readonly logBytes: number;
  readonly metricBytes: number;
  /** Bytes of an answer with its headers. */
  readonly answerBytes: number;
}

export interface ActivityUnits {
  readonly read: number;
  readonly written: number;
}

/** DynamoDB counts so many for each item besides. Source: DynamoDB, "DynamoDB item sizes and formats". */
const BYTES_OF_AN_ITEM = 100;

/** How many calls one event of CloudWatch Logs brings. Busy log groups bring more. */
export const CALLS_PER_EVENT = 20;

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

    const lines = records.filter(({ message }) => message === 'tool_call');
    const elsewhere = () => {
      const deployment_id = crypto.randomUUID();
      return lines.map((line) => ({ ...line, deployment_id }));
    };
    const store = activityServer(wireActivity(environmentOf(router.store, 'activity')));
    const TableName = router.store.tableName('calls');
    const items = async () => {
      const { Items = [] } = await router.store.instance().send(new ScanCommand({ TableName }));
      return Items;
    };
    router.store.aws.calls.reset();
    await store(logEvent(lines, CALLS_PER_EVENT));
    const ofActivity = counted('activity');
    const many = await items();
    await store(logEvent(elsewhere(), 1));
    const one = without(many, await items());
    await store(logEvent(elsewhere().slice(0, 1), CALLS_PER_EVENT));
    const begun = without([...many, ...one], await items());
    return {
      router: ofRouter,
      activity: ofActivity,
      activityUnits: unitsOf(many, ofActivity),
      unitsOfOne: unitsOf(one, ofActivity),
      unitsOfBegun: { read: 0, written: unitsOf(begun, {}).written / 2 },
      storedBytes: Math.round(storedBytesOf(many) / CALLS_PER_EVENT),
      storedBytesOfOne: storedBytesOf(one),
      logBytes: bytesOf(records, false),
      metricBytes: bytesOf(records, true) - bytesOf(records, false),
      answerBytes: answer.body.length + JSON.stringify(answer.headers).length,
    };
  } finally {
    await router.stop();
  }
};

type Items = readonly Readonly<Record<string, unknown>>[];

const without = (known: Items, items: Items): Items =>
  items.filter(({ pk }) => !known.some((item) => item['pk'] === pk));

/** As they stand in CloudWatch Logs, which counts 26 bytes more for each event. */
const bytesOf = (records: readonly object[], withMetrics: boolean): number => {
  let bytes = 0;
  const out = { write: (text: string) => void (bytes += Buffer.byteLength(text) - 1 + 26) };
  const clock = { now: () => 1_795_176_000, elapsedMs: () => 0 };
  const metrics = withMetrics ? embeddedMetrics('HostedMcp/prod') : undefined;
  const log = stdoutLog(clock, out, metrics);
  // A duration of the length that they have.
  for (const record of records) {
    log.write({ ...record, ...('duration_ms' in record && { duration_ms: 312.4 }) });
  }
  return bytes;
};

/**
 * A read of up to 4 KB is a unit; each KB of an item that a transaction writes is two.
 * Source: DynamoDB, "Read and write operations", "Transaction capacity".
 */
const unitsOf = (
  written: readonly object[],
  { GetItem = 0, Query = 0 }: Readonly<Record<string, number>>,
): ActivityUnits => ({
  read: GetItem + Query,
  written: written.reduce((sum, item) => sum + 2 * Math.ceil(sizeOf(item) / 1024), 0),
});

const storedBytesOf = (items: readonly object[]): number =>
  items.reduce<number>((sum, item) => sum + sizeOf(item) + BYTES_OF_AN_ITEM, 0);

/** Names and values of the attributes. Source: DynamoDB, "DynamoDB item sizes and formats". */
const sizeOf = (item: object): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + sizeOfValue(value), 0);

const sizeOfValue = (value: unknown): number => {
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  return value instanceof Uint8Array ? value.length : Buffer.byteLength(String(value));
};

/** What CloudWatch Logs sends a subscription: calls of one tool of one deployment, each of another person. */
const logEvent = (lines: readonly object[], count: number) => {
  const message = {
    messageType: 'DATA_MESSAGE',
    owner: '111122223333',
    logGroup: '/hosted-mcp/router',
    logStream: '2026/11/20/[1]0123456789abcdef0123456789abcdef',
    subscriptionFilters: ['calls'],
    logEvents: Array.from({ length: count }, (_, index) =>
      lines.map((line) => ({
        id: String(index),
        timestamp: 1_795_176_000_000,
        message: JSON.stringify({
          ...line,
          at: 1_795_176_000 + Math.floor(index / 3),
          request_id: `${digest(`request ${index}`, 'base64url').slice(0, 15)}=`,
          ...('duration_ms' in line && { duration_ms: 300 + ((index * 37) % 100) }),
          ...personOf(index),
        }),
      })),
    ).flat(),
  };
  const data = gzipSync(JSON.stringify(message)).toString('base64');
  return { awslogs: { data } };
};

/** Alike in nothing, so that nothing of it can be packed, and the same in each run. */
const personOf = (index: number) => {
  const hex = digest(`person ${index}`, 'hex');
  const uuid = (text: string) =>
    text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return {
    subject: uuid(hex),
    grant_id: uuid(hex.slice(32)),
    client_id: `mcp_${uuid(digest(`client ${index}`, 'hex'))}`,
    ip: [...Buffer.from(hex.slice(0, 8), 'hex')].join('.'),
  };
};

const digest = (text: string, encoding: 'hex' | 'base64url'): string =>
  createHash('sha256').update(text).digest(encoding);

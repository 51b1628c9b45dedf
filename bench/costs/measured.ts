/**
 * What one warm call of a tool on a deployment of mode `oauth` asks of AWS and writes, counted on the
 * embedded endpoints, where the code of production runs.
 */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { server as activityServer } from '../../layers/activity/routes/server.ts';
import { embeddedMetrics } from '../../layers/platform/log/embedded-metrics.ts';
import { logLine, stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { countTouched } from '../../layers/activity/steps/count-touched.ts';
import { touchedBy } from '../../layers/activity/rules/touched.ts';
import { wireTally } from '../../lambdas/tally/wiring.ts';
import { logEventOf } from '../../test/support/aws/log-event.ts';
import { sizeOf } from '../../test/support/aws/memory-table.ts';
import { wireActivity } from '../../lambdas/activity/wiring.ts';
import { startRouter } from '../../test/support/mcp/router.ts';
import { at, post, rpc } from '../../test/support/mcp/router-events.ts';
import { anAccessToken, bearer } from '../../test/support/mcp/router-tokens.ts';
import { environmentOf } from '../../test/lambdas/wiring/environments.ts';
import { digestOf, uuidOf } from '../ids.ts';

/** What may change with the code: a test counts it again. */
export interface MeasuredCall {
  /** Calls to AWS by the router, by operation. */
  readonly router: Readonly<Record<string, number>>;
  /** Calls to AWS by `activity` for an event of so many calls. */
  readonly activity: Readonly<Record<string, number>>;
  /** Calls to AWS by `tally` for the same, where nothing else comes within the minute: counted twice for charts, twice for good. */
  readonly tally: Readonly<Record<string, number>>;
  /** Units of DynamoDB for both. */
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
  /** Of these the lines of the call, which a stream takes out. */
  readonly callBytes: number;
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
    const tally = wireTally(environmentOf(router.store, 'tally'));
    const TableName = router.store.tableName('calls');
    const items = async () => {
      const { Items = [] } = await router.store.instance().send(new ScanCommand({ TableName }));
      return Items;
    };
    /** What is new, once it is stored and counted; and what was asked for that. */
    const kept = async (event: object) => {
      const before = await items();
      router.store.aws.calls.reset();
      await store(event);
      const ofActivity = counted('activity');
      const touched = without(before, await items())
        .filter(({ pk }) => String(pk).startsWith('TOUCHED#'))
        .map(({ sk }) => touchedBy(String(sk)));
      const counts = async (isForGood: boolean) => {
        router.store.aws.calls.reset();
        for (let run = 0; run < 2; run += 1) {
          await countTouched(tally, touched, { isForGood, isAnew: false });
        }
        return counted('tally');
      };
      const [forCharts, forGood] = [await counts(false), await counts(true)];
      // A read that may lag costs half.
      const read = readsOf(forCharts) / 2 + readsOf(forGood);
      return {
        ofActivity,
        ofTally: added(forCharts, forGood),
        read,
        items: without(before, await items()),
      };
    };
    const many = await kept(logEvent(lines, CALLS_PER_EVENT));
    const one = await kept(logEvent(elsewhere(), 1));
    const begun = await kept(logEvent(elsewhere().slice(0, 1), CALLS_PER_EVENT));
    const begunCalls = begun.items.filter(({ pk }) => String(pk).startsWith('CALLS#'));
    return {
      router: ofRouter,
      activity: many.ofActivity,
      tally: many.ofTally,
      activityUnits: { read: many.read, written: unitsWritten(many.items) },
      unitsOfOne: { read: one.read, written: unitsWritten(one.items) },
      unitsOfBegun: { read: 0, written: unitsWritten(begunCalls) },
      storedBytes: Math.round(storedBytesOf(many.items) / CALLS_PER_EVENT),
      storedBytesOfOne: storedBytesOf(one.items),
      logBytes: bytesOf(records, false),
      metricBytes: bytesOf(records, true) - bytesOf(records, false),
      callBytes: bytesOf(lines, false),
      answerBytes: answer.body.length + JSON.stringify(answer.headers).length,
    };
  } finally {
    await router.stop();
  }
};

type Items = readonly Readonly<Record<string, unknown>>[];

const without = (known: Items, items: Items): Items =>
  items.filter(({ pk, sk }) => !known.some((item) => item['pk'] === pk && item['sk'] === sk));

/** As they stand in CloudWatch Logs, which counts 26 bytes more for each event. */
const bytesOf = (records: readonly object[], withMetrics: boolean): number => {
  let bytes = 0;
  const out = { write: (text: string) => void (bytes += Buffer.byteLength(text) - 1 + 26) };
  const clock = { now: () => 1_795_176_000, elapsedMs: () => 0 };
  const metrics = withMetrics ? embeddedMetrics('HostedMcp/prod') : undefined;
  const log = stdoutLog(clock, out, metrics);
  // A duration of the length that they have; lines of calls are written as they are, without masks.
  for (const record of records) {
    const isCall = 'message' in record && record.message === 'tool_call';
    const line = {
      ...record,
      ...('duration_ms' in record && { duration_ms: isCall ? 312 : 312.4 }),
    };
    if (isCall) out.write(logLine(line));
    else log.write(line);
  }
  return bytes;
};

/** A read of up to 4 KB is a unit, and so is each KB that is written. Source: DynamoDB, "Read and write operations". */
const readsOf = ({ GetItem = 0, Query = 0 }: Readonly<Record<string, number>>): number =>
  GetItem + Query;

const unitsWritten = (items: Items): number =>
  items.reduce((sum, item) => sum + Math.ceil(sizeOf(item) / 1024), 0);

const added = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      (one[name] ?? 0) + (other[name] ?? 0),
    ]),
  );

const storedBytesOf = (items: Items): number =>
  items.reduce<number>((sum, item) => sum + sizeOf(item) + BYTES_OF_AN_ITEM, 0);

/** An event of calls of one tool of one deployment, each of another person. */
const logEvent = (lines: readonly object[], count: number) =>
  logEventOf(
    Array.from({ length: count }, (_, index) =>
      lines.map((line) => ({
        id: String(index),
        timestamp: 1_795_176_000_000,
        message: JSON.stringify({
          ...line,
          at: 1_795_176_000 + Math.floor(index / 3),
          request_id: `${digestOf(`request ${index}`, 'base64url').slice(0, 15)}=`,
          ...('duration_ms' in line && { duration_ms: 300 + ((index * 37) % 100) }),
          ...personOf(index),
        }),
      })),
    ).flat(),
    { logStream: '2026/11/20/[1]0123456789abcdef0123456789abcdef' },
  );

/** Alike in nothing, so that nothing of it can be packed, and the same in each run. */
const personOf = (index: number) => ({
  subject: uuidOf(`person ${index}`),
  grant_id: uuidOf(`grant ${index}`),
  client_id: `mcp_${uuidOf(`client ${index}`)}`,
  ip: [...Buffer.from(digestOf(`person ${index}`, 'hex').slice(0, 8), 'hex')].join('.'),
});

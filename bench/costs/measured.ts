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
export type MeasuredCall = Awaited<ReturnType<typeof measureCall>>;

/** Calls to AWS, by operation. */
type Calls = Readonly<Record<string, number>>;

/** Of DynamoDB. */
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

export const measureCall = async () => {
  const router = await startRouter();
  try {
    const { store, lines: written } = router;
    const over = { id: crypto.randomUUID(), access: { mode: 'any_user' } } as const;
    const deployment = await router.publish('a-deployment', { authMethod: 'oauth', ...over });
    const token = await anAccessToken(router, deployment);
    const sent = rpc('tools/call', { name: 'getPet', arguments: { id: 7 } });
    const call = () => {
      const event = post(at('a-deployment', '/messages'), sent, bearer(token), ADDRESS);
      const requestContext = { ...event.requestContext, requestId: REQUEST_ID };
      return router.send({ ...event, requestContext });
    };
    /** What somebody asks AWS for while something is done. */
    const asking = async <Result>(caller: string, act: () => Promise<Result>) => {
      store.aws.calls.reset();
      const result = await act();
      const calls = store.aws.calls.list().filter((each) => each.caller === caller);
      const asked: Calls = Object.fromEntries(calls.map((each) => [each.operation, each.times]));
      return { asked, result };
    };
    for (let warm = 0; warm < 3; warm += 1) await call();
    const before = written.length;
    const { asked: ofRouter, result: answer } = await asking('router', call);
    const records = written.slice(before);
    const lines = records.filter(({ message }) => message === 'tool_call');

    const activity = activityServer(wireActivity(environmentOf(store, 'activity')));
    const tally = wireTally(environmentOf(store, 'tally'));
    const items = async (): Promise<Items> => {
      const TableName = store.tableName('calls');
      return (await store.instance().send(new ScanCommand({ TableName }))).Items ?? [];
    };
    /** What is new, once it is stored and counted; and what was asked for that. */
    const kept = async (event: object) => {
      const known = await items();
      const { asked: ofActivity } = await asking('activity', () => activity(event));
      const touched = without(known, await items())
        .filter(({ pk }) => String(pk).startsWith('TOUCHED#'))
        .map(({ sk }) => touchedBy(String(sk)));
      // Nothing else comes within the minute: it is counted twice for charts, and twice for good.
      const counts = async (isForGood: boolean): Promise<Calls> => {
        const count = () => countTouched(tally, touched, { isForGood, isAnew: false });
        const { asked } = await asking('tally', async () => [await count(), await count()]);
        return asked;
      };
      const [forCharts, forGood] = [await counts(false), await counts(true)];
      const made = without(known, await items());
      // A read that may lag costs half.
      const read = readsOf(forCharts) / 2 + readsOf(forGood);
      const units: ActivityUnits = { read, written: unitsWritten(made) };
      return { ofActivity, ofTally: added(forCharts, forGood), units, items: made };
    };
    const elsewhere = () => {
      const deployment_id = crypto.randomUUID();
      return lines.map((line) => ({ ...line, deployment_id }));
    };
    const many = await kept(logEvent(lines, CALLS_PER_EVENT));
    const one = await kept(logEvent(elsewhere(), 1));
    const begun = await kept(logEvent(elsewhere().slice(0, 1), CALLS_PER_EVENT));
    const begunCalls = begun.items.filter(({ pk }) => String(pk).startsWith('CALLS#'));
    return {
      router: ofRouter,
      activity: many.ofActivity,
      tally: many.ofTally,
      activityUnits: many.units,
      /** Of an event of one call. */
      unitsOfOne: one.units,
      /** Of as many calls whose ends come in another event: what it has more to write. */
      unitsOfBegun: { read: 0, written: unitsWritten(begunCalls) },
      /** Bytes that a call of such an event takes of the table, its part of the counts included. */
      storedBytes: Math.round(storedBytesOf(many.items) / CALLS_PER_EVENT),
      storedBytesOfOne: storedBytesOf(one.items),
      /** Bytes of the lines that the router writes for a call, without metrics and with. */
      logBytes: bytesOf(records, false),
      metricBytes: bytesOf(records, true) - bytesOf(records, false),
      /** Of these the lines of the call, which a stream takes out. */
      callBytes: bytesOf(lines, false),
      /** Of an answer with its headers. */
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
const readsOf = ({ GetItem = 0, Query = 0 }: Calls): number => GetItem + Query;

const unitsWritten = (items: Items): number =>
  items.reduce((sum, item) => sum + Math.ceil(sizeOf(item) / 1024), 0);

const added = (one: Calls, other: Calls): Calls => {
  const sum = new Map(Object.entries(one));
  for (const [name, times] of Object.entries(other)) sum.set(name, (sum.get(name) ?? 0) + times);
  return Object.fromEntries(sum);
};

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

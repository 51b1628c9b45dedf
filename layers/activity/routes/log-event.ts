import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { jsonOrUndefined, parsedJson } from '../../platform/rules/json/parsed-json.ts';

const Subscribed = z.object({ awslogs: z.object({ data: z.string() }) });

/** The same event from the dead-letter queue, which delivers one at a time. */
const Failed = z.pipe(
  z.object({ Records: z.tuple([z.object({ body: z.string() })]) }),
  z.transform(({ Records: [{ body }] }): unknown => jsonOrUndefined(body)),
);

const Event = z.union([
  Subscribed,
  z.pipe(
    z.pipe(Failed, z.object({ requestPayload: Subscribed })),
    z.transform(({ requestPayload }) => requestPayload),
  ),
]);

const Data = z.discriminatedUnion('messageType', [
  z.object({
    messageType: z.literal('DATA_MESSAGE'),
    logStream: z.string(),
    logEvents: z.array(z.object({ message: z.string() })),
  }),
  z.object({ messageType: z.literal('CONTROL_MESSAGE') }),
]);

/** More than any batch of CloudWatch Logs: guards against a compression bomb. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads an event of a CloudWatch Logs subscription (base64 of gzip of JSON). Control messages, which only test the
 * subscription, give no lines.
 * @returns `source`: the log stream, of which each instance of a function has one
 * @throws Error for an event of another kind
 * Source: CloudWatch Logs User Guide, "Subscription filters with AWS Lambda"; AWS Lambda Developer Guide, "Capturing
 * records of Lambda asynchronous invocations", "Using Lambda with Amazon SQS".
 */
export const readLogEvent = (
  event: unknown,
): { readonly source: string; readonly lines: readonly string[] } => {
  const { awslogs } = readable(Event, event);
  const data = readable(Data, unpacked(awslogs.data));
  if (data.messageType === 'CONTROL_MESSAGE') return { source: '', lines: [] };
  return { source: data.logStream, lines: data.logEvents.map(({ message }) => message) };
};

const unpacked = (data: string): unknown => {
  try {
    const bytes = gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: MAX_BYTES });
    return parsedJson(bytes.toString());
  } catch {
    throw notLogs('its data');
  }
};

const readable = <Schema extends z.ZodMiniType>(schema: Schema, value: unknown) => {
  const read = z.safeParse(schema, value);
  if (read.success) return read.data;
  throw notLogs(read.error.issues.map(({ path }) => path.join('.') || 'the event').join(', '));
};

const notLogs = (where: string) => new Error(`not an event of CloudWatch Logs: ${where}`);

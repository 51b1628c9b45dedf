import type { ActivityPorts } from '../ports.ts';
import { CALL_OUTCOMES } from '../../events/rules/call-outcome.ts';
import { type CallRecord, missingFaults } from '../../events/rules/call-record.ts';
import { markRefusedCredentials } from '../steps/mark-refused-credentials.ts';
import { camelMembers } from '../../platform/rules/shape.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { isObject } from '../../platform/rules/json/json.ts';
import { FingerprintText } from '../../platform/rules/fingerprint.ts';
import { RECORDING_DAYS } from '../../deployments/rules/recording.ts';
import { RECORDED_CALL } from '../rules/recorded-content.ts';
import type { SealedCall } from '../store/recorded-calls.ts';
import * as z from 'zod/mini';
import { readLogEvent } from './log-event.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';

const text = z.string().check(z.maxLength(4096));

const CallLine = z.pipe(
  z
    .object({
      message: z.literal('tool_call'),
      time: z.exactOptional(z.iso.datetime()),
      // Former versions of the router wrote this instead of `time`.
      at: z.exactOptional(z.int()),
      request_id: z.string().check(z.minLength(1), z.maxLength(256)),
      index: z.int(),
      deployment_id: z.string().check(z.minLength(1), z.maxLength(256)),
      version: z.int(),
      tool: z.string().check(z.maxLength(512)),
      outcome: z.enum(CALL_OUTCOMES),
      without_tool: z.exactOptional(z.literal(true)),
      trial: z.exactOptional(z.literal(true)),
      status: z.exactOptional(z.int()),
      reason: z.exactOptional(text),
      faults: z.exactOptional(
        z
          .array(
            z.object({
              argument: z.exactOptional(text),
              keyword: text,
              sent: z.exactOptional(text),
            }),
          )
          .check(z.maxLength(5)),
      ),
      // Former versions of the router wrote this instead of `faults`.
      missing: z.exactOptional(z.array(text).check(z.maxLength(5))),
      words: z.exactOptional(z.array(text).check(z.maxLength(8))),
      origin: z.exactOptional(text),
      duration_ms: z._default(z.int(), 0),
      answer_tokens: z.exactOptional(z.int()),
      subject: text,
      client_id: z.exactOptional(text),
      grant_id: z.exactOptional(text),
      token_id: z.exactOptional(text),
      ip: text,
      network: z.exactOptional(text),
      credential_version: z.exactOptional(text),
      credentials: z.exactOptional(
        z.array(z.object({ name: text, type: text, version: text })).check(z.maxLength(5)),
      ),
    })
    .check(z.refine(({ at, time }) => at !== undefined || time !== undefined)),
  // Listed member by member: a generic conversion would double the time per line.
  z.transform((line): CallRecord => ({
    at: line.at ?? secondsOf(line.time ?? ''),
    requestId: line.request_id,
    index: line.index,
    deploymentId: line.deployment_id,
    version: line.version,
    tool: line.tool,
    outcome: line.outcome,
    ...(line.without_tool && { withoutTool: true }),
    ...(line.trial && { trial: true }),
    ...(line.status !== undefined && { status: line.status }),
    ...(line.reason !== undefined && { reason: line.reason }),
    ...(line.missing !== undefined && { faults: missingFaults(line.missing) }),
    ...(line.faults !== undefined && { faults: line.faults }),
    ...(line.words !== undefined && { words: line.words }),
    ...(line.origin !== undefined && { origin: line.origin }),
    durationMs: line.duration_ms,
    ...(line.answer_tokens !== undefined && { answerTokens: line.answer_tokens }),
    subject: line.subject,
    ...(line.client_id !== undefined && { clientId: line.client_id }),
    ...(line.grant_id !== undefined && { grantId: line.grant_id }),
    ...(line.token_id !== undefined && { tokenId: line.token_id }),
    ip: line.ip,
    ...(line.network !== undefined && { network: line.network }),
    ...(line.credential_version !== undefined && { credentialVersion: line.credential_version }),
    ...(line.credentials && { credentials: line.credentials }),
  })),
);

const secondsOf = (time: string): EpochSeconds => Math.floor(Date.parse(time) / 1000);

const [, MOST_DAYS] = RECORDING_DAYS;

const RecordedLine = z.pipe(
  z
    .object({
      message: z.literal(RECORDED_CALL),
      time: z.iso.datetime(),
      request_id: z.string().check(z.minLength(1), z.maxLength(256)),
      index: z.int(),
      deployment_id: z.string().check(z.minLength(1), z.maxLength(256)),
      until: z.int(),
      person: FingerprintText,
      sealed: z.base64().check(z.maxLength(128 * 1024)),
    })
    .check(z.refine(({ time, until }) => until <= Date.parse(time) / 1000 + MOST_DAYS * DAY)),
  z.transform((read): SealedCall => {
    const { message: _, time, sealed, ...line } = read;
    return { ...camelMembers(line), at: secondsOf(time), sealed: Buffer.from(sealed, 'base64') };
  }),
);

/**
 * Stores the calls that the router logged. Only CloudWatch Logs may invoke this, with lines of the router's log
 * group, which may come twice and in any order; each call counts once.
 * @throws Error for an event of another kind
 * @throws Fault if the store is down: the event is delivered again
 * Source: docs/decisions/storage.md, "Calls are accountable".
 */
export const server =
  (ports: Pick<ActivityPorts, 'callStore' | 'credentialMarks' | 'log' | 'recordedCallStore'>) =>
  async (event: unknown): Promise<{ readonly calls: number }> => {
    const { callStore, log, recordedCallStore } = ports;
    const { source, lines } = readLogEvent(event);
    const read = lines.map(jsonOrUndefined);
    const recordedLines = read.filter(isOfRecordedCall);
    const callLines = read.filter((line) => !isOfRecordedCall(line));
    const calls = callLines.flatMap((line) => readBy(CallLine, line));
    const recorded = recordedLines.flatMap((line) => readBy(RecordedLine, line));
    const unread = lines.length - calls.length - recorded.length;
    if (unread > 0) {
      // Only their number and stream: the lines themselves are in the router's log.
      log.write({ message: 'lines_without_call', level: 'error', count: unread, source });
    }
    await callStore.store(calls, source);
    await markRefusedCredentials(ports, calls);
    await recordedCallStore.store(recorded);
    return { calls: calls.length };
  };

const isOfRecordedCall = (line: unknown): boolean =>
  isObject(line) && line['message'] === RECORDED_CALL;

const readBy = <Schema extends z.ZodMiniType>(
  schema: Schema,
  line: unknown,
): readonly z.output<Schema>[] => {
  const read = z.safeParse(schema, line);
  return read.success ? [read.data] : [];
};

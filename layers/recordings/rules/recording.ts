import * as z from 'zod/mini';
import type { CallRecord } from '../../activity/rules/call-record.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';

const moment = z.int().check(z.minimum(0));

/** The `message` of log lines with a recorded call. */
export const RECORDED_CALL = 'recorded_call';

/** Days for which calls may be recorded. */
export const RECORDING_DAYS = [1, 30] as const;

/**
 * That calls of a deployment are recorded with what was sent and answered, as the router is told of it. What it records
 * is sealed for a private key that only management reads.
 *
 * Source: docs/recordings.md.
 */
export const Recording = z.object({
  /** X25519, raw, base64url. */
  publicKey: z.string(),
  /** What was sent before is not recorded. */
  since: moment,
  /** When it ends, and what was recorded is gone. */
  until: moment,
  /** Of one tool, or operation in search mode; absent: of all. */
  tool: z.exactOptional(z.string()),
  /** Of one person: as the owner named them, and what that may stand for; absent: of everybody. */
  subjects: z.exactOptional(z.array(z.string()).check(z.minLength(1))),
});
export type Recording = ValueOf<typeof Recording>;

/** A key pair of recordings of one deployment. Who removes it has made unreadable what was recorded with it. */
export const RecordingKey = z.object({
  publicKey: z.string(),
  privateKey: z.string(),
  since: moment,
  until: moment,
  /** When its owner switched it off. */
  endedAt: z.exactOptional(moment),
});
export type RecordingKey = ValueOf<typeof RecordingKey>;

/** Whether a recording that was switched on goes on. */
export const isRecording = (
  recording: Recording | undefined,
  now: EpochSeconds,
): recording is Recording => recording !== undefined && now < recording.until;

/** Whether a call is one of those that are recorded. Trials never are: their owner sees them anyway. */
export const isRecorded = (
  { since, until, tool, subjects }: Recording,
  call: Pick<CallRecord, 'at' | 'tool' | 'subject' | 'trial'>,
): boolean =>
  !call.trial &&
  call.at >= since &&
  call.at < until &&
  (tool === undefined || tool === call.tool) &&
  (subjects === undefined || subjects.includes(call.subject));

/** Whether calls of somebody are recorded, of one tool at least. @param names - their id, their e-mail */
export const recordsCallsOf = ({ subjects }: Recording, ...names: readonly string[]): boolean =>
  subjects === undefined || names.some((name) => subjects.includes(name));

/** What was sent with a call, and what its client was told; secrets masked. */
export interface RecordedContent {
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** In place of arguments that are too long, or no object: the beginning of their JSON. */
  readonly argumentsText?: string;
  /** The text of the answer, or its beginning. */
  readonly answer?: string;
  /** Why there was no answer. */
  readonly error?: string;
  /** UTF-8 bytes that are left out at the end of the answer. */
  readonly leftOut?: number;
}

export interface RecordedCall extends RecordedContent {
  readonly call: CallRecord;
}

/** Bytes of arguments, and of all that is recorded of a call, in UTF-8. */
const MOST_ARGUMENTS = 16 * 1024;
const MOST_BYTES = 32 * 1024;

/** Cuts what is too long: arguments after 16 KB, the answer where all together would have more than 32. */
export const fittedContent = ({
  arguments: sent,
  answer,
  error,
}: {
  readonly arguments: unknown;
  readonly answer?: string | undefined;
  readonly error?: string | undefined;
}): RecordedContent => {
  const text = sent === undefined ? undefined : JSON.stringify(sent);
  const isWhole = isRecord(sent) && Buffer.byteLength(text ?? '') <= MOST_ARGUMENTS;
  const argumentsText = isWhole || text === undefined ? undefined : beginning(text, MOST_ARGUMENTS);
  const left = MOST_BYTES - Buffer.byteLength((isWhole ? text : argumentsText) ?? '');
  const shown = answer === undefined ? undefined : beginning(answer, left);
  const leftOut =
    answer === undefined ? 0 : Buffer.byteLength(answer) - Buffer.byteLength(shown ?? '');
  return {
    ...(isWhole && { arguments: sent }),
    ...(argumentsText !== undefined && { argumentsText }),
    ...(shown !== undefined && { answer: shown }),
    ...(error !== undefined && { error: beginning(error, left) }),
    ...(leftOut > 0 && { leftOut }),
  };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** So many bytes of a text, in whole characters. */
const beginning = (text: string, bytes: number): string => {
  if (Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text).subarray(0, bytes).toString();
  return cut.replace(/\ufffd{1,3}$/, '');
};

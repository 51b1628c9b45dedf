import type { CallRecord } from '../../events/rules/call-record.ts';
import type { Recording } from '../../deployments/rules/recording.ts';

/** The `message` of log lines with a recorded call. */
export const RECORDED_CALL = 'recorded_call';

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

/** What was sent with a call, and what its client was told; secrets masked. */
export interface RecordedContent {
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** In place of arguments that are too long, or no object: the beginning of their JSON. */
  readonly argumentsText?: string;
  /** The text of the answer, or its beginning. */
  readonly answer?: string;
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

/** What is to be recorded of a call. */
export interface RecordedAnswer {
  readonly arguments: unknown;
  readonly answer?: string | undefined;
  /** Headers of the answer, as the client got them: they are recorded after an answer that is cut, too. */
  readonly headers?: string | undefined;
  readonly error?: string | undefined;
}

/** Cuts what is too long: arguments after 16 KB, the answer where all together would have more than 32. */
export const fittedContent = ({
  arguments: sent,
  answer,
  headers,
  error,
}: RecordedAnswer): RecordedContent => {
  const text = sent === undefined ? undefined : JSON.stringify(sent);
  const isWhole = isRecord(sent) && Buffer.byteLength(text ?? '') <= MOST_ARGUMENTS;
  const argumentsText = isWhole || text === undefined ? undefined : beginning(text, MOST_ARGUMENTS);
  const behind = headers === undefined ? '' : `\n${headers}`;
  const left =
    MOST_BYTES -
    Buffer.byteLength((isWhole ? text : argumentsText) ?? '') -
    Buffer.byteLength(behind);
  const shown = answer === undefined ? undefined : beginning(answer, left);
  const leftOut =
    answer === undefined ? 0 : Buffer.byteLength(answer) - Buffer.byteLength(shown ?? '');
  return {
    ...(isWhole && { arguments: sent }),
    ...(argumentsText !== undefined && { argumentsText }),
    ...(shown !== undefined && { answer: shown + behind }),
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

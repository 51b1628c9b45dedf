import type { CallRecord } from '../../events/rules/call-record.ts';
import type { Recording } from '../../deployments/rules/recording.ts';

export const RECORDED_CALL = 'recorded_call';

/** Whether a recording covers a call. Trials are never recorded: their owner sees them anyway. */
export const isRecorded = (
  { since, until, tool, subjects }: Recording,
  call: Pick<CallRecord, 'at' | 'tool' | 'subject' | 'trial'>,
): boolean =>
  !call.trial &&
  call.at >= since &&
  call.at < until &&
  (tool === undefined || tool === call.tool) &&
  (subjects === undefined || subjects.includes(call.subject));

/** Arguments and answer of a call, with secrets masked. */
export interface RecordedContent {
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** The beginning of the arguments' JSON, if it is too long or not an object. */
  readonly argumentsText?: string;
  readonly answer?: string;
  readonly error?: string;
  /** UTF-8 bytes cut from the end of the answer. */
  readonly leftOut?: number;
}

export interface RecordedCall extends RecordedContent {
  readonly call: CallRecord;
}

/** Limits in UTF-8 bytes: for the arguments, and for everything together. */
const MOST_ARGUMENTS = 16 * 1024;
const MOST_BYTES = 32 * 1024;

export interface RecordedAnswer {
  readonly arguments: unknown;
  readonly answer?: string | undefined;
  /** The answer's headers; kept even if the answer is cut. */
  readonly headers?: string | undefined;
  readonly error?: string | undefined;
}

/** Cuts arguments at 16 KB, and the answer so that everything together has at most 32 KB. */
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

/** At most `bytes` of a text, in whole characters. */
const beginning = (text: string, bytes: number): string => {
  if (Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text).subarray(0, bytes).toString();
  return cut.replace(/\ufffd{1,3}$/, '');
};

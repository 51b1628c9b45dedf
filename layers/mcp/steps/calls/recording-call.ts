import type { CallRecord } from '../../../activity/rules/call-record.ts';
import { isObject } from '../../../platform/rules/json/json.ts';
import { Refusal } from '../../../platform/rules/refusal/refusal.ts';
import { CALL } from '../../../search/tool-names.ts';
import { maskedArguments, maskedText } from '../../../recordings/rules/mask-content.ts';
import { type Recording } from '../../../recordings/rules/recording.ts';
import {
  fittedContent,
  isRecorded,
  type RecordedContent,
} from '../../../recordings/rules/recorded-content.ts';
import type { RpcCall, ToolCall } from '../rpc-call.ts';
import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';

/**
 * Makes a call, and records what was sent and answered where the deployment's owner has it recorded. It waits for
 * nothing, and no call fails for it.
 *
 * Source: docs/recordings.md.
 */
export const recordingCall =
  (recording: Recording, make: ToolCall): ToolCall =>
  async (ports, call) => {
    let made: CallRecord | undefined;
    const write = (one: CallRecord): void => {
      made = one;
      ports.callLog.write(one);
    };
    const record = (end: End): void => {
      if (!made || !isRecorded(recording, made)) return;
      try {
        ports.recordingLog.write(recording, { call: made, ...contentOf(call, end) });
      } catch {
        call.trace.why = 'the call could not be recorded with its content';
      }
    };

    try {
      const text = await make({ ...ports, callLog: { write } }, call);
      record({ text });
      return text;
    } catch (error) {
      record({ error });
      throw error;
    }
  };

type End = { readonly text: string } | { readonly error: unknown };

const contentOf = ({ params }: RpcCall, end: End): RecordedContent =>
  fittedContent({
    arguments: maskedArguments(sentArguments(params)),
    ...('text' in end ? { answer: answerOf(end.text) } : { error: errorOf(end.error) }),
  });

/** Of search mode, those of the operation. */
const sentArguments = ({ name, arguments: sent }: RpcCall['params']): unknown =>
  name === CALL && isObject(sent) && isObject(sent['arguments']) ? sent['arguments'] : sent;

/** The texts of a result; what is no text is told by its kind and size. */
const answerOf = (text: string): string => {
  const { content } = parsedJson(text) as { readonly content: readonly Block[] };
  return content
    .map((block) => (block.type === 'text' ? maskedText(block.text ?? '') : bytesOf(block)))
    .join('\n');
};

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

const bytesOf = ({ type, data = '', mimeType = 'unknown' }: Block): string =>
  `[${type}: ${mimeType}, ${Math.floor((data.length * 3) / 4)} bytes]`;

/** As the client was told; what only operators are told is not in it. */
const errorOf = (error: unknown): string => {
  if (!(error instanceof Refusal)) return 'The service failed.';
  const data = 'data' in error && error.data !== undefined ? ` ${JSON.stringify(error.data)}` : '';
  return maskedText(`${error.description}${data}`);
};

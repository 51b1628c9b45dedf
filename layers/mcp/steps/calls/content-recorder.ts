import type { LoggedCall } from '../../../events/rules/call-record.ts';
import { isObject } from '../../../platform/rules/json/json.ts';
import { Refusal } from '../../../platform/rules/refusal/refusal.ts';
import { CALL } from '../../../search/tool-names.ts';
import { maskedArguments, maskedText } from '../../../activity/rules/mask-content.ts';
import {
  fittedContent,
  isRecorded,
  type RecordedAnswer,
  type RecordedContent,
} from '../../../activity/rules/recorded-content.ts';
import type { Recording } from '../../../deployments/rules/recording.ts';
import type { MethodPorts, RpcCall } from '../rpc-call.ts';
import { areHeaders } from '../../../tools/answer/answer-headers.ts';
import type { McpContent, ToolResult } from '../../../tools/answer/tool-result.ts';

/**
 * Records arguments and answer of a call where the owner turned recording on. No call waits for it or fails because
 * of it. Source: docs/recordings.md.
 */
export const contentRecorder = (
  { callLog, recordingLog }: Pick<MethodPorts, 'callLog' | 'recordingLog'>,
  recording: Recording,
  call: RpcCall,
) => {
  let last: LoggedCall | undefined;
  return {
    write: (record: LoggedCall): void => {
      last = record;
      callLog.write(record);
    },
    end: (end: End): void => {
      if (!last || !isRecorded(recording, last)) return;
      try {
        recordingLog.write(recording, { call: last, ...contentOf(call, end) });
      } catch {
        call.trace.why = 'the call could not be recorded with its content';
      }
    },
  };
};

type End = { readonly result: ToolResult } | { readonly error: unknown };

const contentOf = ({ params }: RpcCall, end: End): RecordedContent =>
  fittedContent({
    arguments: maskedArguments(sentArguments(params)),
    ...('result' in end ? answerOf(end.result) : { error: errorOf(end.error) }),
  });

/** In search mode the arguments of the operation that is called. */
const sentArguments = ({ name, arguments: sent }: RpcCall['params']): unknown =>
  name === CALL && isObject(sent) && isObject(sent['arguments']) ? sent['arguments'] : sent;

/** Headers are kept apart, so that they survive if long texts are cut. Files are recorded by kind and size. */
const answerOf = ({ content }: ToolResult): Pick<RecordedAnswer, 'answer' | 'headers'> => {
  const texts = content.map((block) =>
    block.type === 'text' ? maskedText(block.text) : fileOf(block),
  );
  const headers = texts.length > 1 ? texts.find(areHeaders) : undefined;
  return { answer: texts.filter((text) => text !== headers).join('\n'), headers };
};

const fileOf = (block: Exclude<McpContent, { readonly type: 'text' }>): string => {
  const { mimeType } = block.type === 'resource' ? block.resource : block;
  return `[${block.type}: ${mimeType}, ${sizeOf(block)} bytes]`;
};

const sizeOf = (block: Exclude<McpContent, { readonly type: 'text' }>): number => {
  if (block.type === 'resource_link') return block.size;
  const base64 = block.type === 'resource' ? block.resource.blob : block.data;
  return Math.floor((base64.length * 3) / 4);
};

/** Only what the client was sent; details for operators are left out. */
const errorOf = (error: unknown): string => {
  if (!(error instanceof Refusal)) return 'The service failed.';
  const data = 'data' in error && error.data !== undefined ? ` ${JSON.stringify(error.data)}` : '';
  return maskedText(`${error.description}${data}`);
};

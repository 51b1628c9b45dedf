import { isJson, listOf, textOrEmpty } from './json-values.ts';
import type { CallResult, ModelCall } from './protocols.ts';

/** Characters of an answer; a model reads no more of it either. */
const MOST_TEXT = 100_000;

/**
 * What a model is told of a call that its owner has made to try a tool.
 *
 * @param trial - as the API answers it: a result of `tools/call`, or why there is none
 */
export const callResult = (
  call: ModelCall,
  { result, error }: { readonly result?: unknown; readonly error?: { readonly message: string } },
): CallResult => {
  if (error) return { call, text: error.message, isError: true };
  const { content, isError } = isJson(result) ? result : {};
  const text = listOf(content).map((part) =>
    typeof part['text'] === 'string' ? part['text'] : `[${textOrEmpty(part['type'])}]`,
  );
  return { call, text: text.join('\n').slice(0, MOST_TEXT), isError: isError === true };
};

import { isJson, listOf, textOrEmpty } from './json-values.ts';
import type { CallResult, ModelCall } from './protocols.ts';

const MOST_TEXT = 100_000;

/** Result of a trial call, for the model; `trial` is the management API's result of `tools/call`, or error. */
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

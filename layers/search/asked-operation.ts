import type { NoAnswer } from '../openapi/model-apis/cases.ts';
import type { CallResult, ModelCall, ModelChoice, Turn } from '../openapi/model-apis/protocols.ts';
import { CALL, DESCRIBE, SEARCH } from './tool-names.ts';

/** Answers of a model that are read for one wish: some models never stop searching. */
const MOST_ANSWERS = 12;

/** Whether a call only searches operations or describes one: nothing is sent to the API. */
export const isLook = ({ tool }: ModelCall): boolean => tool === SEARCH || tool === DESCRIBE;

/**
 * The operation and arguments that a model calls in search mode.
 * @returns undefined for a search, for a description, and for a call without a name, which the service refuses
 */
export const operationCall = (call: ModelCall): ModelCall | undefined => {
  if (isLook(call)) return undefined;
  if (call.tool !== CALL) return call;
  const { name, arguments: given } = call.arguments;
  if (typeof name !== 'string') return undefined;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  return {
    id: call.id,
    tool: name,
    arguments: isObject ? (given as Readonly<Record<string, unknown>>) : {},
  };
};

/**
 * Operations that a model would call for a wish in search mode. It may search and read first; no operation is called.
 * @param ask - asks the model
 * @param look - answers a search, or describes an operation
 * @returns the first answer that calls an operation or calls nothing, with the tokens of all answers
 */
export const operationsAskedFor = (
  wish: string,
  ask: (turns: readonly Turn[]) => Promise<ModelChoice | NoAnswer>,
  look: (call: ModelCall) => Promise<CallResult>,
): Promise<ModelChoice | NoAnswer> => askedFor(wish, ask, look, operationCall);

/**
 * As `operationsAskedFor`, for any kind of search.
 * @param wanted - the call that one of the model's stands for; undefined where that only searches
 */
export const askedFor = async (
  wish: string,
  ask: (turns: readonly Turn[]) => Promise<ModelChoice | NoAnswer>,
  look: (call: ModelCall) => Promise<CallResult>,
  wanted: (call: ModelCall) => ModelCall | undefined,
): Promise<ModelChoice | NoAnswer> => {
  let turns: readonly Turn[] = [{ wish }];
  let [inputTokens, outputTokens] = [0, 0];
  for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
    const choice = await ask(turns);
    if ('why' in choice) return choice;
    inputTokens += choice.inputTokens;
    outputTokens += choice.outputTokens;
    const calls = choice.calls.map(wanted).filter((call) => call !== undefined);
    if (calls.length > 0 || choice.calls.length === 0) {
      return { ...choice, calls, inputTokens, outputTokens };
    }
    const results: CallResult[] = [];
    for (const call of choice.calls) results.push(await look(call));
    turns = [...turns, { said: choice.said }, { results }];
  }
  return { why: `it was still searching after ${MOST_ANSWERS} answers`, ends: false };
};

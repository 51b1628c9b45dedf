import type { NoAnswer } from '../openapi/model-apis/cases.ts';
import type { CallResult, ModelCall, ModelChoice, Turn } from '../openapi/model-apis/protocols.ts';
import { CALL, DESCRIBE, SEARCH } from './tool-names.ts';

/** Answers of a model for one wish; some search on and on. */
const MOST_ANSWERS = 12;

/** Whether a call of search mode only looks for operations, or reads of one: nothing is sent to the API. */
export const isLook = ({ tool }: ModelCall): boolean => tool === SEARCH || tool === DESCRIBE;

/**
 * What a model calls in search mode: the operation with its arguments.
 *
 * @returns undefined where it only looks for one, or names none: the service tells it what is missing
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
 * Which operations a model calls for a wish in search mode. It may search and read first, as often as it takes; no
 * operation is called.
 *
 * @param ask - asks the model
 * @param look - answers a search, or tells of an operation
 * @returns the first answer that calls an operation or nothing, as if each were a tool, with the tokens of all
 */
export const operationsAskedFor = (
  wish: string,
  ask: (turns: readonly Turn[]) => Promise<ModelChoice | NoAnswer>,
  look: (call: ModelCall) => Promise<CallResult>,
): Promise<ModelChoice | NoAnswer> => askedFor(wish, ask, look, operationCall);

/**
 * The same for any way to look for what to call.
 *
 * @param wanted - the call that is meant by one of the model; undefined where that only looks for something
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

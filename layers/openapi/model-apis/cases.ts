import { isJson, type Json, jsonOf, textOrEmpty } from './json-values.ts';
import type { ModelChoice, OfferedTool } from './protocols.ts';

export interface Case {
  readonly wish: string;
  /** The tool that the model should call; null if it should call none. */
  readonly tool: string | null;
  /** Expected arguments, others may be added; absent: any. */
  readonly arguments?: Json;
}

export interface CaseResult {
  readonly wish: string;
  readonly tool: string | null;
  /** Tool that the model called; null if it called none or did not answer. */
  readonly chosen: string | null;
  readonly right: boolean;
  /** What the model did instead, or why it did not answer. */
  readonly fault?: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface NoAnswer {
  readonly why: string;
  /** Whether further questions would fail too: the key was refused. */
  readonly ends: boolean;
}

export interface Evaluation {
  readonly results: readonly CaseResult[];
  /** Why the evaluation ended before all cases were asked. */
  readonly ended?: string;
  readonly isAnswered: boolean;
}

const AT_ONCE = 2;

/**
 * Asks a model each case. A case without an answer counts as wrong, and the next ones are still asked.
 * @param tools - offered to the model: a case for any other tool fails without a request
 * @param come - called with each result
 * @throws what `ask` throws, which ends the evaluation
 */
export const evaluate = async (
  cases: readonly Case[],
  tools: readonly Pick<OfferedTool, 'name'>[],
  ask: (wish: string) => Promise<ModelChoice | NoAnswer>,
  come: (result: CaseResult) => void = () => undefined,
): Promise<Evaluation> => {
  const known = new Set(tools.map(({ name }) => name));
  const found: (CaseResult | undefined)[] = [];
  const queue = cases.entries();
  let ended: string | undefined;
  let isOver = false;
  let isAnswered = false;
  const work = async () => {
    for (const [index, one] of queue) {
      const isKnown = one.tool === null || known.has(one.tool);
      const answer = isKnown ? await ask(one.wish) : undefined;
      if (answer && 'why' in answer && answer.ends) {
        ended ??= answer.why;
        isOver = true;
      }
      if (isOver && (!answer || 'why' in answer)) return;
      isAnswered ||= answer !== undefined && 'calls' in answer;
      const result = resultOf(one, answer, known);
      found[index] = result;
      come(result);
      if (isOver) return;
    }
  };
  const failing = (error: unknown) => {
    isOver = true;
    throw error;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch(failing)));
  const results = found.filter((one) => one !== undefined);
  return { results, isAnswered, ...(ended !== undefined && { ended }) };
};

const resultOf = (
  one: Case,
  answer: ModelChoice | NoAnswer | undefined,
  known: ReadonlySet<string>,
): CaseResult => {
  const { wish, tool } = one;
  const choice = answer && 'calls' in answer ? answer : undefined;
  const fault = choice
    ? faultOf(one, choice, known)
    : answer && 'why' in answer
      ? `gave no answer: ${answer.why.replace(/\.$/, '')}`
      : 'was not asked: there is no such tool';
  return {
    wish,
    tool,
    chosen: choice?.calls[0]?.tool ?? null,
    right: fault === undefined,
    ...(fault !== undefined && { fault }),
    input_tokens: choice?.inputTokens ?? 0,
    output_tokens: choice?.outputTokens ?? 0,
  };
};

const MOST_SHOWN = 120;

const faultOf = (
  { tool, arguments: wanted = {} }: Case,
  { calls, text }: ModelChoice,
  known: ReadonlySet<string>,
): string | undefined => {
  const [first] = calls;
  if (tool === null)
    return first ? `called ${named(first.tool, known)}, and should call nothing` : undefined;
  if (!first) return `called nothing${text === '' ? '' : `: ${text.slice(0, MOST_SHOWN)}`}`;
  if (first.tool !== tool) return `called ${named(first.tool, known)}`;
  const given = first.arguments;
  const wrong = Object.entries(wanted).filter(
    ([name, value]) => !Object.hasOwn(given, name) || !isSame(given[name], value),
  );
  return wrong.length === 0
    ? undefined
    : wrong.map(([name]) => `${name} is ${shownIn(given, name)}`).join(', ');
};

const named = (tool: string, known: ReadonlySet<string>): string =>
  known.has(tool) ? tool : `${tool.slice(0, MOST_SHOWN)}, which there is not`;

const shownIn = (given: Json, name: string): string =>
  Object.hasOwn(given, name) ? JSON.stringify(given[name]).slice(0, MOST_SHOWN) : 'missing';

const isSame = (one: unknown, other: unknown): boolean => {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && isSame(Reflect.get(one, name), Reflect.get(other, name)),
    )
  );
};

/** Results that differ from the previous run; wishes that are new are skipped. */
export const changedSince = <Result extends Pick<CaseResult, 'wish' | 'right'>>(
  results: readonly Result[],
  before: readonly Pick<CaseResult, 'wish' | 'right'>[],
): readonly Result[] => {
  const was = new Map(before.map(({ wish, right }) => [wish, right]));
  return results.filter(({ wish, right }) => was.has(wish) && was.get(wish) !== right);
};

/** @param price - dollars per million tokens sent and received: `3/15`; undefined is returned for anything else */
export const dollarsFor = (price: string, sent: number, received: number): number | undefined => {
  const [, forSent, forReceived] =
    /^(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/.exec(price.trim()) ?? [];
  if (forReceived === undefined) return undefined;
  return (sent * Number(forSent) + received * Number(forReceived)) / 1_000_000;
};

export const casesFile = (server: string, cases: readonly Case[]): string =>
  [
    'version: 1',
    `server: ${server}`,
    ...(cases.length === 0 ? ['cases: []'] : ['cases:']),
    ...cases.flatMap(({ wish, tool, arguments: given }) => [
      `  - wish: ${JSON.stringify(wish)}`,
      `    tool: ${JSON.stringify(tool)}`,
      ...(given ? [`    arguments: ${JSON.stringify(given)}`] : []),
    ]),
  ].join('\n');

const MOST_CASES = 500;

export interface CasesFile {
  readonly server: string;
  readonly cases: readonly Case[];
  readonly faults: readonly {
    readonly where: string;
    readonly what: string;
    readonly hint: string;
  }[];
}

/**
 * @param file - parsed YAML or JSON
 * @param least - minimum number of cases
 */
export const casesIn = (file: unknown, least: number): CasesFile => {
  const faults: CasesFile['faults'][number][] = [];
  const fault = (where: string, what: string, hint: string) => faults.push({ where, what, hint });
  const { version, server, cases: listed } = jsonOf(file);
  const all = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  if (version !== 1 || !Array.isArray(listed) || all.length < least) {
    fault('', 'no cases', 'Write `version: 1` and `cases`, each with `wish` and `tool`.');
  }
  if (all.length > MOST_CASES) fault('', `more than ${MOST_CASES} cases`, 'Divide them.');
  const cases = all.map((one, index): Case => {
    const { wish, tool, arguments: given } = jsonOf(one);
    const where = `cases[${index}]`;
    const text = textOrEmpty(wish).trim();
    if (text === '') fault(where, 'no wish', 'Say what a person would ask for.');
    if (typeof tool !== 'string' && tool !== null) {
      fault(where, 'no tool', 'Name the tool that should be chosen, or null for none.');
    }
    if (given !== undefined && !isJson(given)) {
      fault(where, 'arguments that are no map', 'Write names and values, or leave them out.');
    }
    return {
      wish: text,
      tool: typeof tool === 'string' ? tool : null,
      ...(isJson(given) && { arguments: given }),
    };
  });
  return { server: textOrEmpty(server), cases, faults };
};

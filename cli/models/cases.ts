import { isDeepStrictEqual } from 'node:util';
import { parse } from '../declared/yaml.ts';
import { EXIT, Failure, type Finding } from '../failure.ts';
import { isJson, type Json, jsonOf, textOf } from '../json.ts';
import type { ModelChoice } from '../../layers/openapi/model-apis/protocols.ts';

/** A wish, and what a model should do with it. */
export interface Case {
  readonly wish: string;
  /** The tool that should be chosen; null: none. */
  readonly tool: string | null;
  /** Arguments that it should be called with, others besides; anything if omitted. */
  readonly arguments?: Json;
}

export interface Cases {
  /** The slug that they are for. */
  readonly server: string | undefined;
  readonly cases: readonly Case[];
}

const MOST_CASES = 500;

/** @param path - for what is wrong @throws Failure with every fault */
export const readCases = (path: string, text: string): Cases => {
  const findings: Finding[] = [];
  const fault = (where: string, what: string, hint: string) => findings.push({ where, what, hint });
  let file: Json = {};
  try {
    file = jsonOf(parse(text, { maxAliasCount: 0 }));
  } catch (error) {
    fault(path, `no YAML: ${String(error).split('\n', 1)[0]}`, 'Mend it.');
  }
  const listed = Array.isArray(file.cases) ? (file.cases as readonly unknown[]) : [];
  if (findings.length === 0 && (file.version !== 1 || listed.length === 0)) {
    fault(path, 'no cases', 'Write `version: 1` and `cases`, each with `wish` and `tool`.');
  }
  if (listed.length > MOST_CASES) fault(path, `more than ${MOST_CASES} cases`, 'Divide them.');
  const cases = listed.map((one, index): Case => {
    const { wish, tool, arguments: given } = jsonOf(one);
    const where = `${path} cases[${index}]`;
    const text = textOf(wish)?.trim() ?? '';
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
  if (findings.length === 0) return { server: textOf(file.server), cases };
  throw new Failure(EXIT.refused, 'cases_refused', `${path} cannot be used.`, { findings });
};

/** What is wrong with a choice; undefined: nothing. */
export const faultOf = (
  { tool, arguments: wanted = {} }: Case,
  { calls, text }: ModelChoice,
): string | undefined => {
  const [first] = calls;
  if (tool === null) return first ? `called ${first.tool}, and should call nothing` : undefined;
  if (!first) return `called nothing${text === '' ? '' : `: ${text.slice(0, 120)}`}`;
  if (first.tool !== tool) return `called ${first.tool}`;
  const wrong = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(first.arguments[name], value),
  );
  return wrong.length === 0
    ? undefined
    : wrong
        .map(([name]) => `${name} is ${JSON.stringify(first.arguments[name]) ?? 'missing'}`)
        .join(', ');
};

import { parse } from '../declared/yaml.ts';
import { EXIT, Failure, type Finding } from '../failure.ts';
import { isJson, type Json, jsonOf, textOf } from '../json.ts';
import type { Case } from '../../layers/openapi/model-apis/cases.ts';

export interface Cases {
  /** The slug that they are for. */
  readonly server: string | undefined;
  readonly cases: readonly Case[];
}

const MOST_CASES = 500;

/**
 * @param path - for what is wrong
 * @param least - how many there have to be
 * @throws Failure with every fault
 */
export const readCases = (path: string, text: string, least = 1): Cases => {
  const findings: Finding[] = [];
  const fault = (where: string, what: string, hint: string) => findings.push({ where, what, hint });
  let file: Json = {};
  try {
    file = jsonOf(parse(text, { maxAliasCount: 0 }));
  } catch (error) {
    fault(path, `no YAML: ${String(error).split('\n', 1)[0]}`, 'Mend it.');
  }
  const listed = Array.isArray(file.cases) ? (file.cases as readonly unknown[]) : [];
  if (
    findings.length === 0 &&
    (file.version !== 1 || !Array.isArray(file.cases) || listed.length < least)
  ) {
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

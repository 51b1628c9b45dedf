import type { ArgumentRule } from '../../openapi/tool-index.ts';
import type { ArgumentFault } from './invalid-arguments.ts';
import { member } from '../../platform/rules/json/json.ts';

const MOST_NAMED = 20;

/**
 * Finds the rules that arguments break by being given or left out.
 *
 * @param isNamed - whether the tool has an argument of this name
 */
export const brokenRules = (
  rules: readonly ArgumentRule[],
  args: Readonly<Record<string, unknown>>,
  isNamed: (name: string) => boolean,
): readonly ArgumentFault[] => {
  const isGiven = (name: string): boolean => member(args, name) !== undefined;
  const further = Object.keys(args).filter((name) => !isNamed(name)).length;

  return rules.flatMap((rule) => {
    if (rule.when && !rule.when.some(isGiven)) return [];
    const message =
      rule.kind === 'needs'
        ? needsMessage(rule, isGiven)
        : countMessage(rule, rule.of.filter(isGiven).length + further);
    return message === undefined ? [] : [{ path: '', message }];
  });
};

const needsMessage = (
  { when, sets }: Extract<ArgumentRule, { kind: 'needs' }>,
  isGiven: (name: string) => boolean,
): string | undefined => {
  if (sets.some((names) => names.every(isGiven))) return undefined;
  const needed = sets.slice(0, MOST_NAMED).map((names) => names.join(' + '));
  const choice = sets.length > 1 ? `at least one of: ${needed.join('; ')}` : needed.join('');
  return `need ${choice}${when?.length === 1 ? ` where ${when.join('')} is given` : ''}`;
};

const countMessage = (
  { of: names, least = 0, most = Infinity }: Extract<ArgumentRule, { kind: 'counts' }>,
  count: number,
): string | undefined => {
  if (count >= least && count <= most) return undefined;
  const bound = count < least ? `at least ${least}` : `at most ${most}`;
  const more = names.length > MOST_NAMED ? ' ...' : '';
  return `need ${bound} of: ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
};

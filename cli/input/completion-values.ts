import type { Ask } from './ask.ts';
import { pairOf } from './arguments.ts';
import { textFrom } from './files.ts';

/** What an argument of a prompt, or a variable of a template, can be completed with. */
export const VALUE_OPTIONS = {
  completion: {
    value: 'NAME=TEXT',
    multiple: true,
    help: 'a value to complete it with, while typed',
  },
  completions: { value: 'NAME=FILE', multiple: true, help: 'all of them, one in a line' },
} as const;

interface Given {
  readonly completion: readonly string[];
  readonly completions: readonly string[];
}

/**
 * The values of each name, those of files first.
 *
 * @throws Failure usage
 */
export const completionValues = async (
  ask: Ask,
  given: Given,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const lists = new Map<string, readonly string[]>();
  const add = (name: string, more: readonly string[]): void => {
    lists.set(name, [...(lists.get(name) ?? []), ...more]);
  };
  for (const text of given.completions) {
    const [name, file] = pairOf('--completions', text);
    const lines = (await textFrom(ask, file)).split(/\r?\n/).map((line) => line.trim());
    add(
      name,
      lines.filter((line) => line !== ''),
    );
  }
  for (const text of given.completion) {
    const [name, value] = pairOf('--completion', text);
    add(name, [value]);
  }
  return lists;
};

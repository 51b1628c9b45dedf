import type { Habit } from './habit.ts';

interface DescriptionHabit extends Habit {
  /** Finds what describes nothing. */
  readonly written: RegExp;
}

/** What frameworks write into descriptions of operations that describes none. */
export const DESCRIPTIONS = [
  {
    frameworks: 'LoopBack with SourceLoop',
    writes: 'a table `| Permissions |` of who may call an operation',
    takes: 'the caller has them or has not: a model cannot choose',
    source: '@sourceloop/core, OASEnhancer; Markdown of GitHub, "Tables"',
    written:
      /(?:^|\n)[ \t]*\|[ \t]*Permissions[ \t]*\|[ \t]*(?:\n[ \t]*\|[^\n]*\|[ \t]*)*(?=\n|$)/g,
  },
] as const satisfies readonly DescriptionHabit[];

/** What is left of a description; undefined where that is nothing. */
export const tellingText = (description: string | undefined): string | undefined => {
  if (description === undefined) return undefined;
  const text = DESCRIPTIONS.reduce(
    (left, { written }) => left.replaceAll(written, ''),
    description,
  ).trim();
  return text === '' ? undefined : text;
};

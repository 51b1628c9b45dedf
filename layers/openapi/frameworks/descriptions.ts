import type { Habit } from './habit.ts';

/** Texts in descriptions of operations that frameworks generate and that describe nothing. */
export const DESCRIPTIONS = [
  {
    frameworks: 'LoopBack with SourceLoop',
    writes: 'a table `| Permissions |` of who may call an operation',
    takes: 'the caller has them or has not: a model cannot choose',
    source: '@sourceloop/core, OASEnhancer; Markdown of GitHub, "Tables"',
    written:
      /(?:^|\n)[ \t]*\|[ \t]*Permissions[ \t]*\|[ \t]*(?:\n[ \t]*\|[^\n]*\|[ \t]*)*(?=\n|$)/g,
  },
] as const satisfies readonly (Habit & { readonly written: RegExp })[];

/** Description without the texts of `DESCRIPTIONS`; undefined where nothing is left. */
export const tellingText = (description: string | undefined): string | undefined => {
  if (description === undefined) return undefined;
  const text = DESCRIPTIONS.reduce(
    (left, { written }) => left.replaceAll(written, ''),
    description,
  ).trim();
  return text === '' ? undefined : text;
};

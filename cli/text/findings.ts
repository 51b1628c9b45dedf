import type { Finding } from '../failure.ts';
import { type Json, listOf, textOf } from '../json.ts';

/** The warnings of a publication. */
export const findingsIn = (answer: Json): readonly Finding[] =>
  listOf(answer['warnings']).map(findingOf);

export const findingOf = (given: Json): Finding => ({
  where: textOf(given['where']) ?? '',
  what: textOf(given['what']) ?? '',
  hint: textOf(given['hint']) ?? '',
});

/**
 * Something that frameworks write into descriptions and OpenAPI reads otherwise, or does not read at all, and what
 * their servers take. The tables in this folder have one row each, which drives how it is read.
 */
export interface Habit {
  readonly frameworks: string;
  /** In words, or as an example. */
  readonly writes: string;
  readonly takes: string;
  /** Whose document or program that is from. */
  readonly source: string;
}

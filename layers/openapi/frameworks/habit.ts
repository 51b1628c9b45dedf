/** A row of a table in this folder: what a framework writes into descriptions, and how its servers read it. */
export interface Habit {
  readonly frameworks: string;
  readonly writes: string;
  readonly takes: string;
  readonly source: string;
}

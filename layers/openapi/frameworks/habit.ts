/** A row of a table in this folder: what a framework writes, other than OpenAPI or its own server means it. */
export interface Habit {
  readonly frameworks: string;
  readonly writes: string;
  readonly takes: string;
  readonly source: string;
}

/**
 * A difference between what frameworks write into descriptions and what OpenAPI or their servers understand. The tables
 * in this folder have one row for each; code that reads descriptions is driven by the rows.
 */
export interface Habit {
  readonly frameworks: string;
  readonly writes: string;
  readonly takes: string;
  readonly source: string;
}

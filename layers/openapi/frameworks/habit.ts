import type { JsonObject } from '../../platform/rules/json/json.ts';

/** A row of a table in this folder: what a framework writes into descriptions, and how its servers read it. */
export interface Habit {
  readonly frameworks: string;
  readonly writes: string;
  readonly takes: string;
  readonly source: string;
}

/** A row for a framework that is known by what it writes elsewhere in the description. */
export interface RecognizedHabit extends Habit {
  readonly isWritten: (root: JsonObject) => boolean;
}

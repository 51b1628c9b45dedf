import { type JsonObject, member } from '../../platform/rules/json/json.ts';

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

/**
 * Whether a query and a form are to be written as OpenAPI says, whatever framework the description looks like:
 * `x-framework-habits: false` of the operation or of the description. Source: docs/tools.md, "What frameworks write".
 */
export const isWithoutHabits = (root: JsonObject, operation: JsonObject): boolean =>
  [operation, root].some((one) => member(one, 'x-framework-habits') === false);

/** Says how a guess by `RecognizedHabit` is undone. */
export const WITHOUT_HABITS =
  'Write `x-framework-habits: false` in the operation if the API reads it as OpenAPI says.';

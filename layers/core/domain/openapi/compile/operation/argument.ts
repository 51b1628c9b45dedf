import type { LinkedSchema } from '../schema/linked-schema.ts';

/** An argument of a tool. */
export interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly schema: LinkedSchema;
}

import type { LinkedSchema } from '../schema/linked-schema.ts';

/** An argument of a tool. */
export interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly schema: LinkedSchema;
  /** It is the body in one piece: what the call is for, required or not. */
  readonly isBody?: true;
  /** It is in the body of a PATCH: what is required inside it is told, but not enforced. */
  readonly isMerged?: true;
}

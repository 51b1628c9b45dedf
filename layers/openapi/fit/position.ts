import type { TypeName } from '../json-schema/types.ts';

/** Where a schema stands in the `inputSchema` of a tool. */
export interface Position {
  /** JSON pointer into the `inputSchema`. */
  readonly pointer: string;
  readonly depth: number;
  /** Whether nothing on the way to it, but the body as a whole, may be left out. */
  readonly isRequired: boolean;
  /** The component whose definition is around it, if nothing on the way from there may be left out. */
  readonly requiredBy?: string | undefined;
  /** The types of the schema that this one is an alternative or a part of; absent: any. */
  readonly outerTypes?: readonly TypeName[] | undefined;
}

/** @param isRequired - whether the schema around it requires what is here */
export const below = (position: Position, step: string, isRequired = true): Position => ({
  pointer: position.pointer + step,
  depth: position.depth + 1,
  isRequired: isRequired && position.isRequired,
  requiredBy: isRequired ? position.requiredBy : undefined,
});

import type { Schema } from '../../openapi/json-schema/schema.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';

/** A value in the arguments of a call after conversion, with its children. */
export interface Reading {
  /** Parent value, and the key under which it has this one. */
  readonly above?: Reading | undefined;
  readonly key?: string | number | undefined;
  readonly value: unknown;
  /** The value with wire names. */
  readonly sent?: unknown;
  readonly members?: ReadonlyMap<string, Reading>;
  readonly items?: readonly Reading[];
  /** Cost of reading the value with all it contains, in values. */
  readonly weight: number;
  readonly violations: Map<Schema, Violations>;
}

/** Violations of one schema, nested: lists are shared, so copying them could grow without bound. */
export type Violations = readonly (Violation | Violations)[];

export interface Violation {
  readonly reading: Reading;
  readonly keyword: string;
  readonly rule?: unknown;
  /** Violations of each alternative, or of a child. */
  readonly inner?: readonly Violations[];
}

export const NO_VIOLATIONS: Violations = [];

export interface Judge {
  readonly violations: (schema: unknown, reading: Reading) => Violations;
  readonly spend: (checks: number) => void;
  readonly leniency: Leniency;
  /** The judge without leniency, for schemas that decide or exclude (`if`, `not`). */
  readonly strict: Judge;
}

/** Violations that are left to the target to judge. */
export interface Leniency {
  /** @param reading - the object that lacks the required member */
  readonly mayLack: (reading: Reading, name: string) => boolean;
  readonly mayBreak: (reading: Reading, keyword: string, rule: unknown) => boolean;
}

export type Check = (reading: Reading, judge: Judge) => Violations;

/** The argument that contains a value; undefined for the arguments object itself. */
export const argumentOf = (reading: Reading): string | number | undefined => {
  let at = reading;
  while (at.above?.key !== undefined) at = at.above;
  return at.key;
};

export const pathOf = (reading: Reading): string => {
  const keys: (string | number)[] = [];
  for (let at: Reading | undefined = reading; at?.key !== undefined; at = at.above)
    keys.push(at.key);
  return pointerTo(...keys.reverse());
};

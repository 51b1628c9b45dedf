import type { Schema } from '../../openapi/json-schema/schema.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';

/** A value among the arguments of a call as it has been read: converted, and with what is in it. */
export interface Reading {
  /** What it stands in, and under which name or number. */
  readonly above?: Reading | undefined;
  readonly key?: string | number | undefined;
  readonly value: unknown;
  /** The value with the names that the target knows, inside arguments. */
  readonly sent?: unknown;
  readonly members?: ReadonlyMap<string, Reading>;
  readonly items?: readonly Reading[];
  /** How long it takes to look at all of it, in values. */
  readonly weight: number;
  /** By the schemas that describe it where it stands. */
  readonly violations: Map<Schema, Violations>;
}

/** What is wrong with a value by one schema. Lists are never copied into others: many share them. */
export type Violations = readonly (Violation | Violations)[];

export interface Violation {
  readonly reading: Reading;
  readonly keyword: string;
  readonly rule?: unknown;
  /** Of each alternative, or of a value inside. */
  readonly inner?: readonly Violations[];
}

export const NO_VIOLATIONS: Violations = [];

/** Of one call: what schemas say of its values, and what it may still cost to know. */
export interface Judge {
  readonly violations: (schema: unknown, reading: Reading) => Violations;
  readonly spend: (checks: number) => void;
  readonly leniency: Leniency;
  /** The same call where nothing is left to the target: what decides or excludes is held to the letter. */
  readonly strict: Judge;
}

/** What is left to the target, though a schema says otherwise. */
export interface Leniency {
  /**
   * Whether a member may be missing that a schema requires.
   *
   * @param reading - the object that has no such member
   */
  readonly mayLack: (reading: Reading, name: string) => boolean;
  /** Whether a value may break a keyword. */
  readonly mayBreak: (reading: Reading, keyword: string, rule: unknown) => boolean;
}

/** What a keyword, or several that belong together, find in a value. */
export type Check = (reading: Reading, judge: Judge) => Violations;

/** The argument that a value is, or stands in; undefined for all arguments together. */
export const argumentOf = (reading: Reading): string | number | undefined => {
  let at = reading;
  while (at.above?.key !== undefined) at = at.above;
  return at.key;
};

/** Where a value stands, as a JSON pointer into the arguments. */
export const pathOf = (reading: Reading): string => {
  const keys: (string | number)[] = [];
  for (let at: Reading | undefined = reading; at?.key !== undefined; at = at.above)
    keys.push(at.key);
  return pointerTo(...keys.reverse());
};

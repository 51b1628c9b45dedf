import type { Schema } from '../../openapi/json-schema/schema.ts';
import { isObject, jsonText } from '../../platform/rules/json/json.ts';
import { keysOf, resolvePointer } from '../../platform/rules/json/pointer.ts';
import type { JsonType } from './shape.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converts a value to a type that its schemas allow, where that needs no guessing: `"1"` to an integer, `"true"` to a
 * boolean, `1` to a string, JSON text to an object or array where no string is allowed, and an object to JSON text
 * where the string is described as JSON. Integers beyond 2^53 in text become a `bigint`.
 * @param isJsonText - whether the string is described as JSON
 * Source: docs/protocol.md, "Arguments of a call".
 */
export const convertedValue = (
  types: ReadonlySet<JsonType> | undefined,
  value: unknown,
  isJsonText = false,
): unknown => {
  if (!types) return value;
  switch (typeof value) {
    case 'number':
      return wantsText(types) ? String(value) : value;
    case 'boolean':
      return types.has('string') && !types.has('boolean') ? String(value) : value;
    case 'string':
      return types.has('string') ? value : fromText(types, value);
    case 'object':
      return value !== null && isJsonText && wantsOnlyText(types) ? jsonText(value) : value;
    default:
      return value;
  }
};

const wantsOnlyText = (types: ReadonlySet<JsonType>): boolean =>
  types.has('string') && !types.has('object') && !types.has('array');

/**
 * Faults that no keyword of JSON Schema can find: no JSON value, invalid Unicode, integers that lost digits.
 * @param value - `given` after conversion
 */
export const faultOfValue = (
  types: ReadonlySet<JsonType> | undefined,
  given: unknown,
  value: unknown,
): string | undefined => {
  if (
    typeof given === 'number' &&
    losesDigits(given) &&
    (wantsInteger(types) || wantsText(types))
  ) {
    return 'is beyond 2^53, where JSON numbers lose digits: send it as text';
  }
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? undefined : 'is not valid Unicode (half of a surrogate pair)';
    case 'number':
      return Number.isFinite(value) ? undefined : 'is not a JSON number';
    case 'boolean':
    case 'bigint':
    case 'object':
      return undefined;
    default:
      return 'is not a JSON value';
  }
};

const fromText = (types: ReadonlySet<JsonType>, text: string): unknown => {
  if ((types.has('number') || types.has('integer')) && NUMBER.test(text)) {
    const number = Number(text);
    if (types.has('integer') && losesDigits(number) && LONG.test(text)) return BigInt(text);
    if (Number.isFinite(number) && (types.has('number') || !losesDigits(number))) return number;
  }
  if (types.has('boolean')) {
    if (text === 'true' || text === 'True') return true;
    if (text === 'false' || text === 'False') return false;
  }
  if (types.has('null') && text === 'null') return null;
  if (types.has('object') && text.trimStart().startsWith('{')) return parsed(text, isObject);
  if (types.has('array') && text.trimStart().startsWith('[')) return parsed(text, Array.isArray);
  return text;
};

const parsed = (text: string, fits: (value: unknown) => boolean): unknown => {
  try {
    const value: unknown = parsedJson(text);
    return fits(value) ? value : text;
  } catch {
    return text;
  }
};

const wantsText = (types: ReadonlySet<JsonType> | undefined): boolean =>
  types !== undefined && types.has('string') && !types.has('number') && !types.has('integer');

const wantsInteger = (types: ReadonlySet<JsonType> | undefined): boolean =>
  types !== undefined && types.has('integer') && !types.has('number');

/** As many digits as a 64-bit integer may have beyond 2^53. */
const LONG = /^-?[1-9]\d{15,19}$/;

const losesDigits = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value);

/** Renamed properties by the schema that declares them, in both directions. See `Operation.wireNames`. */
export type WireNames = ReadonlyMap<Schema, Renamed>;

interface Renamed {
  readonly wireNames: Map<string, string>;
  readonly argumentNames: Map<string, string>;
}

export const wireNamesOf = (root: Schema, renamed: Readonly<Record<string, string>>): WireNames => {
  const names = new Map<Schema, Renamed>();
  for (const [pointer, wireName] of Object.entries(renamed)) {
    const name = keysOf(pointer).at(-1);
    const schema = resolvePointer(root, pointer.split('/').slice(0, -2).join('/'));
    if (name === undefined || !isObject(schema)) continue;
    const known = names.get(schema) ?? { wireNames: new Map(), argumentNames: new Map() };
    known.wireNames.set(name, wireName);
    known.argumentNames.set(wireName, name);
    names.set(schema, known);
  }
  return names;
};

/** Name under which the target knows a property, by whichever schema renames it. */
export const wireNameOf = (
  names: WireNames | undefined,
  views: readonly Schema[],
  name: string,
): string => {
  if (!names) return name;
  for (const view of views) {
    const wireName = names.get(view)?.wireNames.get(name);
    if (wireName !== undefined) return wireName;
  }
  return name;
};

/** Reverse of `wireNameOf`. */
export const argumentNameOf = (
  names: WireNames | undefined,
  views: readonly Schema[],
  wireName: string,
): string => {
  if (!names) return wireName;
  for (const view of views) {
    const name = names.get(view)?.argumentNames.get(wireName);
    if (name !== undefined) return name;
  }
  return wireName;
};

/**
 * Members in the order in which they are sent: `$type` and `$id` first, since .NET refuses them behind others.
 * Source: System.Text.Json, "Polymorphic serialization", `$type`; Newtonsoft.Json, MetadataPropertyHandling.
 */
export const inOrder = <Value>(
  members: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] =>
  members.some(([name]) => METADATA.has(name))
    ? members.toSorted(([one], [other]) => Number(METADATA.has(other)) - Number(METADATA.has(one)))
    : members;

const METADATA: ReadonlySet<string> = new Set(['$id', '$type']);

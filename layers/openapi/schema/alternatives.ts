import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { isAnnotation } from './flat-schema.ts';
import { shortened, textOf } from './texts.ts';
import { valuesOf } from '../json-schema/types.ts';

/** What is left to choose from in an `anyOf`. */
export interface Alternatives {
  /** At least two, or none. */
  readonly anyOf: readonly Json[];
  /** The one that is left beside `null`, to be merged with its surroundings. */
  readonly only?: JsonObject;
  readonly orNull: boolean;
  /** Values instead, where every alternative was nothing but values: `{enum}`. */
  readonly values?: JsonObject;
  /** Whether there are more than can be shown: any value is taken then. */
  readonly isCut?: true;
  readonly notes: readonly string[];
}

const NONE: Alternatives = { anyOf: [], orNull: false, notes: [] };
const MAX_VALUE_NOTES = 600;
/** Nobody chooses among more, and no model could be shown them. */
const MAX_ALTERNATIVES = 500;

/**
 * Reads the `anyOf` of a flat schema. Alternatives that take anything make the list say nothing; so do
 * those that lead back to the schema itself. A list of values, each with its text, becomes an `enum`.
 */
export const alternativesOf = (
  flat: JsonObject,
  leadsBack: (alternative: Json) => boolean,
): Alternatives => {
  const given = member(flat, 'anyOf');
  const possible = (Array.isArray(given) ? given : []).filter((one) => one !== false);
  if (possible.length === 0 || possible.some(takesAnything)) return NONE;
  const others = possible.filter((one) => !isNull(one));
  const orNull = others.length < possible.length;
  const values = others.map(plainValues);
  if (others.length > 0 && values.every((list) => list !== undefined)) {
    const all = [...values.flat(), ...(orNull ? [null] : [])];
    return { ...NONE, values: { enum: all }, notes: valueNotes(others) };
  }
  if (possible.length > MAX_ALTERNATIVES) {
    const note = `Has one of ${possible.length} forms, too many to list.`;
    return { ...NONE, isCut: true, notes: [note] };
  }
  if (possible.some(leadsBack)) return NONE;
  const [only, ...more] = others;
  if (isObject(only) && more.length === 0 && !isReference(only)) return { ...NONE, only, orNull };
  return { ...NONE, anyOf: possible, orNull };
};

const takesAnything = (alternative: Json): boolean =>
  !isObject(alternative) || Object.keys(alternative).every(isAnnotation);

const isNull = (alternative: Json): boolean =>
  isObject(alternative) &&
  (member(alternative, 'type') === 'null' ||
    (valuesOf(alternative) ?? [1]).every((value) => value === null));

const isReference = (alternative: JsonObject): boolean =>
  typeof member(alternative, '$ref') === 'string';

/** The values, if the alternative is nothing but a list of plain ones. */
const plainValues = (alternative: Json): readonly Json[] | undefined => {
  if (!isObject(alternative)) return undefined;
  const isList = Object.keys(alternative).every(
    (key) => ['type', 'const', 'enum', 'format'].includes(key) || isAnnotation(key),
  );
  const values = isList ? valuesOf(alternative) : undefined;
  return values?.every((value) => typeof value !== 'object') ? values : undefined;
};

const valueNotes = (alternatives: readonly Json[]): readonly string[] => {
  const said = alternatives.filter(isObject).flatMap((alternative) => {
    const text = textOf(alternative, 'description') ?? textOf(alternative, 'title');
    const [value, ...more] = valuesOf(alternative) ?? [];
    const isTelling = text !== undefined && text !== value && more.length === 0;
    return isTelling ? [`${String(value)}: ${text.replaceAll('\n', ' ')}`] : [];
  });
  return said.length > 0 ? [shortened(said.join('; '), MAX_VALUE_NOTES)] : [];
};

import { type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { meantValues, namesValues } from '../frameworks/enum-names.ts';
import { readTypes, type TypeName } from '../json-schema/types.ts';
import { shortened, tidyText, valueList } from './texts.ts';

const MAX_VALUE_NOTES = 600;
const OR_EMPTY = 'Or the empty text.';

interface ValueKeywords {
  readonly isThere: boolean;
  readonly listed?: readonly Json[];
  readonly checked?: readonly Json[];
  readonly notes: readonly string[];
}

/**
 * An enum of strings alone is listed, with their meanings and the empty string in words. Any other enum is described in
 * words as a whole. Calls are validated against all values.
 * Source: Gemini API, its answers "enum: only allowed for STRING type" and "enum[0]: cannot be empty", as reported in
 * https://github.com/sbroenne/mcp-server-excel/issues/607; docs/tools.md, "Input schema".
 */
export const valueKeywords = (
  schema: JsonObject,
  values: readonly Json[] | undefined,
): ValueKeywords => {
  if (!values) return { isThere: false, notes: knownValues(schema) };
  const meant = namesValues(schema) ? meantValues(schema) : [];
  const meanings = new Map(meant.map(([value, text]) => [String(value), text]));
  const texts = values.filter((value) => typeof value === 'string');
  const others = values.filter((value) => value !== null);
  const listed = texts.filter((value) => value !== '');
  if (texts.length === others.length && listed.length > 0) {
    const said = listed.flatMap((value) => {
      const meaning = meanings.get(value);
      return meaning === undefined ? [] : [`${value}: ${meaning}`];
    });
    const words = said.length > 0 ? [shortened(said.join('; '), MAX_VALUE_NOTES)] : [];
    return {
      isThere: true,
      listed,
      ...(listed.length < values.length && { checked: values }),
      notes: listed.length < texts.length ? [...words, OR_EMPTY] : words,
    };
  }
  const spoken = others.length > 0 ? others : values;
  if (spoken.every((value) => isTold(schema, value, meanings.get(String(value))))) {
    return { isThere: true, checked: values, notes: [] };
  }
  const said = spoken.map((value) => {
    const meaning = meanings.get(String(value));
    const text = typeof value === 'string' ? JSON.stringify(value) : valueList([value], 1);
    return meaning === undefined ? text : `${text} (${meaning})`;
  });
  const words = said.length === 1 ? `Always ${said.join()}.` : `One of ${said.join(', ')}.`;
  return { isThere: true, checked: values, notes: [shortened(words, MAX_VALUE_NOTES)] };
};

/** Characters. In longer descriptions the meanings may be cut. */
const MAX_TELLING = 400;

/** Separator of a value and its meaning: `0 = draft`, "* `1` - Low". */
const MEANS = /^[`'")\]*]{0,3} {0,2}[-–—=:]/;

const isTold = (schema: JsonObject, value: Json, meaning: string | undefined): boolean => {
  const text = tidyText(schema, 'description') ?? '';
  if (text.length > MAX_TELLING) return false;
  const written = String(value);
  const isMeaning = (at: number): boolean =>
    !/[\w.-]/.test(text.charAt(at - 1)) && MEANS.test(text.slice(at + written.length));
  const places = text.split(written).slice(0, -1);
  let at = 0;
  const isThere = places.some((before, index) => {
    at += before.length + (index === 0 ? 0 : written.length);
    return isMeaning(at);
  });
  return isThere && (meaning === undefined || text.includes(meaning));
};

const MOST_KNOWN = 20;

/** Values of an open enum. Source: Zalando RESTful API Guidelines, `x-extensible-enum`. */
const knownValues = (schema: JsonObject): readonly string[] => {
  const known = member(schema, 'x-extensible-enum');
  const values = Array.isArray(known) ? known.filter((one) => typeof one !== 'object') : [];
  return values.length > 0 ? [`Known values: ${valueList(values, MOST_KNOWN)}.`] : [];
};

/** `0 = Draft`, as filters for enums write a number with its name. */
const NUMBERED = /^(-?\d{1,15}) ?[=:] ?(\S.*)$/;

/** Splits strings with numbers and names into enum values and names. */
export const withNumbers = (schema: JsonObject): JsonObject => {
  const values = member(schema, 'enum');
  if (!Array.isArray(values) || !readTypes(schema).some((type) => NUMBERS.includes(type)))
    return schema;
  const pairs = values.map((value) => (typeof value === 'string' ? NUMBERED.exec(value) : null));
  if (values.length === 0 || pairs.includes(null)) return schema;
  return {
    ...schema,
    enum: pairs.map((pair) => Number(pair?.[1])),
    'x-enumNames': pairs.map((pair) => pair?.[2] ?? ''),
  };
};

const NUMBERS: readonly TypeName[] = ['integer', 'number'];

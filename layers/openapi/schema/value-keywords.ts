import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import { meantValues, namesValues } from '../frameworks/enum-names.ts';
import { shortened, valueList } from './texts.ts';

const MAX_VALUE_NOTES = 600;
const OR_EMPTY = 'Or the empty text.';

/** The values of a schema as models are shown them, and as calls are held against them. */
interface ValueKeywords {
  readonly isThere: boolean;
  readonly listed?: readonly Json[];
  readonly checked?: readonly Json[];
  readonly notes: readonly string[];
}

/**
 * Values that are texts are listed, with their meanings in words; all values of others stand in words, and are checked. The
 * empty text is among the others.
 *
 * Source: Gemini API, its answers "enum: only allowed for STRING type" and "enum[0]: cannot be empty", as reported in
 * https://github.com/sbroenne/mcp-server-excel/issues/607; docs/tools.md, "Input schema".
 */
export const valueKeywords = (
  schema: JsonObject,
  values: readonly Json[] | undefined,
): ValueKeywords => {
  if (!values) return { isThere: false, notes: [] };
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
  const said = (others.length > 0 ? others : values).map((value) => {
    const meaning = meanings.get(String(value));
    const text = typeof value === 'string' ? JSON.stringify(value) : valueList([value], 1);
    return meaning === undefined ? text : `${text} (${meaning})`;
  });
  const words = said.length === 1 ? `Always ${said.join()}.` : `One of ${said.join(', ')}.`;
  return { isThere: true, checked: values, notes: [shortened(words, MAX_VALUE_NOTES)] };
};

import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import { meantValues, namesValues } from '../frameworks/enum-names.ts';
import { shortened, valueList } from './texts.ts';

const MAX_VALUE_NOTES = 600;

/** The values of a schema as models are shown them, and as calls are held against them. */
interface ValueKeywords {
  readonly isThere: boolean;
  readonly listed?: readonly Json[];
  readonly checked?: readonly Json[];
  readonly notes: readonly string[];
}

/**
 * Values that are texts are listed, with their meanings in words; others are told in words altogether, and checked.
 *
 * Source: Gemini API, its answer "enum: only allowed for STRING type"; docs/tools.md, "Input schema".
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
  if (texts.length === others.length) {
    const said = texts.flatMap((value) => {
      const meaning = meanings.get(value);
      return meaning === undefined ? [] : [`${value}: ${meaning}`];
    });
    return {
      isThere: true,
      listed: texts,
      ...(texts.length < values.length && { checked: values }),
      notes: said.length > 0 ? [shortened(said.join('; '), MAX_VALUE_NOTES)] : [],
    };
  }
  const said = others.map((value) => {
    const meaning = meanings.get(String(value));
    const text = typeof value === 'string' ? JSON.stringify(value) : valueList([value], 1);
    return meaning === undefined ? text : `${text} (${meaning})`;
  });
  const words = said.length === 1 ? `Always ${said.join()}.` : `One of ${said.join(', ')}.`;
  return { isThere: true, checked: values, notes: [shortened(words, MAX_VALUE_NOTES)] };
};

import { type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { LinkedSchema } from './linked-schema.ts';
import { defaultOf } from './scalar-keywords.ts';
import { textOf } from './texts.ts';
import { isOneOf, type TypeName } from '../json-schema/types.ts';
import { hasLostDigits } from './read-values.ts';

const MAX_EXAMPLE = 120;

/** What a schema or a parameter says in words, and its default. */
export const annotationsOf = (schema: JsonObject, types: readonly TypeName[]): LinkedSchema => {
  const description = textOf(schema, 'description');
  const example = exampleOf(schema, types);
  const value = defaultOf(schema, types);
  return {
    ...(description !== undefined && { description }),
    ...(member(schema, 'deprecated') === true && { notes: ['Deprecated.'] }),
    ...(example !== undefined && { example }),
    keywords: value === undefined ? {} : { default: value },
  };
};

/** A wrong one would mislead. */
const exampleOf = (schema: JsonObject, types: readonly TypeName[]): Json | undefined => {
  const many = member(schema, 'examples');
  const example = member(schema, 'example') ?? (Array.isArray(many) ? many[0] : undefined);
  if (example === undefined || example === null || example === '') return undefined;
  if (hasLostDigits(example)) return undefined;
  const isFit = isOneOf(types, example) && JSON.stringify(example).length <= MAX_EXAMPLE;
  return isFit ? example : undefined;
};

import type { Change } from '../../tool-note.ts';
import { isObject, type Json, type JsonObject, member } from '../document.ts';
import type { LinkedSchema } from './linked-schema.ts';
import { rulesOf } from './rules-in-words.ts';
import { defaultOf } from './scalar-keywords.ts';
import { listed, shortened, textOf } from './texts.ts';
import { hasLostDigits, isOneOf, type TypeName } from './types.ts';

const MAX_EXAMPLE = 120;
const MAX_NAMED_KINDS = 20;

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

/** Which values the alternatives go by; without a mapping their own schemas tell. */
export const discriminatorNote = (schema: JsonObject): readonly string[] => {
  const discriminator = member(schema, 'discriminator');
  const name = isObject(discriminator) ? textOf(discriminator, 'propertyName') : undefined;
  const mapping = isObject(discriminator) ? member(discriminator, 'mapping') : undefined;
  if (name === undefined || !isObject(mapping)) return [];
  const kinds = listed(Object.keys(mapping), MAX_NAMED_KINDS);
  return [`${shortened(`${name} tells which kind it is: ${kinds}`, 300)}.`];
};

/** What the two say in words that the description says in keywords. */
export const wordChanges = (schema: JsonObject): readonly Change[] => {
  const rules = rulesOf(schema);
  return [
    ...(discriminatorNote(schema).length > 0
      ? [{ what: 'the discriminator is told in words', why: 'JSON Schema has none' }]
      : []),
    ...(rules.length > 0
      ? [{ what: `${rules.join(', ')} told in words`, why: 'model APIs do not know such rules' }]
      : []),
  ];
};

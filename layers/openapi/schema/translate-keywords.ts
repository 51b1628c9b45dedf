import { type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { PatternReader } from '../json-schema/safe-pattern.ts';
import type { Change } from '../tool-note.ts';
import { type Alternatives, alternativesOf } from './alternatives.ts';
import { annotationsOf } from './annotations.ts';
import { arrayKeywords } from './array-keywords.ts';
import { constraintsInWords, describeConstraints } from './describe-constraints.ts';
import { discriminatorNote } from './discriminator.ts';
import type { FlatSchemas } from './flat-schema.ts';
import type { LinkedSchema } from './linked-schema.ts';
import { listOf, merge } from './merge-schemas.ts';
import { objectKeywords } from './object-keywords.ts';
import { scalarKeywords } from './scalar-keywords.ts';
import { isNullable, readTypes } from './read-types.ts';

/** How the schemas around and inside of the one that is translated are read. */
export interface SchemaReader {
  readonly flats: FlatSchemas;
  readonly safePattern: PatternReader;
  readonly translate: (schema: Json | undefined) => LinkedSchema;
  /** What the alternatives of a schema become, and those that it has by being a base of others. */
  readonly translateAlternatives: (
    origin: JsonObject,
    schema: JsonObject,
    alternatives: readonly Json[],
  ) => { readonly anyOf: readonly LinkedSchema[]; readonly notes: readonly string[] };
  /** Told of a schema that is composed of too much to be translated as a whole. */
  readonly onCut: (origin: JsonObject) => void;
}

/**
 * Translates the keywords of a schema that is no mere reference.
 *
 * @param origin - the schema as the description has it
 * @param flat - the same with its `$ref` followed and its `allOf` merged
 */
export const translateKeywords = (
  reader: SchemaReader,
  origin: JsonObject,
  flat: JsonObject,
): LinkedSchema => {
  const { flats, safePattern, translate } = reader;
  const choice = alternativesOf(flat, (alternative) =>
    flats.alternativeLeadsBack(alternative, origin),
  );
  if (choice.only)
    return translateKeywords(reader, origin, withOnlyAlternative(flats, flat, choice));

  const schema = choice.values ? { ...flat, ...allowedValues(flat, choice.values) } : flat;
  const types = readTypes(schema);
  const scalars = scalarKeywords(schema, types, safePattern);
  const annotations = annotationsOf(schema, types);
  const allOf = listOf(member(schema, 'allOf')).map(translate);
  const alternatives = reader.translateAlternatives(origin, schema, choice.anyOf);
  const orNull = alternatives.anyOf.length > 0 && isNullable(schema) && !choice.orNull;
  const anyOf = [...alternatives.anyOf, ...(orNull ? [NULL] : [])];
  const isOpen = anyOf.length + allOf.length + alternatives.notes.length > 0;
  const object = types.includes('object') ? objectKeywords(reader, schema, isOpen) : undefined;
  const array = types.includes('array') ? arrayKeywords(translate, schema) : undefined;
  const notes = [
    ...(annotations.notes ?? []),
    ...scalars.notes,
    ...choice.notes,
    ...alternatives.notes,
    ...discriminatorNote(schema),
    ...describeConstraints(schema),
  ];
  const isCut = choice.isCut === true || flats.isCut(origin);
  if (isCut) reader.onCut(origin);
  const changes = [
    ...(isCut ? [CUT] : []),
    ...(listOf(member(origin, 'allOf')).length > 0 ? [MERGED] : []),
    ...(anyOf.length > 0 && Object.hasOwn(origin, 'oneOf') ? [EITHER] : []),
    ...(object?.changes ?? []),
    ...scalars.changes,
    ...changesInWords(schema),
  ];
  return {
    ...annotations,
    ...object?.schemas,
    ...array?.schemas,
    ...(notes.length > 0 ? { notes } : {}),
    ...(changes.length > 0 ? { changes } : {}),
    keywords: {
      ...scalars.keywords,
      ...object?.keywords,
      ...array?.keywords,
      // The notes tell of properties that no alternative has.
      ...(alternatives.notes.length > 0 ? { additionalProperties: true } : {}),
    },
    ...(anyOf.length > 0 ? { anyOf } : {}),
    ...(allOf.length > 0 ? { allOf } : {}),
  };
};

export const NULL: LinkedSchema = { keywords: { type: 'null' } };

/** The schema with the one alternative that is left beside `null` merged into it. */
const withOnlyAlternative = (
  { flat: flatten }: FlatSchemas,
  flat: JsonObject,
  { only = {}, orNull }: Alternatives,
): JsonObject => {
  const { anyOf: _, allOf, ...rest } = flat;
  const nullable = orNull ? { nullable: true } : {};
  return flatten({ ...rest, ...nullable, allOf: [...listOf(allOf), only] });
};

/** Of the values of the alternatives those that the schema itself allows, if it lists any. */
const allowedValues = ({ enum: own }: JsonObject, values: JsonObject): JsonObject =>
  own === undefined ? values : merge({ enum: own }, values);

const CUT: Change = {
  what: 'taken for any value',
  why: 'it is composed of more than 500 alternatives, or more than 100 levels deep',
};

const MERGED: Change = {
  what: 'allOf is merged',
  why: 'models fill one schema more surely than several that hold together',
};

const EITHER: Change = {
  what: 'oneOf has become anyOf',
  why: 'model APIs know anyOf; where alternatives overlap, oneOf would refuse what the API takes',
};

/** Keywords that have become words. */
const changesInWords = (schema: JsonObject): readonly Change[] => {
  const constraints = constraintsInWords(schema);
  return [
    ...(discriminatorNote(schema).length > 0
      ? [{ what: 'the discriminator is described in words', why: 'JSON Schema has none' }]
      : []),
    ...(constraints.length > 0
      ? [
          {
            what: `${constraints.join(', ')} described in words`,
            why: 'model APIs do not know such rules',
          },
        ]
      : []),
  ];
};

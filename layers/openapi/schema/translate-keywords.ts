import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listMember, listOf, objectMember, objectOf } from '../../platform/rules/json/members.ts';
import type { PatternReader } from '../json-schema/safe-pattern.ts';
import type { Change } from '../tool-note.ts';
import { annotationsOf, arrayKeywords, objectKeywords, scalarKeywords } from './keywords.ts';
import { discriminatorNote } from './subtypes.ts';
import { type FlatSchemas, isAnnotation, merge } from './flat-schema.ts';
import { type LinkedSchema, withoutBrokenPattern } from './linked-schema.ts';
import { isNullable, numberOf, readTypes, valuesOf } from '../json-schema/types.ts';
import { shortened, tidyText, valueList } from './texts.ts';
import { withNumbers } from './value-keywords.ts';

export interface SchemaReader {
  readonly flats: FlatSchemas;
  readonly safePattern: PatternReader;
  readonly translate: (schema: Json | undefined) => LinkedSchema;
  readonly translateAlternatives: (
    origin: JsonObject,
    schema: JsonObject,
    alternatives: readonly Json[],
  ) => { readonly anyOf: readonly LinkedSchema[]; readonly notes: readonly string[] };
  /** Called for each schema that is composed of too many others to be translated completely. */
  readonly onCut: (origin: JsonObject) => void;
}

/**
 * Translates a schema that is no mere reference.
 * @param origin - the schema as described
 * @param flat - the same with its `$ref` followed and `allOf` merged
 */
export const translateKeywords = (
  reader: SchemaReader,
  origin: JsonObject,
  flat: JsonObject,
): LinkedSchema => {
  const { flats, safePattern, translate } = reader;
  if (isNullAsText(flat)) return { ...annotationsOf(flat, []), ...NULL };
  const choice = alternativesOf(flats, flat, (alternative) =>
    flats.alternativeLeadsBack(alternative, origin),
  );
  if (choice.only)
    return translateKeywords(reader, origin, withOnlyAlternative(flats, flat, choice));

  const schema = withNumbers(
    choice.values ? { ...flat, ...allowedValues(flat, choice.values) } : flat,
  );
  const types = readTypes(schema);
  const scalars = scalarKeywords(schema, types, safePattern);
  const annotations = annotationsOf(schema, types);
  const allOf = listMember(schema, 'allOf').map(translate);
  const alternatives = reader.translateAlternatives(origin, schema, choice.anyOf);
  const orNull = alternatives.anyOf.length > 0 && isNullable(schema) && !choice.orNull;
  const anyOf = [...alternatives.anyOf, ...(orNull ? [NULL] : [])];
  const isOpen = anyOf.length + allOf.length + alternatives.notes.length > 0;
  const object = types.includes('object') ? objectKeywords(reader, schema, isOpen) : undefined;
  const array = types.includes('array') ? arrayKeywords(reader, schema) : undefined;
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
    ...(listMember(origin, 'allOf').length > 0 ? [MERGED] : []),
    ...(anyOf.length > 0 && Object.hasOwn(origin, 'oneOf') ? [EITHER] : []),
    ...(object?.changes ?? []),
    ...scalars.changes,
    ...changesInWords(schema),
  ];
  return withoutBrokenPattern({
    ...annotations,
    ...object?.schemas,
    ...array?.schemas,
    ...(notes.length > 0 ? { notes } : {}),
    ...(changes.length > 0 ? { changes } : {}),
    ...(scalars.unlisted && { unlisted: scalars.unlisted }),
    keywords: {
      ...scalars.keywords,
      ...object?.keywords,
      ...array?.keywords,
      // Subtypes that the notes only name have further properties.
      ...(alternatives.notes.length > 0 ? { additionalProperties: true } : {}),
    },
    ...(anyOf.length > 0 ? { anyOf } : {}),
    ...(allOf.length > 0 ? { allOf } : {}),
  });
};

export const NULL: LinkedSchema = { keywords: { type: 'null' } };

/** Merges the only alternative beside `null` into the schema. */
const withOnlyAlternative = (
  { flat: flatten }: FlatSchemas,
  flat: JsonObject,
  { only = {}, orNull }: Alternatives,
): JsonObject => {
  const { anyOf: _, allOf, ...rest } = flat;
  const nullable = orNull ? { nullable: true } : {};
  return flatten({ ...rest, ...nullable, allOf: [...listOf(allOf), only] });
};

/** Values of the alternatives, limited to the schema's own enum. */
const allowedValues = ({ enum: own }: JsonObject, values: JsonObject): JsonObject =>
  own === undefined ? values : merge({ enum: own }, values);

const CUT: Change = {
  what: 'any value is accepted',
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

interface Alternatives {
  /** At least two alternatives, or none. */
  readonly anyOf: readonly Json[];
  /** The only alternative beside `null`, to be merged. */
  readonly only?: JsonObject;
  readonly orNull: boolean;
  /** An enum, where every alternative consisted of values only. */
  readonly values?: JsonObject;
  /** Whether there are too many to show: any value is then accepted. */
  readonly isCut?: true;
  readonly notes: readonly string[];
}

const NONE: Alternatives = { anyOf: [], orNull: false, notes: [] };
const MAX_VALUE_NOTES = 600;
/** Limit for alternatives: more can neither be shown to a model nor chosen from. */
const MAX_ALTERNATIVES = 500;

/**
 * Reads the `anyOf` of a flat schema. It is empty if an alternative accepts anything or leads back to the schema.
 * Alternatives that are nothing but values become one enum.
 */
const alternativesOf = (
  flats: FlatSchemas,
  flat: JsonObject,
  leadsBack: (alternative: Json) => boolean,
): Alternatives => {
  const possible = listMember(flat, 'anyOf')
    .filter((one) => one !== false)
    .map((one) => valuesBehind(flats, one));
  if (possible.length === 0 || possible.some(takesAnything)) return NONE;
  const others = possible.filter((one) => !isNull(one));
  const orNull = others.length < possible.length;
  const values = others.map(plainValues);
  const [kind, ...telling] = others.filter((_, at) => values[at]?.some((v) => v !== '') !== false);
  if (telling.length === 0 && isObject(kind) && others.length > 1) {
    const [{ const: _, ...more }, its] = [kind, plainValues(kind)];
    if (its?.every((value) => typeof value === 'string'))
      return { ...NONE, only: { ...more, enum: [...its, ''] }, orNull };
  }
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

/** Resolves references to mere values, as Django REST Framework describes choices, blank and null. */
const valuesBehind = (flats: FlatSchemas, alternative: Json): Json => {
  if (!isObject(alternative) || !isReference(alternative)) return alternative;
  const whole = flats.flat(alternative);
  return isNull(whole) || plainValues(whole) ? whole : alternative;
};

const takesAnything = (alternative: Json): boolean =>
  !isObject(alternative) ||
  (Object.keys(alternative).every(isAnnotation) && !isNullAlone(alternative));

/** `{nullable: true}` as an alternative of its own. Source: zod-to-openapi, README, "Supported types". */
const isNullAlone = (alternative: JsonObject): boolean =>
  isNullable(alternative) && Object.keys(alternative).length === 1;

const isNull = (alternative: Json): boolean =>
  isObject(alternative) &&
  (member(alternative, 'type') === 'null' ||
    isNullAsText(alternative) ||
    isNullAlone(alternative) ||
    (valuesOf(alternative) ?? [1]).every((value) => value === null));

/**
 * `z.null()` as zod's converters write it for OpenAPI 3.0, which has no null type.
 * Source: zod-to-json-schema, parsers/null.ts; zod-openapi, create/schema/parsers/null.ts.
 */
const isNullAsText = (alternative: JsonObject): boolean => {
  if (!isNullable(alternative)) return false;
  const values = member(alternative, 'enum');
  const isOnlyNull =
    Array.isArray(values) &&
    values.length > 0 &&
    (values.every((value) => value === null) || (values.length === 1 && values[0] === 'null'));
  return isOnlyNull || (member(alternative, 'format') === 'null' && values === undefined);
};

const isReference = (alternative: JsonObject): boolean =>
  typeof member(alternative, '$ref') === 'string';

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
    const [value, ...more] = valuesOf(alternative) ?? [];
    const [title, description] = ['title', 'description'].map((key) => tidyText(alternative, key));
    const isNamed = typeof value === 'number' && title !== undefined && description !== undefined;
    const text = isNamed ? `${title}, ${description}` : (description ?? title);
    const isTelling = text !== undefined && text !== value && more.length === 0;
    return isTelling ? [`${String(value)}: ${text.replaceAll('\n', ' ')}`] : [];
  });
  return said.length > 0 ? [shortened(said.join('; '), MAX_VALUE_NOTES)] : [];
};

/** Keywords that no model API supports, and that renamed or omitted properties would falsify. */
const CONSTRAINTS = [
  'not',
  'if',
  'contains',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
] as const;
type Constraint = (typeof CONSTRAINTS)[number];

const MOST_NAMED = 8;
const MAX_SENTENCE = 200;

const constraintsInWords = (schema: JsonObject): readonly Constraint[] =>
  CONSTRAINTS.filter((keyword) => Object.hasOwn(schema, keyword));

const describeConstraints = (schema: JsonObject): readonly string[] => {
  const said: string[] = [];
  const unsaid: string[] = [];
  for (const keyword of constraintsInWords(schema)) {
    const words = SENTENCES[keyword]?.(member(schema, keyword) ?? null, schema);
    if (words === undefined) unsaid.push(keyword);
    else said.push(...words.map((text) => shortened(text, MAX_SENTENCE)));
  }
  return [
    ...said,
    ...(unsaid.length > 0 ? [`The API checks further rules (${unsaid.join(', ')}).`] : []),
  ];
};

type InWords = (value: Json, schema: JsonObject) => readonly string[] | undefined;

const dependent: InWords = (rule) => {
  const entries = Object.entries(objectOf(rule));
  const sentences = entries.slice(0, MOST_NAMED).map(([name, needed]) => {
    const names = namesIn(needed);
    return names && `If ${name} is given, ${areRequired(names)}.`;
  });
  return entries.length <= MOST_NAMED ? complete(sentences) : undefined;
};

const SENTENCES: Readonly<Partial<Record<Constraint, InWords>>> = {
  dependentRequired: dependent,
  dependencies: dependent,

  not: (rule) => {
    if (!isObject(rule)) return undefined;
    const values = onlyKeys(rule, 'type', 'const', 'enum') ? valuesOf(rule) : undefined;
    if (values) return [`Not: ${valueList(values, MOST_NAMED)}.`];
    const names = onlyKeys(rule, 'type', 'required') ? namesIn(rule['required']) : undefined;
    if (!names) return undefined;
    return [names.length === 1 ? `Not with ${names.join()}.` : `Not together: ${said(names)}.`];
  },

  if: (condition, schema) => {
    const when = conditionIn(condition);
    const branches = (['then', 'else'] as const).flatMap((branch) => {
      const consequence = member(schema, branch);
      return consequence === undefined || isEmpty(consequence) ? [] : [{ branch, consequence }];
    });
    if (when === undefined || branches.length === 0) return undefined;
    return complete(
      branches.map(({ branch, consequence }) => {
        const isPlain = isObject(consequence) && onlyKeys(consequence, 'type', 'required');
        const names = isPlain ? namesIn(consequence['required']) : undefined;
        return names && `${branch === 'then' ? 'If' : 'Unless'} ${when}, ${areRequired(names)}.`;
      }),
    );
  },

  propertyNames: (rule) => {
    if (!isObject(rule)) return undefined;
    const values = onlyKeys(rule, 'type', 'const', 'enum') ? valuesOf(rule) : undefined;
    if (values) return [`Names: ${valueList(values, 3 * MOST_NAMED)}.`];
    if (!onlyKeys(rule, 'type', 'pattern', 'minLength', 'maxLength')) return undefined;
    const { pattern } = rule;
    const [least, most] = [numberOf(rule['minLength']), numberOf(rule['maxLength'])];
    return [
      ...(typeof pattern === 'string' ? [`Names match ${pattern}.`] : []),
      ...(least === undefined ? [] : [`Names have at least ${least} characters.`]),
      ...(most === undefined ? [] : [`Names have at most ${most} characters.`]),
    ];
  },

  contains: (rule, schema) => {
    const values = isObject(rule) && onlyKeys(rule, 'type', 'const', 'enum') && valuesOf(rule);
    if (!values) return undefined;
    const least = numberOf(member(schema, 'minContains')) ?? 1;
    const most = numberOf(member(schema, 'maxContains'));
    const atMost = most === undefined ? '' : `, at most ${most}`;
    return [`At least ${least}${atMost} of the items: ${valueList(values, MOST_NAMED)}.`];
  },
};

/** A condition in words: `kind is cat`, or `name is given`. */
const conditionIn = (condition: Json): string | undefined => {
  if (!isObject(condition) || !onlyKeys(condition, 'type', 'properties', 'required')) {
    return undefined;
  }
  const cases = Object.entries(objectMember(condition, 'properties')).map(([name, value]) => {
    const isPlain = isObject(value) && onlyKeys(value, 'type', 'const', 'enum');
    const values = isPlain ? valuesOf(value) : undefined;
    return values && `${name} is ${values.map((one) => valueList([one], 1)).join(' or ')}`;
  });
  if (cases.some((one) => one === undefined)) return undefined;
  if (cases.length > 0) return cases.join(' and ');
  const names = namesIn(condition['required']);
  return names && `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} given`;
};

const areRequired = (names: readonly string[]): string =>
  `${said(names)} ${names.length === 1 ? 'is' : 'are'} required`;

const said = (names: readonly string[]): string => valueList(names, MOST_NAMED);

const namesIn = (list: Json | undefined): readonly string[] | undefined => {
  const names = listOf(list).filter((name) => typeof name === 'string');
  return names.length > 0 ? names : undefined;
};

const onlyKeys = (schema: JsonObject, ...keywords: readonly string[]): boolean =>
  Object.keys(schema).every((key) => keywords.includes(key) || isAnnotation(key));

const isEmpty = (schema: Json): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));

/** All sentences or none: half a rule misleads. */
const complete = (sentences: readonly (string | undefined)[]): readonly string[] | undefined => {
  const whole = sentences.filter((sentence) => sentence !== undefined);
  return whole.length === sentences.length && whole.length > 0 ? whole : undefined;
};

import type { ArgumentRule, BodySource } from '../tool-index.ts';
import type { Change } from '../tool-note.ts';
import { annotationsOf } from '../schema/keywords.ts';
import { bodyArgumentName } from './argument-names.ts';
import type { Body } from './body.ts';
import { bodyRules } from './body-rules.ts';
import type { Argument } from './argument.ts';
import {
  annotated,
  hasDefault,
  type LinkedSchema,
  partsOf,
  typesOf,
} from '../schema/linked-schema.ts';
import { describedAsRequired } from '../schema/texts.ts';
import type { Schemas } from '../schema/translate-schemas.ts';

/** How a body stands among the arguments. */
export interface BodyArguments {
  readonly source: BodySource;
  readonly args: readonly Argument[];
  /** What the root of the arguments cannot say, for the tool's description. */
  readonly notes: readonly string[];
  /** The same for the router to check. */
  readonly rules: readonly ArgumentRule[];
  /** What the description says of the body otherwise. */
  readonly changes: readonly Change[];
}

/**
 * The properties of a body that is an object become arguments of their own. The body stays in one
 * piece, as one argument, where that would not be exact: no object, or one of a choice of objects; a
 * property with the name of a parameter; rules for further properties; and a body that may be left
 * out as a whole while some of its properties are required if it is there.
 *
 * What a body that is merged requires of its members is told, but not enforced: who changes one member
 * sends that one.
 *
 * Source: docs/tools.md, "Body as arguments".
 */
export const bodyArguments = (
  schemas: Schemas,
  method: string,
  body: Body,
  taken: ReadonlySet<string>,
): BodyArguments => {
  const object = schemas.translateTarget(body.schema);
  const choice = requiredChoice(object);
  const properties = object.properties ?? [];
  const required = new Set(namesIn(object.keywords['required']));
  const obstacle = [
    ...(isPlainObject(object, choice !== undefined) ? [] : [NO_PLAIN_OBJECT]),
    ...(body.required || required.size === 0 ? [] : [LEFT_OUT_WHOLE]),
    ...(properties.every(({ name }) => !taken.has(name)) ? [] : [SAME_NAMES]),
  ][0];
  if (!['json', 'form', 'multipart'].includes(body.form)) return inOnePiece(schemas, body, taken);
  const merged = isMerged(method, body, object);
  const asMerged = merged ? ({ isMerged: true } as const) : {};
  const mergedChanges = merged ? [MERGED] : [];
  if (obstacle !== undefined) {
    const { args, ...rest } = inOnePiece(schemas, body, taken, [whole(obstacle), ...mergedChanges]);
    return { ...rest, args: args.map((argument) => ({ ...argument, ...asMerged })) };
  }
  const needed = properties
    .filter(({ name, schema }) => required.has(name) && !hasDefault(schemas, schema))
    .map(({ name }) => name);

  const { minProperties, maxProperties, additionalProperties } = object.keywords;
  const isAdditional = additionalProperties === true;
  return {
    source: {
      kind: 'properties',
      properties: properties.map(({ name, wireName }) => ({ argument: name, name: wireName })),
      additional: isAdditional,
    },
    args: properties.map(({ name, wireName, schema }) => ({
      name,
      ...asMerged,
      required: !merged && needed.includes(name),
      schema:
        name === wireName
          ? schema
          : annotated(schema, { notes: [`Sent as ${JSON.stringify(wireName)}.`], keywords: {} }),
    })),
    notes: [
      ...(merged && needed.length > 0 ? [describedAsRequired(needed)] : []),
      ...(choice === undefined ? [] : [`Give at least one of: ${inWords(choice)}.`]),
      ...(minProperties === undefined
        ? []
        : [`The body needs at least ${String(minProperties)} fields.`]),
      ...(maxProperties === undefined
        ? []
        : [`The body has at most ${String(maxProperties)} fields.`]),
      ...(isAdditional ? ['Further arguments become fields of the body.'] : []),
      ...(object.notes ?? []).filter((note) => note !== 'Deprecated.'),
    ],
    rules: bodyRules(schemas, body, object, choice).filter(
      ({ kind }) => !(merged && kind === 'needs'),
    ),
    changes: [
      ...(object.changes ?? []),
      SPREAD,
      ...mergedChanges,
      ...(choice === undefined ? [] : [CHOICE]),
    ],
  };
};

const SPREAD: Change = {
  what: 'the fields of the body are arguments of their own',
  why: 'models fill flat arguments more surely',
};

const MERGED: Change = {
  what: 'what the body requires is told, but not enforced',
  why: 'a PATCH changes what it is given, and only the API knows what it can do without',
};

/** Whether members of a body are put into what is there: not so the steps of a JSON Patch. Source: RFC 5789 §2. */
const isMerged = (method: string, { mediaType }: Body, schema: LinkedSchema): boolean => {
  const types = typesOf(schema);
  const isObject = types.length === 0 ? schema.items === undefined : types.includes('object');
  return method === 'PATCH' && isObject && !/json-patch/i.test(mediaType);
};

const CHOICE: Change = {
  what: 'which fields are required is described in words',
  why: 'no model API takes alternatives at the root of the arguments',
};

const NO_PLAIN_OBJECT = 'it is no object of named fields alone';
const LEFT_OUT_WHOLE = 'it may be left out as a whole, but has fields that are required';
const SAME_NAMES = 'a parameter has the name of one of its fields';

const whole = (why: string): Change => ({ what: 'the body is one argument', why });

const inOnePiece = (
  schemas: Schemas,
  body: Body,
  taken: ReadonlySet<string>,
  changes: readonly Change[] = [],
): BodyArguments => {
  const argument = bodyArgumentName(taken);
  const { description } = body;
  const texts = annotationsOf(description === undefined ? {} : { description }, []);
  const schema = annotated(schemas.translate(body.schema), { ...texts, notes: body.notes });
  return {
    source: { kind: 'whole', argument },
    args: [{ name: argument, required: body.required, schema, isBody: true }],
    notes: [],
    rules: [],
    changes,
  };
};

/** An object whose properties are all there is to say, besides what notes can tell. */
const isPlainObject = (schema: LinkedSchema, isChoiceTold: boolean): boolean => {
  const { keywords, properties = [], patternProperties = [] } = schema;
  const types = typesOf(schema);
  return (
    types.length === 1 &&
    types[0] === 'object' &&
    properties.length > 0 &&
    patternProperties.length === 0 &&
    schema.additionalProperties === undefined &&
    schema.items === undefined &&
    schema.prefixItems === undefined &&
    schema.allOf === undefined &&
    (schema.anyOf === undefined || isChoiceTold) &&
    keywords['enum'] === undefined &&
    keywords['default'] === undefined
  );
};

/**
 * A choice that is no more than which properties are required: these, or these, or these. Undefined for
 * any other choice.
 */
const requiredChoice = ({
  properties = [],
  anyOf,
}: LinkedSchema): readonly (readonly string[])[] | undefined => {
  const known = new Set(properties.map(({ name }) => name));
  const alternatives = anyOf?.map((alternative) => {
    const { keywords, properties: named = [] } = alternative;
    const isBare =
      alternative.ref === undefined &&
      Object.keys(keywords).every((keyword) => keyword === 'type' || keyword === 'required') &&
      named.every(({ name, schema }) => known.has(name) && isEmpty(schema));
    return isBare ? namesIn(keywords['required']) : [];
  });
  return alternatives?.some((names) => names.length === 0) ? undefined : alternatives;
};

/** `title; body + labels` */
const inWords = (sets: readonly (readonly string[])[]): string =>
  sets.map((names) => names.join(' + ')).join('; ');

const isEmpty = (schema: LinkedSchema): boolean =>
  schema.ref === undefined &&
  Object.keys(schema.keywords).length === 0 &&
  partsOf(schema).length === 0;

const namesIn = (required: unknown): readonly string[] =>
  Array.isArray(required) ? required.map(String) : [];

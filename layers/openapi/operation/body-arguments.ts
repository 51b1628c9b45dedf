import type { ArgumentRule, OperationBody } from '../tool-index.ts';
import type { Change } from '../tool-note.ts';
import { annotationsOf } from '../schema/keywords.ts';
import type { Body } from './body.ts';
import {
  ASKS_FOR_EMPTY,
  CHANGING,
  EMPTY,
  isEmptyAllowed,
  NEEDED,
  SENT_EMPTY,
} from './empty-body.ts';
import {
  annotated,
  checkedKeywords,
  constantIn,
  defaultIn,
  hasDefault,
  type LinkedProperty,
  type LinkedSchema,
  partsOf,
  typesOf,
} from '../schema/linked-schema.ts';
import {
  describedAsRequired,
  isForeign,
  propertyName,
  propertyNameApart,
  propertyNameWithHash,
  sentAsNote,
  sentences,
} from '../schema/texts.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { isObject, type Json } from '../../platform/rules/json/json.ts';
import { listOf, objectMember } from '../../platform/rules/json/members.ts';
import type { Parameter } from './encodings.ts';

interface BodyArguments {
  readonly sending: Pick<OperationBody, 'emptyArgument' | 'emptyObject' | 'required' | 'source'>;
  readonly args: readonly Argument[];
  /** Texts for the tool's description that the schema's root cannot express. */
  readonly notes: readonly string[];
  /** Rules for the router to enforce that the schema's root cannot express. */
  readonly rules: readonly ArgumentRule[];
  readonly changes: readonly Change[];
  readonly constants: Readonly<Record<string, Json>>;
  readonly defaults: Readonly<Record<string, Json>>;
}

/**
 * Turns the properties of an object body into arguments. The body stays one argument where that would be inexact: it is
 * no object or a choice of objects, a property has the name of a parameter, additional properties have a schema, or the
 * body is optional but has required properties.
 *
 * Required members of a PATCH body are described, not enforced: a caller sends only what changes.
 *
 * A body that may be empty need not be given: `{}` is sent. That also applies where it is unclear whether a request
 * that changes something may lack a body, since many servers refuse it; where a body is explicitly optional, an
 * argument of its own asks for `{}`.
 * Source: docs/tools.md, "Body as arguments".
 */
export const bodyArguments = (
  schemas: Schemas,
  method: string,
  described: Body,
  taken: ReadonlySet<string>,
): BodyArguments => {
  const object = schemas.translateTarget(described.schema);
  const choice = requiredChoice(object);
  const properties = object.properties ?? [];
  const required = new Set(namesIn(object.keywords['required']));
  // No server takes a form without its required fields, whether or not the description says so of the body.
  const isNeeded =
    required.size > 0 &&
    !described.isOptional &&
    CHANGING.has(method) &&
    ['form', 'multipart'].includes(described.form);
  const body = isNeeded ? { ...described, required: true } : described;
  const obstacle = [
    ...(isPlainObject(object, choice !== undefined) ? [] : [NO_PLAIN_OBJECT]),
    ...(body.required || required.size === 0 ? [] : [LEFT_OUT_WHOLE]),
    ...(properties.every(({ name }) => !taken.has(name)) ? [] : [SAME_NAMES]),
  ][0];
  if (!['json', 'form', 'multipart'].includes(body.form)) return inOnePiece(schemas, body, taken);
  const mayBeEmpty = body.form === 'json' && isEmptyAllowed(schemas, object, required);
  const isSent = body.required || (mayBeEmpty && !body.isOptional && CHANGING.has(method));
  const merged = isMerged(method, body, object);
  const asMerged = merged ? ({ isMerged: true } as const) : {};
  const mergedChanges = merged ? [MERGED] : [];
  if (obstacle !== undefined) {
    const changes = [whole(obstacle), ...mergedChanges];
    const emptied = { isSent, isEmptyObject: isSent && mayBeEmpty };
    const { args, ...rest } = inOnePiece(schemas, body, taken, changes, emptied);
    return { ...rest, args: args.map((argument) => ({ ...argument, ...asMerged })) };
  }
  const empty =
    mayBeEmpty &&
    !isSent &&
    CHANGING.has(method) &&
    !taken.has(EMPTY) &&
    properties.every(({ name }) => name !== EMPTY);
  const needed = properties
    .filter(({ name, schema }) => required.has(name) && !hasDefault(schemas, schema))
    .map(({ name }) => name);

  const known = merged ? [] : properties.filter(({ name }) => required.has(name));
  const constants = valuesOf(known, (schema) => constantIn(schemas, schema));
  const { minProperties, maxProperties, additionalProperties } = object.keywords;
  const isAdditional = additionalProperties === true;
  return {
    sending: {
      required: isSent,
      source: {
        kind: 'properties',
        properties: properties.map(({ name, wireName }) => ({ argument: name, name: wireName })),
        additional: isAdditional,
      },
      ...(empty && { emptyArgument: EMPTY }),
    },
    constants,
    defaults: valuesOf(known, (schema) => defaultIn(schemas, schema)),
    args: [
      ...properties
        .filter(({ name }) => !Object.hasOwn(constants, name))
        .map(({ name, wireName, schema }) => ({
          name,
          ...asMerged,
          required: !merged && needed.includes(name),
          schema:
            name === wireName || isForeign(wireName)
              ? schema
              : annotated(schema, {
                  notes: [sentAsNote(wireName)],
                  keywords: {},
                }),
        })),
      ...(empty ? [ASKS_FOR_EMPTY] : []),
    ],
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
      ...body.notes,
    ],
    rules: bodyRules(schemas, body, object, choice).filter(
      ({ kind }) => !(merged && kind === 'needs'),
    ),
    changes: [
      ...(object.changes ?? []),
      SPREAD,
      ...mergedChanges,
      ...(choice === undefined ? [] : [CHOICE]),
      ...(isSent && !body.required ? [SENT_EMPTY] : []),
      ...(isNeeded && !described.required ? [NEEDED] : []),
    ],
  };
};

const valuesOf = (
  properties: readonly LinkedProperty[],
  valueOf: (schema: LinkedSchema) => Json | undefined,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    properties.flatMap(({ name, schema }) => {
      const value = valueOf(schema);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

const SPREAD: Change = {
  what: 'the fields of the body are arguments of their own',
  why: 'models fill flat arguments more surely',
};

const MERGED: Change = {
  what: 'what the body requires is told, but not enforced',
  why: 'a PATCH changes what it is given, and only the API knows what it can do without',
};

/** Whether a PATCH body is merged into the existing resource, unlike a JSON Patch. Source: RFC 5789 §2. */
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
  { isSent, isEmptyObject } = { isSent: body.required, isEmptyObject: false },
): BodyArguments => {
  const argument = bodyArgumentName(taken);
  const { description } = body;
  const own = schemas.translate(body.schema);
  // How a file is given is said by the schema, which the description of the body does not repeat.
  const isFile = body.form === 'binary' || (body.form === 'text' && own.anyOf !== undefined);
  const words = isFile ? own.description : undefined;
  const text =
    typeof description === 'string' && words !== undefined
      ? sentences(description, words)
      : description;
  const texts = annotationsOf(text === undefined ? {} : { description: text }, []);
  const notes = [...body.notes, ...(isEmptyObject ? ['{} if left out.'] : [])];
  const schema = annotated(own, { ...texts, notes });
  return {
    sending: {
      required: isSent,
      source: { kind: 'whole', argument },
      ...(isEmptyObject && { emptyObject: true }),
    },
    args: [{ name: argument, required: isSent && !isEmptyObject, schema, isBody: true }],
    notes: [],
    rules: [],
    changes: [...changes, ...(isEmptyObject && !body.required ? [SENT_EMPTY] : [])],
    constants: {},
    defaults: {},
  };
};

/** Whether named properties describe the object completely, apart from what notes can add. */
const isPlainObject = (schema: LinkedSchema, isChoiceTold: boolean): boolean => {
  const { properties = [], patternProperties = [] } = schema;
  const keywords = checkedKeywords(schema);
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

/** The alternatives of an `anyOf` that only differ in which properties are required; undefined for any other. */
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

/** Sets in words: `title; body + labels`. */
const inWords = (sets: readonly (readonly string[])[]): string =>
  sets.map((names) => names.join(' + ')).join('; ');

const isEmpty = (schema: LinkedSchema): boolean =>
  schema.ref === undefined &&
  Object.keys(schema.keywords).length === 0 &&
  partsOf(schema).length === 0;

const namesIn = (required: unknown): readonly string[] =>
  Array.isArray(required) ? required.map(String) : [];

/** Characters of JSON. Routers keep the rules of all tools in memory; longer ones are left to the API. */
const MAX_RULES = 20_000;

/** Rules about a body with properties as arguments; `choice` has alternative sets of required properties. */
const bodyRules = (
  schemas: Pick<Schemas, 'flat'>,
  body: Body,
  object: LinkedSchema,
  choice: readonly (readonly string[])[] | undefined,
): readonly ArgumentRule[] => {
  const names = (object.properties ?? []).map(({ name }) => name);
  const sent = body.required ? {} : { when: names };
  const rules = [
    ...(choice === undefined ? [] : [{ ...sent, kind: 'needs' as const, sets: choice }]),
    ...countRules(object, sent),
    ...dependentRules(schemas, body, object),
  ];
  return JSON.stringify(rules).length <= MAX_RULES ? rules : [];
};

const countRules = (
  { keywords, properties = [] }: LinkedSchema,
  sent: Pick<ArgumentRule, 'when'>,
): readonly ArgumentRule[] => {
  const { minProperties: least, maxProperties: most } = keywords;
  if (typeof least !== 'number' && typeof most !== 'number') return [];
  return [
    {
      ...sent,
      kind: 'counts',
      of: properties.map(({ name }) => name),
      ...(typeof least === 'number' ? { least } : {}),
      ...(typeof most === 'number' ? { most } : {}),
    },
  ];
};

const dependentRules = (
  schemas: Pick<Schemas, 'flat'>,
  { schema }: Body,
  { properties = [] }: LinkedSchema,
): readonly ArgumentRule[] => {
  const flat = isObject(schema) ? schemas.flat(schema) : {};
  const names = new Map(properties.map(({ name, wireName }) => [wireName, name]));
  return ['dependentRequired', 'dependencies'].flatMap((keyword) => {
    return Object.entries(objectMember(flat, keyword)).flatMap(([given, needed]) => {
      const when = names.get(given);
      const set = listOf(needed).map((name) =>
        typeof name === 'string' ? names.get(name) : undefined,
      );
      const known = set.filter((name) => name !== undefined);
      if (when === undefined || known.length === 0 || known.length < set.length) return [];
      return [{ when: [when], kind: 'needs' as const, sets: [known] }];
    });
  });
};

const LOCATIONS: readonly Parameter['in'][] = ['path', 'query', 'header', 'cookie'];

/**
 * Names of parameters as arguments: the wire name where model APIs accept it. If several want the same name, one keeps
 * it (a parameter with exactly that name before renamed ones, then path, query, header, cookie), and the others get
 * their location as a suffix: `id` and `id_query`; where that is not unique or invalid, punctuation as words or a hash.
 * The order of parameters has no influence.
 * Source: docs/tools.md, "Parameters as arguments".
 */
export const argumentNames = (parameters: readonly Parameter[]): ReadonlyMap<Parameter, string> => {
  const names = new Map<Parameter, string>();
  const others: { parameter: Parameter; wanted: string }[] = [];
  for (const [wanted, rivals] of Map.groupBy(parameters, ({ name }) => propertyName(name))) {
    const [owner, ...rest] = rivals.toSorted(
      (a, b) => precedence(a, wanted) - precedence(b, wanted) || (a.name < b.name ? -1 : 1),
    );
    if (owner) names.set(owner, wanted);
    others.push(...rest.map((parameter) => ({ parameter, wanted: `${wanted}_${parameter.in}` })));
  }

  const taken = new Set(names.values());
  for (const [wanted, rivals] of Map.groupBy(others, (other) => other.wanted)) {
    const isFree = rivals.length === 1 && !taken.has(wanted) && propertyName(wanted) === wanted;
    for (const { parameter } of rivals) {
      const { name, in: location } = parameter;
      const apart = propertyNameApart(name, taken);
      const isOther = rivals.length > 1 && !HASHED.test(apart);
      const given = isFree ? wanted : isOther ? apart : propertyNameWithHash(name, location);
      names.set(parameter, given);
      taken.add(given);
    }
  }
  return names;
};

/** Suffix of names that words cannot distinguish. */
const HASHED = /_[0-9a-f]{12}$/;

const bodyArgumentName = (taken: ReadonlySet<string>): string =>
  ['body', 'request_body'].find((name) => !taken.has(name)) ?? propertyNameWithHash('body', 'body');

const precedence = (parameter: Parameter, wanted: string): number =>
  LOCATIONS.indexOf(parameter.in) + (parameter.name === wanted ? 0 : LOCATIONS.length);

export interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly schema: LinkedSchema;
  /** Whether the argument is the whole body, which is the purpose of the call even where optional. */
  readonly isBody?: true;
  /** Whether the argument is part of a PATCH body: required members are described, not enforced. */
  readonly isMerged?: true;
}

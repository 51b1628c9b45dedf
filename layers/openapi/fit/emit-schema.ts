import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import type { Argument } from '../operation/body-arguments.ts';
import {
  below,
  type ChangeAt,
  type Detail,
  noOmissions,
  type Omissions,
  ownKeywords,
  type Position,
  type Shortening,
  withoutInside,
} from './shortening.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Change } from '../tool-note.ts';
import {
  annotated,
  ANYTHING,
  constantIn,
  defaultIn,
  type LinkedSchema,
  partsOf,
  typesOf,
} from '../schema/linked-schema.ts';
import { commonType, isOneOf, type TypeName } from '../json-schema/types.ts';
import { isKind } from '../schema/subtypes.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { describedOnly } from './described-only.ts';
import { type Definitions, noDefinitions, type SharingPolicy } from './definitions.ts';

export interface EmittedSchema {
  readonly inputSchema: JsonObject;
  readonly wireNames: Readonly<Record<string, string>>;
  /** Values of nested properties that the service sends where none is given: see `Operation.defaults`. */
  readonly defaults: Readonly<Record<string, Json>>;
  readonly unlisted: Readonly<Record<string, JsonObject>>;
  readonly omissions: Omissions;
  readonly changes: readonly ChangeAt[];
}

/** Emits a tool's arguments as its `inputSchema`. @returns undefined if it exceeds `maxCharacters` */
export const emitInputSchema = (
  options: EmitOptions,
  args: readonly Argument[],
): EmittedSchema | undefined => {
  // A PATCH changes only what is given, so no default may be sent.
  const isMerged = args.some((argument) => argument.isMerged);
  const emission = startEmission(options, isMerged);
  const properties = args.map(({ name, schema, required, isBody = false }) => {
    const isRequired = required || isBody;
    const position = { pointer: `/properties/${name}`, depth: 0, isRequired };
    return [name, emitSchema(emission, schema, position)] as const;
  });
  const definitions = emitDefinitions(emission);
  options.spend(emission.characters + emission.beside);
  if (isTooLarge(emission)) return undefined;

  const { changes, defaults, omissions, unlisted, wireNames } = emission;
  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  const merged = args.filter((argument) => argument.isMerged).map(({ name }) => name);
  return {
    inputSchema: describedOnly(merged, {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      ...(definitions.length > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
    }),
    wireNames: Object.fromEntries(wireNames),
    defaults: Object.fromEntries(defaults),
    unlisted: Object.fromEntries(unlisted),
    omissions,
    changes,
  };
};

const emitDefinitions = (emission: Emission): readonly (readonly [string, JsonObject])[] => {
  const { definitions, schemas } = emission;
  const emitted: (readonly [string, JsonObject])[] = [];
  for (let next = definitions.next(); next; next = definitions.next()) {
    const { ref, name, position } = next;
    const { depth, isRequired } = position;
    const isAlternative = isKind(ref);
    const start = { pointer: `/$defs/${name}`, depth, isRequired, requiredBy: ref, isAlternative };
    emitted.push([name, emitSchema(emission, schemas.component(ref), start)]);
  }
  return emitted;
};

/** Depth of one reference: small, but a chain of thousands ends. */
const DEPTH_OF_REFERENCE = 1 / 64;

/** Emits a schema at one position of a tool. Records in `emission` what is shortened, changed or renamed. */
const emitSchema = (emission: Emission, schema: LinkedSchema, position: Position): JsonObject => {
  if (isTooLarge(emission)) return {};
  if (schema.ref !== undefined) return emitReference(emission, schema, schema.ref, position);
  if (isTooDeep(emission, position) && partsOf(schema).length > 0) {
    emission.omissions.insides.push(position.pointer);
    return counted(emission, withoutInside(emission, schema, position, LEFT_OUT));
  }
  const own = counted(
    emission,
    ownKeywords(emission, askedFor(emission, schema, position), position),
  );
  for (const change of schema.changes ?? []) addChange(emission, position, change);
  if (schema.unlisted) {
    emission.unlisted.set(position.pointer, schema.unlisted);
    emission.beside += JSON.stringify(schema.unlisted).length;
  }
  if (partsOf(schema).length === 0) return own;
  return {
    ...own,
    ...emitProperties(emission, schema, position),
    ...emitItems(emission, schema, position),
    ...emitAlternatives(emission, schema, position),
  };
};

/** Removes properties that the service fills in from `required`, except where they may tell alternatives apart. */
const askedFor = (
  emission: Emission,
  schema: LinkedSchema,
  { pointer, isAlternative = false }: Position,
): LinkedSchema => {
  const { required } = schema.keywords;
  const { properties = [] } = schema;
  if (!Array.isArray(required) || isAlternative || emission.isMerged) return schema;
  const isShared = pointer.startsWith('/$defs/') && pointer.split('/').length === 3;
  const isKnown = (name: Json): boolean => {
    const property = properties.find((one) => one.name === name);
    if (!property) return false;
    // A component with a single value may distinguish alternatives elsewhere, so that it stays required.
    const constant = constantIn(emission.schemas, property.schema);
    if (constant !== undefined && isShared) return false;
    const value = constant === undefined ? defaultIn(emission.schemas, property.schema) : constant;
    if (value === undefined) return false;
    emission.defaults.set(`${pointer}/properties/${property.name}`, value);
    return true;
  };
  const asked = required.filter((name) => !isKnown(name));
  if (asked.length === required.length) return schema;
  const { required: _, ...others } = schema.keywords;
  return { ...schema, keywords: { ...others, ...(asked.length > 0 && { required: asked }) } };
};

const LEFT_OUT = 'What is inside is left out here.';

const emitReference = (
  emission: Emission,
  schema: LinkedSchema,
  ref: string,
  position: Position,
): JsonObject => {
  const { definitions, schemas, sharing } = emission;
  if (!isShared(emission, ref, position)) {
    const depth = position.depth + DEPTH_OF_REFERENCE;
    return emitSchema(emission, annotated(schemas.component(ref), schema), { ...position, depth });
  }
  const name = definitions.define(ref, position);
  if (isEndless(emission, ref, position)) {
    addChange(emission, position, endless(name));
    const whole = annotated(schemas.component(ref), schema);
    return withoutInside(emission, whole, position, `As in ${name}.`);
  }
  addChange(emission, position, shared(name, sharing.isRecursive(ref)));
  const reference = counted(emission, { $ref: `#/$defs/${name}` });
  const own = counted(emission, ownKeywords(emission, schema, position));
  // Some model APIs allow no siblings of `$ref`.
  return Object.keys(own).length === 0 ? reference : { ...own, anyOf: [reference] };
};

const endless = (name: string): Change => ({
  what: `${name} is not described again inside itself`,
  why: 'Gemini takes circles only where a property may be left out',
});

const shared = (name: string, isRecursive: boolean): Change => ({
  what: `refers to ${name}, which is under $defs`,
  why: isRecursive ? 'it contains itself' : 'it is used more than once, and large',
});

const emitProperties = (
  emission: Emission,
  { keywords, properties = [], patternProperties = [], additionalProperties }: LinkedSchema,
  position: Position,
): JsonObject => {
  const { required } = keywords;
  const needed = new Set(Array.isArray(required) ? required : []);
  const emitted: Record<string, JsonObject> = {};
  for (const { name, wireName } of properties) {
    if (name !== wireName) {
      emission.wireNames.set(`${position.pointer}/properties/${name}`, wireName);
    }
    emission.characters += name.length + 4;
  }
  if (properties.length > 0) {
    emitted['properties'] = Object.fromEntries(
      properties.map(({ name, schema }) => {
        const there = below(position, `/properties/${name}`, needed.has(name));
        return [name, emitSchema(emission, schema, there)];
      }),
    );
  }
  if (patternProperties.length > 0) {
    // Of patterns that have become equal the last one counts, as of equal keys in JSON.
    emitted['patternProperties'] = Object.fromEntries(
      patternProperties.map(([pattern, schema]) => {
        const there = below(position, `/patternProperties${pointerTo(pattern)}`);
        return [pattern, emitSchema(emission, schema, there)];
      }),
    );
  }
  if (additionalProperties) {
    const there = below(position, '/additionalProperties');
    emitted['additionalProperties'] = emitSchema(emission, additionalProperties, there);
  }
  return emitted;
};

const emitItems = (
  emission: Emission,
  { items, prefixItems }: LinkedSchema,
  position: Position,
): JsonObject => {
  const emitted: Record<string, JsonObject | JsonObject[]> = {};
  if (items) emitted['items'] = emitSchema(emission, items, below(position, '/items'));
  if (prefixItems) {
    emitted['prefixItems'] = prefixItems.map((schema, index) =>
      emitSchema(emission, schema, below(position, `/prefixItems/${index}`)),
    );
  }
  return emitted;
};

const emitAlternatives = (
  emission: Emission,
  schema: LinkedSchema,
  position: Position,
): JsonObject => {
  if (!schema.anyOf && !schema.allOf) return {};
  const own = typesOf(schema);
  const outerTypes = own.length > 0 ? own : (position.outerTypes ?? []);
  const emitted: Record<string, JsonObject[]> = {};
  for (const keyword of ['anyOf', 'allOf'] as const) {
    const inside = { ...below(position, ''), outerTypes };
    const members = (schema[keyword] ?? []).flatMap(
      (member) => possibleMember(emission, member, inside) ?? [],
    );
    if (members.length === 0) continue;
    emitted[keyword] = members.map((member, index) =>
      emitSchema(emission, member, {
        ...below(position, `/${keyword}/${index}`),
        outerTypes,
        isAlternative: keyword === 'anyOf',
      }),
    );
  }
  return emitted;
};

/** A member of `anyOf` or `allOf` without types that the outer schema excludes. */
const possibleMember = (
  emission: Emission,
  member: LinkedSchema,
  position: Position,
): LinkedSchema | undefined => {
  let opened = member;
  while (opened.ref !== undefined && !isShared(emission, opened.ref, position)) {
    opened = annotated(emission.schemas.component(opened.ref), opened);
  }
  return opened.ref === undefined ? restrictTypes(opened, position.outerTypes ?? []) : opened;
};

/**
 * Removes types that the outer schema excludes: strict validators refuse such contradictions.
 * @param outerTypes - types of the outer schema; empty for any
 * @returns undefined if no type is left
 */
const restrictTypes = (
  schema: LinkedSchema,
  outerTypes: readonly TypeName[],
): LinkedSchema | undefined => {
  const types = typesOf(schema);
  if (types.length === 0 || outerTypes.length === 0) return schema;
  const common = [...new Set(types.flatMap((type) => commonType(type, outerTypes) ?? []))];
  if (common.length === 0) return undefined;
  if (common.length === types.length && common.every((type) => types.includes(type))) return schema;

  const type: Json = common.length === 1 ? (common[0] ?? null) : common;
  const { enum: values, ...others } = schema.keywords;
  const kept = Array.isArray(values) ? values.filter((value) => isOneOf(common, value)) : [];
  const lost = types.filter((one) => commonType(one, outerTypes) === undefined);
  // Keywords of a removed type would contradict too; `null` has none.
  const isWhole = lost.every((one) => one === 'null');
  const { description, unlisted, ...whole } = schema;
  const checked = Array.isArray(unlisted?.['enum'])
    ? { ...unlisted, enum: unlisted['enum'].filter((value) => isOneOf(common, value)) }
    : unlisted;
  return {
    ...(isWhole ? { ...whole, ...(checked && { unlisted: checked }) } : {}),
    ...(description === undefined ? {} : { description }),
    ...(!isWhole && common.includes('array') ? { items: ANYTHING } : {}),
    keywords: { ...(isWhole ? others : {}), type, ...(kept.length > 0 ? { enum: kept } : {}) },
  };
};

interface EmitOptions {
  readonly schemas: Pick<Schemas, 'component'>;
  readonly detail: Detail;
  readonly sharing: SharingPolicy;
  readonly maxCharacters: number;
  /** Reports the number of characters emitted, even where they exceed the limit. */
  readonly spend: (characters: number) => void;
}

interface Emission extends EmitOptions, Shortening {
  characters: number;
  /** Characters that are not listed but kept in the router's memory. */
  beside: number;
  readonly definitions: Definitions;
  readonly changes: ChangeAt[];
  readonly wireNames: Map<string, string>;
  readonly defaults: Map<string, Json>;
  /** Whether arguments are merged into the existing resource, as those of a PATCH are. */
  readonly isMerged: boolean;
  readonly unlisted: Map<string, JsonObject>;
}

const startEmission = (options: EmitOptions, isMerged: boolean): Emission => ({
  ...options,
  isMerged,
  defaults: new Map(),
  characters: 0,
  beside: 0,
  definitions: noDefinitions(),
  omissions: noOmissions(),
  changes: [],
  wireNames: new Map(),
  unlisted: new Map(),
});

/** Once true, emitting stops: the result is discarded. */
const isTooLarge = ({ characters, beside, maxCharacters }: Emission): boolean =>
  characters > maxCharacters || beside > MOST_BESIDE;

/** Limit of `beside` for one tool. */
const MOST_BESIDE = 5_000_000;

const isTooDeep = ({ detail }: Emission, { depth, isRequired }: Position): boolean =>
  depth > (isRequired ? detail.required : detail.optional);

const isShared = (emission: Emission, ref: string, position: Position): boolean =>
  !isTooDeep(emission, position) && emission.sharing.isShared(ref);

/** Whether a reference would close a cycle that no optional property ends, which Gemini refuses. */
const isEndless = (
  { definitions, sharing }: Emission,
  ref: string,
  { requiredBy }: Position,
): boolean =>
  requiredBy !== undefined &&
  definitions.isMetBefore(ref, requiredBy) &&
  sharing.requires(ref, requiredBy);

const counted = (emission: Emission, keywords: JsonObject): JsonObject => {
  emission.characters += JSON.stringify(keywords).length;
  return keywords;
};

const addChange = ({ changes }: Emission, { pointer }: Position, change: Change): void => {
  changes.push({ pointer, change });
};

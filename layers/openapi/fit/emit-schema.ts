import type { JsonObject } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Change } from '../tool-note.ts';
import { restrictTypes } from '../schema/restrict-types.ts';
import { annotated, type LinkedSchema, partsOf, typesOf } from '../schema/linked-schema.ts';
import {
  addChange,
  counted,
  type Emission,
  isEndless,
  isShared,
  isTooDeep,
  isTooLarge,
} from './emission.ts';
import { ownKeywords, withoutInside } from './own-keywords.ts';
import { below, type Position } from './position.ts';

/** References in a row count a little, so that a chain of thousands ends. */
const DEPTH_OF_REFERENCE = 1 / 64;

/**
 * A schema as it stands at one position of a tool, its references resolved or pointing to `$defs`. What is
 * shortened, changed or renamed is recorded in `emission`.
 */
export const emitSchema = (
  emission: Emission,
  schema: LinkedSchema,
  position: Position,
): JsonObject => {
  if (isTooLarge(emission)) return {};
  if (schema.ref !== undefined) return emitReference(emission, schema, schema.ref, position);
  if (isTooDeep(emission, position) && partsOf(schema).length > 0) {
    emission.omissions.insides.push(position.pointer);
    return counted(emission, withoutInside(emission, schema, position, LEFT_OUT));
  }
  const own = counted(emission, ownKeywords(emission, schema, position));
  for (const change of schema.changes ?? []) addChange(emission, position, change);
  // Most schemas have nothing inside.
  if (partsOf(schema).length === 0) return own;
  return {
    ...own,
    ...emitProperties(emission, schema, position),
    ...emitItems(emission, schema, position),
    ...emitAlternatives(emission, schema, position),
  };
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
  // Some model APIs allow nothing beside `$ref`.
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
    // Patterns may have become equal: the last one counts, as in JSON.
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
      emitSchema(emission, member, { ...below(position, `/${keyword}/${index}`), outerTypes }),
    );
  }
  return emitted;
};

/** A member of `anyOf` or `allOf` as far as it is possible beside the types around it. */
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

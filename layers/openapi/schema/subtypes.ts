import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { pointerTo, resolveFragment } from '../../platform/rules/json/pointer.ts';
import type { Description } from '../document.ts';
import { type Discriminator, discriminatorOf, withDiscriminatorValues } from './discriminator.ts';
import type { LinkedSchema } from './linked-schema.ts';
import { listOf } from './merge-schemas.ts';
import { valueList } from './texts.ts';

/** A component that has another one, which has a discriminator, in its `allOf`. */
export interface Subtype {
  readonly name: string;
  /** The component, with the values that the discriminator has there. */
  readonly schema: JsonObject;
  /** Whether the description says these values, in a mapping or `x-ms-discriminator-value`. */
  readonly hasValues: boolean;
}

/** With more subtypes they are only named. */
const MOST_ALTERNATIVES = 20;
/** Nobody could be told more; many schemas may share as many subtypes as there are components. */
const MOST_SUBTYPES = 100;

/**
 * Finds the subtypes of a schema with a discriminator: the components that have it in their `allOf`,
 * directly or through others. In Swagger 2.0 there is no other way to say what it may be. Schemas with
 * alternatives of their own have none.
 *
 * Source: Swagger 2.0, "Schema Object", `discriminator`; OpenAPI 3.1.1, "Discriminator Object".
 */
export const subtypeFinder = ({ root }: Description): ((schema: Json) => readonly Subtype[]) => {
  const known = new Map<JsonObject, readonly Subtype[]>();
  let subtypes: DirectSubtypes | undefined;

  return (base) => {
    const discriminator = isObject(base) ? discriminatorOf(base) : undefined;
    if (!isObject(base) || !discriminator) return [];
    subtypes ??= directSubtypes(root);
    const found = known.get(base) ?? allSubtypes(subtypes, base).map(withValues(discriminator));
    known.set(base, found);
    return found;
  };
};

/** What a schema may be besides itself, for the `anyOf` and the notes of it. */
export const subtypeAlternatives = (
  subtypes: readonly Subtype[],
  translate: (schema: Json) => LinkedSchema,
): { readonly anyOf: readonly LinkedSchema[]; readonly notes: readonly string[] } => {
  if (subtypes.length === 0) return { anyOf: [], notes: [] };
  if (subtypes.length > MOST_ALTERNATIVES) {
    const names = subtypes.map(({ name }) => name);
    const note = `May have the fields of one of its kinds: ${valueList(names, MOST_ALTERNATIVES)}.`;
    return { anyOf: [], notes: [note] };
  }
  const anyOf = subtypes.map(({ name, schema }) => ({ description: name, ...translate(schema) }));
  // Unless the description names the values of all subtypes, the schema itself may be one.
  const isComplete = subtypes.every(({ hasValues }) => hasValues);
  return { anyOf: [...anyOf, ...(isComplete ? [] : [NO_SUBTYPE])], notes: [] };
};

const NO_SUBTYPE: LinkedSchema = { description: 'None of these.', keywords: { type: 'object' } };

interface Component {
  readonly name: string;
  readonly ref: string;
  readonly schema: JsonObject;
}

/** The components that have a schema in their `allOf`. */
type DirectSubtypes = ReadonlyMap<Json, readonly Component[]>;

const directSubtypes = (root: JsonObject): DirectSubtypes => {
  const components = member(root, 'components');
  const maps = [
    ['#/components/schemas', isObject(components) ? member(components, 'schemas') : undefined],
    ['#/definitions', member(root, 'definitions')],
  ] as const;
  const subtypes = new Map<Json, Component[]>();
  for (const [pointer, map] of maps) {
    for (const [name, schema] of Object.entries(isObject(map) ? map : {})) {
      if (!isObject(schema)) continue;
      const bases = listOf(member(schema, 'allOf')).map((part) => {
        const ref = isObject(part) ? member(part, '$ref') : undefined;
        return typeof ref === 'string' ? resolveFragment(root, ref) : undefined;
      });
      for (const base of new Set(bases)) {
        if (base === undefined) continue;
        const known = subtypes.get(base) ?? [];
        known.push({ name, ref: pointer + pointerTo(name), schema });
        subtypes.set(base, known);
      }
    }
  }
  return subtypes;
};

const allSubtypes = (direct: DirectSubtypes, base: JsonObject): readonly Component[] => {
  const found = new Map<JsonObject, Component>();
  const open: (readonly Component[])[] = [direct.get(base) ?? []];
  // Grows while it is walked.
  for (const subtypes of open) {
    for (const subtype of subtypes) {
      if (found.has(subtype.schema) || subtype.schema === base) continue;
      if (found.size === MOST_SUBTYPES) return [...found.values()];
      found.set(subtype.schema, subtype);
      // One that has a discriminator itself has its own subtypes told where it is.
      const isBase = Object.hasOwn(subtype.schema, 'discriminator');
      if (!isBase) open.push(direct.get(subtype.schema) ?? []);
    }
  }
  return [...found.values()];
};

const withValues =
  ({ property, values: mapped }: Discriminator) =>
  ({ name, ref, schema }: Component): Subtype => {
    const own = member(schema, 'x-ms-discriminator-value');
    const values = mapped.get(ref) ?? mapped.get(name) ?? (typeof own === 'string' ? [own] : []);
    return {
      name,
      hasValues: values.length > 0,
      schema: values.length === 0 ? { $ref: ref } : withDiscriminatorValues(ref, property, values),
    };
  };

import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  member,
  pointerTo,
  resolve,
} from '../document.ts';
import { ofKind } from './kinds.ts';
import { listOf } from './merge-schemas.ts';

/** A component that is built on another one, which chooses by a discriminator. */
export interface Heir {
  readonly name: string;
  /** The component, with the values that its mapping gives it. */
  readonly schema: JsonObject;
  /** Whether the description says its values, in a mapping or `x-ms-discriminator-value`. */
  readonly isNamed: boolean;
}

/**
 * What a schema with a discriminator may be besides itself: the components that have it in their `allOf`,
 * directly or through others. In Swagger 2.0 there is no other way to say so. Schemas with alternatives of
 * their own have none.
 *
 * Source: Swagger 2.0, "Schema Object", `discriminator`; OpenAPI 3.1.1, "Discriminator Object".
 */
export const heirsIn = ({ root }: Description): ((schema: Json) => readonly Heir[]) => {
  let children: ReadonlyMap<Json, readonly Component[]> | undefined;

  return (base) => {
    const discriminator = isObject(base) ? member(base, 'discriminator') : undefined;
    if (!isObject(base) || discriminator === undefined) return [];
    const property = isObject(discriminator) ? discriminator['propertyName'] : discriminator;
    const mapping = isObject(discriminator) ? member(discriminator, 'mapping') : undefined;
    if (typeof property !== 'string') return [];

    children ??= childrenIn(root);
    const found = new Map<JsonObject, Component>();
    const open = [...(children.get(base) ?? [])];
    // Grows while it is walked.
    for (const heir of open) {
      if (found.has(heir.schema) || heir.schema === base) continue;
      found.set(heir.schema, heir);
      // One that chooses by itself has its own heirs told where it is.
      if (!Object.hasOwn(heir.schema, 'discriminator'))
        open.push(...(children.get(heir.schema) ?? []));
    }
    return [...found.values()].map((heir) => asHeir(heir, property, mapping));
  };
};

interface Component {
  readonly name: string;
  readonly ref: string;
  readonly schema: JsonObject;
}

const childrenIn = (root: JsonObject): ReadonlyMap<Json, readonly Component[]> => {
  const components = member(root, 'components');
  const maps = [
    ['#/components/schemas', isObject(components) ? member(components, 'schemas') : undefined],
    ['#/definitions', member(root, 'definitions')],
  ] as const;
  const children = new Map<Json, Component[]>();
  for (const [pointer, map] of maps) {
    for (const [name, schema] of Object.entries(isObject(map) ? map : {})) {
      if (!isObject(schema)) continue;
      for (const part of listOf(member(schema, 'allOf'))) {
        const ref = isObject(part) ? member(part, '$ref') : undefined;
        const parent = typeof ref === 'string' ? resolve(root, ref) : undefined;
        if (parent === undefined) continue;
        const known = children.get(parent) ?? [];
        known.push({ name, ref: pointer + pointerTo(name), schema });
        children.set(parent, known);
      }
    }
  }
  return children;
};

const asHeir = (
  { name, ref, schema }: Component,
  property: string,
  mapping: Json | undefined,
): Heir => {
  const mapped = Object.entries(isObject(mapping) ? mapping : {})
    .filter(([, to]) => to === ref || to === name)
    .map(([value]) => value);
  const own = member(schema, 'x-ms-discriminator-value');
  const values = mapped.length > 0 ? mapped : typeof own === 'string' ? [own] : [];
  return {
    name,
    isNamed: values.length > 0,
    schema: values.length === 0 ? { $ref: ref } : ofKind(ref, property, values),
  };
};

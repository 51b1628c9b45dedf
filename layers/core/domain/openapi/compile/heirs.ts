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
  const known = new Map<JsonObject, readonly Heir[]>();
  let children: Children | undefined;

  return (base) => {
    const choice = isObject(base) ? choiceOf(base) : undefined;
    if (!isObject(base) || !choice) return [];
    children ??= childrenIn(root);
    const heirs = known.get(base) ?? descendants(children, base).map(asHeir(choice));
    known.set(base, heirs);
    return heirs;
  };
};

interface Choice {
  readonly property: string;
  /** By component, as its reference or its bare name. */
  readonly values: ReadonlyMap<Json | undefined, readonly string[]>;
}

const choiceOf = (schema: JsonObject): Choice | undefined => {
  const discriminator = member(schema, 'discriminator');
  const property = isObject(discriminator) ? discriminator['propertyName'] : discriminator;
  if (typeof property !== 'string') return undefined;
  const given = isObject(discriminator) ? member(discriminator, 'mapping') : undefined;
  const mapping = isObject(given) ? given : {};
  return { property, values: Map.groupBy(Object.keys(mapping), (value) => mapping[value]) };
};

/** Nobody could be told more; many schemas may share as many heirs as there are components. */
const MAX_HEIRS = 100;

const descendants = (children: Children, base: JsonObject): readonly Component[] => {
  const found = new Map<JsonObject, Component>();
  const open: (readonly Component[])[] = [children.get(base) ?? []];
  // Grows while it is walked.
  for (const heirs of open) {
    for (const heir of heirs) {
      if (found.has(heir.schema) || heir.schema === base) continue;
      if (found.size === MAX_HEIRS) return [...found.values()];
      found.set(heir.schema, heir);
      // One that chooses by itself has its own heirs told where it is.
      const isChoice = Object.hasOwn(heir.schema, 'discriminator');
      if (!isChoice) open.push(children.get(heir.schema) ?? []);
    }
  }
  return [...found.values()];
};

interface Component {
  readonly name: string;
  readonly ref: string;
  readonly schema: JsonObject;
}

type Children = ReadonlyMap<Json, readonly Component[]>;

const childrenIn = (root: JsonObject): Children => {
  const components = member(root, 'components');
  const maps = [
    ['#/components/schemas', isObject(components) ? member(components, 'schemas') : undefined],
    ['#/definitions', member(root, 'definitions')],
  ] as const;
  const children = new Map<Json, Component[]>();
  for (const [pointer, map] of maps) {
    for (const [name, schema] of Object.entries(isObject(map) ? map : {})) {
      if (!isObject(schema)) continue;
      const parents = listOf(member(schema, 'allOf')).map((part) => {
        const ref = isObject(part) ? member(part, '$ref') : undefined;
        return typeof ref === 'string' ? resolve(root, ref) : undefined;
      });
      for (const parent of new Set(parents)) {
        if (parent === undefined) continue;
        const known = children.get(parent) ?? [];
        known.push({ name, ref: pointer + pointerTo(name), schema });
        children.set(parent, known);
      }
    }
  }
  return children;
};

const asHeir =
  ({ property, values: mapped }: Choice) =>
  ({ name, ref, schema }: Component): Heir => {
    const own = member(schema, 'x-ms-discriminator-value');
    const values = mapped.get(ref) ?? mapped.get(name) ?? (typeof own === 'string' ? [own] : []);
    return {
      name,
      isNamed: values.length > 0,
      schema: values.length === 0 ? { $ref: ref } : ofKind(ref, property, values),
    };
  };

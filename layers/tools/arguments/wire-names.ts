import type { Schema } from '../../openapi/json-schema/schema.ts';
import { isObject } from '../../platform/rules/json/json.ts';
import { keysOf, resolvePointer } from '../../platform/rules/json/pointer.ts';

/** For each schema with renamed properties, both ways between the name among the arguments and the one on the wire. */
export type WireNames = ReadonlyMap<Schema, Renamed>;

interface Renamed {
  readonly wireNames: Map<string, string>;
  readonly argumentNames: Map<string, string>;
}

/** The renamed properties of a tool, by the schema that has them. See `Operation.wireNames`. */
export const wireNamesOf = (root: Schema, renamed: Readonly<Record<string, string>>): WireNames => {
  const names = new Map<Schema, Renamed>();
  for (const [pointer, wireName] of Object.entries(renamed)) {
    const name = keysOf(pointer).at(-1);
    const schema = resolvePointer(root, pointer.split('/').slice(0, -2).join('/'));
    if (name === undefined || !isObject(schema)) continue;
    const known = names.get(schema) ?? { wireNames: new Map(), argumentNames: new Map() };
    known.wireNames.set(name, wireName);
    known.argumentNames.set(wireName, name);
    names.set(schema, known);
  }
  return names;
};

/** The name that the target knows a property of an object by, which any of the schemas may describe. */
export const wireNameOf = (
  names: WireNames | undefined,
  views: readonly Schema[],
  name: string,
): string => {
  if (!names) return name;
  for (const view of views) {
    const wireName = names.get(view)?.wireNames.get(name);
    if (wireName !== undefined) return wireName;
  }
  return name;
};

/** The other way: what a property of an object is called among the arguments. */
export const argumentNameOf = (
  names: WireNames | undefined,
  views: readonly Schema[],
  wireName: string,
): string => {
  if (!names) return wireName;
  for (const view of views) {
    const name = names.get(view)?.argumentNames.get(wireName);
    if (name !== undefined) return name;
  }
  return wireName;
};

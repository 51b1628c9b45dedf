import type { Schema } from '../../json-schema/schema.ts';
import { isObject, type JsonObject } from '../../json-schema/json.ts';
import { keysOf, resolvePointer } from '../../json-schema/pointer.ts';
import { itemShape, propertyShape, type Shape, type Shapes } from './shape.ts';

/** For each schema with renamed properties: the name among the arguments to the name on the wire. */
export type WireNames = ReadonlyMap<Schema, ReadonlyMap<string, string>>;

/** The renamed properties of a tool, by the schema that has them. See `Operation.wireNames`. */
export const wireNamesOf = (root: Schema, renamed: Readonly<Record<string, string>>): WireNames => {
  const names = new Map<Schema, Map<string, string>>();
  for (const [pointer, wireName] of Object.entries(renamed)) {
    const name = keysOf(pointer).at(-1);
    const schema = resolvePointer(root, pointer.split('/').slice(0, -2).join('/'));
    if (name === undefined || !isObject(schema)) continue;
    const known = names.get(schema) ?? new Map<string, string>();
    names.set(schema, known.set(name, wireName));
  }
  return names;
};

/** A value with the names that the target knows, found by walking value and schema side by side. */
export const onTheWire = (
  names: WireNames,
  shapes: Shapes,
  shape: Shape | undefined,
  value: unknown,
): unknown => {
  if (!shape) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      onTheWire(names, shapes, itemShape(shapes, shape, index), item),
    );
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, member]) => [
      wireNameOf(names, shape, key),
      onTheWire(names, shapes, propertyShape(shapes, shape, key), member),
    ]),
  );
};

/** The name that the target knows a property of a shape by. */
export const wireNameOf = (names: WireNames, shape: Shape, key: string): string => {
  for (const view of shape.views) {
    const name = names.get(view)?.get(key);
    if (name !== undefined) return name;
  }
  return key;
};

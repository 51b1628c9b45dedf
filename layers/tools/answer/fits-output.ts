import { isObject } from '../../platform/rules/json/json.ts';
import type { Schema } from '../../openapi/json-schema/schema.ts';

/**
 * Whether a value fits a schema that has nothing but `type`, `properties` and `items`, as output schemas
 * do. Members that are not described may be anything.
 *
 * Source: JSON Schema 2020-12 Validation §6.1.1; JSON Schema 2020-12 §10.3.1.2, §10.3.2.1.
 */
export const fitsOutput = (schema: Schema, value: unknown): boolean => {
  const { type, properties, items } = schema;
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
  if (Array.isArray(value)) {
    return !isObject(items) || value.every((item) => fitsOutput(items, item));
  }
  if (!isObject(value) || !isObject(properties)) return true;
  return Object.entries(properties).every(
    ([name, inside]) =>
      !Object.hasOwn(value, name) || !isObject(inside) || fitsOutput(inside, value[name]),
  );
};

const isOfType = (value: unknown, type: unknown): boolean => {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
};

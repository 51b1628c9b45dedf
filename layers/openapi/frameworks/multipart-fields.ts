import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { remembered } from './fingerprints.ts';
import type { Habit } from './habit.ts';

/** How frameworks describe the fields of a form by the objects in which they hold them. */
export const HELD_FIELDS = [
  {
    frameworks: 'Fastify with @fastify/multipart',
    writes: '`{properties: {value: {type: string}}}` for a field, with `attachFieldsToBody: true`',
    takes: 'the value: `hello=world`',
    source: '@fastify/multipart, README, "JSON Schema body validation"',
  },
] as const satisfies readonly Habit[];

/** Members of what @fastify/multipart holds for a file. */
const OF_FILES = ['fieldname', 'encoding', 'filename', 'mimetype'];

/** By the names that @fastify/swagger gives to components. */
const isOfFastify = remembered((root) =>
  [
    objectMember(objectMember(root, 'components'), 'schemas'),
    objectMember(root, 'definitions'),
  ].some((components) => Object.keys(components).some((name) => /^def-\d+$/.test(name))),
);

/**
 * The schema of a multipart body, where Fastify describes its fields: an object of nothing but a plain value is that
 * value, and one with what it holds for a file is a file.
 *
 * @returns also the names of the plain values
 */
export const withPlainFields = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
): { readonly schema: Json | undefined; readonly names: readonly string[] } => {
  const flat = schemas.flat(objectOf(schema));
  const parts = Object.entries(objectMember(flat, 'properties')).map(
    ([name, part]) => [name, part, schemas.flat(objectOf(part))] as const,
  );
  const files = parts.flatMap(([name, part, own]) => {
    const file = asFile(schemas, own);
    return file === undefined ? [] : [[name, file, part] as const];
  });
  const isMarked = parts.some(([, , own]) => own['isFile'] === true);
  if (files.length === 0 && !isMarked && !isOfFastify(root)) return { schema, names: [] };
  const values = parts.flatMap(([name, , own]) => {
    const value = heldValue(schemas, own);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (files.length + values.length === 0) return { schema, names: [] };
  const properties = {
    ...objectMember(flat, 'properties'),
    ...Object.fromEntries([...values, ...files.map(([name, file]) => [name, file] as const)]),
  };
  return { schema: { ...flat, properties }, names: values.map(([name]) => name) };
};

const asFile = (schemas: Pick<Schemas, 'flat'>, part: JsonObject): JsonObject | undefined => {
  const properties = objectMember(part, 'properties');
  if (OF_FILES.every((name) => Object.hasOwn(properties, name))) {
    return { ...described(part), type: 'string', format: 'binary' };
  }
  const items = isObject(part['items']) ? asFile(schemas, schemas.flat(part['items'])) : undefined;
  return items && { ...part, items };
};

const heldValue = (schemas: Pick<Schemas, 'flat'>, part: JsonObject): JsonObject | undefined => {
  const { value, ...others } = objectMember(part, 'properties');
  if (!isObject(value) || Object.keys(others).length > 0) return undefined;
  const flat = schemas.flat(value);
  const types = readTypes(flat);
  const isPlain = types.length > 0 && !types.includes('object') && !types.includes('array');
  return isPlain ? { ...described(part), ...flat } : undefined;
};

const described = (part: JsonObject): JsonObject => {
  const description = member(part, 'description');
  return description === undefined ? {} : { description };
};

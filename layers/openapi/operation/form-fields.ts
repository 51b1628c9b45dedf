import type { NestedForm } from '../frameworks/form-readers.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { propertiesIn } from '../schema/flat-schema.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import { type Encodings, isJson } from './encodings.ts';
import { isFile } from './files.ts';

interface FormOfReader {
  readonly encoding: Encodings['encoding'];
  readonly names: readonly string[];
  /** Names of fields whose booleans are 1 and 0, and of lists of files that are parts called `name[]`. */
  readonly switches: readonly string[];
  readonly fileLists: readonly string[];
}

/**
 * Encodings of a form whose objects, and lists of some, are fields of their own, as its reader takes them; what has an
 * encoding, or is no plain object, stays.
 *
 * @returns the names of those, too
 */
export const withMembers = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
  { members, lists, files, digits }: Pick<NestedForm, 'digits' | 'files' | 'lists' | 'members'>,
): FormOfReader => {
  const flat = (part: Json | undefined) => schemas.flat(objectOf(part));
  const isNested = (part: JsonObject): boolean =>
    readTypes(part).includes('object') &&
    // Any JSON, as a JSONField of Django takes it.
    (members !== 'django' || hasMembers(part));
  const encodingOf = (name: string): PropertyEncoding => member(encoding, name) ?? {};
  const properties = Object.entries(propertiesIn(schemas, schema));
  const names = properties.flatMap(([name, part]) => {
    const own = flat(part);
    const items = flat(own['items']);
    const isPlainList = readTypes(own).includes('array') && !isFile(items);
    const isOfLists = readTypes(items).includes('array');
    const isWanted = isNested(own) || isNested(items) || isOfLists || (lists && isPlainList);
    return isWanted && Object.keys(encodingOf(name)).length === 0 ? [name] : [];
  });
  const fileLists = properties.flatMap(([name, part]) => {
    const own = flat(part);
    const isOfFiles = readTypes(own).includes('array') && isFile(flat(own['items']));
    return files && isOfFiles && !name.endsWith(']') ? [name] : [];
  });
  const switches = properties.flatMap(([name, part]) => {
    const isWritten = !isJson(encodingOf(name).contentType ?? '');
    return digits && isWritten && hasBoolean(schemas, part) ? [name] : [];
  });
  const written: PropertyEncoding =
    members === 'brackets' ? { style: 'deepObject', explode: true } : { members };
  const all = new Map(Object.entries(encoding));
  const add = (named: readonly string[], more: PropertyEncoding): void => {
    for (const name of named) all.set(name, { ...all.get(name), ...more });
  };
  add(names, written);
  add(fileLists, { isBracketed: true });
  add(switches, { digits: true });
  return { encoding: Object.fromEntries(all), names, switches, fileLists };
};

const DEEPEST = 4;

/** Whether a value may have booleans in it, as far as the schema tells. */
export const hasBoolean = (
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
  depth = 0,
): boolean => {
  const flat = schemas.flat(objectOf(schema));
  if (readTypes(flat).includes('boolean')) return true;
  if (depth === DEEPEST) return false;
  const inside = [flat['items'], ...Object.values(objectMember(flat, 'properties'))];
  return inside.some((one) => isObject(one) && hasBoolean(schemas, one, depth + 1));
};

const hasMembers = (schema: JsonObject): boolean => {
  const [properties, further] = ['properties', 'additionalProperties'].map((key) =>
    member(schema, key),
  );
  return [properties, further].some((one) => isObject(one) && Object.keys(one).length > 0);
};

/** Encodings of a multipart body whose fields may have no media type. */
export const withUntypedParts = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): Encodings['encoding'] => {
  const untyped = Object.keys(propertiesIn(schemas, schema)).flatMap((name) => {
    const own = member(encoding, name);
    return own?.contentType ? [] : [[name, { ...own, isUntyped: true }] as const];
  });
  return { ...encoding, ...Object.fromEntries(untyped) };
};

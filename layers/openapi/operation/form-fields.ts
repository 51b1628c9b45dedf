import type { NestedForm } from '../frameworks/form-readers.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { propertiesIn } from '../schema/flat-schema.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import type { Encodings } from './encodings.ts';
import { isFile } from './files.ts';

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
  { members, lists }: Pick<NestedForm, 'lists' | 'members'>,
): { readonly encoding: Encodings['encoding']; readonly names: readonly string[] } => {
  const flat = (part: Json | undefined) => schemas.flat(objectOf(part));
  const isNested = (part: JsonObject): boolean =>
    readTypes(part).includes('object') &&
    // Any JSON, as a JSONField of Django takes it.
    (members !== 'django' || hasMembers(part));
  const names = Object.entries(propertiesIn(schemas, schema)).flatMap(([name, part]) => {
    const own = flat(part);
    const isEncoded = Object.keys(member(encoding, name) ?? {}).length > 0;
    const items = flat(own['items']);
    const isPlainList = readTypes(own).includes('array') && !isFile(items);
    const isOfLists = readTypes(items).includes('array');
    const isWanted = isNested(own) || isNested(items) || isOfLists || (lists && isPlainList);
    return isWanted && !isEncoded ? [name] : [];
  });
  const written: PropertyEncoding =
    members === 'brackets' ? { style: 'deepObject', explode: true } : { members };
  return {
    encoding: { ...encoding, ...Object.fromEntries(names.map((name) => [name, written])) },
    names,
  };
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

import type { NestedForm } from '../frameworks/form-readers.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { propertiesIn } from '../schema/flat-schema.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import type { Encodings } from './encodings.ts';
import { isFile } from './files.ts';

/** What is written as fields of their own, and is told of. */
export interface NestedFields {
  readonly encoding: Encodings['encoding'];
  readonly names: readonly string[];
}

/**
 * Encodings of a form whose objects, and lists of some, are fields of their own, as its reader takes them; what has an
 * encoding, or is no plain object, stays.
 */
export const withMembers = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
  { members, lists, fileLists }: Pick<NestedForm, 'fileLists' | 'lists' | 'members'>,
): NestedFields => {
  const flat = (part: Json | undefined) => schemas.flat(objectOf(part));
  const isNested = (part: JsonObject): boolean =>
    readTypes(part).includes('object') &&
    // Any JSON, as a JSONField of Django takes it.
    (members !== 'django' || hasMembers(part));
  const names = Object.entries(propertiesIn(schemas, schema)).flatMap(([name, part]) => {
    const own = flat(part);
    const items = flat(own['items']);
    const isList = readTypes(own).includes('array') && !name.endsWith('[]');
    const isListed = isList && (isFile(items) ? fileLists : lists) === true;
    const isOfLists = readTypes(items).includes('array');
    const isWanted = isNested(own) || isNested(items) || isOfLists || isListed;
    return isWanted && !isEncoded(encoding, name) ? [name] : [];
  });
  return writtenAsFields(encoding, names, members);
};

/** Encodings of a form in which only what has files inside is fields of their own. */
export const withMembersOf = (
  encoding: Encodings['encoding'],
  names: readonly string[],
  { members }: Pick<NestedForm, 'members'>,
): NestedFields =>
  writtenAsFields(
    encoding,
    names.filter((name) => !isEncoded(encoding, name)),
    members,
  );

const isEncoded = (encoding: Encodings['encoding'], name: string): boolean =>
  Object.keys(member(encoding, name) ?? {}).length > 0;

const writtenAsFields = (
  encoding: Encodings['encoding'],
  names: readonly string[],
  members: NestedForm['members'],
): NestedFields => {
  const written: PropertyEncoding =
    members === 'brackets' ? { style: 'deepObject', explode: true } : { members };
  return {
    encoding: { ...encoding, ...Object.fromEntries(names.map((name) => [name, written])) },
    names,
  };
};

/** Whether a field with this encoding is several, each of which may be a file. */
export const isNestedAsFields = ({ style, members }: PropertyEncoding = {}): boolean =>
  style === 'deepObject' || members !== undefined;

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

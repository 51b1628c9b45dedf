import {
  type NestedForm,
  type Reader,
  readerOfFilesInside,
  readerOfNested,
  readsPlainFields,
} from '../frameworks/form-readers.ts';
import type { QueryLanguage } from '../frameworks/query-languages.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { hasBoolean, propertiesIn } from '../schema/flat-schema.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { OperationBody, PropertyEncoding } from '../tool-index.ts';
import type { DescribedBody } from './swagger-body.ts';
import { type Encodings, isJson } from './encodings.ts';
import { isFile } from './files.ts';

const WRITTEN = { brackets: 'a[b]=1', dotted: 'a.b=1', django: 'a.b=1 and a[0]b=1' } as const;

interface Fields extends NestedFields {
  readonly by?: Reader;
  /** Whether only objects with files in them are meant. */
  readonly isForFiles?: true;
}

/** @param inside - names of what has files among its members */
export const nestedFields = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  { encoding, mediaType }: DescribedBody,
  described: Json | undefined,
  inside: readonly string[],
  reader: Reader | undefined,
): Fields => {
  if (reader !== undefined) {
    return { ...withMembers(encoding, described, schemas, reader), by: reader };
  }
  const isForm = /^multipart\/(?:form-data|\*)/i.test(mediaType);
  if (inside.length === 0 || !isForm || readsPlainFields(root)) {
    return { encoding, names: [], switches: [], fileLists: [] };
  }
  const by = readerOfFilesInside(root);
  return { ...withMembersOf(encoding, inside, by), by, isForFiles: true };
};

/** Who parses objects of a form as fields of their own, judged by other names in the form, the framework or queries. */
export const nestedReader = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
  form: OperationBody['form'],
  language: QueryLanguage | undefined,
): Reader | undefined => {
  const names = Object.keys(propertiesIn(schemas, schema));
  // In multipart, names such as `files[]` tell nothing about objects.
  const isNamed = form === 'multipart' ? /^[^[\]]+\[[^[\]]+\]/ : /^[^[\]]+\[[^[\]]*\]/;
  const known = readerOfNested(root);
  if (known?.members !== 'brackets' && names.some((name) => isNamed.test(name))) {
    return { frameworks: 'those who name others so', members: 'brackets' };
  }
  if (known !== undefined) return known;
  // In multipart, objects can be parts in JSON.
  return language?.brackets && form === 'form'
    ? { frameworks: language.frameworks, members: 'brackets' }
    : undefined;
};

export const asFields = ({ frameworks, lists, members }: Reader, isForFiles?: true): string =>
  `objects ${isForFiles ? 'with files ' : ''}in its form are written as ${WRITTEN[members]}${lists ? ', lists as a[]=1' : ''}, as ${frameworks} read them`;

/** Encodings of a form, and the fields that a warning is about. */
interface NestedFields {
  readonly encoding: Encodings['encoding'];
  readonly names: readonly string[];
  /** Fields whose booleans are 1 and 0. */
  readonly switches: readonly string[];
  /** Lists of files that are parts called `name[]`. */
  readonly fileLists: readonly string[];
}

/**
 * Encodings of a form whose objects, and lists of some, are fields of their own, as its reader takes them; what has an
 * encoding, or is no plain object, stays.
 */
const withMembers = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
  { digits, fileLists: isInBrackets, lists, members }: Reader,
): NestedFields => {
  const flat = (part: Json | undefined) => schemas.flat(objectOf(part));
  const isNested = (part: JsonObject): boolean =>
    readTypes(part).includes('object') &&
    // Any JSON, as a JSONField of Django takes it.
    (members !== 'django' || hasMembers(part));
  const properties = Object.entries(propertiesIn(schemas, schema));
  const names = properties.flatMap(([name, part]) => {
    const own = flat(part);
    const items = flat(own['items']);
    const isPlainList = lists && readTypes(own).includes('array') && !isFile(items);
    const isOfLists = readTypes(items).includes('array');
    const isWanted = isNested(own) || isNested(items) || isOfLists || isPlainList;
    return isWanted && !isEncoded(encoding, name) ? [name] : [];
  });
  const fileLists = properties.flatMap(([name, part]) => {
    const own = flat(part);
    const isOfFiles = readTypes(own).includes('array') && isFile(flat(own['items']));
    return isInBrackets && isOfFiles && !name.endsWith(']') ? [name] : [];
  });
  const switches = properties.flatMap(([name, part]) => {
    const isWritten = !isJson(member(encoding, name)?.contentType ?? '');
    return digits && isWritten && hasBoolean(schemas, part) ? [name] : [];
  });
  return writtenAsFields(encoding, members, { names, switches, fileLists });
};

/** Encodings of a form in which only what has files inside is fields of their own. */
const withMembersOf = (
  encoding: Encodings['encoding'],
  names: readonly string[],
  { members }: Pick<NestedForm, 'members'>,
): NestedFields =>
  writtenAsFields(encoding, members, {
    names: names.filter((name) => !isEncoded(encoding, name)),
    switches: [],
    fileLists: [],
  });

const isEncoded = (encoding: Encodings['encoding'], name: string): boolean =>
  Object.keys(member(encoding, name) ?? {}).length > 0;

const writtenAsFields = (
  encoding: Encodings['encoding'],
  members: NestedForm['members'],
  fields: Omit<NestedFields, 'encoding'>,
): NestedFields => {
  const written: PropertyEncoding =
    members === 'brackets' ? { style: 'deepObject', explode: true } : { members };
  const all = new Map(Object.entries(encoding));
  const add = (named: readonly string[], more: PropertyEncoding): void => {
    for (const name of named) all.set(name, { ...all.get(name), ...more });
  };
  add(fields.names, written);
  add(fields.fileLists, { isBracketed: true });
  add(fields.switches, { digits: true });
  return { ...fields, encoding: Object.fromEntries(all) };
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

import { isHeaderValue } from '../../target/rules/protected-headers.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listOf, objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { resolved } from '../document.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { type Encodings, formOf, onlyValue, readEncodings } from './encodings.ts';
import { withFileItems } from './files.ts';

/** The parts of a multipart body that is a list: how each is written, by its position. */
interface PartsByPosition extends Encodings {
  /** With files where parts are bytes. */
  readonly schema: Json;
}

/** The key of the encoding of all further parts. */
const FURTHER = '*';

/**
 * A multipart body whose parts are told apart by their position, not by names; undefined for any other.
 *
 * Source: OpenAPI 3.2.0, "Encoding By Position"; the same as `x-oai-prefixEncoding` and `x-oai-itemEncoding` in earlier
 * versions: https://spec.openapis.org/registry/extension/.
 */
export const partsByPosition = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  media: JsonObject,
  mediaType: string,
  schema: Json | undefined,
  pointer: string,
): PartsByPosition | undefined => {
  if (formOf(mediaType) !== 'multipart' || !isObject(schema)) return undefined;
  const flat = schemas.flat(schema);
  const prefix = member(media, 'prefixEncoding') ?? member(media, 'x-oai-prefixEncoding');
  const further = member(media, 'itemEncoding') ?? member(media, 'x-oai-itemEncoding');
  const isNamed = /^multipart\/(?:form-data|\*)/i.test(mediaType);
  const isDeclared = Array.isArray(prefix) || isObject(further);
  const types = readTypes(flat);
  if (types.length !== 1 || types[0] !== 'array' || (isNamed && !isDeclared)) return undefined;

  const given = new Map([
    ...listOf(prefix).map((one, index) => [String(index), one] as const),
    ...(further === undefined ? [] : [[FURTHER, further] as const]),
  ]);
  const { encoding, warnings } = readEncodings(root, schemas, Object.fromEntries(given), pointer);
  const placed = [...given].flatMap(([key, one]) => {
    const disposition = dispositionOf(root, schemas, one);
    if (disposition === undefined) return [];
    const own = member(encoding, key) as PropertyEncoding | undefined;
    const headers = { ...own?.headers, 'content-disposition': disposition };
    return [[key, { ...own, headers }] as const];
  });
  // A part of a form has a name: that of the member of its object, where no header says it.
  if (isNamed && placed.length === 0 && !partsOf(flat).some((part) => isOfNames(schemas, part))) {
    return undefined;
  }
  // A position with an encoding of nothing is none of the further ones.
  const bare = [...given.keys()].map((key) => [key, {}] as const);
  const complete = withTypes(schemas, flat, {
    ...Object.fromEntries(bare),
    ...encoding,
    ...Object.fromEntries(placed),
  });
  return {
    schema: withFileItems(schemas, flat, (index) => encodingAt(complete, index)?.contentType),
    encoding: complete,
    warnings,
  };
};

const encodingAt = (
  encodings: Encodings['encoding'],
  index: number | undefined,
): PropertyEncoding | undefined =>
  ((index === undefined ? undefined : member(encodings, String(index))) ??
    member(encodings, FURTHER)) as PropertyEncoding | undefined;

const partsOf = ({ prefixItems, items }: JsonObject): readonly Json[] => [
  ...listOf(prefixItems),
  ...(items === undefined ? [] : [items]),
];

const isOfNames = (schemas: Pick<Schemas, 'flat'>, part: Json): boolean =>
  isObject(part) && readTypes(schemas.flat(part)).includes('object');

/** The media types that parts name in their schemas, where no encoding does. */
const withTypes = (
  schemas: Pick<Schemas, 'flat'>,
  { prefixItems, items }: JsonObject,
  encoding: Encodings['encoding'],
): Encodings['encoding'] => {
  const named = [
    ...listOf(prefixItems).map((one, index) => [index, one] as const),
    [FURTHER, items] as const,
  ].flatMap(([key, part]) => {
    const type = isObject(part) ? schemas.flat(part)['contentMediaType'] : undefined;
    const own = member(encoding, String(key)) as PropertyEncoding | undefined;
    return typeof type === 'string' && own?.contentType === undefined
      ? [[String(key), { ...own, contentType: type }] as const]
      : [];
  });
  return { ...encoding, ...Object.fromEntries(named) };
};

/** The one value that the description fixes for `Content-Disposition`, with which a part has its name. */
const dispositionOf = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  encoding: Json,
): string | undefined => {
  const [, node] =
    Object.entries(objectMember(objectOf(encoding), 'headers')).find(
      ([name]) => name.toLowerCase() === 'content-disposition',
    ) ?? [];
  const header = node === undefined ? undefined : resolved(root, node);
  const value = isObject(header) ? onlyValue(schemas, member(header, 'schema')) : undefined;
  return value !== undefined && isHeaderValue(value) ? value : undefined;
};

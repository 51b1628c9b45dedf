import { createHash } from 'node:crypto';
import type { OperationBody, PropertyEncoding } from '../../openapi/tool-index.ts';
import { isObject, type JsonObject, jsonText } from '../../platform/rules/json/json.ts';
import { isHeaderName, isHeaderValue } from '../../target/rules/protected-headers.ts';
import { argumentNameOf } from '../arguments/convert-value.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import { isFile, itemShape, namesProperty, propertyShape, type Shape } from '../arguments/shape.ts';
import { type PreparedTool, isJsonType } from '../prepare-tool.ts';
import {
  asIs,
  bareName,
  type NestedNames,
  type Pair,
  parameterPairs,
  presentMembers,
  valueText,
} from './parameter-pairs.ts';
import {
  type BodyProperty,
  sentAs,
  encodingOf,
  type Encodings,
  namesOfMembers,
  writtenAs,
} from './body-properties.ts';
import { rejectReserved, type Reserved } from './reserved-names.ts';

interface Part {
  /** None where parts are told apart by their position. */
  readonly name?: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Encodes a multipart body. Its boundary is a hash of all parts, so none contains it and equal calls are equal.
 * Source: RFC 7578; WHATWG HTML, "multipart/form-data encoding algorithm" (names and file names).
 */
export const multipartBody = (parts: readonly Part[]): { boundary: string; bytes: Uint8Array } => {
  const written = parts.map((part) => ({
    head: Buffer.from(headOf(part), 'utf8'),
    content: typeof part.content === 'string' ? Buffer.from(part.content, 'utf8') : part.content,
  }));
  const hash = createHash('sha256');
  for (const { head, content } of written) hash.update(head).update(content);
  const boundary = `hosted-mcp-${hash.digest('hex').slice(0, 32)}`;

  const chunks = written.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n`),
    head,
    content,
    Buffer.from('\r\n'),
  ]);
  return { boundary, bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]) };
};

const headOf = ({ name, filename, contentType, headers = {} }: Part): string => {
  const file = filename === undefined ? '' : `; filename="${quotable(filename)}"`;
  const kind = name === undefined ? 'attachment' : `form-data; name="${quotable(name)}"`;
  const isPlaced = name === undefined && (file === '' || headers[DISPOSITION] !== undefined);
  const place = isPlaced ? '' : `Content-Disposition: ${kind}${file}\r\n`;
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  const others = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  return `${place}${type}${others.join('')}\r\n`;
};

const DISPOSITION = 'content-disposition';

const quotable = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/**
 * Parts of a `multipart/form-data` body: one for each property, or item of a list. Files have name and type, objects
 * are JSON, unless an encoding has another content type; that of a file argument itself has precedence. Files come
 * after all fields: servers that read forms as streams ignore, or refuse, fields behind them.
 * @throws RpcRefusal for a file that cannot be read
 * Source: OpenAPI 3.1.1, "Encoding multipart Media Types"; RFC 7578 §4.3; Amazon S3 API Reference, "POST Object", `file`.
 */
export const multipartParts = (
  tool: Reserved & Pick<PreparedTool, 'shapes' | 'wireNames'>,
  properties: readonly BodyProperty[],
  encodings: Encodings,
): readonly Part[] =>
  filesLast(
    properties.flatMap((property): readonly Part[] => {
      const encoding = encodingOf(encodings, property.name);
      const headers = headersOf(encoding);
      const { name, value, keys, shape } = property;
      // Styles are for text: a file is one part whatever its encoding says.
      const written = isOfFiles(tool, property) ? undefined : writtenAs(encoding);
      const names = namesOfMembers(encoding);
      if (names && isNested(value)) {
        const leaves = leavesOf(tool, { ...property, name: bareName(name, value) }, names);
        rejectReserved(
          tool,
          'body',
          sentAs(property),
          leaves.map((leaf): Pair => [leaf.name, '']),
        );
        return leaves.flatMap((leaf) =>
          partOf(leaf.name, leaf.value, leaf.keys, leaf.shape, {}, lastWord(leaf)).map((part) => ({
            ...part,
            ...headers,
          })),
        );
      }
      const pairs = written && parameterPairs(name, value, written, asIs);
      if (pairs) {
        rejectReserved(tool, 'body', sentAs(property), pairs);
        return pairs.map(([part, content]): Part => ({
          name: part,
          content,
          ...headers,
        }));
      }
      const parts =
        !Array.isArray(value) || isJsonType(encoding.contentType ?? '')
          ? partOf(name, value, keys, shape, encoding)
          : value.flatMap((item, index) =>
              partOf(
                encoding.isBracketed ? `${name}[]` : name,
                item,
                [...keys, index],
                shape && itemShape(tool.shapes, shape, index),
                encoding,
                name,
              ),
            );
      return parts.map((part) => ({ ...part, ...headers }));
    }),
  );

const filesLast = (parts: readonly Part[]): readonly Part[] => {
  const isFilePart = ({ filename }: Part): boolean => filename !== undefined;
  return [...parts.filter((part) => !isFilePart(part)), ...parts.filter(isFilePart)];
};

interface Leaf extends Pick<BodyProperty, 'name' | 'shape' | 'value'> {
  readonly keys: readonly (string | number)[];
}

/** Its name without those of what contains it. */
const lastWord = ({ keys, name }: Leaf): string =>
  String(keys.findLast((key) => typeof key === 'string') ?? name);

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The files and plain values in what is nested, by the names that its reader has for them. */
const leavesOf = (
  tool: Pick<PreparedTool, 'shapes' | 'wireNames'>,
  { name, value, keys, shape }: Leaf,
  names: NestedNames,
): readonly Leaf[] => {
  const { shapes, wireNames } = tool;
  const isLeaf = (one: unknown, own: Shape | undefined): boolean =>
    !isNested(one) || own?.views.some(isFile) === true;
  if (isLeaf(value, shape)) return [{ name, value, keys, shape }];
  if (Array.isArray(value)) {
    const items = value
      .map((item: unknown, index) => ({
        value: item,
        keys: [...keys, index],
        shape: shape && itemShape(shapes, shape, index),
      }))
      .filter((item) => item.value !== null && item.value !== undefined);
    const isOfNested = items.some((item) => !isLeaf(item.value, item.shape));
    return items.flatMap((item, index) =>
      leavesOf(tool, { ...item, name: names.ofItem(name, index, isOfNested) }, names),
    );
  }
  return presentMembers(value as JsonObject).flatMap(([key, one]) => {
    const argument = argumentNameOf(wireNames, shape?.views ?? [], key);
    const own = shape && propertyShape(shapes, shape, argument);
    const place = { value: one, keys: [...keys, argument], shape: own };
    return leavesOf(tool, { ...place, name: names.ofMember(name, key) }, names);
  });
};

/**
 * The parts of a multipart body that is a list, one for each item. In a form without further word an item is an object
 * of names and values.
 *
 * @param keys - where the list stands among the arguments
 * @throws RpcRefusal for a list that is none, a file that cannot be read, or a name that only the owner may set
 * Source: OpenAPI 3.2.0, "Encoding By Position"; https://spec.openapis.org/registry/media-type/forms.
 */
export const partsInOrder = (
  { reservedNames, shapes, shape }: Pick<PreparedTool, 'reservedNames' | 'shape' | 'shapes'>,
  { mediaType, encoding: encodings = {} }: OperationBody,
  value: unknown,
  keys: readonly string[],
): readonly Part[] => {
  if (!Array.isArray(value)) throw invalidArgument(keys, 'must be a list of the parts');
  const list = shape && propertyShape(shapes, shape, keys[0] ?? '');
  return value.flatMap((item: unknown, index): readonly Part[] => {
    const encoding = encodingOf(encodings, Object.hasOwn(encodings, index) ? String(index) : '*');
    const own = list && itemShape(shapes, list, index);
    const place = [...keys, index];
    const { [DISPOSITION]: disposition } = encoding.headers ?? {};
    const others = headersOf(encoding).headers;
    const placed = disposition === undefined ? {} : { [DISPOSITION]: disposition };
    const headers = { headers: { ...placed, ...others } };
    const isOfNames = disposition === undefined && /^multipart\/form-data\b/i.test(mediaType);
    if (isOfNames && isObject(item) && !own?.views.some(isFile)) {
      return Object.entries(item).flatMap(([name, member]) => {
        const isNamed = own !== undefined && namesProperty(own, name);
        if (!isNamed && reservedNames.has('body', name)) {
          throw invalidArgument([...place, name], 'names something that callers may not set');
        }
        return partOf(name, member, [...place, name], own && propertyShape(shapes, own, name), {});
      });
    }
    // Without a part of its own, the next one would take its place.
    const parts =
      item === null
        ? [{ content: 'null', contentType: 'application/json' }]
        : partOf(undefined, item, place, own, encoding);
    return parts.map((part) => ({ ...part, ...headers }));
  });
};

/** Whether a part, or each of several, is a file. */
const isOfFiles = ({ shapes }: Pick<PreparedTool, 'shapes'>, { value, shape }: BodyProperty) =>
  shape !== undefined &&
  (shape.views.some(isFile) ||
    (Array.isArray(value) && itemShape(shapes, shape, 0)?.views.some(isFile) === true));

export const hasFile = (
  tool: Pick<PreparedTool, 'shapes' | 'wireNames'>,
  property: BodyProperty,
  encodings: Encodings,
): boolean => {
  const { name, value } = property;
  const names = namesOfMembers(encodingOf(encodings, name));
  const leaves = names ? leavesOf(tool, property, names) : [];
  if (leaves.some(({ shape }) => shape?.views.some(isFile))) return true;
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  // A property that is not described may be a file as well.
  return !isEmpty && (isOfFiles(tool, property) || looksLikeFile(value));
};

/** Headers of the encoding that a part may have; `Content-Type` and `Content-Disposition` are written elsewhere. */
const headersOf = ({ headers = {} }: PropertyEncoding): Pick<Part, 'headers'> => {
  const sound = Object.entries(headers).filter(
    ([name, value]) =>
      isHeaderName(name) && isHeaderValue(value) && !/^content-(?:type|disposition)$/i.test(name),
  );
  return sound.length > 0 ? { headers: Object.fromEntries(sound) } : {};
};

const partOf = (
  name: string | undefined,
  value: unknown,
  keys: readonly (string | number)[],
  shape: Shape | undefined,
  encoding: PropertyEncoding,
  unnamedAs = name,
): readonly Part[] => {
  if (value === null || value === undefined) return [];
  const declared = encoding.contentType?.split(',').map((type) => type.trim());
  const contentType = declared?.find((type) => !type.includes('*') && isHeaderValue(type));

  if (shape?.views.some(isFile) || (!shape?.types && looksLikeFile(value))) {
    const file = readFile(value, keys);
    const filename = file.filename ?? unnamedAs;
    return [
      {
        ...(name !== undefined && { name }),
        content: file.bytes,
        ...(filename !== undefined && { filename }),
        contentType: file.contentType ?? contentType ?? 'application/octet-stream',
      },
    ];
  }
  const isJson = contentType === undefined ? typeof value === 'object' : isJsonType(contentType);
  const type = contentType ?? (isJson && !encoding.isUntyped ? 'application/json' : undefined);
  return [
    {
      ...(name !== undefined && { name }),
      content: isJson ? jsonText(value) : valueText(value),
      ...(type === undefined ? {} : { contentType: type }),
    },
  ];
};

export interface FileArgument {
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w-]+=(?:[\w.+-]+|"[\w .+-]*"))*$/;

/**
 * Reads a file argument: base64 (standard or URL-safe, padding optional), a `data:` URL, or an object `{data | base64,
 * filename?, contentType?}`.
 * @param keys - its path in the arguments
 * @throws RpcRefusal for anything else
 * Source: RFC 4648 §4, §5; RFC 2397.
 */
export const readFile = (value: unknown, keys: readonly (string | number)[]): FileArgument => {
  if (typeof value === 'string') return fromText(value, keys);
  if (!isObject(value)) throw invalidArgument(keys, 'must be a file: base64 text or an object');
  const { data, base64, filename, contentType } = value;
  const text = data ?? base64;
  if (typeof text !== 'string' || !isOptionalText(filename) || !isOptionalText(contentType)) {
    throw invalidArgument(keys, WANTED);
  }
  if (contentType !== undefined && !MEDIA_TYPE.test(contentType)) {
    throw invalidArgument([...keys, 'contentType'], 'must be a media type, such as image/png');
  }
  return {
    ...fromText(text, keys),
    ...(filename === undefined ? {} : { filename }),
    ...(contentType === undefined ? {} : { contentType }),
  };
};

export const looksLikeFile = (value: unknown): value is JsonObject =>
  isObject(value) &&
  (typeof value['data'] === 'string' || typeof value['base64'] === 'string') &&
  Object.keys(value).every((key) => MEMBERS.includes(key));

const MEMBERS = ['data', 'base64', 'filename', 'contentType'];

const WANTED = 'must be base64 text, a data: URL or {data, filename, contentType}';

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

const fromText = (text: string, keys: readonly (string | number)[]): FileArgument => {
  if (!/^data:/i.test(text)) return { bytes: fromBase64(text, keys) };
  const comma = text.indexOf(',');
  if (comma < 0) throw invalidArgument(keys, 'is a data: URL without a comma');
  const head = text.slice('data:'.length, comma);
  const type = head.replace(/;\s*base64\s*$/i, '');
  const content = text.slice(comma + 1);
  return {
    bytes: type === head ? percentDecoded(content, keys) : fromBase64(content, keys),
    ...(MEDIA_TYPE.test(type) ? { contentType: type } : {}),
  };
};

const fromBase64 = (text: string, keys: readonly (string | number)[]): Uint8Array => {
  const compact = text.replace(/\s+/g, '');
  const digits = compact.replace(/={1,2}$/, '');
  if (!/^[\w+/-]*$/.test(digits) || digits.length % 4 === 1) {
    throw invalidArgument(keys, 'is not valid base64');
  }
  return Buffer.from(digits, 'base64');
};

const percentDecoded = (text: string, keys: readonly (string | number)[]): Uint8Array => {
  if (/%(?![\da-f]{2})/i.test(text)) throw invalidArgument(keys, 'is not a valid data: URL');
  const bytes: number[] = [];
  for (const [piece] of text.matchAll(/%[\da-f]{2}|[^%]+/gi)) {
    if (piece.startsWith('%')) bytes.push(Number.parseInt(piece.slice(1), 16));
    else for (const byte of Buffer.from(piece, 'utf8')) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
};

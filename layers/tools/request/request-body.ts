import type { OperationBody } from '../../openapi/tool-index.ts';
import { streamForm } from '../../target/rules/stream-elements.ts';
import { jsonText, member } from '../../platform/rules/json/json.ts';
import { inOrder } from '../arguments/convert-value.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import type { Arguments } from '../arguments/read-arguments.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import { bodyProperties, type BodyProperty, encodingOf, formBody } from './body-properties.ts';
import {
  type FileArgument,
  hasFile,
  looksLikeFile,
  multipartBody,
  multipartParts,
  partsInOrder,
  readFile,
} from './multipart-body.ts';
import { inDigits, percentEncode, valueText } from './parameter-pairs.ts';

interface RequestBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
  /** Of raw bytes. */
  readonly disposition?: string;
}

/**
 * @returns undefined where no body is given and none is required
 * @throws RpcRefusal for arguments that the media type cannot carry
 * Source: docs/tools.md, "Bodies".
 */
export const requestBody = (
  tool: PreparedTool,
  body: OperationBody,
  args: Arguments,
): RequestBody | undefined => {
  switch (body.form) {
    case 'json':
      return jsonBody(tool, body, args);
    case 'form': {
      const properties = formProperties(tool, body, args);
      if (properties.length === 0 && !body.required) return undefined;
      return { contentType: body.mediaType, content: formBody(tool, properties, body.encoding) };
    }
    case 'multipart': {
      const json = jsonWithoutFile(tool, body, args);
      if (json) return json;
      const parts = body.isByPosition
        ? partsOfList(tool, body, args)
        : partsOfProperties(tool, body, args);
      if (!parts) return undefined;
      const { boundary, bytes } = multipartBody(parts);
      const type = body.mediaType.replace(/; *boundary=[^;]*/i, '').replace('/*', '/form-data');
      return { contentType: `${type}; boundary=${boundary}`, content: bytes };
    }
    case 'text':
      return textBody(tool, body, args);
    case 'binary':
      return binaryBody(tool, body, args);
  }
};

const jsonWithoutFile = (
  tool: PreparedTool,
  { jsonType, source, required, encoding }: OperationBody,
  args: Arguments,
): RequestBody | undefined => {
  if (jsonType === undefined) return undefined;
  const properties = bodyProperties(tool, source, args);
  const isNothing = properties.length === 0 && !required;
  if (isNothing || properties.some((one) => hasFile(tool, one, encoding))) return undefined;
  return { contentType: jsonType, content: jsonText(objectOf(properties)) };
};

const formProperties = (
  tool: PreparedTool,
  { source, encoding }: OperationBody,
  args: Arguments,
): readonly BodyProperty[] =>
  bodyProperties(tool, source, args).map((property) =>
    encodingOf(encoding, property.name).digits
      ? { ...property, value: inDigits(property.value) }
      : property,
  );

const partsOfProperties = (tool: PreparedTool, body: OperationBody, args: Arguments) => {
  const properties = formProperties(tool, body, args);
  if (properties.length === 0 && !body.required) return undefined;
  return multipartParts(tool, properties, body.encoding);
};

const partsOfList = (tool: PreparedTool, body: OperationBody, args: Arguments) => {
  const given = onlyArgument(tool, body.source, args);
  return given && partsInOrder(tool, body, given.value, given.keys);
};

const jsonBody = (
  tool: PreparedTool,
  { source, required, mediaType, emptyObject, emptyArgument }: OperationBody,
  args: Arguments,
): RequestBody | undefined => {
  const contentType = mediaType.includes('*') ? 'application/json' : mediaType;
  if (source.kind === 'whole') {
    const given = member(args, source.argument);
    const value = given === undefined && emptyObject ? {} : given;
    return value === undefined ? undefined : { contentType, content: jsonText(value) };
  }
  const properties = bodyProperties(tool, source, args);
  const isSent = required || (emptyArgument !== undefined && member(args, emptyArgument) === true);
  if (properties.length === 0 && !isSent) return undefined;
  return { contentType, content: jsonText(objectOf(properties)) };
};

const objectOf = (properties: readonly BodyProperty[]) =>
  Object.fromEntries(inOrder(properties.map(({ name, value }) => [name, value] as const)));

/**
 * Sends scalars as text, and lists as lines where the media type has them. Other objects are refused: XML and the like
 * cannot be built from them. Source: the NDJSON specification; RFC 7464 §2.2.
 */
const textBody = (
  tool: PreparedTool,
  { source, mediaType, bytesType }: OperationBody,
  args: Arguments,
): RequestBody | undefined => {
  const given = onlyArgument(tool, source, args);
  if (!given) return undefined;
  if (bytesType !== undefined && looksLikeFile(given.value)) {
    const file = readFile(given.value, given.keys);
    return rawFile(bytesType, file);
  }
  if (Array.isArray(given.value) && streamForm(mediaType) === 'lines') {
    const start = /json-seq\b/i.test(mediaType) ? '\x1e' : '';
    const lines = given.value.map((one) => `${start}${jsonText(one)}\n`);
    return { contentType: mediaType, content: lines.join('') };
  }
  if (typeof given.value === 'object') {
    throw invalidArgument(given.keys, `must be the body as text (${mediaType})`);
  }
  const content = valueText(given.value);
  return { contentType: textType(mediaType, content), content };
};

/** Text is sent as UTF-8: another declared charset is replaced, unless the text is ASCII, alike in all but UTF-16. */
const textType = (mediaType: string, content: string): string => {
  const concrete = mediaType.includes('*') ? 'text/plain' : mediaType;
  const type = concrete.split(';', 1).join().trimEnd();
  const charset = /; *charset="?([^";]*)/i.exec(concrete)?.[1]?.trim().toLowerCase();
  const isAscii = Buffer.byteLength(content) === content.length;
  if (charset === 'utf-8' || (isAscii && charset !== 'utf-16')) return concrete;
  return type.startsWith('text/') || charset !== undefined ? `${type};charset=utf-8` : concrete;
};

const binaryBody = (
  tool: PreparedTool,
  { source, mediaType, filename }: OperationBody,
  args: Arguments,
): RequestBody | undefined => {
  const given = onlyArgument(tool, source, args);
  if (!given) return undefined;
  const file = readFile(given.value, given.keys);
  return rawFile(mediaType, { ...(filename !== undefined && { filename }), ...file });
};

/** Bytes with the file's name where it has one, which Django REST framework and WordPress read from this header. */
const rawFile = (mediaType: string, file: FileArgument): RequestBody => ({
  contentType: binaryType(mediaType, file),
  content: file.bytes,
  ...(file.filename !== undefined && { disposition: dispositionOf(file.filename) }),
});

/** Source: RFC 6266 §4.1, §4.3; RFC 8187 §3.2. */
const dispositionOf = (filename: string): string => {
  const plain = filename.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\]/g, '\\$&');
  const isPlain = /^[\x20-\x7e]*$/.test(filename);
  const extended = isPlain ? '' : `; filename*=UTF-8''${percentEncode(filename.toWellFormed())}`;
  return `attachment; filename="${plain}"${extended}`;
};

/** The declared type; where that is a wildcard or `application/octet-stream`, the file's own. */
const binaryType = (mediaType: string, { contentType }: FileArgument): string => {
  const isOpen = mediaType.includes('*') || mediaType === 'application/octet-stream';
  if (!isOpen) return mediaType;
  return contentType ?? (mediaType.includes('*') ? 'application/octet-stream' : mediaType);
};

const onlyArgument = (
  tool: PreparedTool,
  source: OperationBody['source'],
  args: Arguments,
): { value: unknown; keys: readonly string[] } | undefined => {
  if (source.kind === 'whole') {
    const value = member(args, source.argument);
    return value === undefined || value === null ? undefined : { value, keys: [source.argument] };
  }
  return bodyProperties(tool, source, args).find(({ value }) => value !== null);
};

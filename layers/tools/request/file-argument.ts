import { invalidArgument } from '../arguments/invalid-arguments.ts';
import { isObject, type JsonObject } from '../../platform/rules/json/json.ts';

/** Bytes that came as an argument. */
export interface FileArgument {
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w-]+=(?:[\w.+-]+|"[\w .+-]*"))*$/;

/**
 * Reads a file: base64 (standard or URL-safe, with or without padding), a `data:` URL, or an object
 * `{data | base64, filename?, contentType?}`.
 *
 * @param keys - where it stands among the arguments
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

/** Whether an object can only be meant as a file. */
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

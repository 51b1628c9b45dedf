import type { TargetAnswer } from '../../target/rules/target.ts';
import { withoutFrames } from './framed-text.ts';

export type AnswerBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly mimeType: string; readonly bytes: Uint8Array };

const OPEN_TYPES = ['', 'application/octet-stream', 'binary/octet-stream', 'application/binary'];
const TEXT_TYPE =
  /^(?:text\/.*|[^/]*\/(?:[^/]*\+)?(?:json|xml|yaml)|application\/(?:x-ndjson|ndjson|json-seq|jsonlines|x-jsonlines|x-yaml|javascript|graphql|x-www-form-urlencoded|sql|toml|jsonl|problem\+.*))$/;

/**
 * Kind and content of an answer. The content type decides unless the bytes contradict it: plain text in Unicode or in
 * the named charset is text, a known picture is a picture, and bytes with a NUL are text only in UTF-16 and in the
 * frames of a container's output. SVG is text: it is XML, and no model takes it as an image.
 */
export const readBody = ({ headers, body, cut }: TargetAnswer): AnswerBody => {
  if (body.length === 0) return { kind: 'empty' };

  const { type, charset: named } = mediaTypeOf(headers['content-type'] ?? '');
  const isCut = cut !== undefined;
  const isText = TEXT_TYPE.test(type);
  const charset = named ?? (isText ? declaredCharset(type, body) : undefined);
  const isWeb = type.startsWith('text/');

  if (isText && !isMislabelled(body, isCut))
    return text(decodeText(body, { charset, isCut, isWeb }));
  // Many frameworks add a charset to whatever they send, so a charset alone does not make bytes text.
  if (charset !== undefined && isTextIn(body, charset, isCut)) {
    return text(decodeText(body, { charset, isCut, isWeb }));
  }
  if (isPlainText(body, isCut)) {
    return text(decodeText(body, { charset: undefined, isCut, isWeb: false }));
  }
  const written = withoutFrames(body, isCut);
  if (written && isPlainText(written, isCut)) {
    return text(decodeText(written, { charset: undefined, isCut, isWeb: false }));
  }
  const isOpen = isText || OPEN_TYPES.includes(type);
  const mimeType = isOpen ? (typeByBytes(body) ?? 'application/octet-stream') : type;
  return { kind: 'binary', mimeType, bytes: body };
};

const text = (content: string): AnswerBody => ({ kind: 'text', text: content });

/** Bytes that cannot be the text their type claims: many servers send everything as `text/plain`. */
const isMislabelled = (bytes: Uint8Array, isCut: boolean): boolean =>
  (bytes.includes(0) || isPicture(bytes)) && !isPlainText(bytes, isCut);

const mediaTypeOf = (contentType: string): { type: string; charset: string | undefined } => {
  const [type = ''] = contentType.split(/[;,]/, 1);
  const charset = /; *charset *= *"?([^";,\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  const name = type.trim().toLowerCase();
  // An invalid Content-Type counts as absent.
  return { type: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(name) ? name : '', charset };
};

interface TextBytes {
  /** Named by the sender or by the text itself, in lower case. */
  readonly charset: string | undefined;
  /** Whether bytes are missing at the end: a character that is cut in two is dropped. */
  readonly isCut: boolean;
  /** A `text/*` type: without a charset it may be Windows-1252, as on the older web. */
  readonly isWeb: boolean;
}

/**
 * Decodes by byte order mark, else by the charset if known, else as UTF-8. Invalid bytes become U+FFFD.
 * Source: WHATWG Encoding, "BOM sniff".
 */
const decodeText = (bytes: Uint8Array, { charset, isCut, isWeb }: TextBytes): string => {
  const marked = markedCharset(bytes);
  const decoder = marked ? new TextDecoder(marked) : charset && decoderFor(charset);
  // With `stream`, the decoder drops an incomplete last character.
  if (decoder) return decoder.decode(bytes, { stream: isCut });
  const isUtf8 = !isWeb || isValidUtf8(bytes, isCut);
  return new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252').decode(bytes, { stream: isCut });
};

/** Whether bytes are certainly Unicode text: UTF-8 without control characters, or UTF-16 with a byte order mark. */
const isPlainText = (bytes: Uint8Array, isCut: boolean): boolean => {
  const marked = markedCharset(bytes);
  if (marked === 'utf-16le' || marked === 'utf-16be') return bytes.length % 2 === 0 || isCut;
  return !bytes.some(isControl) && isValidUtf8(bytes, isCut);
};

/** Whether bytes are valid text without control characters in a known charset. */
const isTextIn = (bytes: Uint8Array, charset: string, isCut: boolean): boolean => {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: isCut });
    for (let index = 0; index < text.length; index += 1) {
      if (isControl(text.charCodeAt(index))) return false;
    }
    return true;
  } catch {
    return false;
  }
};

const MOST_PROLOG_BYTES = 1024;
const XML_DECLARATION = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;
const HTML_META = /<meta\s([^>]*)/gi;
const HTML_CHARSET = /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i;

/**
 * The charset that a text declares in itself, where its sender names none.
 * Source: RFC 7303 §3; XML 1.0 §4.3.3; WHATWG HTML §13.2.3.2; RFC 4627 §3.
 */
const declaredCharset = (type: string, bytes: Uint8Array): string | undefined => {
  const isXml = /[/+]xml$/.test(type);
  if (isXml || /[/+]json$/.test(type)) {
    // JSON and XML begin with two ASCII characters, whose zero bytes reveal UTF-16.
    const [first, second, third, fourth] = bytes;
    if (first && second === 0 && third && fourth === 0) return 'utf-16le';
    if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  }
  if (!isXml && type !== 'text/html') return undefined;
  const prolog = Buffer.from(bytes.subarray(0, MOST_PROLOG_BYTES)).toString('latin1');
  const charset = (isXml ? XML_DECLARATION.exec(prolog)?.[1] : metaCharset(prolog))?.toLowerCase();
  // The declaration was readable as ASCII, so it cannot be UTF-16 (WHATWG HTML, "prescan a byte stream").
  return charset?.startsWith('utf-16') ? 'utf-8' : charset;
};

const metaCharset = (html: string): string | undefined => {
  for (const [, attributes = ''] of html.matchAll(HTML_META)) {
    const charset = HTML_CHARSET.exec(attributes)?.[1];
    if (charset !== undefined) return charset;
  }
  return undefined;
};

/** Control characters that do not occur in text; tab, line feed, form feed, carriage return and escape do. */
const isControl = (code: number): boolean =>
  code < 0x20 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27;

const isValidUtf8 = (bytes: Uint8Array, isCut: boolean): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
};

const markedCharset = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
};

const decoderFor = (charset: string) => {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
};

type Signature = readonly [mimeType: string, signature: string, at: number];

const PICTURES: readonly Signature[] = [
  ['image/png', '\x89PNG\r\n\x1a\n', 0],
  ['image/jpeg', '\xff\xd8\xff', 0],
  ['image/gif', 'GIF87a', 0],
  ['image/gif', 'GIF89a', 0],
  ['image/webp', 'WEBPVP', 8],
];

const OTHERS: readonly Signature[] = [
  ['audio/wav', 'WAVE', 8],
  ['audio/mpeg', 'ID3', 0],
  ['application/pdf', '%PDF-', 0],
  ['application/zip', 'PK\x03\x04', 0],
  ['application/gzip', '\x1f\x8b\x08', 0],
];

/** Source: WHATWG MIME Sniffing §6.1. */
const isPicture = (bytes: Uint8Array): boolean => typeIn(PICTURES, bytes) !== undefined;

/** MIME type by the first bytes. Source: WHATWG MIME Sniffing §6, §7.1. */
const typeByBytes = (bytes: Uint8Array): string | undefined =>
  typeIn([...PICTURES, ...OTHERS], bytes);

const typeIn = (signatures: readonly Signature[], bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return signatures.find(([, signature, at]) => start.startsWith(signature, at))?.[0];
};

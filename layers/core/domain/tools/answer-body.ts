import type { TargetAnswer } from '../target.ts';
import { decodeText, isPlainText } from './text-bytes.ts';

/** What a body turned out to be. */
export type AnswerBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly mimeType: string; readonly bytes: Uint8Array };

const OPEN_TYPES = ['', 'application/octet-stream', 'binary/octet-stream', 'application/binary'];
const TEXT_TYPE =
  /^(?:text\/.*|.*\/(?:.*\+)?(?:json|xml|yaml)|application\/(?:x-ndjson|x-yaml|javascript|graphql|x-www-form-urlencoded|sql|toml|jsonl|problem\+.*))$/;

/**
 * What an answer holds. The content type decides unless the bytes say otherwise: whatever is plain
 * Unicode text is text, a known picture is a picture, and nothing that has a NUL is text.
 * SVG is text: it is XML, and no model takes it as an image.
 */
export const readBody = ({ headers, body, cut }: TargetAnswer): AnswerBody => {
  if (body.length === 0) return { kind: 'empty' };

  const { type, charset } = mediaTypeOf(headers['content-type'] ?? '');
  const isCut = cut !== undefined;
  if (charset !== undefined || (TEXT_TYPE.test(type) && !isMislabelled(body, isCut))) {
    const isWeb = type.startsWith('text/');
    return { kind: 'text', text: decodeText(body, { charset, isCut, isWeb }) };
  }
  if (isPlainText(body, isCut)) {
    return { kind: 'text', text: decodeText(body, { charset, isCut, isWeb: false }) };
  }
  const isOpen = OPEN_TYPES.includes(type) || TEXT_TYPE.test(type);
  const mimeType = isOpen ? (pictureType(body) ?? 'application/octet-stream') : type;
  return { kind: 'binary', mimeType, bytes: body };
};

/** Bytes sent as text that cannot be: many servers call everything `text/plain`. */
const isMislabelled = (bytes: Uint8Array, isCut: boolean): boolean =>
  (bytes.includes(0) || pictureType(bytes) !== undefined) && !isPlainText(bytes, isCut);

const mediaTypeOf = (contentType: string): { type: string; charset: string | undefined } => {
  const [type = ''] = contentType.split(/[;,]/, 1);
  const charset = /; *charset *= *"?([^";,\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  const name = type.trim().toLowerCase();
  // A header that is no media type is none.
  return { type: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(name) ? name : '', charset };
};

const SIGNATURES: readonly (readonly [mimeType: string, signature: string, at: number])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n', 0],
  ['image/jpeg', '\xff\xd8\xff', 0],
  ['image/gif', 'GIF87a', 0],
  ['image/gif', 'GIF89a', 0],
  ['image/webp', 'WEBPVP', 8],
];

/** The type of a picture by its first bytes. Source: WHATWG MIME Sniffing §6.1. */
const pictureType = (bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return SIGNATURES.find(([, signature, at]) => start.startsWith(signature, at))?.[0];
};

import type { TargetAnswer } from '../../target/rules/target.ts';
import { isPicture, typeByBytes } from './signatures.ts';
import { decodeText, declaredCharset, isPlainText, isTextIn } from './text-bytes.ts';

/** What a body turned out to be. */
export type AnswerBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly mimeType: string; readonly bytes: Uint8Array };

const OPEN_TYPES = ['', 'application/octet-stream', 'binary/octet-stream', 'application/binary'];
const TEXT_TYPE =
  /^(?:text\/.*|[^/]*\/(?:[^/]*\+)?(?:json|xml|yaml)|application\/(?:x-ndjson|ndjson|json-seq|jsonlines|x-jsonlines|x-yaml|javascript|graphql|x-www-form-urlencoded|sql|toml|jsonl|problem\+.*))$/;

/**
 * What an answer holds. The content type decides unless the bytes say otherwise: whatever is plain text,
 * in Unicode or in the charset that is named, is text; a known picture is a picture; and nothing that
 * has a NUL is text. SVG is text: it is XML, and no model takes it as an image.
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
  // Many frameworks add a charset to whatever they send.
  if (charset !== undefined && isTextIn(body, charset, isCut)) {
    return text(decodeText(body, { charset, isCut, isWeb }));
  }
  if (isPlainText(body, isCut)) {
    return text(decodeText(body, { charset: undefined, isCut, isWeb: false }));
  }
  const isOpen = isText || OPEN_TYPES.includes(type);
  const mimeType = isOpen ? (typeByBytes(body) ?? 'application/octet-stream') : type;
  return { kind: 'binary', mimeType, bytes: body };
};

const text = (content: string): AnswerBody => ({ kind: 'text', text: content });

/** Bytes sent as text that cannot be: many servers call everything `text/plain`. */
const isMislabelled = (bytes: Uint8Array, isCut: boolean): boolean =>
  (bytes.includes(0) || isPicture(bytes)) && !isPlainText(bytes, isCut);

const mediaTypeOf = (contentType: string): { type: string; charset: string | undefined } => {
  const [type = ''] = contentType.split(/[;,]/, 1);
  const charset = /; *charset *= *"?([^";,\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  const name = type.trim().toLowerCase();
  // A header that is no media type is none.
  return { type: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(name) ? name : '', charset };
};

import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { isObject, leavesOf, member } from '../../platform/rules/json/json.ts';
import { SECRET_TEXTS } from '../../platform/rules/secret-texts.ts';
import { MASK, maskingOf } from '../../tools/masking/mask-secrets.ts';
import type { ConnectedCredential } from '../../target/rules/credential.ts';

type LoginRequest = NonNullable<ConnectedCredential<'session'>['request']>;

/** Members of an error body that hold its message, in order of preference. Source: RFC 9457 §3.1; RFC 6749 §5.2. */
const MESSAGES = [
  'detail',
  'message',
  'error_description',
  'msg',
  'error',
  'errors',
  'title',
  'reason',
] as const;

/** Errors may be nested: `{"errors": [{"message": "..."}]}`. */
const MOST_DEPTH = 3;
const MOST_CHARACTERS = 300;

/** Hides messages if the login's credential does not list its secrets: they could stand anywhere in the text. */
export const loginMessage = (body: string, request: LoginRequest): string | undefined =>
  request.secrets && refusalMessage(body, sentTexts(request, request.secrets));

/**
 * Message of a token issuer that refused. Only the members that errors have for it are read. Texts that were sent, and
 * all that has the form of a secret, are masked.
 *
 * @param body - of the answer
 * @param sent - texts of the request that are secret
 * @returns undefined where the body has no message
 */
export const refusalMessage = (body: string, sent: readonly string[]): string | undefined => {
  const found = messageIn(jsonOrUndefined(body), MOST_DEPTH);
  if (found === undefined) return undefined;
  const { text } = maskingOf(
    sent.map((token) => ({ type: 'bearer' as const, token })),
    undefined,
  );
  const shown = SECRET_TEXTS.reduce((all, secret) => all.replace(secret, MASK), text(found))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (shown === '') return undefined;
  return shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS)}...` : shown;
};

const messageIn = (value: unknown, depth: number): string | undefined => {
  if (typeof value === 'string') return /[\p{L}\p{N}]/u.test(value) ? value : undefined;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return messageIn(value[0], depth - 1);
  if (!isObject(value)) return undefined;
  for (const name of MESSAGES) {
    const message = messageIn(member(value, name), depth - 1);
    if (message !== undefined) return message;
  }
  return undefined;
};

/**
 * Texts of a login request that the API's message must not repeat: the owner's secrets, whole and in pieces, and all
 * values of body, query and headers, some of which the service itself has set.
 */
const sentTexts = (
  { url, headers, body = '' }: LoginRequest,
  secrets: readonly string[],
): readonly string[] => {
  const text = Buffer.from(body, 'base64').toString('utf8');
  const json = jsonOrUndefined(text);
  const { searchParams = new URLSearchParams() } = URL.parse(url) ?? {};
  return [
    ...secrets.flatMap((text) => [text, bytesIn(text), ...text.split(BETWEEN_PIECES)]),
    ...(json === undefined ? [...new URLSearchParams(text).values(), text] : leavesOf(json)),
    ...searchParams.values(),
    ...Object.entries(headers).flatMap(([name, value]) => (isOfMessage(name) ? [] : [value])),
  ];
};

/** Separators within a secret: an owner may give a whole XML or JSON body, of which the API repeats one value. */
const BETWEEN_PIECES = /[\s<>"'=&;,:|/\\()[\]{}]/;

/** A secret that stands for bytes is sent decoded. */
const bytesIn = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');

/** Headers about the message's form, such as `application/json`, hold nothing secret. */
const isOfMessage = (header: string): boolean => /^(?:accept|content-)/i.test(header);

import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { isObject, leavesOf, member } from '../../platform/rules/json/json.ts';
import { SECRET_TEXTS } from '../../platform/rules/secret-texts.ts';
import { MASK, maskingOf } from '../../tools/masking/mask-secrets.ts';
import type { ConnectedCredential } from '../../target/rules/credential.ts';

type LoginRequest = NonNullable<ConnectedCredential<'session'>['request']>;

/** Where APIs say in words what is wrong; the first that has a text. Source: RFC 9457 §3.1; RFC 6749 §5.2. */
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

/** Errors of errors: `{"errors": [{"message": "..."}]}`. */
const MOST_DEPTH = 3;
const MOST_CHARACTERS = 300;

/**
 * The same of an API that has refused a login. One that does not say what its owner gave for it may have secrets anywhere,
 * and nothing of the API's words is shown.
 */
export const loginMessage = (body: string, request: LoginRequest): string | undefined =>
  request.secrets && refusalMessage(body, sentTexts(request, request.secrets));

/**
 * What whoever gives tokens says of what it refused: the members that errors have for it, and no others, since anything
 * may stand there. Of what it was sent nothing is repeated, nor what has the form of a secret.
 *
 * @param body - of its answer, as text
 * @param sent - the texts that were sent and are secret
 * @returns undefined where it says nothing in words
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
 * Whatever of the request a message may repeat: what its owner gave for it, wherever in the request it stands and in
 * pieces, and fields of its body, its query and its headers, some of which the service itself has set.
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

/** A text that an owner gives may be a body in XML, JSON or another language, of which an API repeats one value. */
const BETWEEN_PIECES = /[\s<>"'=&;,:|/\\()[\]{}]/;

/** What is sent of a text that stands for bytes. */
const bytesIn = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');

/** Of what form a message is: words such as `application/json`, which are nobody's. */
const isOfMessage = (header: string): boolean => /^(?:accept|content-)/i.test(header);

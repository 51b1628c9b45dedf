import { isForbiddenHeader } from './forbidden-headers.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { unless } from '../../platform/rules/refusal/finding.ts';
import type { CarriedCredential, Credential } from '../../target/rules/credential.ts';

type Session = Extract<Credential, { type: 'session' }>;

/** Where the answer to a login holds the token. */
export type TokenPlace =
  | { readonly in: 'body'; readonly pointer: string }
  | { readonly in: 'header' | 'cookie'; readonly name: string };

const NAME = /^[\w!#$%&'*+.^`|~-]{1,256}$/;

/** @param text - a JSON pointer (RFC 6901), `header:Name` or `cookie:name` @returns undefined for anything else */
export const tokenPlace = (text: string): TokenPlace | undefined => {
  if (text.startsWith('/') && text.length <= MOST_POINTER) return { in: 'body', pointer: text };
  const [place, name = ''] = text.split(':', 2);
  return (place === 'header' || place === 'cookie') && NAME.test(name)
    ? { in: place, name }
    : undefined;
};

const MOST_POINTER = 200;
const MOST_PREFIX = 64;
const MOST_LIFE = 86_400;

/** Method and path of an operation: `POST /sessions`. */
const LOGIN = /^[A-Z]{3,7} \/[\x21-\x7e]{0,500}$/;

/** Findings about a session credential that need no description. */
export const sessionFindings = ({
  login,
  token,
  in: place = 'header',
  name = DEFAULT_NAME,
  prefix = '',
  lifetimeSeconds,
  expiry,
  fields,
  request,
}: Session): readonly Finding[] => [
  ...unless(
    LOGIN.test(login),
    '/login',
    'no operation',
    'Write method and path as the description has them: POST /sessions.',
  ),
  ...unless(
    tokenPlace(token) !== undefined,
    '/token',
    'no place in an answer',
    'Write where it stands: /data/accessToken in the body, header:Name or cookie:name.',
  ),
  ...unless(
    NAME.test(name),
    '/name',
    `not the name of a ${place}`,
    'Use letters, digits and hyphens.',
  ),
  ...unless(
    place !== 'header' || !isForbiddenHeader(name),
    '/name',
    'a header that credentials may not set',
    'This header decides about the connection or the message: choose another one.',
  ),
  ...unless(
    /^[\x20-\x7e]*$/.test(prefix) && prefix.length <= MOST_PREFIX,
    '/prefix',
    'no text for a header',
    `Write at most ${MOST_PREFIX} characters of ASCII, such as "Bearer ".`,
  ),
  ...unless(
    lifetimeSeconds === undefined || (lifetimeSeconds >= 1 && lifetimeSeconds <= MOST_LIFE),
    '/lifetime_seconds',
    'not between 1 and 86400',
    'Say how many seconds a session lasts, a day at most.',
  ),
  ...unless(
    expiry === undefined || tokenPlace(expiry)?.in === 'body',
    '/expiry',
    'no path into its body',
    'Say where the answer has the end of the session: /data/expires.',
  ),
  ...unless(
    (fields ?? request) !== undefined,
    '/fields',
    'missing',
    'Give what the login wants, by the names of its arguments: {"username": "...", "password": "..."}.',
  ),
];

const DEFAULT_NAME = 'Authorization';

/** Credential that calls of a session carry. @param token - from the login's answer */
export const sessionCredential = (
  {
    in: place = 'header',
    name = DEFAULT_NAME,
    prefix = name.toLowerCase() === 'authorization' ? 'Bearer ' : '',
  }: Pick<Session, 'in' | 'name' | 'prefix'>,
  token: string,
): CarriedCredential =>
  place === 'header' && name.toLowerCase() === 'authorization' && prefix === 'Bearer '
    ? { type: 'bearer', token }
    : { type: 'api_key', in: place, name, prefix, secret: token };

/**
 * Remaining life of a JWT by its `exp`. The signature is not verified: a forged one would only have the session renewed
 * too early or too late.
 *
 * @param now - epoch seconds
 * @returns seconds; undefined for any other token, and for one that has ended by our clock
 * Source: RFC 7519 §4.1.4.
 */
export const lifeOfJwt = (token: string, now: number): number | undefined => {
  const [, claims, signature] = token.split('.');
  if (claims === undefined || signature === undefined) return undefined;
  const said = jsonOrUndefined(Buffer.from(claims, 'base64url').toString('utf8'));
  const end = isObject(said) ? member(said, 'exp') : undefined;
  return typeof end === 'number' && end > now ? end - now : undefined;
};

/**
 * Remaining life of a session by what an answer says: a time (RFC 3339), seconds or milliseconds since 1970, or a
 * duration. A number that as seconds would be more than a day is read as milliseconds, the shorter of the two.
 *
 * @param said - anything
 * @param now - epoch seconds
 * @returns seconds; undefined if it says nothing
 */
export const lifeIn = (said: unknown, now: number): number | undefined => {
  if (typeof said === 'string' && !/^\d+$/.test(said)) {
    const moment = Date.parse(said);
    return Number.isNaN(moment) ? undefined : moment / 1000 - now;
  }
  const number = Number(said);
  if (said === null || typeof said === 'object' || !Number.isFinite(number) || number <= 0) {
    return undefined;
  }
  if (number > 1e11) return number / 1000 - now;
  if (number > 1e9) return number - now;
  return number > MOST_LIFE ? number / 1000 : number;
};

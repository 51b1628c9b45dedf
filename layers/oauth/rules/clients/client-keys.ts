import type { SentMetadata } from './client-metadata.ts';
import type { ClientKeys } from '../../../tokens/rules/oauth-records.ts';

const MAX_URI_LENGTH = 500;
const MAX_KEYS = 20;

/**
 * The keys that a client's metadata names.
 *
 * @returns undefined if it names none that can be used
 *
 * Source: RFC 7591 §2, `jwks_uri`, `jwks`, of which there may be one; RFC 7517 §5.
 */
export const readClientKeys = ({ jwks_uri: uri, jwks }: SentMetadata): ClientKeys | undefined => {
  if (uri !== undefined) return jwks === undefined ? keysAt(uri) : undefined;
  const { keys } = typeof jwks === 'object' && jwks !== null ? (jwks as { keys?: unknown }) : {};
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) return undefined;
  return keys.every(isPublicKey) ? { list: keys.map(publicMembers) } : undefined;
};

/** On the client's own machine http will do, as for its document. */
const SCHEME = /^https:\/\/|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/;

const keysAt = (uri: unknown): ClientKeys | undefined =>
  typeof uri === 'string' && uri.length <= MAX_URI_LENGTH && SCHEME.test(uri) && URL.canParse(uri)
    ? { uri }
    : undefined;

/** Of a public key. Source: RFC 7517 §4; RFC 7518 §6.2.1, §6.3.1. */
const MEMBERS = ['kty', 'use', 'key_ops', 'alg', 'kid', 'crv', 'x', 'y', 'n', 'e'] as const;

type Key = Readonly<Record<string, unknown>>;

/** Private members in a document that anybody can read are no secret any more. Source: RFC 7518 §6. */
const isPublicKey = (key: unknown): key is Key =>
  typeof key === 'object' &&
  key !== null &&
  !('d' in key) &&
  !('k' in key) &&
  Object.values(publicMembers(key)).every(isText);

/** The others are nobody's business here, and DynamoDB does not take them however deep they nest. */
const publicMembers = (key: object): Key =>
  Object.fromEntries(Object.entries(key).filter(([name]) => MEMBERS.some((one) => one === name)));

const isText = (value: unknown): boolean => [value].flat().every((one) => typeof one === 'string');

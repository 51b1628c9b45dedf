import { InvalidToken } from '../invalid-token.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a JWT says. Nothing of it is true before its signature has been checked. */
export interface Jwt {
  readonly algorithm: string;
  readonly type: string | undefined;
  readonly keyId: string | undefined;
  readonly claims: JsonObject;
}

const COMPACT = /^(?<header>[\w-]+)\.(?<claims>[\w-]+)\.[\w-]+$/;

/**
 * Reads a signed JWT in its compact form.
 *
 * @throws InvalidToken for anything else, unsigned and encrypted ones included
 *
 * Source: RFC 7515 §3.1, §4.1; RFC 7519 §3.
 */
export const readJwt = (token: string): Jwt => {
  const { header = '', claims = '' } = COMPACT.exec(token)?.groups ?? {};
  const { alg, typ, kid, crit } = jsonObject(header);
  // Extensions that the sender wants understood: we understand none.
  if (crit !== undefined) throw notJwt();
  if (typeof alg !== 'string' || !isOptionalText(typ) || !isOptionalText(kid)) throw notJwt();
  return { algorithm: alg, type: typ, keyId: kid, claims: jsonObject(claims) };
};

const UTF8 = new TextDecoder('utf-8', { fatal: true });

const jsonObject = (encoded: string): JsonObject => {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(Buffer.from(encoded, 'base64url')));
  } catch {
    throw notJwt();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJwt();
  return value as JsonObject;
};

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

const notJwt = () => new InvalidToken('not a signed JWT');

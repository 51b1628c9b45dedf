import * as z from 'zod/mini';
import { described, type ValueOf } from '../../../platform/rules/shape.ts';

/**
 * What a JWT may be signed with: asymmetric algorithms only, never `none`, never HMAC.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const JWT_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
  'Ed25519',
] as const;
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

const text = () => z.string().check(z.minLength(1), z.maxLength(2048));

/**
 * Whose tokens, besides our own, a `jwt` deployment accepts.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const JwtIssuer = z.object({
  issuer: described(text(), 'Compared byte for byte with `iss`.'),
  jwksUri: z.url({ protocol: /^https?$/ }).check(z.maxLength(2048)),
  audience: text(),
  algorithms: z
    .array(z.enum(JWT_ALGORITHMS))
    .check(z.minLength(1), z.maxLength(JWT_ALGORITHMS.length)),
});
export type JwtIssuer = ValueOf<typeof JwtIssuer>;

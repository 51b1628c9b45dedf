import { InvalidToken } from '../invalid-token.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { Jwt } from './compact.ts';

type Claims = Jwt['claims'];

/** A claim that must be there. An empty text says nothing. @throws InvalidToken */
export const textClaim = (claims: Claims, name: string): string => {
  const value = claims[name];
  if (typeof value !== 'string' || value === '') throw new InvalidToken(`no usable ${name}`);
  return value;
};

/** Seconds, perhaps with a fraction. @throws InvalidToken. Source: RFC 7519 §2, "NumericDate". */
export const dateClaim = (claims: Claims, name: string): number => {
  const value = claims[name];
  if (typeof value !== 'number') throw new InvalidToken(`no usable ${name}`);
  return value;
};

/**
 * Whether now is in the token's time: before `exp`, and not before `nbf` if there is one.
 *
 * @param leewaySeconds - for clocks that differ
 * @throws InvalidToken. Source: RFC 7519 §4.1.4, §4.1.5.
 */
export const checkTime = (claims: Claims, now: EpochSeconds, leewaySeconds: number): void => {
  if (now - leewaySeconds >= dateClaim(claims, 'exp')) throw new InvalidToken('token expired');
  if (claims['nbf'] === undefined) return;
  if (now + leewaySeconds < dateClaim(claims, 'nbf')) throw new InvalidToken('token not valid yet');
};

/**
 * Whether the token is for us, under one of our names.
 *
 * @throws InvalidToken. Source: RFC 7519 §4.1.3.
 */
export const checkAudience = (claims: Claims, names: readonly string[]): void => {
  if (!audiencesIn(claims).some((one) => isAmong(names, one))) {
    throw new InvalidToken('token for another audience');
  }
};

/**
 * Whether the token is for us alone, under one of our names: another server that it was for as well could
 * show it here.
 *
 * @throws InvalidToken. Source: draft-ietf-oauth-rfc7523bis, "JWT Format and Processing Requirements".
 */
export const checkSoleAudience = (claims: Claims, names: readonly string[]): void => {
  const [audience, ...others] = audiencesIn(claims);
  if (others.length > 0) throw new InvalidToken('token for other audiences as well');
  if (!isAmong(names, audience)) throw new InvalidToken('token for another audience');
};

const audiencesIn = ({ aud }: Claims): readonly unknown[] => [aud].flat();

const isAmong = (names: readonly string[], audience: unknown): boolean =>
  typeof audience === 'string' && names.includes(audience);

import { bearerToken } from '../../domain/access/authorization.ts';
import { isSlug } from '../../domain/deployments/index.ts';
import { type AccessToken, fingerprint } from '../../domain/oauth/records.ts';
import { isAccessToken } from '../../domain/oauth/tokens.ts';
import type { Ports } from '../../ports.ts';

/** An access token that is being read; undefined if none is. */
export type Ahead = Promise<AccessToken | undefined> | undefined;

/**
 * Begins to read an access token while the deployment is read as well, so that both take one trip.
 * A deployment that is remembered tells at once whether it wants a token: then nothing is read here.
 *
 * Source: architecture, "Data", hot path.
 */
export const readAhead = (
  { accessTokens, deployments }: Pick<Ports, 'accessTokens' | 'deployments'>,
  slug: string,
  authorization: string | undefined,
): Ahead => {
  if (!isSlug(slug) || deployments.knows(slug)) return undefined;
  const token = bearerToken(authorization) ?? '';
  if (!isAccessToken(token)) return undefined;
  const reading = accessTokens.find(fingerprint(token));
  // Whoever asks for the token gets the failure; if nobody does, it is nobody's.
  reading.catch(() => undefined);
  return reading;
};

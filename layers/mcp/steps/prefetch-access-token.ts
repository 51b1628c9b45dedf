import { bearerToken } from '../../tokens/rules/authorization.ts';
import { isSlug } from '../../platform/rules/slug.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { AccessToken } from '../../tokens/rules/oauth-records.ts';
import { isAccessToken } from '../../oauth/rules/tokens/tokens.ts';
import type { Ports } from '../../ports.ts';
import { mayShowToken } from '../../tokens/steps/invalid-tokens.ts';

/** An access token that is being read; undefined if none is. */
export type PrefetchedToken = Promise<AccessToken | undefined> | undefined;

/**
 * Begins to read an access token while the deployment is read as well, so that both take one trip.
 * A deployment that is remembered tells at once whether it wants a token: then nothing is read here.
 *
 * Source: docs/decisions/storage.md, "Trips of a call".
 */
export const prefetchAccessToken = (
  ports: Pick<Ports, 'accessTokens' | 'clock' | 'counters' | 'deployments' | 'notBefore'>,
  slug: string,
  authorization: string | undefined,
  sourceIp: string,
): PrefetchedToken => {
  const { accessTokens, deployments, notBefore } = ports;
  if (!isSlug(slug) || deployments.knows(slug)) return undefined;
  if (!mayShowToken(ports, sourceIp).allowed) return undefined;
  const token = bearerToken(authorization) ?? '';
  if (!isAccessToken(token)) return undefined;
  const reading = accessTokens.find(fingerprint(token));
  // Whoever asks for it in a moment shares this trip.
  notBefore.find().catch(() => undefined);
  // Whoever asks for the token gets the failure; if nobody does, it is nobody's.
  reading.catch(() => undefined);
  return reading;
};

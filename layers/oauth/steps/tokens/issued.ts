import type { User } from '../../../accounts/rules/user.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { AccessToken, Grant, Scope } from '../../../tokens/rules/oauth-records.ts';
import { accessTokenOf } from '../../rules/tokens/tokens.ts';
import type { AccessTokenRef } from '../../../tokens/rules/token-records.ts';
import type { Ports } from '../../../ports.ts';

/** What a client gets at /token. */
export interface Issued {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
  readonly refreshToken: string | undefined;
  /** For the log. */
  readonly slug: string;
}

/** An access token that has been made, but not stored. */
export interface NewAccessToken {
  readonly text: string;
  readonly ref: AccessTokenRef;
  readonly record: AccessToken;
}

/** @param user - as of now: the token carries today's e-mail and plan */
export const newAccessToken = (
  { clock, random, settings }: Pick<Ports, 'clock' | 'random' | 'settings'>,
  grant: Grant,
  { email, plan }: User,
  scopes: readonly Scope[],
): NewAccessToken => {
  const text = accessTokenOf(random.id());
  const expiresAt = clock.now() + settings.limits.access_token_seconds;
  const { id: grantId, userId, clientId, deploymentId, createdAt: grantedAt } = grant;
  return {
    text,
    ref: { fingerprint: fingerprint(text), expiresAt },
    record: {
      grantId,
      userId,
      email,
      plan,
      clientId,
      deploymentId,
      scopes,
      grantedAt,
      expiresAt,
      revoked: false,
    },
  };
};

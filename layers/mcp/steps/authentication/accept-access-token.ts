import { mayUse } from '../../../servers/rules/access/access-policy.ts';
import { endOfGrant } from '../../../tokens/rules/not-before.ts';
import { usageSubject } from '../../../limits/rules/usage-subject.ts';
import { InvalidToken } from '../../../tokens/rules/invalid-token.ts';
import { checkAccessToken } from '../../../oauth/rules/tokens/access-token.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { isAccessToken } from '../../../oauth/rules/tokens/tokens.ts';
import { toolScopesAmong } from '../../../openapi/tool-scopes.ts';
import type { Ports } from '../../../ports.ts';
import type { Accept } from './accept.ts';

export type AcceptAccessTokenPorts = Pick<Ports, 'accessTokens' | 'clock' | 'notBefore'>;

/**
 * Mode `oauth`: a token of our authorization server. The owner's policy is asked again at every
 * request, so that a removal works at once. What operators have ended is read in the token's own trip.
 *
 * Source: docs/decisions/accounts.md, "Who may use a deployment"; docs/decisions/storage.md, "How soon
 * a change holds".
 */
export const acceptAccessToken: Accept<AcceptAccessTokenPorts> = async (
  { accessTokens, clock, notBefore },
  text,
  { deployment, prefetched },
) => {
  if (!isAccessToken(text)) throw new InvalidToken('not an access token');
  const [found, ended] = await Promise.all([
    prefetched ?? accessTokens.find(fingerprint(text)),
    notBefore.find(),
  ]);
  const token = checkAccessToken(found, deployment.id, clock.now());
  const end = endOfGrant(ended, token);
  if (end !== undefined) throw new InvalidToken(end);
  if (!mayUse(deployment, token)) throw new InvalidToken('not in the access policy');
  const { userId: subject, plan, clientId, grantId } = token;
  const usage = usageSubject(token.email);
  return { subject, plan, usage, scopes: toolScopesAmong(token.scopes), clientId, grantId };
};

import { hasPublicDocs, mayUse } from '../../deployments/rules/access/access-policy.ts';
import { isSessionEnded } from '../../tokens/rules/not-before.ts';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { isSessionOver } from '../../accounts/rules/signed-out.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { AccountsPorts } from '../../accounts/ports.ts';
import { readSessionToken } from '../../accounts/steps/read-session-token.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type ReadsDocsPorts = PortsOf<typeof readSessionToken> &
  Pick<AccountsPorts, 'notBefore' | 'sessions' | 'signOuts'>;

/**
 * Whether a visitor of the docs page sees the tools: everybody if it is public, else people who are signed in and may
 * use the deployment.
 * @param session - the token in the browser's cookie. Source: docs/decisions/mcp.md, "Health and docs".
 */
export const readsDocs = async (
  ports: ReadsDocsPorts,
  deployment: Deployment,
  session: string | undefined,
): Promise<boolean> => {
  if (hasPublicDocs(deployment)) return true;
  if (session === undefined) return false;
  try {
    return mayUse(deployment, await personOf(ports, session));
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    return false;
  }
};

/**
 * The router function has no permission to read users: the session holds the e-mail address, `signOuts` the sign-outs
 * and the sessions that an identity provider ended. Sessions begun by an identity provider expire when it must be
 * asked again.
 */
const personOf = async (ports: ReadsDocsPorts, token: string) => {
  const { clock, notBefore, sessions, signOuts } = ports;
  const { session: id, sub: userId } = await readSessionToken(ports, token, 'browser');
  const [session, ends, ended] = await Promise.all([
    sessions.find(id),
    signOuts.findEnds(userId),
    notBefore.find(),
  ]);
  if (session?.kind !== 'browser' || session.userId !== userId) {
    throw new InvalidToken('unknown session');
  }
  if (clock.now() >= session.expiresAt) throw new InvalidToken('session expired');
  if (isSessionOver(ends, session.createdAt)) throw new InvalidToken('signed out');
  if (isSessionEnded(ended, session.createdAt)) throw new InvalidToken('all sessions ended');
  return { userId, email: session.email };
};

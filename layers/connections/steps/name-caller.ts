import { isAddressSubject, isExternalUserId } from '../../platform/rules/subject.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import { isSignedOut } from '../../accounts/rules/signed-out.ts';
import { checkAccessToken } from '../../oauth/rules/tokens/tokens.ts';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { endOfGrant } from '../../tokens/rules/not-before.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Retrieval } from '../../credentials/rules/retrieval.ts';
import type { AccountsPorts } from '../../accounts/ports.ts';
import { TokenUnavailable } from '../rules/token-failure.ts';
import type { CallerName } from '../rules/token-source.ts';

type NameCallerPorts = Pick<AccountsPorts, 'accessTokens' | 'clock' | 'notBefore' | 'signOuts'>;

/** An access token that was valid when the call came in may expire while the target makes it wait. */
const LEEWAY_SECONDS = MINUTE;

/**
 * Name of a caller for tokens issued in their name. A user is named only by the access token that they presented, which
 * is looked up here: somebody who takes over the router's function can name no user whose token they lack. Without a
 * token, the caller can only be an IP address, a user of an external issuer, or "the owner", for trials and minted
 * tokens.
 *
 * @param asked - `use.user` is the router's claim, which is never believed of users
 * @throws TokenUnavailable denied
 * @throws Fault
 * Source: docs/decisions/credentials.md, "Roles of AWS".
 */
export const nameCaller = async (
  ports: NameCallerPorts,
  {
    ref,
    use: { user },
    token,
  }: Pick<Retrieval, 'ref' | 'use'> & { readonly token?: Fingerprint | undefined },
): Promise<CallerName> => {
  if (token !== undefined) {
    const userId = await holderOf(ports, ref.deploymentId, token, user);
    // Ids of users must never look like names of callers who are no users.
    if (isStranger(userId) || userId.startsWith(OWNER)) {
      throw denied('a user who is called like somebody who is none');
    }
    return userId as CallerName;
  }
  if (user === ref.ownerId) return `${OWNER}${ref.deploymentId}` as CallerName;
  if (!isStranger(user)) throw denied('a user without a token');
  return user as CallerName;
};

/** Prefix of the deployment's id: it names whoever owns that deployment, whatever the router claims. */
const OWNER = 'owner@';

/** Whether a name stands for an IP address or a user of an external issuer. */
const isStranger = (name: string): boolean => isAddressSubject(name) || isExternalUserId(name);

/** @param user - as the router claims, so that sign-outs are read together with the token */
const holderOf = async (
  { accessTokens, clock, notBefore, signOuts }: NameCallerPorts,
  deploymentId: string,
  token: Fingerprint,
  user: string,
): Promise<string> => {
  const [found, ended, signedOutAt] = await Promise.all([
    accessTokens.find(token),
    notBefore.find(),
    signOuts.recall(user),
  ]);
  try {
    const record = checkAccessToken(found, deploymentId, clock.now() - LEEWAY_SECONDS);
    const end = endOfGrant(ended, record);
    if (end !== undefined) throw new InvalidToken(end);
    if (record.userId !== user)
      throw new InvalidToken('the token that was shown is of another user');
    if (isSignedOut({ signedOutAt }, record.grantedAt)) throw new InvalidToken('user signed out');
    return record.userId;
  } catch (error) {
    if (error instanceof InvalidToken) throw denied(error.why);
    throw error;
  }
};

/** @param why - for the log; holds nothing of the token */
const denied = (why: string) => new TokenUnavailable('denied', `caller: ${why}`);

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

/** A token that was good when the call was let in may end while its target lets it wait. */
const LEEWAY_SECONDS = MINUTE;

/**
 * What a caller is called where tokens name one. A user is named only by an access token that the caller has shown,
 * which is looked up here: whoever owns the router's function names nobody whose token it was not shown. Without one
 * there is nobody to name but those who are no users: an address, a user of an external issuer, and "the owner", as
 * whom trials and minted tokens call.
 *
 * @param asked - its `use.user` is what the router says, which is believed of nobody who could be a user
 * @throws TokenUnavailable denied @throws Fault
 *
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
    // The two kinds of names stay apart, whatever ids users are given one day.
    if (isStranger(userId) || userId.startsWith(OWNER)) {
      throw denied('a user who is called like somebody who is none');
    }
    return userId as CallerName;
  }
  if (user === ref.ownerId) return `${OWNER}${ref.deploymentId}` as CallerName;
  if (!isStranger(user)) throw denied('a user without a token');
  return user as CallerName;
};

/** Before the id of the deployment: who is meant is whoever owns that, whatever the router says of it. */
const OWNER = 'owner@';

/** Names of callers who are no users of the service. */
const isStranger = (name: string): boolean => isAddressSubject(name) || isExternalUserId(name);

/** @param user - who it is said to be: whether that one was signed out is read in the trip of the token */
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

/** `why` goes to the log, and holds nothing of the token. */
const denied = (why: string) => new TokenUnavailable('denied', `caller: ${why}`);

import { accountEvent } from '../../../events/rules/service-event.ts';
import {
  MAX_ENDED_PARTIES,
  type NotBefore,
  withClientEnded,
  withSessionsEnded,
  withTokensEnded,
} from '../../../tokens/rules/not-before.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { isDocumentUrl } from '../../rules/clients/clients.ts';
import { longestAccessToken } from '../../../tokens/rules/token-life.ts';
import { isRegisteredId } from '../../rules/tokens/tokens.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { OauthPorts } from '../../ports.ts';
import type { TokensPorts } from '../../../tokens/ports.ts';
import { endAccess } from '../../../accounts/steps/sign-out.ts';
import { userOf } from '../../../accounts/steps/operator/user-of.ts';

export type EndTokensPorts = Pick<TokensPorts, 'clock' | 'log' | 'notBeforeRegister'>;

/** Ends every grant with its tokens and codes, and every minted token, of all users. */
export const endTokens = (ports: EndTokensPorts): Promise<NotBefore> =>
  change(ports, 'tokens_ended', (known) => withTokensEnded(known, ports.clock.now()));

export const endSessions = (ports: EndTokensPorts): Promise<NotBefore> =>
  change(ports, 'sessions_ended', (known) => withSessionsEnded(known, ports.clock.now()));

/**
 * Removes the registration of an OAuth client and ends all its grants. A client with a metadata document may ask
 * users again, as any stranger may.
 * @returns whether there was a registration, or a cached document
 * @throws ApiRefusal invalid_request for what is not a client id; limit_reached, conflict
 */
export const endClient = async (
  ports: EndTokensPorts & Pick<OauthPorts, 'clients'> & { readonly settings: LimitsSettings },
  clientId: string,
): Promise<{ readonly removed: boolean }> => {
  if (!isRegisteredId(clientId) && !isDocumentUrl(clientId)) {
    throw new ApiRefusal('invalid_request', 'This is no id of a client.', {
      where: '/clientId',
      what: 'no id of a client',
      hint: 'Send mcp_... or the URL of the metadata document, as it appears in grants and calls.',
    });
  }
  const { limits } = ports.settings;
  const seconds = longestAccessToken(limits) + limits.refresh_token_seconds;
  // The registration is removed first, so that no new grant begins.
  const removed = (await ports.clients.find(clientId)) !== undefined;
  await ports.clients.remove(clientId);
  await change(ports, 'client_ended', (known) => {
    const next = withClientEnded(known, { id: clientId, seconds }, ports.clock.now());
    if (next) return next;
    throw new ApiRefusal(
      'limit_reached',
      `More than ${MAX_ENDED_PARTIES} clients were ended of late. End all tokens instead.`,
    );
  });
  return { removed };
};

/**
 * Ends all sessions, grants, tokens and trusts of an account, and invalidates its password: a new one needs access to
 * the mailbox. Access that others have to its deployments stays.
 * @throws ApiRefusal not_found, conflict
 */
export const endAccount = async (
  ports: Pick<AccountsPorts, 'clock' | 'events' | 'passwords' | 'users'>,
  email: string,
): Promise<User> => {
  const user = await userOf(ports, email);
  const signedOut = await endAccess(ports, user);
  ports.events.record(accountEvent('account_ended', user, 'operator'));
  return signedOut;
};

const ATTEMPTS = 8;

const change = async (
  { log, notBeforeRegister }: EndTokensPorts,
  message: string,
  changed: (known: NotBefore) => NotBefore,
): Promise<NotBefore> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const next = changed(await notBeforeRegister.find());
    if (!(await notBeforeRegister.replace(next))) continue;
    // Logged, so that the time of the change can be found later.
    log.write({ message, revision: next.revision });
    return next;
  }
  throw new ApiRefusal('conflict', 'Others end something at the same time; try again.');
};

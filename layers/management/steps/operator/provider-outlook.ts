import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { listPersonalTokens } from '../../../accounts/steps/personal-tokens.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { type Outlook, outlookOf } from '../../../identity/rules/outlook.ts';
import type { Believed } from '../../../identity/rules/password-terms.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import { allAccounts } from './all-accounts.ts';

type ProviderOutlookPorts = PortsOf<typeof allAccounts> &
  Pick<AccountsPorts, 'clock' | 'personalTokens'> &
  Pick<DeploymentsPorts, 'deploymentEditor'> & { readonly settings: PlatformSettings };

export interface ShutOutAccount {
  readonly email: string;
  readonly what: Outlook;
  /** Numbers of servers and personal access tokens, of one page at most. */
  readonly servers: number;
  readonly tokens: number;
}

const MOST_SERVERS = 100;

/**
 * Accounts, in pages, that a new list of providers or password policy would lock out. Changes nothing. Accounts that
 * only lose their password are listed if they own something: the others are simply linked at the first company sign-in.
 * Source: docs/access.md, "Identity providers".
 */
export const providerOutlook = async (
  ports: ProviderOutlookPorts,
  change: { readonly before: Believed; readonly next: Believed },
  after: string | undefined,
): Promise<{ readonly accounts: readonly ShutOutAccount[]; readonly next?: string }> =>
  allAccounts(ports, after, (user, isOperator) => shutOutOf(ports, change, user, isOperator));

const shutOutOf = async (
  ports: ProviderOutlookPorts,
  change: { readonly before: Believed; readonly next: Believed },
  user: User,
  isOperator: boolean,
): Promise<ShutOutAccount | undefined> => {
  const { deploymentEditor, settings } = ports;
  const { baseUrl } = settings;
  const what = outlookOf({ ...change, baseUrl }, user, isOperator);
  if (!what) return undefined;
  const [servers, tokens] = await Promise.all([
    deploymentEditor.listByOwner(user.id, { limit: MOST_SERVERS }),
    listPersonalTokens(ports, user),
  ]);
  const found = {
    email: user.email,
    what,
    servers: servers.items.length,
    tokens: tokens.length,
  };
  return what === 'password_lost' && found.servers + found.tokens === 0 ? undefined : found;
};

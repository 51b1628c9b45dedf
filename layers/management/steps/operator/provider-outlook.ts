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

/** An account that an operator hears of before they apply something. */
export interface ShutOutAccount {
  readonly email: string;
  readonly what: Outlook;
  /** How many servers and personal access tokens it has: at most as many as one page of each. */
  readonly servers: number;
  readonly tokens: number;
}

const MOST_SERVERS = 100;

/**
 * Whom a list of identity providers, or passwords that go, would shut out; a page at a time. It changes nothing. Of
 * accounts that only lose a password those are listed that own something: whoever comes with their company is linked then.
 *
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

import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { listPersonalTokens } from '../../../accounts/steps/personal-tokens.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { type Outlook, outlookOf } from '../../../identity/rules/outlook.ts';
import type { Believed } from '../../../identity/rules/password-terms.ts';
import type { PlatformSettings } from '../../../platform/ports.ts';
import { toldAccounts, type ToldAccountsPorts } from './told-accounts.ts';

export type ProviderOutlookPorts = ToldAccountsPorts &
  Pick<AccountsPorts, 'clock' | 'personalTokens'> &
  Pick<DeploymentsPorts, 'deploymentEditor'> & { readonly settings: PlatformSettings };

/** An account that an operator hears of before they apply something. */
export interface ToldAccount {
  readonly email: string;
  readonly what: Outlook;
  /** How many servers and personal access tokens it has: at most as many as one page of each. */
  readonly servers: number;
  readonly tokens: number;
}

const MOST_SERVERS = 100;

/**
 * Whom a list of identity providers, or passwords that go, would shut out; a page at a time. It changes nothing. Of
 * accounts that only lose a password those are told that own something: whoever comes with their company is linked then.
 *
 * Source: docs/access.md, "Identity providers".
 */
export const providerOutlook = async (
  ports: ProviderOutlookPorts,
  change: { readonly before: Believed; readonly next: Believed },
  after: string | undefined,
): Promise<{ readonly accounts: readonly ToldAccount[]; readonly next?: string }> =>
  toldAccounts(ports, after, (user, isOperator) => toldOf(ports, change, user, isOperator));

const toldOf = async (
  ports: ProviderOutlookPorts,
  change: { readonly before: Believed; readonly next: Believed },
  user: User,
  isOperator: boolean,
): Promise<ToldAccount | undefined> => {
  const { deploymentEditor, settings } = ports;
  const { baseUrl } = settings;
  const what = outlookOf({ ...change, baseUrl }, user, isOperator);
  if (!what) return undefined;
  const [servers, tokens] = await Promise.all([
    deploymentEditor.listByOwner(user.id, { limit: MOST_SERVERS }),
    listPersonalTokens(ports, user),
  ]);
  const told = {
    email: user.email,
    what,
    servers: servers.items.length,
    tokens: tokens.length,
  };
  return what === 'password_lost' && told.servers + told.tokens === 0 ? undefined : told;
};

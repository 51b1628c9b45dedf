import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { IdentityPorts } from '../../../identity/ports.ts';
import { withoutOwner, type WithoutOwner } from '../../../identity/rules/outlook.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import { timeOf } from '../../../platform/rules/time.ts';
import { serversOf } from './servers-of.ts';
import { allAccounts } from './all-accounts.ts';

interface EndedPerson {
  readonly email: string;
  readonly what: WithoutOwner;
  readonly since?: string;
  readonly servers: readonly string[];
}

/**
 * Accounts, in pages, whose owners have left their company, and accounts with servers to which nobody can or does sign
 * in. No company is asked.
 * Source: docs/operations.md, "Somebody leaves".
 */
export const endedPeople = async (
  ports: PortsOf<typeof allAccounts> &
    Pick<AccountsPorts, 'clock'> &
    Pick<DeploymentsPorts, 'deploymentEditor'> &
    Pick<IdentityPorts, 'identityProviders'> & { readonly settings: PlatformSettings },
  after: string | undefined,
): Promise<{ readonly accounts: readonly EndedPerson[]; readonly next?: string }> => {
  const { clock, identityProviders, settings } = ports;
  const known = {
    believed: await identityProviders.believed(),
    baseUrl: settings.baseUrl,
    now: clock.now(),
  };
  const tell = async (user: User, isOperator: boolean): Promise<EndedPerson | undefined> => {
    const found = withoutOwner(known, user, isOperator);
    if (!found) return undefined;
    const servers = (await serversOf(ports, user.id)).map(({ slug }) => slug);
    const mayBeThere = found.what === 'nobody_signs_in' || found.what === 'sign_in_again';
    if (mayBeThere && servers.length === 0) return undefined;
    const { what, since } = found;
    return {
      email: user.email,
      what,
      ...(since !== undefined && { since: timeOf(since) }),
      servers,
    };
  };
  return allAccounts(ports, after, tell);
};

import { accountEvent } from '../../events/rules/service-event.ts';
import { doneBy } from '../../accounts/rules/operator.ts';
import type { User } from '../../accounts/rules/user.ts';
import { changeUser } from '../../accounts/steps/change-user.ts';
import { userOf } from '../../accounts/steps/operator/user-of.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import type { IdentityPorts } from '../ports.ts';
import { domainOf } from '../../accounts/rules/email.ts';
import { signsIn } from '../rules/sign-in.ts';

export const LINK_SECONDS = 15 * MINUTE;

/**
 * Allows a company to sign in to an operator's account, from the next sign-in on, which ends its password. It is needed
 * since a company that assigns addresses could otherwise create operators.
 * @throws ApiRefusal not_found, conflict; invalid_request for a provider that does not sign in this address
 * Source: docs/access.md, "Passwords".
 */
export const allowLink = async (
  ports: Pick<IdentityPorts, 'clock' | 'events' | 'identityProviderRegister' | 'users'>,
  { email, provider: id }: { readonly email: string; readonly provider: string },
): Promise<User> => {
  const [user, { providers, breakGlass }] = await Promise.all([
    userOf(ports, email),
    ports.identityProviderRegister.find(),
  ]);
  const provider = providers.filter(signsIn).find((one) => one.id === id);
  if (!provider?.email_domains.includes(domainOf(user.email))) {
    throw new ApiRefusal(
      'invalid_request',
      'No provider of this id signs in people of this address: hosted-mcp admin providers shows them.',
    );
  }
  if (breakGlass.includes(user.id)) {
    throw new ApiRefusal(
      'invalid_request',
      'This account is kept for emergencies, in which no company may answer: hosted-mcp admin break-glass EMAIL --end first.',
    );
  }
  const mayLink = { issuer: provider.issuer, until: ports.clock.now() + LINK_SECONDS };
  const allowed = await changeUser(ports, user, (current) => ({ ...current, mayLink }));
  ports.events.record(accountEvent('company_link_allowed', user, doneBy(undefined)));
  return allowed;
};

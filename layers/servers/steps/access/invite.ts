import { emailFindings } from '../../../accounts/rules/sign-up.ts';
import { canonicalEmail } from '../../../accounts/rules/email.ts';
import { maySignUp } from '../../../accounts/rules/sign-up-policy.ts';
import type { Permission } from '../../../accounts/rules/permission.ts';
import type { AccountsPorts, AccountsSettings } from '../../../accounts/ports.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { IdentityPorts } from '../../../identity/ports.ts';
import type { PasswordTerms } from '../../../accounts/rules/password-terms.ts';
import { passwordTermsOf } from '../../../identity/rules/password-terms.ts';
import type { IdentityProvider } from '../../../identity/rules/providers.ts';
import { providerOfAddress } from '../../../identity/rules/sign-in.ts';
import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { PlatformSettings } from '../../../platform/ports.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { fitsItem, MAX_ENTRIES, readEmail } from '../../../deployments/rules/access/allow-list.ts';
import { type AccessPolicy, mayUse } from '../../../deployments/rules/access/access-policy.ts';
import { offersLogin } from '../../../deployments/rules/auth-methods.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { checkUnmanaged } from '../../../deployments/rules/manager.ts';
import {
  changeDeployment,
  type ChangeDeploymentPorts,
} from '../../../deployments/steps/change-deployment.ts';
import { noDeployment, ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';

export interface Invited {
  /** E-mail address in canonical form. */
  readonly email: string;
  readonly deployment: Deployment;
  /** Whether the allow list was changed: false if the address had access before. */
  readonly added: boolean;
  /** Who would create an account for the address; does not reveal whether it has one. */
  readonly accountsBy: 'anybody' | 'company' | 'operator';
}

/**
 * Gives an e-mail address access and sends it a mail. Neither the answer nor its time reveals whether the address has
 * an account. The policy is changed before the mail is sent, so that no mail is untrue.
 *
 * @throws ApiRefusal not_found, invalid_request, managed, conflict, rate_limited, token_not_allowed
 * Source: docs/decisions/accounts.md, "Invitations".
 */
export const invite = async (
  ports: ChangeDeploymentPorts &
    CountWorkPorts &
    Pick<DeploymentsPorts, 'invitations' | 'random'> &
    Pick<AccountsPorts, 'mailRequests'> &
    Pick<IdentityPorts, 'identityProviders'> & {
      readonly settings: PlatformSettings & Pick<AccountsSettings, 'signUp'>;
    },
  may: Permission<'mail'>,
  { owner, slug, email: typed }: { readonly owner: User; readonly slug: string; email: string },
): Promise<Invited> => {
  const email = canonicalEmail(typed);
  const entry = entryFor(email);
  may.check('mail', { doing: `send an invitation to ${slug}` });
  const deployment = await ownedDeployment(ports, { ownerId: owner.id, slug });
  if (!offersLogin(deployment.authMethod)) {
    throw invalid({
      where: '/slug',
      what: 'a server where nobody signs in',
      hint: 'Choose sign-in (OAuth) for it first.',
    });
  }
  await countWork(ports, 'invitations_per_day_per_user', owner.id);
  const added = !mayUse(deployment, { userId: '', email });
  if (added) {
    checkUnmanaged(deployment);
    const changed = await changeDeployment(ports, deployment, (current) => ({
      ...current,
      access: letIn(current.access, entry),
    }));
    if (!changed) throw noDeployment();
  }
  const { clock, identityProviders, invitations, mailRequests, random, settings } = ports;
  await invitations.add(email, { slug, deploymentId: deployment.id }, clock.now());
  const believed = await identityProviders.believed();
  const terms = passwordTermsOf(believed, { baseUrl: settings.baseUrl, email });
  const company = companyFor(providerOfAddress(believed.providers, email), terms);
  const accountsBy = makerOf(company, maySignUp(settings.signUp ?? 'closed', email), terms);
  await mailRequests.send({
    id: random.id(),
    purpose: 'invitation',
    email,
    slug,
    by: owner.email,
    maySignUp: accountsBy !== 'operator',
    ...(company && { company: { id: company.id, name: company.name } }),
  });
  return { email, deployment, added, accountsBy };
};

type Company = Pick<IdentityProvider, 'create_accounts' | 'id' | 'name'>;

/** Provider by which the address is sure to sign in: it may use no password, or the provider creates accounts. */
const companyFor = (provider: Company | undefined, terms: PasswordTerms): Company | undefined => {
  if (terms.company) return provider;
  return provider?.create_accounts && terms.exceptionOf === undefined ? provider : undefined;
};

const makerOf = (
  company: Company | undefined,
  isOpen: boolean,
  terms: PasswordTerms,
): Invited['accountsBy'] => {
  if (company) return company.create_accounts ? 'company' : 'operator';
  return isOpen && !terms.company && !terms.off ? 'anybody' : 'operator';
};

/** The address as an entry of the allow list. @throws ApiRefusal invalid_request */
const entryFor = (email: string): string => {
  const [finding] = emailFindings(email);
  if (finding) throw invalid(finding);
  const read = readEmail(email);
  if ('entry' in read) return read.entry;
  throw invalid({ where: '/email', what: read.fault, hint: '' });
};

/** @throws ApiRefusal invalid_request if the list is full */
const letIn = (access: AccessPolicy, entry: string): AccessPolicy => {
  if (access.mode === 'any_user') return access;
  const { emails, domains } = access.mode === 'owner' ? { emails: [], domains: [] } : { ...access };
  const longer = [...emails.filter((one) => one !== entry), entry];
  if (longer.length > MAX_ENTRIES || !fitsItem([...longer, ...domains])) throw invalid(FULL);
  return { mode: 'allow_list', emails: longer, domains };
};

const FULL: Finding = {
  where: '/email',
  what: 'the list of who may use the server is full',
  hint: 'Let a domain in, in place of addresses, or take some of them away.',
};

const invalid = (finding: Finding) =>
  new ApiRefusal('invalid_request', 'Nobody was invited.', [finding]);

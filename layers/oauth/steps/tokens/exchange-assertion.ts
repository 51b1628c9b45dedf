import { InvalidToken } from '../../../tokens/rules/authorization.ts';
import { knownUser } from '../../../identity/steps/known-user.ts';
import { termsOfCompanies } from '../../../identity/rules/sign-in.ts';
import { assertionKeysOf } from '../../../identity/rules/providers.ts';
import { mayUse } from '../../../deployments/rules/access/access-policy.ts';
import { beginning } from '../../../accounts/rules/signed-out.ts';
import { standingOf, vouchedIdentities } from '../../../accounts/rules/standing.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import { ASSERTION_ALGORITHMS } from '../../rules/clients/client-assertion.ts';
import { assertedTokenSeconds } from '../../rules/tokens/token-life.ts';
import { clientInWords } from '../../rules/authorization/consent-display.ts';
import { assertedScopes } from '../../../tokens/rules/oauth-scopes.ts';
import { checkResource, readResource, slugOfResource } from '../../rules/parameters.ts';
import type { Grant, OAuthClient } from '../../../tokens/rules/oauth-records.ts';
import {
  type IdentityAssertion,
  readIdentityAssertion,
} from '../../rules/tokens/identity-assertion.ts';
import { optionalParameter, requiredParameter } from '../../../platform/rules/sent-parameters.ts';
import { readPresentedClient } from '../../rules/clients/clients.ts';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { OauthPorts } from '../../ports.ts';
import {
  authenticateClient,
  checkProof,
  findClientFor,
  prolongClient,
  type ProvenClient,
} from '../clients/authenticate-client.ts';
import { checkRemaining, clientAtAddress, countRequest } from '../count-request.ts';
import { findLoginDeployment } from '../authorization/find-login-deployment.ts';
import {
  checkCompany,
  type Issued,
  newAccessToken,
  type Standing,
  type TokenRequest,
} from './token-request.ts';
import type { PortsOf } from '../../../platform/ports.ts';

export type ExchangeAssertionPorts = PortsOf<
  typeof authenticateClient | typeof checkCompany | typeof knownUser | typeof newAccessToken
> &
  Pick<
    OauthPorts,
    | 'accessTokens'
    | 'deployments'
    | 'grants'
    | 'identityAssertions'
    | 'jwtSignatures'
    | 'transactions'
  >;

/**
 * Exchanges an identity provider's assertion for an access token, without a refresh token, so that the provider is
 * asked again when it expires.
 * @throws OAuthRefusal invalid_client, invalid_request, invalid_grant, invalid_scope, invalid_target,
 *   too_many_requests, temporarily_unavailable. Source: draft-ietf-oauth-identity-assertion-authz-grant §4.4; RFC
 *   7523 §2.1; docs/access.md, "Enterprise-managed authorization".
 */
export const exchangeAssertion = async (
  ports: ExchangeAssertionPorts,
  { sent, authorization, sourceIp }: TokenRequest,
): Promise<Issued> => {
  const { clock, settings } = ports;
  const presented = readPresentedClient(authorization, sent);
  const proven = await authenticateClient(ports, presented, sourceIp);
  const text = requiredParameter(sent, 'assertion');
  const asked = optionalParameter(sent, 'scope');
  const resource = readResource(sent);
  const client = await findClientFor(ports, proven.id, sourceIp);
  // Counted before the assertion costs anything. A public client can be impersonated, so each address counts apart.
  if (proven.authMethod === 'none') {
    await countRequest(ports, SHOWN, clientAtAddress(proven.id, sourceIp));
  } else {
    checkRemaining(ports, SHOWN, proven.id);
  }
  checkProof(
    proven,
    client.authMethod === 'private_key_jwt' ? { clientAuthMethod: client.authMethod } : {},
  );

  const { assertion, scopes, ...standing } = await refusing(ports, proven, async () => {
    const said = await believed(ports, proven, text);
    const slug = slugFor(said, resource, settings.baseUrl);
    const scopes = assertedScopes(said.scopes, client.scopes, asked);
    const known = await knownUser(ports, said, (user) => admitted(ports, said, slug, user));
    const deployment = await opened(ports, slug, known);
    // This provider vouches for the user; another one may have ended the account.
    const { user: current, until } = await checkCompany(ports, known, 'assertion');
    return { assertion: said, scopes, user: current, deployment, until };
  });
  const { user, deployment } = standing;
  // All people of a company come from few addresses, through one client: each of them is counted.
  await countRequest(ports, 'token_per_minute_per_client', `${proven.id} ${user.id}`);
  await prolongClient(ports, proven);
  const grant = {
    id: ports.random.id(),
    userId: user.id,
    email: user.email,
    plan: user.plan,
    clientId: client.id,
    clientName: client.name,
    deploymentId: deployment.id,
    slug: deployment.slug,
    scopes,
    createdAt: beginning(user, clock.now()),
  };
  return refusing(ports, proven, () => buyToken(ports, assertion, grant, standing));
};

/** Limit of assertions that have not proven a user. */
const SHOWN = 'client_assertions_per_minute_per_client';

/** The claims of an assertion with a valid signature of its provider. @throws InvalidToken */
const believed = async (
  { clock, identityProviders, issuerKeys, jwtSignatures, settings }: ExchangeAssertionPorts,
  { id: clientId, authMethod }: ProvenClient,
  text: string,
): Promise<IdentityAssertion> => {
  const { baseUrl } = settings;
  const providers = await identityProviders.list();
  const said = readIdentityAssertion(text, { baseUrl, providers, clientId, now: clock.now() });
  const { assertions } = said.provider;
  if (authMethod === 'none' && assertions?.public_clients !== true) {
    throw new InvalidToken('client has not authenticated');
  }
  const keysAt = assertionKeysOf(said.provider);
  if (keysAt === undefined) throw new InvalidToken('no keys of its issuer are known');
  const keys = await issuerKeys.find(keysAt, said.keyId).catch((error: unknown) => {
    if (error instanceof Fault) throw new InvalidToken(error.message);
    throw error;
  });
  await jwtSignatures.check(text, keys, ASSERTION_ALGORITHMS);
  return said;
};

/**
 * The deployment that the assertion names, else the one that the request names.
 * @throws InvalidToken
 * @throws OAuthRefusal invalid_target if both name one, and differ
 */
const slugFor = (
  { slug: named, provider: { deployments } }: IdentityAssertion,
  resource: string | undefined,
  baseUrl: string,
): string => {
  const slug = named ?? (resource === undefined ? undefined : slugOfResource(baseUrl, resource));
  if (slug === undefined) throw new InvalidToken('for no deployment');
  checkResource(baseUrl, resource, slug);
  if (deployments === 'all' || deployments.includes(slug)) return slug;
  throw new InvalidToken('for a deployment that its provider is not for');
};

/** The provider says who a user is; the owner of a deployment says who may use it. @throws InvalidToken */
const opened = async (
  ports: Pick<DeploymentsPorts, 'deployments'>,
  slug: string,
  { id: userId, email }: User,
): Promise<Deployment> => {
  const opens = (one: Deployment) => mayUse(one, { userId, email });
  const deployment = await findLoginDeployment(ports, slug, opens);
  if (!deployment) throw new InvalidToken('no deployment that takes logins');
  if (!opens(deployment)) throw new InvalidToken('not in the access policy');
  return deployment;
};

/**
 * Checks before an account is created or changed for an assertion, so that a refused one changes nothing. Everything
 * is checked again afterwards, on the stored account.
 * @throws InvalidToken
 */
const admitted = async (
  ports: ExchangeAssertionPorts,
  assertion: IdentityAssertion,
  slug: string,
  user: User,
): Promise<void> => {
  const { clock, identityAssertions, identityProviders } = ports;
  const [isSpent, providers] = await Promise.all([
    identityAssertions.isSpent(assertion),
    identityProviders.list(),
    opened(ports, slug, user),
  ]);
  if (isSpent) throw new InvalidToken('used before');
  if (vouchedIdentities(user).length === 0) return;
  const standing = standingOf(user, termsOfCompanies(providers), 'assertion', clock.now());
  if (standing.as === 'ended') throw new InvalidToken(standing.why);
};

/** Every failure gets the same answer; those of an authenticated client are counted and recorded. */
const refusing = async <Found>(
  ports: ExchangeAssertionPorts,
  { id, authMethod }: Pick<OAuthClient, 'id' | 'authMethod'>,
  act: () => Promise<Found>,
): Promise<Found> => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    const why = `identity assertion: ${error.why}`;
    if (authMethod !== 'none') {
      await countRequest(ports, SHOWN, id);
      const event = 'identity_assertion_refused';
      ports.events.record({ type: 'security', event, subject: id, why });
    }
    throw new OAuthRefusal('invalid_grant', 'The identity assertion is not valid here.', why);
  }
};

/**
 * Marks the assertion as used as the last step, in the transaction that stores the token: parallel requests get one
 * token, and a failure leaves the assertion usable.
 * @throws InvalidToken
 */
const buyToken = async (
  ports: ExchangeAssertionPorts,
  assertion: IdentityAssertion,
  grant: Grant,
  standing: Standing,
): Promise<Issued> => {
  const { accessTokens, events, grants, identityAssertions, settings, transactions } = ports;
  const { deploymentId, slug, scopes, userId: subject } = grant;
  const life = assertedTokenSeconds(standing.deployment, settings.limits);
  const deployment = { ...standing.deployment, accessTokenSeconds: life };
  const access = newAccessToken(ports, grant, { ...standing, deployment }, scopes);
  const refused = await transactions.commit({
    assertion: identityAssertions.spending(assertion),
    grant: grants.beginningOnce(grant, access.ref),
    access: accessTokens.storing(access.ref.fingerprint, access.record),
  });
  if (refused.size > 0) throw new InvalidToken('used before');
  const why = clientInWords(grant);
  events.record({ type: 'security', event: 'access_granted', deploymentId, slug, subject, why });
  return {
    accessToken: access.text,
    expiresInSeconds: access.expiresInSeconds,
    scopes,
    refreshToken: undefined,
    offlineAccess: false,
    slug,
  };
};

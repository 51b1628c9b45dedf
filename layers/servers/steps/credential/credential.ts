import type { McpPorts } from '../../../mcp/ports.ts';
import {
  checkCredential,
  chosenPassword,
  weakPassword,
  withOrigins,
} from '../../../credentials/rules/check-credential.ts';
import {
  type DefaultOrigins,
  defaultOrigins,
  originsOf,
  refusedOperations,
} from '../../../credentials/rules/credential-origins.ts';
import { unmetNeedsFindings } from '../../../credentials/rules/unmet-needs.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import {
  describeCredential,
  type NamedCredential,
  namedCredentials,
  namedRef,
  placesOf,
  withNamed,
} from '../../../credentials/rules/deployment-credential.ts';
import {
  CREDENTIAL_NAME,
  type CredentialName,
  MAIN,
} from '../../../credentials/rules/credential-name.ts';
import { isAssumable, trustPolicy } from '../../../credentials/rules/aws-role.ts';
import { inSamePlace } from '../../../credentials/rules/same-place.ts';
import { summarizeWarnings } from '../../rules/summarize-warnings.ts';
import { originOf } from '../../../platform/rules/origin.ts';
import { trustOf } from '../../../target/rules/target.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Credential } from '../../../target/rules/credential.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { CredentialsPorts, CredentialsSettings } from '../../../credentials/ports.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { PlatformPorts } from '../../../platform/ports.ts';
import { endingCertificate, withCertificateEnd } from './certificate-end.ts';
import { withLoginRequest } from './seal-login.ts';
import {
  noDeployment,
  type Owned,
  ownedDeployment,
} from '../../../deployments/steps/owned-deployment.ts';
import { checkRevision, type Revisions } from '../../../deployments/rules/revision.ts';
import {
  changeDeployment,
  type ChangeDeploymentPorts,
} from '../../../deployments/steps/change-deployment.ts';
import { lentIdentityFindings } from '../../rules/lent-identity.ts';
import { withTokenOrigin } from './seal-endpoint.ts';
import { exposed, exposures } from '../../rules/exposure.ts';
import type { ToolIndex } from '../../../openapi/tool-index.ts';

type SetCredentialPorts = ChangeDeploymentPorts &
  Pick<
    McpPorts,
    | 'commonPasswords'
    | 'credentialVault'
    | 'random'
    | 'registrableDomains'
    | 'tokenEndpoints'
    | 'toolIndexes'
    | 'versions'
  > & { readonly settings: LimitsSettings & CredentialsSettings };

export interface CredentialToSet extends Owned {
  readonly name?: CredentialName;
  readonly credential: Credential;
  /** Origins that calls may carry it to; by default the base address's and those of the same registrable domain. */
  readonly origins?: readonly string[] | undefined;
  /** Security schemes that it satisfies; `applicableCredentials` says which calls it goes with without any. */
  readonly schemes?: readonly string[] | undefined;
  readonly revisions?: Revisions;
}

/**
 * Sets or replaces a credential. A store with transactions writes the secret and the deployment together; any other
 * writes the secret first, so that an interruption leaves the old one in use. Routers use the new one within 15 s, when
 * they read the deployment again. Its origins are sealed with the secret, so that no later change of the deployment can
 * redirect it.
 *
 * @throws ApiRefusal invalid_request, not_found, stale, conflict, limit_reached, rate_limited
 * Source: docs/decisions/credentials.md, "Credentials", "Several credentials".
 */
export const setCredential = async (
  ports: SetCredentialPorts,
  { name = MAIN, credential: sent, origins, schemes, revisions, ...owned }: CredentialToSet,
) => {
  const { clock, credentialVault, random, toolIndexes, versions } = ports;
  checkName(name);
  checkCredential(sent, origins);
  checkRole(ports, sent);
  const found = await ownedDeployment(ports, owned);
  checkRevision(found, revisions);
  const [index, notes] = await Promise.all([
    toolIndexes.find(found.id, found.version),
    versions.notes(found.id, found.version),
  ]);
  const located = await withTokenOrigin(ports, sent, trustOf(found));
  const credential = withOrigins(
    withLoginRequest(withCertificateEnd(ports, located), found, index),
    origins ?? (await originsByDefault(ports, found, index)).origins,
  );
  const terms = { version: random.id(), setAt: clock.now() };
  const described = describeCredential(credential, schemes, terms);
  checkPlace([name, described], found, index);

  const before = await noteName(ports, found, name, revisions);
  const ref = namedRef(before, [name, described]);
  const stored = await credentialVault.put(ref, credential);
  if (stored === 'too_often') throw tooOften();
  const pointing = (current: Deployment): Deployment => withNamed(current, [name, described]);
  const deployment = await changeDeployment(
    ports,
    before,
    pointing,
    before === found ? revisions : undefined,
    stored === 'stored' ? {} : { credential: stored },
  );
  if (!deployment) {
    if (stored === 'stored') await credentialVault.remove(ref);
    throw noDeployment();
  }
  // A concurrent removal may have deleted the secret. Idempotent if it is still there.
  if (stored === 'stored') await credentialVault.put(ref, credential);
  const credentials = namedCredentials(deployment).map(([, its]) => its);
  const warnings = [
    ...(await passwordWarnings(ports, credential)),
    ...endingCertificate(ports, credential),
    ...lentIdentityFindings(deployment),
    ...unmetNeedsFindings(notes?.credentialNeeds ?? [], credentials),
    ...(index ? refusedOperations(index, credentials) : []),
  ];
  const trust = credential.type === 'aws' && trustPolicyOf(ports, deployment, credential);
  return {
    deployment,
    credential: described,
    warnings: summarizeWarnings(warnings),
    ...(trust && { trustPolicy: trust }),
  };
};

/** @throws ApiRefusal invalid_request */
const checkName = (name: CredentialName): void => {
  // The AWS SDK cannot marshal an object with a member named `constructor`.
  if (CREDENTIAL_NAME.test(name) && name !== 'constructor') return;
  throw new ApiRefusal('invalid_request', 'This is no name of a credential.', {
    where: '/name',
    what:
      name === 'constructor'
        ? 'a name that cannot be stored'
        : 'not a letter and up to 31 lower-case letters, digits and hyphens',
    hint: 'Call it by what it is for, as in `tenant-key`; the first one is called `main`.',
  });
};

/** @throws ApiRefusal invalid_request for a role that the operator does not list */
const checkRole = (
  {
    settings: { assumableRoles = [] },
  }: { readonly settings: LimitsSettings & CredentialsSettings },
  credential: Credential,
): void => {
  if (credential.type !== 'aws' || isAssumable(assumableRoles, credential.roleArn)) return;
  throw new ApiRefusal('invalid_request', 'This role may not be assumed here.', {
    where: '/role_arn',
    what: 'not among the roles that the operator of this service lists',
    hint: 'Ask the operator to add it to `assumable_roles`, or choose one that is listed.',
  });
};

const trustPolicyOf = (
  { settings: { connectionsRole } }: { readonly settings: LimitsSettings & CredentialsSettings },
  { id }: Deployment,
  { nameUser = false }: Extract<Credential, { type: 'aws' }>,
): object | undefined =>
  connectionsRole === undefined ? undefined : trustPolicy(connectionsRole, id, nameUser);

/** @throws ApiRefusal conflict */
const checkPlace = (
  named: NamedCredential,
  deployment: Deployment,
  index: ToolIndex | undefined,
): void => {
  const operations = index?.tools.map(({ operation }) => operation) ?? [];
  const same = inSamePlace(named, namedCredentials(deployment), operations);
  if (!same) return;
  throw new ApiRefusal(
    'conflict',
    `The credential ${same.other} is sent in ${same.place} too, and one request cannot carry both. Remove it, replace it (under its own name), or name the security schemes that each is for.`,
  );
};

/**
 * Recorded before the secret is stored, so that a removal finds it.
 *
 * @throws ApiRefusal limit_reached, not_found, stale, conflict
 */
const noteName = async (
  ports: SetCredentialPorts,
  before: Deployment,
  name: CredentialName,
  revisions: Revisions,
): Promise<Deployment> => {
  if (name === MAIN || before.credentialNames?.includes(name)) return before;
  const most = ports.settings.limits.credentials_per_deployment;
  const noting = (current: Deployment): Deployment => {
    const { credentialNames = [] } = current;
    if (credentialNames.includes(name)) return current;
    if (credentialNames.length + 1 >= most) throw tooMany(most);
    return { ...current, credentialNames: [...credentialNames, name] };
  };
  const noted = await changeDeployment(ports, before, noting, revisions);
  if (!noted) throw noDeployment();
  return noted;
};

const tooMany = (most: number): ApiRefusal =>
  new ApiRefusal(
    'limit_reached',
    `A deployment has ${most} credentials at most, \`main\` included. Remove one, or replace it under its own name.`,
  );

const passwordWarnings = async (
  { commonPasswords }: Pick<AccountsPorts, 'commonPasswords'>,
  credential: Credential,
): Promise<readonly Finding[]> => {
  const password = chosenPassword(credential);
  return password === undefined ? [] : weakPassword(password, await commonPasswords.has(password));
};

const tooOften = (): ApiRefusal =>
  new ApiRefusal(
    'rate_limited',
    'The credential was set a hundred times within a day, and the one before stays. It can be set again once the first of them is a day old.',
    [],
    // No retry time: AWS does not say when versions become removable.
    'the secret has too many versions',
  );

type RemoveCredentialPorts = ChangeDeploymentPorts & Pick<CredentialsPorts, 'credentialVault'>;

/**
 * Removes a credential. A store with transactions removes the secret together with the deployment's entry; otherwise
 * the entry goes first, so that no call uses a half-removed one. Also removes secrets that an interrupted attempt left.
 *
 * @throws ApiRefusal not_found, stale, conflict
 */
export const removeCredential = async (
  ports: RemoveCredentialPorts,
  { name = MAIN, revisions, ...owned }: Omit<CredentialToSet, 'credential' | 'origins' | 'schemes'>,
): Promise<void> => {
  const deployment = await ownedDeployment(ports, owned);
  checkRevision(deployment, revisions);
  await removeFrom(ports, deployment, name, revisions);
};

const removeFrom = async (
  ports: RemoveCredentialPorts,
  before: Deployment,
  name: CredentialName,
  revisions?: Revisions,
): Promise<void> => {
  const { credentialVault, deploymentEditor } = ports;
  const places = placesOf(before.id, name);
  const isStored = name === MAIN || before.credentialNames?.includes(name) === true;
  const [ofStore, ofConnections] = places.map((place) => credentialVault.removing(place));
  if (ofStore && ofConnections) {
    if (!isStored && !has(before, name)) return;
    const together = { ofStore, ofConnections };
    const change = (current: Deployment) => forgetting(name)(without(name)(current));
    await changeDeployment(ports, before, change, revisions, together);
    return;
  }
  if (has(before, name)) await changeDeployment(ports, before, without(name), revisions);
  if (isStored) {
    for (const place of places) await credentialVault.remove(place);
  }
  // A credential set concurrently has lost its secret by this removal, so it is removed too.
  const after = await deploymentEditor.read(before.slug);
  if (after?.id !== before.id) return;
  if (has(after, name)) return removeFrom(ports, after, name);
  if (after.credentialNames?.includes(name)) await changeDeployment(ports, after, forgetting(name));
};

const has = (deployment: Deployment, name: CredentialName): boolean =>
  namedCredentials(deployment).some(([its]) => its === name);

const without =
  (name: CredentialName) =>
  ({ credential, credentials, ...rest }: Deployment): Deployment => {
    const others = Object.entries(credentials ?? {}).filter(([its]) => its !== name);
    return {
      ...rest,
      ...(credential && name !== MAIN && { credential }),
      ...(others.length > 0 && { credentials: Object.fromEntries(others) }),
    };
  };

/** Keeps a name that is in use again, so that its secret can be found. */
const forgetting =
  (name: CredentialName) =>
  (deployment: Deployment): Deployment => {
    if (has(deployment, name)) return deployment;
    const { credentialNames = [], ...rest } = deployment;
    const others = credentialNames.filter((its) => its !== name);
    return { ...rest, ...(others.length > 0 && { credentialNames: others }) };
  };

/** Facts that an owner is shown before setting a credential. @throws ApiRefusal not_found */
export const credentialOrigins = async (
  ports: Pick<
    DeploymentsPorts,
    'deploymentEditor' | 'registrableDomains' | 'toolIndexes' | 'versions'
  >,
  owned: Owned,
) => {
  const deployment = await ownedDeployment(ports, owned);
  const { id, version } = deployment;
  const [index, notes] = await Promise.all([
    ports.toolIndexes.find(id, version),
    ports.versions.notes(id, version),
  ]);
  const now = exposed(deployment, index);
  return {
    ...(await originsByDefault(ports, deployment, index)),
    exposures: exposures(now, { ...now, hasCredential: true }),
    needs: notes?.credentialNeeds ?? [],
    deployment,
  };
};

/** @param index - of the served version; undefined if there is none */
const originsByDefault = async (
  { registrableDomains }: Pick<PlatformPorts, 'registrableDomains'>,
  { apiBaseUrl }: Pick<Deployment, 'apiBaseUrl'>,
  index: ToolIndex | undefined,
): Promise<DefaultOrigins> => {
  const registered = async (origin: string) => {
    const host = URL.parse(origin)?.hostname;
    return { origin, domain: host === undefined ? undefined : await registrableDomains.of(host) };
  };
  const served = await Promise.all((index ? originsOf(index) : []).map(registered));
  return defaultOrigins(await registered(originOf(apiBaseUrl)), served);
};

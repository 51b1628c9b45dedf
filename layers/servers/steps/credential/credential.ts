import {
  checkCredential,
  chosenPassword,
  weakPassword,
  withOrigins,
} from '../../../credentials/rules/check-credential.ts';
import {
  type DefaultOrigins,
  defaultOrigins,
  originOf,
  originsOf,
  refusedOperations,
} from '../../../credentials/rules/credential-origins.ts';
import { unmetNeedsFindings } from '../../../credentials/rules/unmet-needs.ts';
import type { Deployment } from '../../rules/deployment.ts';
import {
  type DeploymentCredential,
  describeCredential,
} from '../../../credentials/rules/deployment-credential.ts';
import { summarizeWarnings } from '../../rules/summarize-warnings.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import { HOUR } from '../../../platform/rules/time.ts';
import type { Credential } from '../../../target/rules/credential.ts';
import type { Ports } from '../../../ports.ts';
import { noDeployment, type Owned, ownedDeployment } from '../deployments/owned-deployment.ts';
import { checkRevision, type Revisions } from '../../rules/revision.ts';
import { changeDeployment, type ChangeDeploymentPorts } from '../deployments/change-deployment.ts';
import type { CredentialNeed } from '../../../openapi/credential-needs.ts';
import { exposed, exposures } from '../../rules/exposure.ts';
import type { ToolIndex } from '../../../openapi/tool-index.ts';

export type SetCredentialPorts = ChangeDeploymentPorts &
  Pick<
    Ports,
    | 'commonPasswords'
    | 'credentialVault'
    | 'random'
    | 'registrableDomains'
    | 'toolIndexes'
    | 'versions'
  >;

export interface CredentialToSet extends Owned {
  readonly credential: Credential;
  /** The only origins that it may be sent to; when omitted, that of the base address, and its domain's others. */
  readonly origins?: readonly string[] | undefined;
  readonly revisions?: Revisions;
}

export interface CredentialSet {
  readonly deployment: Deployment;
  readonly credential: DeploymentCredential;
  readonly warnings: readonly Finding[];
}

/**
 * Gives a deployment a credential, in place of the one it has. The value is stored before the deployment
 * points to it, so whatever breaks off in between leaves the old one in use. Routers use the new one
 * from their next look at the deployment, at the latest 15 s later. Where it may be sent is sealed with
 * the value, so that no later change of the deployment leads it elsewhere.
 *
 * @returns with warnings of a weak password, and of operations that want another credential or are sent elsewhere
 * @throws ApiRefusal invalid_request, not_found, stale, conflict, rate_limited
 *
 * Source: docs/decisions/credentials.md, "Credentials".
 */
export const setCredential = async (
  ports: SetCredentialPorts,
  { credential: value, origins, revisions, ...owned }: CredentialToSet,
): Promise<CredentialSet> => {
  const { clock, credentialVault, random, toolIndexes, versions } = ports;
  checkCredential(value, origins);
  const before = await ownedDeployment(ports, owned);
  checkRevision(before, revisions);
  const { id: deploymentId, ownerId } = before;
  const [index, notes] = await Promise.all([
    toolIndexes.find(deploymentId, before.version),
    versions.notes(deploymentId, before.version),
  ]);
  const meantFor = origins ?? (await originsByDefault(ports, before, index)).origins;
  const credential = withOrigins(value, meantFor);
  const described = describeCredential(credential, random.id(), clock.now());

  const ref = { deploymentId, ownerId, version: described.version };
  const store = () => credentialVault.put(ref, credential, before.credential?.version);
  if ((await store()) === 'too_often') throw tooOften();
  const pointing = (current: Deployment): Deployment => ({ ...current, credential: described });
  const deployment = await changeDeployment(ports, before, pointing, revisions);
  if (!deployment) {
    await credentialVault.remove(deploymentId);
    throw noDeployment();
  }
  // A removal at the same time may have taken ours along; where it is still there, nothing is done.
  await store();
  const warnings = [
    ...(await passwordWarnings(ports, value)),
    ...unmetNeedsFindings(notes?.credentialNeeds ?? [], described),
    ...(index ? refusedOperations(index, described) : []),
  ];
  return { deployment, credential: described, warnings: summarizeWarnings(warnings) };
};

const passwordWarnings = async (
  { commonPasswords }: Pick<Ports, 'commonPasswords'>,
  credential: Credential,
): Promise<readonly Finding[]> => {
  const password = chosenPassword(credential);
  return password === undefined ? [] : weakPassword(password, await commonPasswords.has(password));
};

const tooOften = (): ApiRefusal =>
  new ApiRefusal(
    'rate_limited',
    'The credential was set a hundred times within a day, and the one before stays. Try again in an hour.',
    [],
    'the secret has too many versions',
    { retryAfterSeconds: HOUR },
  );

export type RemoveCredentialPorts = ChangeDeploymentPorts & Pick<Ports, 'credentialVault'>;

interface CredentialToRemove extends Owned {
  readonly revisions?: Revisions;
}

/**
 * Takes a deployment's credential away. The deployment lets go of it first, so that no call is made with
 * a value that is half gone. What a try that broke off has left in the store goes as well.
 *
 * @throws ApiRefusal not_found, stale, conflict
 */
export const removeCredential = async (
  ports: RemoveCredentialPorts,
  { revisions, ...owned }: CredentialToRemove,
): Promise<void> => {
  const deployment = await ownedDeployment(ports, owned);
  checkRevision(deployment, revisions);
  await removeFrom(ports, deployment, revisions);
};

const removeFrom = async (
  ports: RemoveCredentialPorts,
  before: Deployment,
  revisions?: Revisions,
): Promise<void> => {
  const { credentialVault, deploymentEditor } = ports;
  if (before.credential) await changeDeployment(ports, before, withoutCredential, revisions);
  await credentialVault.remove(before.id);
  // One that was set at the same time lost its value to us: it goes as well.
  const after = await deploymentEditor.read(before.slug);
  if (after?.id === before.id && after.credential) await removeFrom(ports, after);
};

const withoutCredential = (deployment: Deployment): Deployment => {
  const { credential: _, ...rest } = deployment;
  return rest;
};

export type CredentialOriginsPorts = Pick<
  Ports,
  'deploymentEditor' | 'registrableDomains' | 'toolIndexes' | 'versions'
>;

/** What its owner is shown before a credential is set. */
interface CredentialProspect extends DefaultOrigins {
  /** What strangers could do with one and cannot now. */
  readonly exposures: readonly Finding[];
  /** What the operations of the served version ask for. */
  readonly needs: readonly CredentialNeed[];
}

/**
 * Where a credential of a deployment may go if its owner names nothing, what could be named besides, and
 * what strangers could do with it.
 *
 * @throws ApiRefusal not_found
 */
export const credentialOrigins = async (
  ports: CredentialOriginsPorts,
  owned: Owned,
): Promise<CredentialProspect> => {
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
  };
};

/** @param index - of the served version; undefined where there is none */
const originsByDefault = async (
  { registrableDomains }: Pick<Ports, 'registrableDomains'>,
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

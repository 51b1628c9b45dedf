import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { toolsDiff, type ToolsDiff, withModes } from '../../rules/differences/tools-diff.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { VersionNotes } from '../../../deployments/rules/version-notes.ts';
import { checkRevision, type Revisions } from '../../../deployments/rules/revision.ts';
import {
  changeDeployment,
  type ChangeDeploymentPorts,
} from '../../../deployments/steps/change-deployment.ts';
import {
  inVersion,
  noDeployment,
  type Owned,
  ownedDeployment,
} from '../../../deployments/steps/owned-deployment.ts';
import { withCredentialWarnings } from '../descriptions/warnings-of.ts';
import type { ReceivedDescription } from '../descriptions/fetch-description.ts';
import { encodedText } from '../../../openapi/intake/parse.ts';

export type VersionPorts = ChangeDeploymentPorts &
  Pick<DeploymentsPorts, 'toolIndexes' | 'versions'>;

export interface VersionView {
  readonly version: number;
  readonly isServed: boolean;
  readonly notes: VersionNotes;
}

/** Versions that can be restored, newest first. @throws ApiRefusal not_found */
export const listVersions = async (
  ports: VersionPorts,
  owned: Owned,
): Promise<readonly VersionView[]> => {
  const { id, version: served, history } = await ownedDeployment(ports, owned);
  const views = history.toReversed().map(async (version) => {
    const notes = await ports.versions.notes(id, version);
    return notes ? [{ version, isServed: version === served, notes }] : [];
  });
  return (await Promise.all(views)).flat();
};

/**
 * Serves another version again, with its settings.
 *
 * @throws ApiRefusal not_found, invalid_request, stale, conflict
 * Source: docs/decisions/descriptions.md, "Versions and overrides".
 */
export const rollBack = async (
  ports: VersionPorts,
  owned: Owned & { readonly revisions?: Revisions },
  version: number,
) => {
  const before = await ownedDeployment(ports, owned);
  checkRevision(before, owned.revisions);
  checkHistory(before, version);
  const notes = await ports.versions.notes(before.id, version);
  if (!notes) throw noVersion();
  const { toolCount, apiBaseUrl, apiTexts, sourceHash, publication } = notes;

  const change = (current: Deployment): Deployment => {
    checkHistory(current, version);
    const { apiTexts: _, ...others } = current;
    const made = { toolCount, apiBaseUrl, sourceHash, publication, ...(apiTexts && { apiTexts }) };
    return { ...others, version, ...made };
  };
  const isThere = before.version === version;
  const deployment = isThere
    ? before
    : await changeDeployment(ports, before, change, owned.revisions);
  if (!deployment) throw noDeployment();
  const [was, is] = await Promise.all([
    indexOf(ports, before, before.version),
    indexOf(ports, before, version),
  ]);
  return {
    deployment,
    warnings: withCredentialWarnings({ credentialNeeds: [], ...notes }, is, deployment),
    tools: withModes(toolsDiff(was, is), before.publication, publication),
  };
};

/** Source: docs/decisions/descriptions.md, "Versions and overrides". @throws ApiRefusal not_found */
export const versionDifference = async (
  ports: VersionPorts,
  owned: Owned,
  { before, after }: { readonly before: number; readonly after: number },
): Promise<ToolsDiff> => {
  const deployment = await ownedDeployment(ports, owned);
  const { id } = deployment;
  [before, after].forEach((version) => inVersion(deployment, version));
  const [was, is, wasMade, isMade] = await Promise.all([
    indexOf(ports, deployment, before),
    indexOf(ports, deployment, after),
    ports.versions.notes(id, before),
    ports.versions.notes(id, after),
  ]);
  return withModes(toolsDiff(was, is), wasMade?.publication ?? {}, isMade?.publication ?? {});
};

const checkHistory = ({ history }: Deployment, version: number): void => {
  if (!history.includes(version)) throw noVersion();
};

const noVersion = (): ApiRefusal =>
  new ApiRefusal('invalid_request', 'The deployment cannot return to this version.', [
    { where: '/version', what: 'no such version', hint: 'Choose one of GET .../versions.' },
  ]);

const indexOf = async ({ toolIndexes }: VersionPorts, { id }: Deployment, version: number) => {
  const index = await toolIndexes.find(id, version);
  if (!index) throw new Fault('dynamodb', 'a version has no tool index');
  return index;
};

/**
 * The description as it was uploaded.
 *
 * @param version - the served one if undefined
 * @throws ApiRefusal not_found
 * Source: docs/decisions/descriptions.md, "Descriptions are read back".
 */
export const readUploadedDescription = async (
  ports: Pick<DeploymentsPorts, 'deploymentEditor' | 'versions'>,
  owned: Owned,
  version?: number,
): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string }> => {
  const { id, version: number } = inVersion(await ownedDeployment(ports, owned), version);
  const stored = await storedDescription(ports, id, number);
  return { bytes: uploadedBytes(stored), mediaType: stored.mediaType };
};

type StoredDescription = Required<ReceivedDescription>;

export const uploadedBytes = ({ sent, encoding }: StoredDescription): Uint8Array =>
  typeof sent === 'string' ? encodedText(sent, encoding) : sent;

/** A description that was not uploaded as UTF-8 is returned as bytes, whose size counts. @throws Fault if missing */
export const storedDescription = async (
  { versions }: Pick<DeploymentsPorts, 'versions'>,
  deploymentId: string,
  version: number,
): Promise<StoredDescription> => {
  const [text, notes] = await Promise.all([
    versions.description(deploymentId, version),
    versions.notes(deploymentId, version),
  ]);
  if (text === undefined || !notes) {
    throw new Fault('dynamodb', 'a version of a deployment has no description');
  }
  const { mediaType, encoding } = notes.upload;
  const sent = encoding.name === 'utf-8' ? text : encodedText(text, encoding);
  return { sent, mediaType, encoding };
};

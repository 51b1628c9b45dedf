import { refusedOperations } from '../../../credentials/rules/credential-origins.ts';
import {
  lostLogins,
  namedCredentials,
  type WithCredentials,
} from '../../../credentials/rules/deployment-credential.ts';
import { unmetNeedsFindings } from '../../../credentials/rules/unmet-needs.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { lentIdentityFindings } from '../../rules/lent-identity.ts';
import { summarizeWarnings } from '../../rules/summarize-warnings.ts';
import type { Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ToolIndex } from '../../../openapi/tool-index.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { CompiledDescription } from './compile-description.ts';

/** Warnings of the served version: those of its compilation, and those about the credentials that are set now. */
export const warningsOf = async (
  { toolIndexes, versions }: Pick<DeploymentsPorts, 'toolIndexes' | 'versions'>,
  deployment: Deployment,
): Promise<readonly Finding[]> => {
  const { id, version } = deployment;
  const credentials = namedCredentials(deployment);
  const [notes, index] = await Promise.all([
    versions.notes(id, version),
    credentials.length > 0 ? toolIndexes.find(id, version) : undefined,
  ]);
  const { warnings = [], credentialNeeds = [] } = notes ?? {};
  return withCredentialWarnings({ warnings, credentialNeeds }, index, deployment);
};

/** @param index - of the same version; undefined if there is no credential */
export const withCredentialWarnings = (
  { warnings, credentialNeeds }: Pick<CompiledDescription, 'credentialNeeds' | 'warnings'>,
  index: ToolIndex | undefined,
  deployment: (WithCredentials & Pick<Deployment, 'authMethod'>) | undefined,
): readonly Finding[] => {
  if (!index) return warnings;
  const credentials = namedCredentials(deployment ?? {}).map(([, credential]) => credential);
  return [
    ...warnings,
    ...(deployment ? [...lentIdentityFindings(deployment), ...lostLogins(index, deployment)] : []),
    ...unmetNeedsFindings(credentialNeeds, credentials),
    ...summarizeWarnings(refusedOperations(index, credentials)),
  ];
};

import { refusedOperations } from '../../../credentials/rules/credential-origins.ts';
import { unmetNeedsFindings } from '../../../credentials/rules/unmet-needs.ts';
import type { Deployment } from '../../rules/deployment.ts';
import { summarizeWarnings } from '../../rules/summarize-warnings.ts';
import type { Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ToolIndex } from '../../../openapi/tool-index.ts';
import type { Ports } from '../../../ports.ts';
import type { CompiledDescription } from './compile-description.ts';

/**
 * What is to be said of the version that a deployment serves: what was noticed when it was made, and
 * which of its operations the credential of today is not meant for.
 */
export const warningsOf = async (
  { toolIndexes, versions }: Pick<Ports, 'toolIndexes' | 'versions'>,
  { id, version, credential }: Deployment,
): Promise<readonly Finding[]> => {
  const [notes, index] = await Promise.all([
    versions.notes(id, version),
    credential && toolIndexes.find(id, version),
  ]);
  const { warnings = [], credentialNeeds = [] } = notes ?? {};
  return withCredentialWarnings({ warnings, credentialNeeds }, index, credential);
};

/**
 * @param version - what was noticed when it was made
 * @param index - of the same version; undefined where there is no credential
 */
export const withCredentialWarnings = (
  { warnings, credentialNeeds }: Pick<CompiledDescription, 'credentialNeeds' | 'warnings'>,
  index: ToolIndex | undefined,
  credential: Deployment['credential'],
): readonly Finding[] =>
  index
    ? [
        ...warnings,
        ...unmetNeedsFindings(credentialNeeds, credential),
        ...summarizeWarnings(refusedOperations(index, credential)),
      ]
    : warnings;

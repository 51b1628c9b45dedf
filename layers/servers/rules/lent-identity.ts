import { namedCredentials } from '../../credentials/rules/deployment-credential.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isConnectedKind } from '../../target/rules/credential.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

/**
 * Warns that strangers call under the identity of a connected credential, and use up its quota at the API.
 * Source: docs/decisions/credentials.md, "Tokens that others give".
 */
export const lentIdentityFindings = (
  deployment: Pick<Deployment, 'authMethod' | 'credential' | 'credentials'>,
): readonly Finding[] => {
  if (deployment.authMethod !== 'none') return [];
  return namedCredentials(deployment)
    .filter(([, { type }]) => isConnectedKind(type))
    .map(([name]) => ({
      where: `/credentials/${name}`,
      what: 'anybody on the internet calls with the identity of this credential, and spends what that may',
      hint: 'Let callers sign in, or use an identity that may do no more than everybody.',
    }));
};

import { afterwards } from '../../../platform/rules/afterwards.ts';
import { CredentialUnavailable } from '../../../credentials/rules/credential-access.ts';
import { credentialRef } from '../../../credentials/rules/deployment-credential.ts';
import { TokenUnavailable } from '../../../connections/rules/token-failure.ts';
import type {
  CredentialTrial,
  CredentialTrialResult,
} from '../../../connections/rules/credential-trial.ts';
import { isConnectedKind } from '../../../target/rules/credential.ts';
import { trustOf } from '../../../target/rules/target.ts';
import type { ConnectionsPorts } from '../../../connections/ports.ts';

export type TryCredentialPorts = Pick<
  ConnectionsPorts,
  'connectedTokens' | 'credentials' | 'events' | 'log'
>;

/**
 * Reads a credential, or requests a token with it, and reports success or failure without any secret. The management
 * function has counted the attempt. Source: docs/decisions/credentials.md, "Tokens that others give".
 */
export const tryCredential = async (
  ports: TryCredentialPorts,
  trial: CredentialTrial,
): Promise<CredentialTrialResult> => {
  const result = await tried(ports, trial).catch((error: unknown): CredentialTrialResult => {
    if (error instanceof TokenUnavailable) {
      const { reason, code, said } = error;
      return {
        works: false,
        reason,
        ...(code !== undefined && { code }),
        ...(said !== undefined && { said }),
      };
    }
    if (error instanceof CredentialUnavailable) return { works: false, reason: error.reason };
    throw error;
  });
  const { slug } = trial.deployment;
  const outcome = result.works ? 'ok' : result.reason;
  const { requestId } = trial.sender;
  ports.log.write({ message: 'credential_trial', request_id: requestId, slug, outcome });
  await afterwards(ports, 'events of a trial', ports.events.flush);
  return result;
};

const tried = async (
  { connectedTokens, credentials }: TryCredentialPorts,
  { deployment, name, type: kind, version, perCaller, sender }: CredentialTrial,
): Promise<CredentialTrialResult> => {
  const use = { user: deployment.ownerId, ...sender, userAgent: sender.userAgent };
  if (!isConnectedKind(kind)) {
    await credentials.find(credentialRef(deployment, { name, from: 'store', version }), use);
    return { works: true };
  }
  const ref = credentialRef(deployment, { name, from: 'connections', version });
  const { expiresAt, scopes, clientAuth } = await connectedTokens.ask({
    ref,
    kind,
    use,
    perCaller: perCaller ?? false,
    trust: trustOf(deployment),
  });
  return { works: true, expiresAt, ...(scopes && { scopes }), ...(clientAuth && { clientAuth }) };
};

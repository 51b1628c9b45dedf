import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Ports } from '../../../ports.ts';
import { type Owned, ownedDeployment } from '../deployments/owned-deployment.ts';

export type RevokeTokenPorts = Pick<Ports, 'deploymentEditor' | 'mintedTokens'>;

export interface TokenToRevoke extends Owned {
  readonly jti: string;
}

/**
 * Ends a minted token from the next request on. Also one that has ended already.
 *
 * @throws ApiRefusal not_found, also for a token of another deployment
 *
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const revokeToken = async (
  ports: RevokeTokenPorts,
  { jti, ...owned }: TokenToRevoke,
): Promise<void> => {
  const { mintedTokens } = ports;
  const [{ id }, token] = await Promise.all([
    ownedDeployment(ports, owned),
    mintedTokens.find(jti),
  ]);
  if (token?.deploymentId !== id) {
    throw new ApiRefusal('not_found', 'The deployment has no token of this jti.');
  }
  await mintedTokens.revoke(jti);
};

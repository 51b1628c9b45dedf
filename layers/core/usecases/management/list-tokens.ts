import type { MintedToken, Page, PageQuery, Ports } from '../../ports.ts';
import { type Owned, ownedDeployment } from './owned-deployment.ts';

export type ListTokensPorts = Pick<Ports, 'deploymentEditor' | 'mintedTokens'>;

/**
 * The tokens that were minted for a deployment, the newest first, those that were revoked as well. A day
 * after they have expired they are forgotten.
 *
 * @throws ApiRefusal not_found
 *
 * Source: management-api.md.
 */
export const listTokens = async (
  ports: ListTokensPorts,
  owned: Owned,
  query: PageQuery,
): Promise<Page<MintedToken>> => {
  const { id } = await ownedDeployment(ports, owned);
  return ports.mintedTokens.page(id, query);
};

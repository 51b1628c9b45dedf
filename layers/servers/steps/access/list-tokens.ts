import { isMintedEnded } from '../../../tokens/rules/not-before.ts';
import { isMinterSignedOut } from '../../../accounts/rules/signed-out.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { MintedToken } from '../../../tokens/rules/token-records.ts';
import type { Page, PageQuery } from '../../../platform/rules/paging.ts';
import type { Ports } from '../../../ports.ts';
import { ownedDeployment } from '../deployments/owned-deployment.ts';

export type ListTokensPorts = Pick<Ports, 'deploymentEditor' | 'mintedTokens' | 'notBefore'>;

/**
 * The tokens that were minted for a deployment, the newest first, those that have ended as well. A day
 * after they have expired they are forgotten.
 *
 * @throws ApiRefusal not_found
 */
export const listTokens = async (
  ports: ListTokensPorts,
  { owner, slug }: { readonly owner: User; readonly slug: string },
  query: PageQuery,
): Promise<Page<MintedToken>> => {
  const { id } = await ownedDeployment(ports, { ownerId: owner.id, slug });
  const [ended, { items, ...page }] = await Promise.all([
    ports.notBefore.find(),
    ports.mintedTokens.page(id, query),
  ]);
  const shown = (token: MintedToken): MintedToken => ({
    ...token,
    revoked:
      token.revoked || isMinterSignedOut(owner, token) || isMintedEnded(ended, token.createdAt),
  });
  return { ...page, items: items.map(shown) };
};

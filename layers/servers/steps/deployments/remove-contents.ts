import type { Page } from '../../../platform/rules/paging.ts';
import type { Ports } from '../../../ports.ts';

export interface ContentsPorts extends Pick<Ports, 'clock'> {
  readonly credentialVault: Pick<Ports['credentialVault'], 'remove'>;
  readonly grants: Pick<Ports['grants'], 'page' | 'end'>;
  readonly mintedTokens: Pick<Ports['mintedTokens'], 'page' | 'revoke'>;
  readonly versions: Pick<Ports['versions'], 'removeAll'>;
}

const PAGE = 100;

/** Removes what is kept under a deployment's id. What breaks off is finished by a repetition, which goes on. */
export const removeContents = async (
  { clock, credentialVault, grants, mintedTokens, versions }: ContentsPorts,
  deploymentId: string,
): Promise<void> => {
  const now = clock.now();
  await credentialVault.remove(deploymentId);
  for await (const { grant } of every((after) =>
    grants.page(deploymentId, { limit: PAGE, after }, now),
  )) {
    await grants.end(grant.id, now);
  }
  for await (const { jti, revoked } of every((after) =>
    mintedTokens.page(deploymentId, { limit: PAGE, after }),
  )) {
    if (!revoked) await mintedTokens.revoke(jti);
  }
  await versions.removeAll(deploymentId);
};

/** All items of a list, page after page. */
export async function* every<Item>(
  page: (after: string | undefined) => Promise<Page<Item>>,
): AsyncIterable<Item> {
  let after: string | undefined;
  do {
    const { items, next } = await page(after);
    yield* items;
    after = next;
  } while (after !== undefined);
}

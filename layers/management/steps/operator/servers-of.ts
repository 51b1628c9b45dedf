import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { every } from '../../../platform/rules/paging.ts';

const PAGE = 100;

/** All servers of an owner, from the eventually consistent list and the consistent set of active ones. */
export const serversOf = async (
  { deploymentEditor }: Pick<DeploymentsPorts, 'deploymentEditor'>,
  ownerId: string,
): Promise<readonly Deployment[]> => {
  const listed = every((after) => deploymentEditor.listByOwner(ownerId, { limit: PAGE, after }));
  const slugs = new Set<string>();
  for await (const { slug } of listed) slugs.add(slug);
  for (const slug of await deploymentEditor.activeSlugs(ownerId)) slugs.add(slug);
  const found = await Promise.all([...slugs].map((slug) => deploymentEditor.read(slug)));
  return found.flatMap((one) =>
    one?.ownerId === ownerId && one.status !== 'removing' ? [one] : [],
  );
};

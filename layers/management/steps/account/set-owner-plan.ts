import type { Plan } from '../../../limits/rules/plan.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { every } from '../../../platform/rules/paging.ts';
import { changeOfService } from '../../../deployments/steps/change-deployment.ts';

const PAGE = 100;

/**
 * Sets the plan of an owner's deployments, which applies to tokens without a user. Repeatable until all are changed;
 * deployments created meanwhile get the account's plan anyway.
 * @returns number of deployments, and of those that were changed
 * Source: docs/decisions/limits.md, "Quotas".
 */
export const setOwnerPlan = async (
  ports: Pick<DeploymentsPorts, 'clock' | 'deploymentEditor'>,
  { ownerId, plan }: { readonly ownerId: string; readonly plan: Plan },
): Promise<{ readonly deployments: number; readonly changed: number }> => {
  const { deploymentEditor } = ports;
  let deployments = 0;
  let changed = 0;
  const listed = every((after) => deploymentEditor.listByOwner(ownerId, { limit: PAGE, after }));
  for await (const { slug, id } of listed) {
    // The list is eventually consistent, so the current item is read.
    const current = await deploymentEditor.read(slug);
    if (current?.id !== id || current.ownerId !== ownerId) continue;
    deployments += 1;
    if (current.ownerPlan === plan) continue;
    // If the owner has changed meanwhile, the new owner's plan stays.
    await changeOfService(ports, current, (before) =>
      before.ownerId === ownerId ? { ...before, ownerPlan: plan } : before,
    );
    changed += 1;
  }
  return { deployments, changed };
};

import type { Plan } from '../../../limits/rules/plan.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { changeOfService } from '../../../deployments/steps/change-deployment.ts';

const AT_ONCE = 100;

/**
 * Puts an owner's deployments on a plan, which counts for tokens that name no user. May be repeated until
 * it has reached them all: those that are made meanwhile take the plan of the account.
 *
 * @returns how many there are, and how many were changed
 *
 * Source: docs/decisions/limits.md, "Quotas".
 */
export const setOwnerPlan = async (
  ports: Pick<DeploymentsPorts, 'clock' | 'deploymentEditor'>,
  { ownerId, plan }: { readonly ownerId: string; readonly plan: Plan },
): Promise<{ readonly deployments: number; readonly changed: number }> => {
  const { deploymentEditor } = ports;
  let deployments = 0;
  let changed = 0;
  let after: string | undefined;
  do {
    const page = await deploymentEditor.listByOwner(ownerId, { limit: AT_ONCE, after });
    for (const { slug, id } of page.items) {
      // The list may lag behind; what is written must rest on what is there.
      const current = await deploymentEditor.read(slug);
      if (current?.id !== id || current.ownerId !== ownerId) continue;
      deployments += 1;
      if (current.ownerPlan === plan) continue;
      // Somebody else's by then has the plan of theirs.
      await changeOfService(ports, current, (before) =>
        before.ownerId === ownerId ? { ...before, ownerPlan: plan } : before,
      );
      changed += 1;
    }
    after = page.next;
  } while (after !== undefined);
  return { deployments, changed };
};

import type { User } from '../../../domain/accounts/user.ts';
import type { Deployment } from '../../../domain/deployments/deployment.ts';
import { ApiRefusal } from '../../../domain/refusal.ts';
import type { ToolTrial, ToolTrialResult } from '../../../domain/tool-test.ts';
import type { Ports } from '../../../ports.ts';
import { tooMuchWork } from '../count-work.ts';
import { chargeTrial, type ChargeTrialPorts } from './charge-trial.ts';
import { ownedDeployment, stopped } from './owned-deployment.ts';

export type TryOwnedToolPorts = ChargeTrialPorts &
  Pick<Ports, 'clock' | 'deploymentEditor' | 'leases' | 'toolIndexes' | 'toolTrials'>;

/** Longer than the function that tries may run. */
const TRIAL_SECONDS = 30;
/** Most trials end sooner. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Calls a tool of the owner's, also of a paused deployment, with its credential. It costs what a call
 * costs, and few run at once.
 *
 * @throws ApiRefusal not_found, also for a tool that there is not; conflict where it was stopped; rate_limited
 *
 * Source: docs/decisions.md, "Trying a tool", "Work for an owner".
 */
export const tryOwnedTool = async (
  ports: TryOwnedToolPorts,
  owner: User,
  slug: string,
  trial: Omit<ToolTrial, 'deployment'>,
): Promise<ToolTrialResult> => {
  const deployment = await ownedDeployment(ports, { ownerId: owner.id, slug });
  if (deployment.status === 'stopped') throw stopped();
  await checkTool(ports, deployment, trial.tool);
  const limit = 'trials_at_once_per_user';
  const lease = await ports.leases.take(limit, owner.id, TRIAL_SECONDS, ports.clock.now());
  if (!lease) throw tooMuchWork('Other trials of yours still run', limit, RETRY_AFTER_SECONDS);
  try {
    await chargeTrial(ports, owner, deployment);
    return await run(ports, deployment, trial);
  } finally {
    await lease.giveBack();
  }
};

/** @throws ApiRefusal not_found */
const checkTool = async (
  { toolIndexes }: Pick<Ports, 'toolIndexes'>,
  { id, version }: Deployment,
  tool: string,
): Promise<void> => {
  const index = await toolIndexes.find(id, version);
  if (index?.tools.some(({ name }) => name === tool)) return;
  throw new ApiRefusal('not_found', 'The deployment has no tool of this name.');
};

const run = (
  { toolTrials }: Pick<Ports, 'toolTrials'>,
  { id, slug, ownerId, version, credential }: Deployment,
  trial: Omit<ToolTrial, 'deployment'>,
): Promise<ToolTrialResult> =>
  toolTrials.run({
    ...trial,
    deployment: {
      id,
      slug,
      ownerId,
      version,
      ...(credential && { credential: { version: credential.version, setAt: credential.setAt } }),
    },
  });

import { MAIN } from '../../../credentials/rules/credential-name.ts';
import { namedCredentials } from '../../../credentials/rules/deployment-credential.ts';
import { CREDENTIAL_KINDS } from '../../../target/rules/credential.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { answerBudgetOf, answerFieldsOf, argumentChecksOf } from '../../rules/apply-overrides.ts';
import type { Deployment } from '../../rules/deployment.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { IndexedTool } from '../../../openapi/tool-index.ts';
import type { ToolTrial, ToolTrialResult } from '../../../openapi/tool-test.ts';
import type { Ports } from '../../../ports.ts';
import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { leased, type LeasedPorts } from '../../../api/steps/leased.ts';
import { ownedDeployment, stopped } from './owned-deployment.ts';

export type TryOwnedToolPorts = CountWorkPorts &
  LeasedPorts &
  Pick<Ports, 'deploymentEditor' | 'toolIndexes' | 'toolTrials'>;

export interface WantedTrial extends Omit<ToolTrial, 'deployment'> {
  /** One that the deployment can return to; the served one if undefined. */
  readonly version: number | undefined;
}

/**
 * Calls a tool of the owner's, also of a paused deployment, with its credential. Trials have a limit of their own
 * and spend nothing of a plan; few run at once.
 *
 * @throws ApiRefusal not_found, also for a tool that there is not; conflict where it was stopped; rate_limited
 *
 * Source: docs/decisions/management.md, "Trying a tool"; docs/decisions/limits.md, "Work for an owner".
 */
export const tryOwnedTool = async (
  ports: TryOwnedToolPorts,
  owner: User,
  slug: string,
  { version, ...trial }: WantedTrial,
): Promise<ToolTrialResult> => {
  const current = await ownedDeployment(ports, { ownerId: owner.id, slug });
  if (current.status === 'stopped') throw stopped();
  const deployment = version === undefined ? current : inVersion(current, version);
  const tool = await toolOf(ports, deployment, trial.tool);
  return leased(ports, 'trials_at_once_per_user', owner.id, async () => {
    await countWork(ports, 'trials_per_hour_per_user', owner.id);
    return run(ports, deployment, tool, trial);
  });
};

/** @throws ApiRefusal not_found */
const inVersion = (deployment: Deployment, version: number): Deployment => {
  if (deployment.history.includes(version)) return { ...deployment, version };
  throw new ApiRefusal('not_found', 'The deployment cannot return to a version of this number.');
};

/** @throws ApiRefusal not_found */
const toolOf = async (
  { toolIndexes }: Pick<Ports, 'toolIndexes'>,
  { id, version }: Deployment,
  name: string,
): Promise<IndexedTool> => {
  const index = await toolIndexes.find(id, version);
  const found = index?.tools.find((tool) => tool.name === name);
  if (found) return found;
  throw new ApiRefusal('not_found', 'The deployment has no tool of this name.');
};

const run = (
  { toolTrials }: Pick<Ports, 'toolTrials'>,
  deployment: Deployment,
  tool: IndexedTool,
  trial: Omit<ToolTrial, 'deployment'>,
): Promise<ToolTrialResult> => {
  const { id, slug, ownerId, version, network, requestHeaders = {} } = deployment;
  const answerTokenBudget = answerBudgetOf(tool, deployment);
  const answerFields = answerFieldsOf(tool, deployment);
  return toolTrials.run({
    ...trial,
    deployment: {
      id,
      slug,
      ownerId,
      version,
      ...(network !== undefined && { network }),
      ...(Object.keys(requestHeaders).length > 0 && { requestHeaders }),
      ...credentialsOf(deployment),
      argumentChecks: argumentChecksOf(tool, deployment),
      ...(answerTokenBudget !== undefined && { answerTokenBudget }),
      ...(answerFields && { answerFields }),
    },
  });
};

const credentialsOf = (
  deployment: Deployment,
): Pick<ToolTrial['deployment'], 'credential' | 'credentials'> => {
  const named = namedCredentials(deployment);
  const [[name, only] = [], ...others] = named;
  if (!only) return {};
  const isPlain = name === MAIN && !only.schemes && CREDENTIAL_KINDS[only.type].from === 'store';
  if (isPlain && others.length === 0) {
    return { credential: { version: only.version, setAt: only.setAt } };
  }
  return {
    credentials: Object.fromEntries(
      named.map(([its, one]) => {
        const { type, origins, schemes, version, setAt } = one;
        const nameUser = 'nameUser' in one && one.nameUser === true && { nameUser: true };
        return [its, { type, origins, ...(schemes && { schemes }), ...nameUser, version, setAt }];
      }),
    ),
  };
};

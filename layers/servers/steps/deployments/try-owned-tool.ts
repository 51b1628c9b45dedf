import { MAIN } from '../../../credentials/rules/credential-name.ts';
import {
  type DeploymentCredential,
  namedCredentials,
  sealingOf,
} from '../../../credentials/rules/deployment-credential.ts';
import type { Permission } from '../../../accounts/rules/permission.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { answerBudgetOf, ownSettings } from '../../../deployments/rules/apply-overrides.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { toolModeOf } from '../../../deployments/rules/publication.ts';
import { checkRevision, type Revisions } from '../../../deployments/rules/revision.ts';
import { trustOf } from '../../../target/rules/target.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { isObject } from '../../../platform/rules/json/json.ts';
import type { IndexedTool } from '../../../openapi/tool-index.ts';
import type { ToolTrial, ToolTrialResult, TrialCredential } from '../../../openapi/tool-test.ts';
import { CALL, SEARCH_TOOLS } from '../../../search/tool-names.ts';
import type { ServersPorts } from '../../ports.ts';
import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { leased } from '../../../api/steps/leased.ts';
import {
  inVersion,
  ownedDeployment,
  stopped,
} from '../../../deployments/steps/owned-deployment.ts';
import type { PortsOf } from '../../../platform/ports.ts';

type TryOwnedToolPorts = CountWorkPorts &
  PortsOf<typeof leased> &
  Pick<ServersPorts, 'deploymentEditor' | 'toolIndexes' | 'toolTrials'>;

export interface WantedTrial extends Omit<ToolTrial, 'deployment' | 'isSearch'> {
  /** Revisions that the caller has looked at; undefined: any. */
  readonly revisions: Revisions;
  /** A version that can be restored; the served one if undefined. */
  readonly version: number | undefined;
  /** The name is that of a tool of search mode, not of an operation. */
  readonly isSearch: boolean;
}

/**
 * Calls a tool of the owner's deployment, even of a paused one, with its credential. Trials have limits of their own
 * and do not count towards the plan. Tools of search mode can be tried too; those that call nothing do not count as
 * trials.
 *
 * The router gets all that decides about the request from the one read that was checked here: a later change is
 * effective for the next trial.
 *
 * @throws ApiRefusal not_found, also for an unknown tool; stale; conflict where it was stopped; rate_limited
 * Source: docs/decisions/management.md, "Trying a tool"; docs/decisions/limits.md, "Work for an owner".
 */
export const tryOwnedTool = async (
  ports: TryOwnedToolPorts,
  owner: User,
  may: Permission<'call'>,
  slug: string,
  { version, revisions, isSearch, ...trial }: WantedTrial,
): Promise<ToolTrialResult> => {
  may.check('call', { doing: `call ${trial.tool}` });
  const current = await ownedDeployment(ports, { ownerId: owner.id, slug });
  // Revisions are checked first, so that a tool that is gone since the caller looked is not reported as unknown.
  checkRevision(current, revisions, CHANGED);
  if (current.status === 'stopped') throw stopped();
  const deployment = inVersion(current, version);
  if (isSearch && !(deployment === current && isSearchTool(current, trial.tool))) throw noTool();
  const tool = isSearch
    ? await operationIn(ports, deployment, trial)
    : await toolOf(ports, deployment, trial.tool);
  const run = () =>
    ports.toolTrials.run({
      ...trial,
      ...(isSearch && { isSearch }),
      deployment: triedDeployment(deployment, tool, isSearch),
    });
  if (!tool) return run();
  return leased(ports, 'trials_at_once_per_user', owner.id, async () => {
    await countWork(ports, 'trials_per_hour_per_user', owner.id);
    return run();
  });
};

const CHANGED =
  'The server has changed since you looked at it, so nothing was sent: read its tools again.';

const isSearchTool = ({ publication }: Deployment, name: string): boolean =>
  toolModeOf(publication) === 'search' && SEARCH_TOOLS.includes(name);

/** Operation that a search tool would call; undefined: none. */
const operationIn = async (
  ports: TryOwnedToolPorts,
  deployment: Deployment,
  { tool, arguments: sent }: Pick<ToolTrial, 'arguments' | 'tool'>,
): Promise<IndexedTool | undefined> =>
  tool === CALL && isObject(sent) && typeof sent['name'] === 'string'
    ? findTool(ports, deployment, sent['name'])
    : undefined;

const findTool = async (
  { toolIndexes }: TryOwnedToolPorts,
  { id, version }: Deployment,
  name: string,
): Promise<IndexedTool | undefined> =>
  (await toolIndexes.find(id, version))?.tools.find((tool) => tool.name === name);

/** @throws ApiRefusal not_found */
const toolOf = async (
  ports: TryOwnedToolPorts,
  deployment: Deployment,
  name: string,
): Promise<IndexedTool> => {
  const found = await findTool(ports, deployment, name);
  if (found) return found;
  throw noTool();
};

const noTool = () => new ApiRefusal('not_found', 'The deployment has no tool of this name.');

export const triedDeployment = (
  deployment: Deployment,
  tool: IndexedTool | undefined,
  isSearch: boolean,
): ToolTrial['deployment'] => {
  const { slug, version, name, network, requestHeaders = {} } = deployment;
  const answerTokenBudget = tool && answerBudgetOf(tool, deployment);
  const own = tool && ownSettings(tool, deployment);
  return {
    ...sealingOf(deployment),
    slug,
    version,
    ...(isSearch && { name }),
    ...(network !== undefined && { network }),
    ...(Object.keys(requestHeaders).length > 0 && { requestHeaders }),
    ...trustOf(deployment),
    ...credentialsOf(deployment, isSearch),
    ...(own && { argumentChecks: own.argumentChecks ?? deployment.argumentChecks }),
    ...(answerTokenBudget !== undefined && { answerTokenBudget }),
    ...(own?.answerFields && { answerFields: own.answerFields }),
    ...(own?.answerHeaders && { answerHeaders: own.answerHeaders }),
  };
};

const credentialsOf = (
  deployment: Deployment,
  isSearch: boolean,
): Pick<ToolTrial['deployment'], 'credential' | 'credentials'> => {
  const named = namedCredentials(deployment);
  const [[name, only] = [], ...others] = named;
  if (!only) return {};
  // The router assumes this kind for `credential`.
  const isPlain = name === MAIN && !only.schemes && only.type === 'bearer';
  if (isPlain && others.length === 0) {
    return { credential: { version: only.version, setAt: only.setAt } };
  }
  return {
    credentials: Object.fromEntries(
      named.map(([its, one]) => {
        const { type, origins, schemes, version, setAt } = one;
        const nameUser = 'nameUser' in one && one.nameUser === true && { nameUser: true };
        const login = isSearch && one.type === 'session' && { login: one.login };
        const place = placeOf(one);
        const more = { ...(schemes && { schemes }), ...nameUser, ...login, ...place };
        return [its, { type, origins, ...more, version, setAt }];
      }),
    ),
  };
};

/** Place in a request: an argument of the same place and name is not sent. */
const placeOf = (one: DeploymentCredential): Pick<TrialCredential, 'in' | 'name'> =>
  (one.type === 'api_key' || one.type === 'session') &&
  one.in !== undefined &&
  one.name !== undefined
    ? { in: one.in, name: one.name }
    : {};

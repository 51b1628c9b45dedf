import type { ToolIndex } from '../../../openapi/tool-index.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ServersPorts } from '../../ports.ts';
import { toolsHash } from '../../rules/cases.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { toolModeOf } from '../../../deployments/rules/publication.ts';

export type CaseGatePorts = Pick<ServersPorts, 'cases' | 'toolIndexes'>;

/**
 * Reason not to serve a version yet: its tools changed, and no model has got enough of the cases right with them.
 *
 * @param next - the deployment after the change, whose threshold applies
 * @returns a sentence for people; undefined if it may be served
 * Source: docs/evaluation.md, "Before a version is served".
 */
export const reasonAgainst = async (
  { cases: store, toolIndexes }: CaseGatePorts,
  before: Deployment,
  next: Deployment,
  index: ToolIndex,
): Promise<string | undefined> => {
  const { casesRight: least = null } = next;
  // In search mode models always see the same three tools.
  const isSearching = [before, next].some((one) => toolModeOf(one.publication) === 'search');
  if (least === null || isSearching) return undefined;
  const [{ cases, revision }, { runs }, served] = await Promise.all([
    store.find(before.id),
    store.runs(before.id),
    toolIndexes.find(before.id, before.version),
  ]);
  const wanted = toolsHash(index);
  if (cases.length === 0 || (served && toolsHash(served) === wanted)) return undefined;
  const run = runs.find((one) => one.toolsHash === wanted && one.casesRevision === revision);
  if (!run) {
    return `No model has been asked the cases of the server with these tools: ${least} percent of ${cases.length} must be right.`;
  }
  return 100 * run.right < least * run.cases
    ? `With these tools ${run.right} of ${run.cases} cases were right, and ${least} percent of them must be.`
    : undefined;
};

/** @throws ApiRefusal conflict if the version must not be served yet */
export const checkGate = async (
  ports: CaseGatePorts,
  before: Deployment,
  next: Deployment,
  index: ToolIndex,
): Promise<void> => {
  const what = await reasonAgainst(ports, before, next, index);
  if (what === undefined) return;
  const hint = `Run npx --no-install hosted-mcp eval --server ${before.slug} --openapi FILE to keep one, or set this to null in the same request.`;
  throw new ApiRefusal('conflict', 'The version is not served yet: its cases are not right.', [
    { where: '/cases_right', what: what.replace(/\.$/, ''), hint },
  ]);
};

import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { Verdict } from '../../openapi/model-apis/verdict.ts';
import { toolModeOf } from '../../deployments/rules/publication.ts';
import type { ListedTool } from '../../openapi/tool-index.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import { listByMode } from './calls/tool-modes.ts';
import { toolCatalog } from './calls/tool-catalog.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

export const documentTools = async (
  ports: Pick<DeploymentsPorts, 'searchIndexes' | 'toolIndexes' | 'toolReports'>,
  deployment: Deployment,
) => {
  const [listing, report, judge] = await Promise.all([
    listByMode(ports, deployment),
    ports.toolReports.find(deployment.id, deployment.version),
    judgeOf(ports, deployment),
  ]);
  const noted = new Map(report?.tools.map(({ name, notes }) => [name, notes]));
  const { tools } = parsedJson(listing) as { readonly tools: readonly ListedTool[] };
  return tools.map((tool) => ({
    ...tool,
    notes: noted.get(tool.name) ?? [],
    verdict: judge(tool),
  }));
};

/** A memo: anybody may open the docs page, as often as they like. */
const verdicts = new WeakMap<object, Map<string, Verdict>>();

const judgeOf = async (
  ports: Pick<DeploymentsPorts, 'toolIndexes'>,
  deployment: Deployment,
): Promise<(tool: ListedTool) => Verdict> => {
  // Imported on demand, as the page is.
  const { verdictOn } = await import('../../openapi/model-apis/verdict.ts');
  // The three search tools are not worth a memo.
  if (toolModeOf(deployment.publication) === 'search') return verdictOn;
  const catalog = await toolCatalog(ports, deployment);
  const known = verdicts.get(catalog) ?? new Map<string, Verdict>();
  verdicts.set(catalog, known);
  return (tool) => {
    const verdict = known.get(tool.name) ?? verdictOn(tool);
    known.set(tool.name, verdict);
    return verdict;
  };
};

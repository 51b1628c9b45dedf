import type { Deployment } from '../../domain/deployment.ts';
import { toolNotes } from '../../domain/deployments/index.ts';
import { Fault } from '../../domain/fault.ts';
import type { Finding } from '../../domain/refusal.ts';
import type { IndexedTool } from '../../domain/tool-index.ts';
import type { Ports } from '../../ports.ts';
import { type Owned, ownedDeployment } from './owned-deployment.ts';
import { warningsOf } from './revise-deployment.ts';

export type ListOwnedToolsPorts = Pick<Ports, 'deploymentEditor' | 'toolIndexes' | 'versions'>;

export interface OwnedTool {
  readonly tool: IndexedTool;
  /** What was renamed, shortened or skipped. */
  readonly notes: readonly string[];
}

export interface OwnedTools {
  readonly deployment: Deployment;
  readonly tools: readonly OwnedTool[];
  readonly warnings: readonly Finding[];
}

/**
 * The tools of the version that is served.
 *
 * @throws ApiRefusal not_found
 *
 * Source: management-api.md, "GET /deployments/{slug}/tools".
 */
export const listOwnedTools = async (
  ports: ListOwnedToolsPorts,
  owned: Owned,
): Promise<OwnedTools> => {
  const deployment = await ownedDeployment(ports, owned);
  const [index, warnings] = await Promise.all([
    ports.toolIndexes.find(deployment.id, deployment.version),
    warningsOf(ports, deployment),
  ]);
  if (!index) throw new Fault('dynamodb', 'a served version has no tool index');
  const tools = index.tools.map((tool) => ({ tool, notes: toolNotes(tool, warnings) }));
  return { deployment, tools, warnings };
};

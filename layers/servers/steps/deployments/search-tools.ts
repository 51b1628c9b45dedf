import { noLoginOf } from '../../../credentials/rules/deployment-credential.ts';
import { type ListedTool, listedTool } from '../../../openapi/tool-index.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { searchTools } from '../../../search/search-tools.ts';
import { toolModeOf } from '../../../deployments/rules/publication.ts';
import { type Owned, ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';

/** Tools that clients of a deployment see in search mode; none in the other mode. @throws ApiRefusal not_found */
export const ownedSearchTools = async (
  ports: Pick<DeploymentsPorts, 'deploymentEditor' | 'searchIndexes'>,
  owned: Owned,
): Promise<{ readonly deployment: Deployment; readonly tools: readonly ListedTool[] }> => {
  const deployment = await ownedDeployment(ports, owned);
  const { id, version, name, publication } = deployment;
  if (toolModeOf(publication) !== 'search') return { deployment, tools: [] };
  const index = await ports.searchIndexes.find(id, version);
  if (!index) throw new Fault('dynamodb', 'a version in search mode has no search index');
  const operations = index.operations.filter(noLoginOf(deployment));
  const tools = searchTools(name, { ...index, operations });
  return { deployment, tools: tools.map(listedTool) };
};

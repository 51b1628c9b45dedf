import { toolCatalog } from './tool-catalog.ts';
import type { CallCredentials } from '../rpc-call.ts';
import {
  DEFAULT_VERSION,
  type ProtocolVersion,
} from '../../../platform/rules/protocol-versions.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { toolModeOf } from '../../../deployments/rules/publication.ts';

/** `tools/list` in a deployment's own mode of tools. @returns JSON text, the whole result */
export const listByMode = async (
  ports: Pick<DeploymentsPorts, 'searchIndexes' | 'toolIndexes'>,
  deployment: Deployment,
  version: ProtocolVersion = DEFAULT_VERSION,
): Promise<string> =>
  isSearched(deployment)
    ? (await searchMode()).listSearchTools(ports, deployment)
    : (await toolCatalog(ports, deployment)).listing(version);

/**
 * Reads what both will need, while the request is counted. In search mode that depends on the tool that
 * is called, and most calls need neither the tools nor the credential: each reads its own.
 *
 * @param credentials - given if a tool is called
 */
export const prefetchTools = async (
  ports: Pick<DeploymentsPorts, 'toolIndexes'>,
  deployment: Deployment,
  credentials?: CallCredentials,
): Promise<void> => {
  if (isSearched(deployment)) return;
  await Promise.all([toolCatalog(ports, deployment), credentials?.of()]);
};

/** The operations behind the tools, in search mode; none otherwise, where each is a tool. */
export const listOperations = async (
  ports: Pick<DeploymentsPorts, 'searchIndexes'>,
  deployment: Deployment,
) => (isSearched(deployment) ? (await searchMode()).listOperations(ports, deployment) : []);

export const isSearched = ({ publication }: Deployment): boolean =>
  toolModeOf(publication) === 'search';

/** The tool that is called, or in search mode the operation; undefined where it is none of this version. */
export const calledTool = async (
  ports: Pick<DeploymentsPorts, 'toolIndexes'>,
  deployment: Deployment,
  { name, arguments: sent }: Readonly<Record<string, unknown>>,
): Promise<string | undefined> => {
  if (typeof name !== 'string') return undefined;
  if (isSearched(deployment))
    return (await searchMode()).calledOperation(ports, deployment, name, sent);
  return (await toolCatalog(ports, deployment)).show(name)?.name;
};

/** Loaded where it is wanted: most deployments never are searched. */
export const searchMode = () => import('./search-mode.ts');

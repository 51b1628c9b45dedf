import { toolCatalog } from './tool-catalog.ts';
import type { CallCredentials } from '../rpc-call.ts';
import {
  DEFAULT_VERSION,
  type ProtocolVersion,
} from '../../../platform/rules/protocol-versions.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { toolModeOf } from '../../../deployments/rules/publication.ts';

/** @returns JSON text, the whole result of `tools/list` */
export const listByMode = async (
  ports: Pick<DeploymentsPorts, 'searchIndexes' | 'toolIndexes'>,
  deployment: Deployment,
  version: ProtocolVersion = DEFAULT_VERSION,
): Promise<string> =>
  isSearched(deployment)
    ? (await searchMode()).listSearchTools(ports, deployment)
    : (await toolCatalog(ports, deployment)).listing(version);

/**
 * Reads tools and credentials while the request is counted. Not in search mode: there most calls need neither, and
 * each call reads what it needs.
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

/** The operations of a deployment in search mode; empty otherwise. */
export const listOperations = async (
  ports: Pick<DeploymentsPorts, 'searchIndexes'>,
  deployment: Deployment,
) => (isSearched(deployment) ? (await searchMode()).listOperations(ports, deployment) : []);

export const isSearched = ({ publication }: Deployment): boolean =>
  toolModeOf(publication) === 'search';

/** The tool that is called, in search mode the operation; undefined if it does not exist. */
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

/** Imported on demand: most deployments are not in search mode. */
export const searchMode = () => import('./search-mode.ts');

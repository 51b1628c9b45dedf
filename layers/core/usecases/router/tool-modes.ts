import type { Deployment } from '../../domain/deployment.ts';
import { toolModeOf } from '../../domain/publication.ts';
import type { Ports } from '../../ports.ts';
import { callTool } from './call-tool.ts';
import type { CredentialOf } from './credential-of.ts';
import type { Method } from './rpc-call.ts';
import { toolShelf } from './tool-shelf.ts';

/** `tools/call` in a deployment's own mode of tools. @throws RpcRefusal */
export const callByMode: Method = async (ports, call) =>
  isSearched(call.deployment)
    ? (await searchMode()).callSearchTool(ports, call)
    : callTool(ports, call);

/** `tools/list` in it. @returns JSON text, the whole result */
export const listByMode = async (
  ports: Pick<Ports, 'searchIndexes' | 'toolIndexes'>,
  deployment: Deployment,
): Promise<string> =>
  isSearched(deployment)
    ? (await searchMode()).listSearchTools(ports, deployment)
    : (await toolShelf(ports, deployment)).listing;

/**
 * Reads what both will need, while the request is counted. In search mode that depends on the tool that
 * is called, and most calls need neither the tools nor the credential: each reads its own.
 *
 * @param credential - given if a tool is called
 */
export const readToolsAhead = async (
  ports: Pick<Ports, 'toolIndexes'>,
  deployment: Deployment,
  credential?: CredentialOf,
): Promise<void> => {
  if (isSearched(deployment)) return;
  await Promise.all([toolShelf(ports, deployment), credential?.()]);
};

/** The operations behind the tools, in search mode; none otherwise, where each is a tool. */
export const listOperations = async (
  ports: Pick<Ports, 'searchIndexes'>,
  deployment: Deployment,
) => (isSearched(deployment) ? (await searchMode()).listOperations(ports, deployment) : []);

const isSearched = ({ publication }: Deployment): boolean => toolModeOf(publication) === 'search';

/** Loaded where it is wanted: most deployments never are searched. */
const searchMode = () => import('./search-mode.ts');

import type { CallRecord } from '../../../activity/rules/call-record.ts';
import { sendToolCall } from './call-tool.ts';
import { type CredentialPorts, credentialsOf } from './call-credentials.ts';
import { toolCatalog } from './tool-catalog.ts';
import type { CallCredentials, Method, RpcCall, ToolCall } from '../rpc-call.ts';
import {
  DEFAULT_VERSION,
  type ProtocolVersion,
} from '../../../platform/rules/protocol-versions.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { ToolRefusal } from '../../../platform/rules/refusal/tool-refusal.ts';
import type { Ports } from '../../../ports.ts';
import type { Deployment } from '../../../servers/rules/deployment.ts';
import { toolModeOf } from '../../../servers/rules/publication.ts';

/**
 * `tools/call` in a deployment's own mode of tools. What the version that is remembered refuses, a newer
 * one may take: nothing has been sent then.
 *
 * @throws RpcRefusal
 *
 * Source: docs/decisions/storage.md, "How soon a change holds".
 */
export const callWithRetry: ToolCall = async (ports, call) => {
  const refused: CallRecord[] = [];
  // Of two tries the second is on record, whatever became of it.
  const write = (record: CallRecord): void => {
    if (record.outcome === 'refused') refused.push(record);
    else ports.callLog.write(record);
  };
  try {
    return await callByMode({ ...ports, callLog: { write } }, call);
  } catch (error) {
    const recordRefused = () => refused.forEach((record) => ports.callLog.write(record));
    const newer = isInvalid(error)
      ? await inNewerVersion(ports, call).catch((fault: unknown) => {
          recordRefused();
          throw fault;
        })
      : undefined;
    if (newer) return callByMode(ports, newer);
    recordRefused();
    throw error;
  }
};

const callByMode: ToolCall = async (ports, call) =>
  isSearched(call.deployment)
    ? (await searchMode()).callSearchTool(ports, call)
    : sendToolCall(ports, call);

const isInvalid = (error: unknown): boolean =>
  error instanceof RpcRefusal && error.code === 'invalid_params';

const inNewerVersion = async (
  ports: CredentialPorts & Pick<Ports, 'deployments'>,
  call: RpcCall,
): Promise<RpcCall | undefined> => {
  const { id, slug, version } = call.deployment;
  const deployment = await ports.deployments.findAgain(slug);
  if (deployment?.id !== id || deployment.version === version) return undefined;
  const credentials = credentialsOf(ports, deployment, call.caller, call.sender);
  return { ...call, deployment, credentials };
};

/** `tools/list` in it. @returns JSON text, the whole result */
export const listByMode = async (
  ports: Pick<Ports, 'searchIndexes' | 'toolIndexes'>,
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
  ports: Pick<Ports, 'toolIndexes'>,
  deployment: Deployment,
  credentials?: CallCredentials,
): Promise<void> => {
  if (isSearched(deployment)) return;
  await Promise.all([toolCatalog(ports, deployment), credentials?.of()]);
};

/** The operations behind the tools, in search mode; none otherwise, where each is a tool. */
export const listOperations = async (ports: Pick<Ports, 'searchIndexes'>, deployment: Deployment) =>
  isSearched(deployment) ? (await searchMode()).listOperations(ports, deployment) : [];

const isSearched = ({ publication }: Deployment): boolean => toolModeOf(publication) === 'search';

/** The tool that is called, or in search mode the operation; undefined where it is none of this version. */
export const calledTool = async (
  ports: Pick<Ports, 'toolIndexes'>,
  deployment: Deployment,
  { name, arguments: sent }: Readonly<Record<string, unknown>>,
): Promise<string | undefined> => {
  if (typeof name !== 'string') return undefined;
  if (isSearched(deployment))
    return (await searchMode()).calledOperation(ports, deployment, name, sent);
  return (await toolCatalog(ports, deployment)).show(name)?.name;
};

/** Loaded where it is wanted: most deployments never are searched. */
const searchMode = () => import('./search-mode.ts');

/** From when on a model reads of a failure in a result, which it can act on. */
const RESULT_ERRORS_SINCE: Readonly<Record<ToolRefusal['at'], ProtocolVersion>> = {
  arguments: '2025-11-25',
  target: '2026-07-28',
};

const madeCall: ToolCall = async (ports, call) => {
  const { recording } = call.deployment;
  if (!recording) return callWithRetry(ports, call);
  return (await recordings()).recordingCall(recording, callWithRetry)(ports, call);
};

/** Loaded where it is wanted: few deployments have their calls recorded. */
const recordings = () => import('./recording-call.ts');

/**
 * `tools/call`, with failures in the form of the version that is spoken.
 *
 * @throws RpcRefusal where that is an error; always for what is no call of a tool that is there
 *
 * Source: MCP 2025-11-25, "Tools", "Error Handling"; docs/decisions/mcp.md, "Failed calls".
 */
export const callToolMethod: Method = async (ports, call) => {
  try {
    return { text: await madeCall(ports, call) };
  } catch (error) {
    if (!(error instanceof ToolRefusal) || call.version < RESULT_ERRORS_SINCE[error.at])
      throw error;
    call.trace.outcome = error.code;
    const { description, data } = error;
    const reason = typeof data?.['reason'] === 'string' ? ` (${data['reason']})` : '';
    const content = [{ type: 'text', text: `${description}${reason}` }];
    return { text: JSON.stringify({ content, isError: true }) };
  }
};

import { listPrompts, renderPrompt } from '../../contents/prompts/prompt.ts';
import {
  listResources,
  listResourceTemplates,
  readResource,
  type ResourceContents,
} from '../../contents/resources/resource.ts';
import { checkCursor, readString, unknownName } from '../rules/message/params.ts';
import { checkLogLevel } from '../rules/message/log-level.ts';
import { capabilitiesOf } from '../rules/capabilities.ts';
import { instructionsFor, serverInfo } from '../rules/server-identity.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { negotiated } from '../../platform/rules/protocol-versions.ts';
import { hasReplyPartScheme } from '../../tools/answer/result-continuation.ts';
import { readStoredAnswer } from './calls/stored-replies.ts';
import type { Method, MethodPorts, RpcCall } from './rpc-call.ts';
import { callInVersion } from './calls/call-in-version.ts';
import { listByMode } from './calls/tool-modes.ts';
import { complete } from './complete.ts';
import { servedVersions } from '../../servers/steps/served-versions.ts';

const initialize: Method = async ({ settings }, { deployment, params }) => {
  const asked = readString(params, 'protocolVersion');
  const version = negotiated(asked, servedVersions(settings));
  return JSON.stringify({
    protocolVersion: version,
    capabilities: capabilitiesOf(deployment),
    serverInfo: serverInfo(deployment, version),
    instructions: instructionsFor(deployment, version),
  });
};

export const listTools: Method = async (ports, { deployment, params, version }) => {
  checkCursor(params);
  return listByMode(ports, deployment, version);
};

export const resourcesList: Method = async ({ resources }, call) =>
  page(call, 'resources', listResources(await resources.list(call.deployment.id), call.version));

export const resourceTemplatesList: Method = async ({ resources }, call) =>
  page(
    call,
    'resourceTemplates',
    listResourceTemplates(await resources.list(call.deployment.id), call.version),
  );

const resourcesRead: Method = async (ports, call) => {
  const uri = readString(call.params, 'uri');
  const { contents } = await readContents(ports, call, uri);
  return JSON.stringify({ contents: [contents] });
};

interface ReadContents {
  readonly contents: ResourceContents;
  /** Of a part of an answer: from then on it is gone. */
  readonly endsAt?: EpochSeconds;
}

/** @throws RpcRefusal resource_not_found */
export const readContents = async (
  ports: MethodPorts,
  call: RpcCall,
  uri: string,
): Promise<ReadContents> =>
  hasReplyPartScheme(uri)
    ? readStoredAnswer(ports, call, uri)
    : { contents: readResource(await ports.resources.list(call.deployment.id), uri) };

export const promptsList: Method = async ({ prompts }, call) =>
  page(call, 'prompts', listPrompts(await prompts.list(call.deployment.id), call.version));

export const promptsGet: Method = async ({ prompts }, { deployment, params }) => {
  const name = readString(params, 'name');
  const prompt = await prompts.find(deployment.id, name);
  if (!prompt) throw unknownName('prompt', name);
  return JSON.stringify(renderPrompt(prompt, params['arguments']));
};

/**
 * Nothing is logged to clients, so any level will do.
 * Source: docs/decisions/mcp.md, "Methods that are not announced".
 */
const setLevel: Method = async (_ports, { params }) => {
  checkLogLevel(params);
  return '{}';
};

const ping: Method = async () => '{}';

/** A map, so that no name is found that an object would inherit. */
export const METHODS: ReadonlyMap<string, Method> = new Map([
  ['tools/call', callInVersion],
  ['tools/list', listTools],
  ['initialize', initialize],
  ['ping', ping],
  ['logging/setLevel', setLevel],
  ['resources/list', resourcesList],
  ['resources/templates/list', resourceTemplatesList],
  ['resources/read', resourcesRead],
  ['prompts/list', promptsList],
  ['prompts/get', promptsGet],
  ['completion/complete', complete],
]);

/**
 * A whole list. `nextCursor` is null, or absent where clients refuse a null.
 * Source: docs/decisions/mcp.md, "Absent, never null".
 */
const page = ({ params, speaksMcp }: RpcCall, name: string, items: readonly unknown[]) => {
  checkCursor(params);
  return JSON.stringify({ [name]: items, ...(!speaksMcp && { nextCursor: null }) });
};

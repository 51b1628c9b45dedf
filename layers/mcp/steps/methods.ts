import { listPrompts, renderPrompt } from '../../contents/prompts/prompt.ts';
import {
  listResources,
  listResourceTemplates,
  readResource,
} from '../../contents/resources/resource.ts';
import {
  isModern,
  modernVersions,
  negotiated,
  servedVersions,
} from '../../platform/rules/protocol-versions.ts';
import type { ContentsPorts } from '../../contents/ports.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { hasReplyPartScheme } from '../../tools/answer/result-continuation.ts';
import {
  completion,
  type CompletionRequest,
  readCompletionRequest,
  unknownReference,
} from '../rules/completion.ts';
import {
  checkCursor,
  checkLogLevel,
  readString,
  refuseCursor,
  unknownName,
} from '../rules/message.ts';
import { type MethodName, offersCompletion } from '../rules/methods.ts';
import {
  capabilitiesOf,
  discoveredCapabilitiesOf,
  instructionsFor,
  serverInfo,
} from '../rules/server-info.ts';
import { readStoredAnswer } from './calls/stored-replies.ts';
import { callTool } from './calls/call-tool.ts';
import { listByMode } from './calls/tool-modes.ts';
import type { Method, RpcCall } from './rpc-call.ts';

const initialize: Method = async ({ settings }, { deployment, params }) => {
  const version = negotiated(readString(params, 'protocolVersion'), servedVersions(settings));
  return {
    text: JSON.stringify({
      protocolVersion: version,
      capabilities: capabilitiesOf(deployment),
      serverInfo: serverInfo(deployment, version),
      instructions: instructionsFor(deployment, version),
    }),
  };
};

const discover: Method = async ({ settings }, { deployment, version }) => ({
  text: JSON.stringify({
    supportedVersions: modernVersions(settings),
    capabilities: discoveredCapabilitiesOf(deployment),
    instructions: instructionsFor(deployment, version),
  }),
  server: serverInfo(deployment, version),
});

const ping: Method = async () => ({ text: '{}' });

/**
 * The level is checked and not used: the server sends no log messages to clients. Source: docs/decisions/mcp.md,
 * "Methods that are not announced".
 */
const setLevel: Method = async (_ports, { params }) => {
  checkLogLevel(params);
  return { text: '{}' };
};

const listTools: Method = async (ports, call) => {
  const { deployment, version } = call;
  readCursor(call);
  return { text: await listByMode(ports, deployment, version) };
};

/** A list method without paging. */
const list =
  (
    member: string,
    itemsOf: (
      ports: Pick<ContentsPorts, 'prompts' | 'resources'>,
      call: RpcCall,
    ) => Promise<object>,
  ): Method =>
  async (ports, call) => {
    readCursor(call);
    const items = await itemsOf(ports, call);
    // `nextCursor` is null, or absent for clients that refuse null. Source: docs/decisions/mcp.md, "Absent, never
    // null".
    const text = JSON.stringify({ [member]: items, ...(!call.speaksMcp && { nextCursor: null }) });
    return { text };
  };

const readCursor = ({ params, version }: RpcCall): void =>
  isModern(version) ? refuseCursor(params) : checkCursor(params);

const listAllResources = list('resources', async ({ resources }, { deployment, version }) =>
  listResources(await resources.list(deployment.id), version),
);

const listTemplates = list('resourceTemplates', async ({ resources }, { deployment, version }) =>
  listResourceTemplates(await resources.list(deployment.id), version),
);

const listAllPrompts = list('prompts', async ({ prompts }, { deployment, version }) =>
  listPrompts(await prompts.list(deployment.id), version),
);

const readOneResource: Method = async (ports, call) => {
  const { deployment, params } = call;
  const uri = readString(params, 'uri');
  if (!hasReplyPartScheme(uri)) {
    const contents = readResource(await ports.resources.list(deployment.id), uri);
    return { text: JSON.stringify({ contents: [contents] }) };
  }
  const { contents, endsAt } = await readStoredAnswer(ports, call, uri);
  return { text: JSON.stringify({ contents: [contents] }), privateUntil: endsAt };
};

const getPrompt: Method = async ({ prompts }, { deployment, params }) => {
  const name = readString(params, 'name');
  const prompt = await prompts.find(deployment.id, name);
  if (!prompt) throw unknownName('prompt', name);
  return { text: JSON.stringify(renderPrompt(prompt, params['arguments'])) };
};

/**
 * Suggests values for an argument of a prompt or a variable of a resource template, from the owner's lists. Source:
 * docs/protocol.md, "Completion".
 */
const complete: Method = async (ports, { deployment, params }) => {
  const request = readCompletionRequest(params);
  const lists = await listsOf(ports, deployment, request);
  if (!lists) throw unknownReference(request);
  const { values = [] } = lists.find(({ name }) => name === request.argument) ?? {};
  return { text: JSON.stringify(completion(values, request.typed)) };
};

/** @returns undefined if the prompt or template does not exist */
const listsOf = async (
  { prompts, resources }: Pick<ContentsPorts, 'prompts' | 'resources'>,
  { id }: Deployment,
  { of }: CompletionRequest,
): Promise<
  readonly { readonly name: string; readonly values?: readonly string[] }[] | undefined
> => {
  if (of.kind === 'prompt') return (await prompts.find(id, of.name))?.arguments;
  const resource = await resources.findByUri(id, of.uri);
  return resource && (resource.variables ?? []);
};

/**
 * Reads the deployment again if the cached one has no completions: another instance with newer data may have
 * announced them to the client. Source: docs/decisions/storage.md, "When a change takes effect".
 */
export const withCompletions = async (
  { deployments }: Pick<DeploymentsPorts, 'deployments'>,
  deployment: Deployment,
  methods: readonly string[],
): Promise<Deployment> => {
  if (!methods.includes('completion/complete') || offersCompletion(deployment)) return deployment;
  const now = await deployments.findAgain(deployment.slug);
  return now?.id === deployment.id && now.completions !== undefined
    ? { ...deployment, completions: now.completions }
    : deployment;
};

export const ANSWERS: Readonly<Record<MethodName, Method>> = {
  initialize,
  'server/discover': discover,
  'tools/list': listTools,
  'tools/call': callTool,
  'resources/list': listAllResources,
  'resources/templates/list': listTemplates,
  'resources/read': readOneResource,
  'prompts/list': listAllPrompts,
  'prompts/get': getPrompt,
  'completion/complete': complete,
  ping,
  'logging/setLevel': setLevel,
};

import { noLoginOf } from '../../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { listedTool, outputSchema } from '../../../openapi/tool-index.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { member, isObject } from '../../../platform/rules/json/json.ts';
import { hasStructuredContent } from '../../../platform/rules/protocol-versions.ts';
import { readString, unknownName } from '../../rules/message.ts';
import { UnknownOperation } from './call-faults.ts';
import { DEFAULT_HITS, searchTools } from '../../../search/search-tools.ts';
import { CALL, DESCRIBE, SEARCH } from '../../../search/tool-names.ts';
import { openSearch, type Search } from '../../../search/search.ts';
import { resultsText, unknownOperation } from '../../../search/results.ts';
import type { SearchIndex } from '../../../search/search-index.ts';
import { type Arguments, readArguments } from '../../../tools/arguments/read-arguments.ts';
import { prepareTool } from '../../../tools/prepare-tool.ts';
import type { ToolResult } from '../../../tools/answer/tool-result.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { searchWords } from '../../../activity/rules/search-words.ts';
import { callRecorder } from './call-account.ts';
import { sendToolCall } from './send-tool-call.ts';
import { type CallPorts, type RpcCall, type ToolCall, toolCallResult } from '../rpc-call.ts';
import { toolCatalog } from './tool-catalog.ts';

/** `tools/list` in search mode: three tools, however many operations there are. @returns JSON text */
export const listSearchTools = async (
  ports: Pick<DeploymentsPorts, 'searchIndexes'>,
  deployment: Deployment,
): Promise<string> => {
  const tools = searchTools(deployment.name, await searchIndex(ports, deployment));
  return `{"tools":[${tools.map(({ listed }) => listed).join(',')}]}`;
};

/**
 * `tools/call` in search mode. `call_operation` checks, sends and answers as if the operation were a tool.
 * @throws RpcRefusal as `tools/call` does
 */
export const callSearchTool: ToolCall = async (ports, call, write) => {
  const name = readString(call.params, 'name');
  const index = await searchIndex(ports, call.deployment);
  const tool = searchTools(call.deployment.name, index).find((one) => one.name === name);
  if (!tool) throw noTool(index, name);
  call.trace.tool = name;

  const { outer, inner } = splitArguments(call.params['arguments']);
  const prepared = prepareTool(tool);
  const account = callRecorder(ports, call, { tool: prepared, write });
  const answer = async (): Promise<Answered | CallParams> => {
    const args = readArguments(prepared, outer);
    switch (name) {
      case SEARCH:
        return found(ports, call, index, args);
      case DESCRIBE:
        return described(ports, call, index, textIn(args, 'name'));
      default:
        return calledIn(ports, call, index, {
          name: textIn(args, 'name'),
          arguments: inner ?? args['arguments'],
        });
    }
  };
  const answered = await answer().catch(account.refused);
  if ('name' in answered) return sendToolCall(ports, { ...call, params: answered }, write);
  const result: ToolResult = { content: [{ type: 'text', text: answered.text }] };
  account.answeredHere(result, answered.words);
  return toolCallResult(result);
};

interface Answered {
  readonly text: string;
  readonly words?: readonly string[];
}

/** Name for records: the operation that is called, else the tool; undefined for an unknown tool. */
export const calledOperation = async (
  ports: Pick<DeploymentsPorts, 'toolIndexes'>,
  deployment: Deployment,
  name: string,
  sent: unknown,
): Promise<string | undefined> => {
  if (name !== CALL) return name === SEARCH || name === DESCRIBE ? name : undefined;
  const operation = isObject(sent) && typeof sent['name'] === 'string' ? sent['name'] : '';
  return (await toolCatalog(ports, deployment)).show(operation)?.name ?? name;
};

export const listOperations = async (
  ports: Pick<DeploymentsPorts, 'searchIndexes'>,
  deployment: Deployment,
): Promise<SearchIndex['operations']> => (await searchIndex(ports, deployment)).operations;

interface Searchable extends Pick<SearchIndex, 'isReadOnly' | 'operations'> {
  readonly search: Search;
}

/**
 * Leaves out operations that log in by a credential of the deployment: the service makes those calls.
 * @throws Fault if the version has no index, which publication rules out
 */
const searchIndex = async (
  { searchIndexes }: Pick<DeploymentsPorts, 'searchIndexes'>,
  deployment: Deployment,
): Promise<Searchable> => {
  const index = await searchIndexes.find(deployment.id, deployment.version);
  if (!index) throw new Fault('dynamodb', 'a version in search mode has no search index');
  const isShown = noLoginOf(deployment);
  return {
    isReadOnly: index.isReadOnly,
    operations: index.operations.filter(isShown),
    search: (query) => searchOf(index)(query).filter(isShown),
  };
};

/** A memo that lives as long as the index, which never changes and is cached by its store. */
const searches = new WeakMap<SearchIndex, Search>();

const searchOf = (index: SearchIndex): Search => {
  const known = searches.get(index);
  if (known) return known;
  const search = openSearch(index);
  searches.set(index, search);
  return search;
};

/** Takes the operation's arguments out, so that only the operation's own schema validates them. */
const splitArguments = (sent: unknown): { readonly outer: unknown; readonly inner?: unknown } =>
  isObject(sent) && isObject(sent['arguments'])
    ? { outer: { ...sent, arguments: {} }, inner: sent['arguments'] }
    : { outer: isObject(sent) && sent['arguments'] === null ? { ...sent, arguments: {} } : sent };

/** In characters. Search results include the best hit's schema up to this length. */
const SHORT_SCHEMA = 2500;

const found = async (
  ports: CallPorts,
  { deployment }: RpcCall,
  index: Searchable,
  args: Arguments,
): Promise<Answered> => {
  const area = args['tag'] === undefined ? undefined : textIn(args, 'tag');
  const method = args['method'] === undefined ? undefined : textIn(args, 'method');
  const query = { text: textIn(args, 'query'), area, method };
  const limit = typeof args['limit'] === 'number' ? args['limit'] : DEFAULT_HITS;
  const operations = index.search(query);
  const first = query.text.trim() === '' ? undefined : operations[0];
  const tool = first && (await toolCatalog(ports, deployment)).show(first.name);
  const schema = tool && JSON.stringify(listedTool(tool).inputSchema);
  const best = schema && schema.length <= SHORT_SCHEMA ? schema : undefined;
  return {
    text: resultsText(query, operations, index.operations, limit, best),
    ...(operations.length === 0 && { words: searchWords(query.text) }),
  };
};

const described = async (
  ports: CallPorts,
  { deployment, version }: RpcCall,
  index: Searchable,
  name: string,
): Promise<Answered> => {
  const tool = (await toolCatalog(ports, deployment)).show(name);
  if (!tool) throw noOperation(index, name);
  const { method, path } = tool.operation;
  const { title, description, inputSchema, annotations } = listedTool(tool);
  const { output } = tool;
  const text = JSON.stringify({
    name,
    title,
    method,
    path,
    description,
    inputSchema,
    annotations,
    ...(output && hasStructuredContent(version) && { outputSchema: outputSchema(output) }),
  });
  return { text };
};

interface CallParams {
  readonly [name: string]: unknown;
  readonly name: string;
  readonly arguments: unknown;
}

/** Params of `tools/call` as if the operation were a tool. */
const calledIn = async (
  ports: CallPorts,
  call: RpcCall,
  index: Searchable,
  params: CallParams,
): Promise<CallParams> => {
  const catalog = await toolCatalog(ports, call.deployment);
  if (!catalog.show(params.name)) throw noOperation(index, params.name);
  return params;
};

const MOST_SIMILAR = 3;

const noOperation = (index: Searchable, name: string): RpcRefusal => {
  const similar = index.search({ text: name }).slice(0, MOST_SIMILAR);
  return new UnknownOperation(
    unknownOperation(
      name,
      similar.map((one) => one.name),
    ),
  );
};

/** Models sometimes call an operation's name as if it were a tool. */
const noTool = ({ operations }: Searchable, name: string): RpcRefusal => {
  if (!operations.some((one) => one.name === name)) return unknownName('tool', name);
  const message = `${name} is an operation of this server, not a tool: call it with ${CALL}.`;
  return new RpcRefusal('invalid_params', message, {
    errors: [{ path: '/name', message: `names an operation, which ${CALL} calls` }],
  });
};

const textIn = (args: Arguments, name: string): string => {
  const value = member(args, name);
  return typeof value === 'string' ? value : '';
};

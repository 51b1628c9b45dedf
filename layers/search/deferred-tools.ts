import MiniSearch from 'minisearch';
import type { NoAnswer } from '../openapi/model-apis/cases.ts';
import type {
  CallResult,
  ModelCall,
  ModelChoice,
  OfferedTool,
  Turn,
} from '../openapi/model-apis/protocols.ts';
import { member } from '../platform/rules/json/json.ts';
import { askedFor } from './asked-operation.ts';
import { rawWordsOf } from './words.ts';

export interface DeferredTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly title?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Tools that one search returns. */
const GIVEN = 5;

/**
 * Search of an MCP client that defers tools: BM25 over their texts and arguments. Returns places, best first.
 * Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool, "How tool search works".
 */
const searchDeferred = (tools: readonly DeferredTool[]): ((query: string) => readonly number[]) => {
  const index = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    tokenize: (text) => [...rawWordsOf(text)],
  });
  index.addAll(tools.map((tool, id) => ({ id, text: searchedText(tool) })));
  return (query) => index.search(query).map(({ id }) => Number(id));
};

const searchedText = ({ name, title, description, inputSchema }: DeferredTool): string => {
  const { properties = {} } = inputSchema as {
    properties?: Readonly<Record<string, { readonly description?: string }>>;
  };
  const texts = Object.entries(properties).flatMap(([argument, { description: said = '' }]) => [
    argument,
    said,
  ]);
  return [name, title, description, ...texts].join(' ');
};

/** The search tool of the client, which is all that a model is shown at first. */
export const TOOL_SEARCH: OfferedTool = {
  name: 'tool_search',
  description:
    'Finds tools by what they do. Most tools are not loaded until a search has found them; search before you say that there is none.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What the tool should do, in a few words.' },
    },
    required: ['query'],
  },
};

/**
 * Tools that a model would call for a wish in a client that defers them. It is shown the search tool, and then what its
 * searches found; no tool is called.
 * @param ask - asks the model, with the tools shown so far
 * @returns the first answer that calls a tool which was found, or calls nothing, with the tokens of all answers
 */
export const deferredToolsAskedFor = (
  tools: readonly OfferedTool[],
): ((
  wish: string,
  ask: (turns: readonly Turn[], shown: readonly OfferedTool[]) => Promise<ModelChoice | NoAnswer>,
) => Promise<ModelChoice | NoAnswer>) => {
  const search = searchDeferred(tools);
  return (wish, ask) => {
    const shown = new Map([[TOOL_SEARCH.name, TOOL_SEARCH]]);
    const isLoaded = ({ tool }: ModelCall) => tool !== TOOL_SEARCH.name && shown.has(tool);
    const look = (call: ModelCall): CallResult => {
      if (call.tool !== TOOL_SEARCH.name) {
        return { call, text: `${call.tool} is not loaded: search for it first.`, isError: true };
      }
      const query = member(call.arguments, 'query');
      const found = search(typeof query === 'string' ? query : '')
        .slice(0, GIVEN)
        .flatMap((place) => tools[place] ?? []);
      for (const tool of found) shown.set(tool.name, tool);
      const names = found.map(({ name }) => name).join(', ');
      return {
        call,
        text: names === '' ? 'Nothing was found.' : `Loaded: ${names}`,
        isError: false,
      };
    };
    return askedFor(
      wish,
      (turns) => ask(turns, [...shown.values()]),
      async (call) => look(call),
      (call) => (isLoaded(call) ? call : undefined),
    );
  };
};

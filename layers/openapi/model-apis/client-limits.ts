import { isObject } from '../../platform/rules/json/json.ts';
import { clientsWith, MCP_CLIENTS } from '../../platform/rules/mcp-clients.ts';
import type { Schema } from '../json-schema/schema.ts';
import { type Complaints, everywhere, type ModelTool, type Rule } from './rules.ts';

/** A restriction of an MCP client beyond those of model APIs. */
export interface ClientLimit {
  readonly client: string;
  /** What the client does with a tool that breaks it. */
  readonly outcome: string;
  readonly breaks: (tool: ModelTool, serverName: string) => string | undefined;
  readonly hint: string;
}

const first = ([complaint]: Complaints): string | undefined => {
  const [, pointer = '', what] = /^(\/.*?): (.*)$/s.exec(complaint ?? '') ?? [];
  if (what === undefined) return complaint;
  const argument = [...pointer.matchAll(/\/properties\/([^/]+)/g)]
    .map(([, name]) => name)
    .join('.');
  return argument === '' ? what : `${what} (${argument})`;
};

const found =
  (what: string, test: (schema: Schema) => boolean): Rule =>
  (schema) =>
    test(schema) ? [what] : [];

const NOT_STRICT = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'prefixItems',
  'uniqueItems',
];

const isOpen = ({ type, properties, additionalProperties: further }: Schema): boolean =>
  [type].flat().includes('object') &&
  (further === true || isObject(further) || (properties === undefined && further !== false));

const nameOf = (wanted: (typeof MCP_CLIENTS)[number]['client']): string =>
  MCP_CLIENTS.find(({ client }) => client === wanted)?.name ?? wanted;

const namesLimit = ({
  name: client,
  names: { most, joined, outcome },
}: ReturnType<typeof clientsWith<'names'>>[number]): ClientLimit => ({
  client,
  outcome,
  breaks: ({ name }, server) =>
    joined(server, name).length > most
      ? `as ${joined(server, name)} it has more than ${most} characters`
      : undefined,
  hint: 'Shorten the name of the tool. Or give the server a shorter name in the settings of the client (`npx --no-install hosted-mcp config`).',
});

/**
 * Restrictions documented by makers or reported by many users of MCP clients. Clients make OpenAI's strict functions
 * themselves, by adding `required` and `additionalProperties: false`, and refuse schemas that cannot be made strict.
 */
export const CLIENT_LIMITS: readonly ClientLimit[] = [
  ...clientsWith('names').map(namesLimit),
  {
    // Source: https://learn.microsoft.com/microsoft-copilot-studio/mcp-troubleshooting, "Known issues and workarounds".
    client: nameOf('copilot-studio'),
    outcome: 'leaves out',
    breaks: (tool) =>
      first(
        everywhere(
          tool,
          found('it refers to a schema', ({ $ref }) => $ref !== undefined),
        ),
      ),
    hint: 'Fewer tokens for the list of tools, or hidden arguments, may do without definitions.',
  },
  {
    // Source: https://learn.microsoft.com/microsoft-copilot-studio/mcp-troubleshooting, "Known issues and workarounds".
    client: nameOf('copilot-studio'),
    outcome: 'cuts the arguments of',
    breaks: (tool) =>
      first(
        everywhere(
          tool,
          found('a value is of several types', ({ type }) => Array.isArray(type)),
          found(
            'exclusiveMinimum is a number',
            ({ exclusiveMinimum }) => typeof exclusiveMinimum === 'number',
          ),
        ),
      ),
    hint: 'Hide the argument, or correct the description by an overlay.',
  },
  {
    // Source: OpenAI, "Structured model outputs", Supported schemas; its answers "'uri' is not a valid format" and "'propertyNames' is not permitted".
    client: 'OpenAI, with strict functions,',
    outcome: 'refuses',
    breaks: (tool) =>
      first(
        everywhere(
          tool,
          found('an object has members that are not described', isOpen),
          (schema) => NOT_STRICT.filter((keyword) => schema[keyword] !== undefined),
          found('a value of any type', (schema) =>
            ['type', 'anyOf', '$ref', 'enum'].every((keyword) => schema[keyword] === undefined),
          ),
        ),
      ),
    hint: 'Most clients hand over functions that are not strict, which it takes.',
  },
];

/** Clients that refuse more than a number of tools, of all servers together. */
const LIST_LIMITS: readonly { readonly client: string; readonly most: number }[] = [
  // Source: its answer "Invalid 'tools': array too long. Expected an array with maximum length 128", as reported in https://github.com/zed-industries/zed/issues/32946.
  { client: 'OpenAI', most: 128 },
  ...clientsWith('lists').map(({ name, lists: { most } }) => ({ client: name, most })),
];

const brokenLists = (tools: readonly ModelTool[]): readonly BrokenLimit[] =>
  LIST_LIMITS.filter(({ most }) => tools.length > most).map(({ client, most }) => ({
    client,
    outcome: 'has no room for',
    tools: tools.slice(most).map(({ name }) => name),
    why: `there are ${tools.length}, and it takes ${most} at once, of all servers together, and refuses more`,
    hint: 'Publish fewer operations, or let models search for them (`--tool-mode search`).',
  }));

export interface BrokenLimit extends Pick<ClientLimit, 'client' | 'hint' | 'outcome'> {
  readonly tools: readonly string[];
  readonly why: string;
}

/** @param serverName - name under which clients are likely to configure the server */
export const brokenLimits = (
  tools: readonly ModelTool[],
  serverName: string,
): readonly BrokenLimit[] => [
  ...brokenLists(tools),
  ...CLIENT_LIMITS.flatMap(({ client, outcome, breaks, hint }) => {
    const broken = tools.flatMap((tool) => {
      const why = breaks(tool, serverName);
      return why === undefined ? [] : [{ name: tool.name, why }];
    });
    const [one] = broken;
    if (!one) return [];
    return [{ client, outcome, hint, why: one.why, tools: broken.map(({ name }) => name) }];
  }),
];

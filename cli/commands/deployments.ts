import { member } from '../../layers/platform/rules/json/json.ts';
import type { Deployment } from '../api/api.ts';
import { type Command, command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { numberIn } from '../input/arguments.ts';
import { type Json, jsonOf, textsOf } from '../json.ts';
import { plainJson } from '../text/plain.ts';
import { cell, facts } from '../text/table.ts';
import { confirm, expectTerminal } from '../input/ask.ts';
import { localTime, timeOf } from '../text/time.ts';
import { listCommand, operationCommand, showChange } from './operation-command.ts';

export const deploymentLines = (deployment: Partial<Deployment>): readonly string[] =>
  facts({
    Slug: deployment.slug,
    Name: deployment.name,
    Description: deployment.description,
    Website: deployment.website_url,
    Status: deployment.status,
    'MCP URL': deployment.mcp_url,
    Auth: deployment.mcp_auth_method,
    Access:
      deployment.mcp_auth_method === 'none' ? 'anyone' : accessText(jsonOf(deployment.access)),
    Tools: toolsText(deployment),
    Version: deployment.version,
    'Target API': deployment.api_base_url,
    Network: deployment.network,
    'Managed by': deployment.managed_by,
    Included: jsonOf(deployment.operations).include,
    Excluded: jsonOf(deployment.operations).exclude,
    'Token budget': budgetText(deployment.tool_token_budget),
    'Answer budget': budgetText(deployment.answer_token_budget),
    'Token life': tokenLifeText(deployment.access_token_seconds),
    'Request headers': Object.entries(jsonOf(deployment.request_headers)).map(
      ([name, value]) => `${name}: ${cell(value)}`,
    ),
    'Argument checks': deployment.argument_checks,
    'Fetched again': refreshText(deployment),
    'Structured output': deployment.structured_output,
    Credential: credentialText(deployment),
    Instructions: deployment.instructions,
    Docs: deployment.docs_url,
    'Docs are': deployment.docs,
    'Trace context': deployment.trace_context,
    Created: localTime(deployment.created_at),
    Updated: localTime(deployment.updated_at),
  });

const budgetText = (budget: unknown): unknown => (budget === null ? 'none' : budget);

const tokenLifeText = (seconds: unknown): unknown =>
  seconds === null ? 'as the service says' : `${cell(seconds)} s`;

/** In search mode there are three tools; the count is of the operations behind them. */
const toolsText = ({ tool_mode: mode, tool_count: count }: Partial<Deployment>): unknown =>
  mode === 'search' ? `3, which search ${cell(count)} operations` : count;

export const accessText = ({ mode, emails, domains }: Json): unknown =>
  mode === 'allow_list' ? [...textsOf(emails), ...textsOf(domains)] : mode;

const refreshText = (deployment: Partial<Deployment>): unknown => {
  const { at, outcome, why } = jsonOf(deployment.refreshed);
  if (at === undefined) return deployment.refresh;
  const reason = typeof why === 'string' ? `: ${why}` : '';
  return `${cell(deployment.refresh)}; ${cell(localTime(at))}: ${cell(outcome)}${reason}`;
};

const credentialText = (deployment: Partial<Deployment>): string | undefined => {
  const isSet = deployment.has_credential;
  if (typeof isSet !== 'boolean') return undefined;
  const { since, status } = jsonOf(deployment.credential_refused);
  if (since === undefined) return isSet ? 'set' : 'none';
  return `set, and refused by the API since ${cell(localTime(since))} (HTTP ${cell(status)}): set another one`;
};

const list = listCommand({
  name: 'ls',
  summary: 'Lists your servers',
  at: 'GET /deployments',
  columns: (servers) => ({
    slug: 'slug',
    status: 'status',
    auth: 'mcp_auth_method',
    tools: (one) => (one.tool_mode === 'search' ? `${one.tool_count}, by search` : one.tool_count),
    version: 'version',
    credential: (one) =>
      'credential_refused' in one ? 'refused' : one.has_credential === true ? 'set' : 'none',
    ...(servers.some((one) => one.network !== undefined) && { network: 'network' }),
    ...(servers.some((one) => one.managed_by !== undefined) && { 'managed by': 'managed_by' }),
    'mcp url': 'mcp_url',
  }),
  empty: () => 'You have no server yet: npx --no-install hosted-mcp deploy FILE_OR_URL makes one.',
});

const show = operationCommand({
  name: 'show',
  summary: 'Shows one server',
  at: 'GET /deployments/{slug}',
  lines: deploymentLines,
});

const statusCommand = (
  name: string,
  status: 'paused' | 'active',
  summary: string,
  done: string,
): Command =>
  operationCommand({
    name,
    summary,
    at: 'PATCH /deployments/{slug}',
    sends: () => ({ json: { status } }),
    lines: (_, { slug }) => [`${slug} ${done}, within 15 s.`],
  });

const MAKERS: Readonly<Record<string, string>> = {
  owner: 'you',
  operator: 'an operator',
  refresh: 'its description, fetched again',
};

const versions = listCommand({
  name: 'versions',
  summary: 'Lists the versions of a server, and which one is served',
  at: 'GET /deployments/{slug}/versions',
  columns: {
    version: 'version',
    served: (one) => (one.served === true ? 'yes' : ''),
    tools: 'tool_count',
    warnings: 'warning_count',
    created: timeOf('created_at'),
    by: (one) => member(MAKERS, String(one.created_by)),
    comment: 'comment',
  },
  empty: () => 'There is no version.',
});

const openapi = command({
  name: 'openapi',
  summary: 'Writes the description of a server, as it was uploaded',
  places: ['slug'],
  options: { version: { value: 'NUMBER', help: 'of this version; the served one if omitted' } },
  run: async ({ api, output, world }, { slug }, { version }) => {
    if (version !== undefined) numberIn('--version', version);
    const bytes = await (version === undefined
      ? api.download('GET /deployments/{slug}/openapi', { path: { slug } })
      : api.download('GET /deployments/{slug}/versions/{version}/openapi', {
          path: { slug, version },
        }));
    if (output.isJson) return output.result({ openapi: Buffer.from(bytes).toString() }, []);
    world.stdout.write(bytes);
  },
});

const serverJson = operationCommand({
  name: 'server-json',
  summary: 'Writes what registries of MCP servers list of a server (server.json)',
  at: 'GET /deployments/{slug}/server.json',
  options: {
    name: { value: 'NAMESPACE/NAME', help: 'of your own, as in com.example/weather' },
  },
  details: [
    'Nothing is sent to a registry. A registry takes only names of a domain or account that you can prove to be',
    'yours; without --name it is that of the service.',
  ],
  sends: ({ name }) => ({ query: { name } }),
  lines: (document) => [plainJson(document)],
});

const rollback = command({
  name: 'rollback',
  changesManaged: true,
  summary: 'Serves an earlier version again',
  places: ['slug', 'version'],
  run: async ({ api, output }, { slug, version }) => {
    const json = { version: numberIn('The version', version) };
    const path = { slug };
    const { headers } = await api.present('GET /deployments/{slug}', { path });
    const answer = await api
      .call('POST /deployments/{slug}/rollback', { path, json, headers })
      .catch((error: unknown) => {
        throw namesNoVersion(error) ? noVersion(slug, version) : error;
      });
    showChange(output, answer);
  },
});

/** Whether the service refused the version's number, since there is no such version. */
const namesNoVersion = (error: unknown): boolean =>
  error instanceof Failure &&
  error.code === 'invalid_request' &&
  (error.details.findings ?? []).some(({ where }) => where === '/version');

const noVersion = (slug: string, version: string): Failure =>
  new Failure(EXIT.notFound, 'not_found', `${slug} has no version ${version}.`, {
    hint: `npx --no-install hosted-mcp versions ${slug} lists those that it can return to.`,
  });

const remove = command({
  name: 'rm',
  changesManaged: true,
  summary: 'Removes a server and all that belongs to it',
  places: ['slug'],
  options: { yes: { help: 'do not ask' } },
  details: ['Content, credential, tokens and grants go with it. There is no way back.'],
  run: async ({ api, ask, output }, { slug }, { yes }) => {
    if (!yes) expectTerminal(ask, 'the server', slug);
    const path = { slug };
    const { headers } = await api.present('GET /deployments/{slug}', { path });
    if (!yes) await confirm(ask, 'the server', slug);
    await api.call('DELETE /deployments/{slug}', { path, headers });
    output.result({ removed: slug }, [`${slug} is removed.`]);
  },
});

const networks = listCommand({
  name: 'networks',
  summary: 'Lists the private networks that your servers may be in',
  at: 'GET /networks',
  columns: { name: 'name', hosts: 'hosts', http: (one) => (one.http ? 'yes' : '') },
  empty: () => 'There is none: the operator of the service can name some in its configuration.',
});

export const deploymentCommands = [
  networks,
  list,
  show,
  statusCommand(
    'pause',
    'paused',
    'Refuses all requests until it is resumed',
    'refuses all requests',
  ),
  statusCommand('resume', 'active', 'Serves a paused server again', 'is served again'),
  versions,
  openapi,
  serverJson,
  rollback,
  remove,
];

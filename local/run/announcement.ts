import { join } from 'node:path';
import { count } from '../../cli/text/words.ts';
import type { Owner } from './data-folder.ts';
import { type Announceable, findingText, type Published } from './publish.ts';

const WARNINGS_SHOWN = 5;

export interface Announced {
  readonly baseUrl: string;
  readonly dataFolder: string;
  readonly owner: Owner;
  /** One-time link that signs the owner in; undefined if there is none. */
  readonly consoleLink: string | undefined;
  readonly sampleApiUrl: string;
  /** Undefined if the owner has removed it, or the limits do not let it be published. */
  readonly sample: Announceable | undefined;
  readonly demoIssuer: string | undefined;
  readonly wanted: Published | undefined;
}

/** Text for people once the service is ready. Programs wait for its last line. */
export const announcement = (announced: Announced): string => {
  const { baseUrl, consoleLink, dataFolder, demoIssuer, owner, sampleApiUrl, sample, wanted } =
    announced;
  return [
    '',
    `Console  ${baseUrl}/console`,
    ...(consoleLink === undefined
      ? []
      : [`         ${consoleLink}`, '         (signs the owner in, once, within ten minutes)']),
    '',
    `Hosted MCP runs at ${baseUrl}`,
    ...(wanted ? ['', ...publication(wanted), '', ...tryIt(wanted.deployment, LIST_TOOLS)] : []),
    '',
    ...(sample ? [...sampleDeployment(sample, sampleApiUrl), ''] : []),
    ...configurations(wanted?.deployment ?? sample),
    `Owner    ${owner.email}, password ${owner.password}`,
    ...(demoIssuer === undefined
      ? []
      : [`Company  ${demoIssuer}/ (Acme: ada@acme.example, ben@acme.example, eve@acme.example)`]),
    `Data     ${dataFolder}`,
    `Mails    ${join(dataFolder, 'outbox')} (what the service would send)`,
    `Logs     ${join(dataFolder, 'logs')}`,
    'Publish  in the console, or in another terminal:',
    `         npx --no-install hosted-mcp login ${owner.email} --url ${baseUrl}`,
    '         npx --no-install hosted-mcp deploy FILE_OR_URL',
    'Stop     Ctrl-C; everything is kept and served again at the next start',
    '',
    `ready ${baseUrl}`,
    '',
  ].join('\n');
};

const sampleDeployment = (sample: Announceable, sampleApiUrl: string): readonly string[] => [
  `The sample server: ${count(sample.toolCount, 'tool')} for the bookshop at ${sampleApiUrl}`,
  `  MCP URL  ${sample.mcpUrl}`,
  '',
  ...tryIt(sample, CALL_TOOL),
];

const publication = ({ deployment, changed, created, warnings }: Published): readonly string[] => {
  const { slug, version, toolCount, toolMode, apiBaseUrl, mcpUrl, authMethod } = deployment;
  const tools =
    toolMode === 'search'
      ? `3 tools that search ${count(toolCount, 'operation')}`
      : count(toolCount, 'tool');
  const what = created
    ? 'Published'
    : changed
      ? 'Published a new version of'
      : 'Already published:';
  const shown = warnings.slice(0, WARNINGS_SHOWN).map(findingText);
  const hidden = warnings.length - shown.length;
  return [
    `${what} "${slug}", version ${version}: ${tools} for ${apiBaseUrl}, auth "${authMethod}"`,
    `  MCP URL  ${mcpUrl}`,
    ...(warnings.length > 0 ? [`${count(warnings.length, 'warning')}:`, ...shown] : []),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ];
};

const LIST_TOOLS = { method: 'tools/list', does: 'List its tools' };
const CALL_TOOL = {
  method: 'tools/call',
  does: 'Call one of its tools',
  params: { name: 'listBooks', arguments: { genre: 'mystery', limit: 2 } },
};

const tryIt = (
  { mcpUrl, authMethod }: Announceable,
  { does, method, params }: { method: string; does: string; params?: object },
): readonly string[] => {
  if (authMethod === 'oauth') {
    return ['Connect a client as below: it opens a page where the owner named below signs in.'];
  }
  if (authMethod === 'jwt') {
    return ['Its clients need a token: without one they are answered 401.'];
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) });
  return [
    `${does}:`,
    `  curl -s ${mcpUrl} -H 'content-type: application/json' ` +
      `-H 'accept: application/json, text/event-stream' -d '${body}'`,
  ];
};

const configurations = (deployment: Announceable | undefined): readonly string[] => {
  if (!deployment) return [];
  const { slug, mcpUrl } = deployment;
  return [
    'Claude Code, on the command line:',
    `  claude mcp add --transport http ${slug} ${mcpUrl}`,
    'Cursor, in .cursor/mcp.json:',
    `  ${JSON.stringify({ mcpServers: { [slug]: { url: mcpUrl } } })}`,
    'VS Code, in .vscode/mcp.json:',
    `  ${JSON.stringify({ servers: { [slug]: { type: 'http', url: mcpUrl } } })}`,
    '',
  ];
};

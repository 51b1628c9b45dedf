import Handlebars from 'handlebars';
import { routerAddresses } from '../domain/addresses.ts';
import type { Deployment, McpAuthMethod } from '../domain/deployment.ts';
import type { ModelApi, Verdict } from '../domain/model-apis/index.ts';
import { PROTOCOL_VERSION } from '../domain/server-identity.ts';
import type { ToolNote } from '../domain/tool-note.ts';
import { clientConfigurations } from './client-configurations.ts';
import { DOCS_TEMPLATE } from './docs-template.ts';
import { toolParameters } from './tool-parameters.ts';

/** As `tools/list` shows it, and what was done to make it. */
export interface DocumentedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly title?: string };
  readonly notes: readonly ToolNote[];
  readonly verdict: Verdict;
}

/** An operation that is no tool of its own, since the deployment's are searched. */
export interface DocumentedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

const MODES: Readonly<Record<McpAuthMethod, readonly [badge: string, explanation: string]>> = {
  none: ['Public', 'No authentication is needed: paste the address into a client and go.'],
  oauth: [
    'OAuth',
    'Your client opens a page where you log in and approve its access. Nothing needs to be copied.',
  ],
  jwt: [
    'Token',
    "Ask the server's owner for a token and put it where the configurations below say YOUR_TOKEN.",
  ],
};

const render = Handlebars.compile(DOCS_TEMPLATE, { strict: true, knownHelpersOnly: true });

/** The page that tells people what a deployment offers and how to connect to it. Source: D17. */
export const docsPage = (
  baseUrl: string,
  deployment: Deployment,
  tools: readonly DocumentedTool[],
  operations: readonly DocumentedOperation[] = [],
): string => {
  const { base, messages, health } = routerAddresses(baseUrl, deployment.slug);
  const [mode, authentication] = MODES[deployment.authMethod];
  return render({
    name: deployment.name,
    mode,
    authentication,
    count: tools.length === 1 ? '1 tool' : `${tools.length} tools`,
    tokens: roughly(tools.reduce((sum, { verdict }) => sum + verdict.tokens, 0)),
    protocolVersion: PROTOCOL_VERSION,
    url: messages,
    clients: clientConfigurations(baseUrl, deployment),
    tools: tools.map(({ name, annotations, description = '', inputSchema, notes, verdict }) => ({
      name,
      title: annotations?.title ?? '',
      description,
      parameters: toolParameters(inputSchema),
      tokens: roughly(verdict.tokens),
      acceptance: acceptance(verdict),
      complaints: verdict.refusedBy.flatMap(({ api, complaints }) =>
        complaints.map((complaint) => `${api}: ${complaint}`),
      ),
      notes: notes.map(({ what, why, arguments: named = [] }) => ({
        what: named.length > 0 ? `${named.join(', ')}: ${what}` : what,
        why,
      })),
    })),
    operations,
    operationCount: operations.length === 1 ? '1 operation' : `${operations.length} operations`,
    apiBaseUrl: deployment.apiBaseUrl,
    discoveryUrl: `${base}/.well-known/mcp-server`,
    healthUrl: health,
  });
};

/** An estimate, in two digits: `12,000`. */
const roughly = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en');

const acceptance = ({ acceptedBy, refusedBy }: Verdict): string => {
  const refusing = refusedBy.map(({ api }) => api);
  if (refusing.length === 0) return `${row(acceptedBy)} take it as it is.`;
  return `${row(refusing)} may refuse it.`;
};

const row = (apis: readonly ModelApi[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(apis);

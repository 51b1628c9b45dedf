import Handlebars from 'handlebars';
import { authorizationServer, routerAddresses } from '../../platform/rules/addresses.ts';
import { AUTH_METHOD_TRAITS } from '../../deployments/rules/auth-methods.ts';
import { clientConfigurations } from '../rules/clients/client-configurations.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { ModelApi, Verdict } from '../../openapi/model-apis/verdict.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import type { ToolNote } from '../../openapi/tool-note.ts';
import { serverJson } from '../rules/server-json.ts';
import { DOCS_TEMPLATE } from './docs-template.ts';
import { toolParameters } from './tool-parameters.ts';

export { STYLE_HASH } from './docs-style.ts';

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
interface DocumentedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** What only those are shown who may use the deployment, unless its page is public. */
export interface DocumentedContents {
  readonly tools: readonly DocumentedTool[];
  readonly operations: readonly DocumentedOperation[];
}

interface Documented {
  /** Undefined for strangers. */
  readonly contents: DocumentedContents | undefined;
  /** Which decide what clients are to call the server, and are not shown. */
  readonly toolNames: readonly string[];
  /** The day until which calls are recorded with their content, if they are. */
  readonly recordedUntil?: string | undefined;
}

const render = Handlebars.compile(DOCS_TEMPLATE, { strict: true, knownHelpersOnly: true });

/**
 * The page that tells people what a deployment offers and how to connect to it; strangers are told the latter
 * alone.
 *
 * @param versions - of MCP, that are served
 *
 * Source: docs/decisions/mcp.md, "Health and docs".
 */
export const docsPage = (
  baseUrl: string,
  deployment: Deployment,
  versions: readonly ProtocolVersion[],
  { contents, toolNames, recordedUntil }: Documented,
): string => {
  const { base, messages, health, docs } = routerAddresses(baseUrl, deployment.slug);
  const { slug, authMethod } = deployment;
  const { badge, explanation } = AUTH_METHOD_TRAITS[authMethod];
  const clients = clientConfigurations({ slug, url: messages, authMethod, toolNames });
  return render({
    name: deployment.name,
    mode: badge,
    recordedUntil: recordedUntil ?? '',
    authentication: explanation,
    protocolVersions: versions.join(', '),
    url: messages,
    installs: clients.filter(({ link, obstacle }) => link !== undefined && obstacle === undefined),
    clients: clients
      .filter(({ obstacle }) => obstacle === undefined)
      .map(({ name, where, paste, notes }) => ({
        name,
        where: codeParts(where),
        paste,
        notes: notes.map(codeParts),
      })),
    obstacles: clients.flatMap(({ obstacle }) => obstacle ?? []),
    discoveryUrl: `${base}/.well-known/mcp-server`,
    healthUrl: health,
    serverJson: JSON.stringify(serverJson(baseUrl, deployment), null, 2),
    signIn: `${authorizationServer(baseUrl)}/sign-in?return_to=${encodeURIComponent(new URL(docs).pathname)}`,
    shown: contents && contentsView(contents, deployment),
  });
};

const contentsView = (
  { tools, operations }: DocumentedContents,
  { apiBaseUrl, apiTexts, description = apiTexts?.description }: Deployment,
) => ({
  about: description ?? '',
  count: tools.length === 1 ? '1 tool' : `${tools.length} tools`,
  tokens: roughly(tools.reduce((sum, { verdict }) => sum + verdict.tokens, 0)),
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
  apiBaseUrl,
});

/** Code stands between backticks. The template is strict: of each part the other kind is empty. */
const codeParts = (text: string): readonly { readonly code: string; readonly words: string }[] =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? { code: part, words: '' } : { code: '', words: part },
    );

/** An estimate, in two digits: `12,000`. */
const roughly = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en');

const acceptance = ({ acceptedBy, refusedBy }: Verdict): string => {
  const refusing = refusedBy.map(({ api }) => api);
  if (refusing.length === 0) return `${row(acceptedBy)} take it as it is.`;
  return `${row(refusing)} may refuse it.`;
};

const row = (apis: readonly ModelApi[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(apis);

import { shownServerName } from '../../platform/rules/shown-name.ts';
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

/** A tool as `tools/list` shows it, with what was changed to make it. */
export interface DocumentedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly title?: string };
  readonly notes: readonly ToolNote[];
  readonly verdict: Verdict;
}

/** An operation of a deployment in search mode, where operations are not tools of their own. */
interface DocumentedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** Shown only to people who may use the deployment, unless its docs page is public. */
export interface DocumentedContents {
  readonly tools: readonly DocumentedTool[];
  readonly operations: readonly DocumentedOperation[];
}

interface Documented {
  /** Undefined for visitors who may not use the deployment. */
  readonly contents: DocumentedContents | undefined;
  /** Decide under which name clients add the server; not shown. */
  readonly toolNames: readonly string[];
  readonly recordedUntil?: string | undefined;
}

const render = Handlebars.compile(DOCS_TEMPLATE, { strict: true, knownHelpersOnly: true });

/**
 * The page that tells people what a deployment offers and how to connect to it. Strangers see only
 * how to connect. Source: docs/decisions/mcp.md, "Health and docs".
 * @param versions - the MCP versions that are served
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
    name: shownServerName(deployment),
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

/** Text between backticks is code. The strict template needs both members in each part. */
const codeParts = (text: string): readonly { readonly code: string; readonly words: string }[] =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? { code: part, words: '' } : { code: '', words: part },
    );

/** Rounded to two digits: `12,000`. */
const roughly = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en');

const acceptance = ({ acceptedBy, refusedBy }: Verdict): string => {
  const refusing = refusedBy.map(({ api }) => api);
  if (refusing.length === 0) return `${row(acceptedBy)} take it as it is.`;
  return `${row(refusing)} may refuse it.`;
};

const row = (apis: readonly ModelApi[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(apis);

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isOrigin } from '../../layers/platform/rules/origin.ts';
import {
  MCP_AUTH_METHODS,
  type McpAuthMethod,
} from '../../layers/deployments/rules/auth-methods.ts';
import { PUBLICATION_SETTINGS } from '../../layers/deployments/rules/settings.ts';
import type { ToolMode } from '../../layers/openapi/tool-mode.ts';
import { readLocalModelHosts } from '../../layers/openapi/model-apis/model-hosts.ts';
import type { ModelHost } from '../../layers/openapi/model-apis/protocols.ts';
import { authoritiesIn } from './authorities.ts';
import { identityProvidersIn } from './identity-providers.ts';
import { networksFrom } from './networks.ts';
import type { LocalOption } from '../../lib/stage/variables.ts';
import type { ServiceSettings } from './service.ts';
import { settingsFrom } from './settings.ts';
import { messageOf, StartRefused } from './start-refused.ts';

export interface WantedPublication {
  readonly source: { readonly file: string } | { readonly url: string };
  readonly slug: string | undefined;
  readonly authMethod: McpAuthMethod;
  readonly apiBaseUrl: string | undefined;
  /** `tag:NAME`, `METHOD /path` or operationIds. Source: docs/decisions/descriptions.md, "Choosing operations". */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly toolMode?: ToolMode | undefined;
  /** Folder of the files that it refers to; its own folder if omitted. */
  readonly root?: string | undefined;
  readonly fetchRefs?: boolean | undefined;
  readonly strict?: boolean | undefined;
}

export interface Options extends Required<
  Pick<
    ServiceSettings,
    | 'allowedOrigins'
    | 'certificateAuthorities'
    | 'dataFolder'
    | 'networks'
    | 'port'
    | 'settings'
    | 'verbose'
  >
> {
  readonly help: boolean;
  readonly publication: WantedPublication | undefined;
  readonly declaration: string | undefined;
  readonly demoIdp: boolean;
  /** In the form that operators write; undefined if the applied list stays. */
  readonly identityProviders: unknown;
}

const DEFAULT_PORT = 8787;

/** @param checkout - the repository's root @throws StartRefused for the first thing that is wrong */
export const readOptions = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  checkout: string,
): Options => {
  // npm runs scripts in the checkout and says here where the person was.
  const here = environment['INIT_CWD'] ?? process.cwd();
  const values = parse(args);
  const networks = networksFrom(values.network);
  return {
    help: values.help === true,
    verbose: values.verbose === true,
    port: portOf(environment['PORT'] || String(DEFAULT_PORT)),
    dataFolder: resolve(here, environment['HOSTED_MCP_DATA'] || resolve(checkout, '.local')),
    settings: settingsFrom(environment, {
      network: networks,
      'model-host': modelHostsFrom(values['model-host']),
    }),
    allowedOrigins: originsOf(values['allow-origin']),
    networks,
    certificateAuthorities: authoritiesIn(here, values['certificate-authority']),
    publication: publicationOf(values, here),
    declaration: values.declare === undefined ? undefined : resolve(here, values.declare),
    demoIdp: values['demo-idp'] === true,
    identityProviders: identityProvidersIn(environment),
  };
};

/** The compiler asks for each option that the table of settings names. */
const OF_SETTINGS = {
  network: { type: 'string', multiple: true },
  'model-host': { type: 'string', multiple: true },
} as const satisfies Readonly<Record<LocalOption, object>>;

const OPTIONS = {
  openapi: { type: 'string' },
  slug: { type: 'string' },
  auth: { type: 'string' },
  'api-base': { type: 'string' },
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  'tool-mode': { type: 'string' },
  root: { type: 'string' },
  'fetch-refs': { type: 'boolean' },
  strict: { type: 'boolean' },
  declare: { type: 'string' },
  'demo-idp': { type: 'boolean' },
  'allow-origin': { type: 'string', multiple: true },
  'certificate-authority': { type: 'string', multiple: true },
  ...OF_SETTINGS,
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Options that need `--openapi`. */
const OF_PUBLICATION = [
  ...(['slug', 'auth', 'api-base', 'include', 'exclude', 'tool-mode'] as const),
  ...(['root', 'fetch-refs', 'strict'] as const),
];

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch (error) {
    const [what = ''] = messageOf(error).split('. ');
    throw new StartRefused(
      `${what.replace(/\.$/, '')}. Options follow a --, as in: npm start -- --openapi FILE_OR_URL (see npm start -- --help)`,
    );
  }
};

const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new StartRefused(`PORT must be a number from 0 to 65535, not "${text}".`);
};

const originsOf = (origins: readonly string[] = []): readonly string[] => {
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return origins;
  throw new StartRefused(
    `--allow-origin must be an origin such as https://app.example.com, not "${wrong}".`,
  );
};

const modelHostsFrom = (texts: readonly string[] = []): readonly ModelHost[] => {
  const hosts = texts.map((text) => {
    const [, name, url] = /^([^=]*)=(.*)$/.exec(text) ?? [undefined, text, ''];
    return { name, url };
  });
  try {
    return readLocalModelHosts(JSON.stringify(hosts));
  } catch (error) {
    throw new StartRefused(
      `--model-host must be a name and an address, as in ours=https://llm.example.com/v1: ${messageOf(error)}.`,
    );
  }
};

const publicationOf = (
  values: ReturnType<typeof parse>,
  here: string,
): WantedPublication | undefined => {
  const { openapi, slug, auth = 'oauth', 'api-base': apiBaseUrl } = values;
  const { include = [], exclude = [], 'tool-mode': mode } = values;
  if (openapi === undefined) {
    const stray = OF_PUBLICATION.find((name) => values[name] !== undefined);
    if (stray === undefined) return undefined;
    throw new StartRefused(`--${stray} only has a meaning together with --openapi FILE_OR_URL.`);
  }
  if (openapi === '') throw new StartRefused('--openapi needs a file or a URL.');
  const authMethod = MCP_AUTH_METHODS.find((method) => method === auth);
  if (!authMethod) {
    throw new StartRefused(`--auth must be one of ${MCP_AUTH_METHODS.join(', ')}, not "${auth}".`);
  }
  const toolModes = PUBLICATION_SETTINGS.toolMode.value.options;
  const toolMode = toolModes.find((one) => one === mode);
  if (mode !== undefined && !toolMode) {
    throw new StartRefused(`--tool-mode must be one of ${toolModes.join(', ')}, not "${mode}".`);
  }
  const choices = { slug, authMethod, apiBaseUrl, include, exclude, toolMode };
  const { root, 'fetch-refs': fetchRefs, strict } = values;
  if (!/^https?:\/\//i.test(openapi)) {
    const folder = root === undefined ? undefined : resolve(here, root);
    return {
      source: { file: resolve(here, openapi) },
      ...choices,
      root: folder,
      fetchRefs,
      strict,
    };
  }
  if (root === undefined && fetchRefs === undefined && strict === undefined) {
    return { source: { url: openapi }, ...choices };
  }
  throw new StartRefused(
    '--root, --fetch-refs and --strict are for files: a URL is read by the service.',
  );
};

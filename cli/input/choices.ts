import { certificatesIn } from '../../layers/target/rules/pem.ts';
import { MCP_AUTH_METHODS } from '../../layers/deployments/rules/auth-methods.ts';
import {
  type Choice,
  PUBLICATION_CHOICES,
  SERVING_CHOICES,
} from '../../layers/deployments/rules/choices.ts';
import type { ValuesOf } from '../command.ts';
import { type Ask, textFrom } from './ask.ts';
import { usageFailure } from '../failure.ts';
import { isJson, type Json, parsed, textOf } from '../json.ts';
import { headersFrom, pairOf } from './arguments.ts';

const ACCESS = ['owner', 'any_user'];

/** Option texts and names that differ from those of the management API. */
const WORDS: Readonly<Record<string, readonly [value: string, help: string, option?: string]>> = {
  toolMode: [
    'MODE',
    'operations (if omitted): a tool each; search: three tools that find and call them all',
  ],
  toolTokenBudget: [
    'NUMBER',
    'tokens that a tool may take, roughly, before it is shortened; none: any number',
    'token-budget',
  ],
  answerTokenBudget: [
    'NUMBER',
    'tokens that an answer may take, roughly, before it is cut at whole elements; none: any number',
    'answer-budget',
  ],
  accessTokenSeconds: [
    'SECONDS',
    'how long an access token is good before its client refreshes it, 3600 to 86400; none: as the service says, usually 3600',
  ],
  argumentChecks: [
    'HOW',
    'strict (if omitted): calls without a required argument, or with one of another type or format, are refused; lenient: the API decides',
  ],
  structuredOutput: [
    'off|on',
    'on: results are typed JSON too; then some clients show models nothing else',
  ],
  fetchWith: [
    'WHAT',
    'credential: its URL is fetched with that of the server, where it is meant for that host; nothing (if omitted)',
  ],
  refresh: [
    'HOW-OFTEN',
    'daily or hourly: fetched again from its URL; published if it breaks nothing; off (if omitted)',
  ],
  casesRight: [
    'PERCENT',
    'of its cases that must be right before a new version is served (`eval`); none (if omitted): no matter',
  ],
  docs: [
    'WHO',
    'who sees the tools on its page: protected (if omitted): who may use it; or public',
  ],
  traceContext: [
    'USE',
    'forwarded: traceparent and tracestate of clients go to the API; withheld (if omitted)',
  ],
};

const SETTINGS: Readonly<Record<string, Choice>> = { ...PUBLICATION_CHOICES, ...SERVING_CHOICES };

const joinedBy = (mark: string, name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => mark + letter.toLowerCase());

/** Options of settings, those in `WORDS` first. */
const SETTING_OPTIONS = Object.fromEntries(
  [...new Set([...Object.keys(WORDS), ...Object.keys(SETTINGS)])].map((name) => {
    const choice = SETTINGS[name];
    const values = choice && 'values' in choice ? choice.values : undefined;
    const [value = values?.join('|') ?? 'NUMBER', help = choice?.description ?? '', option] =
      WORDS[name] ?? [];
    const setting = joinedBy('_', name);
    return [option ?? joinedBy('-', name), { value, help, setting, values }];
  }),
);

/** API names of settings that change the tools of operations. */
const TOOL_SETTINGS = new Set(
  Object.keys(PUBLICATION_CHOICES)
    .map((name) => joinedBy('_', name))
    .filter((setting) => setting !== 'tool_mode'),
);

const OWN_OPTIONS = {
  name: { value: 'TEXT', help: 'what people see; otherwise the title' },
  comment: { value: 'TEXT', help: 'what this version is for; `versions` shows it' },
  instructions: { value: 'TEXT', help: 'instructions for models; by default what the API says' },
  description: { value: 'TEXT', help: 'description for people; by default what the API says' },
  website: { value: 'URL', help: 'where people read about it' },
  network: {
    value: 'NAME',
    help: 'the private network that the API is called in (`networks` lists yours); "": none',
  },
  auth: { value: 'MODE', help: 'who may use it: oauth (if omitted), jwt or none' },
  access: { value: 'WHO', help: 'who may sign in: owner (if omitted) or any_user' },
  allow: { value: 'WHO', multiple: true, help: 'or these: an e-mail address, or a domain' },
  'api-base': { value: 'URL', help: 'base URL of the API, if not that of the description' },
  'server-variable': { value: 'NAME=TEXT', multiple: true, help: 'of a server URL in it' },
  include: {
    value: 'OPERATION',
    multiple: true,
    help: 'only these: an operationId, "GET /path" or tag:NAME',
  },
  exclude: { value: 'OPERATION', multiple: true, help: 'not these' },
  overrides: { value: 'FILE', help: 'JSON: names, texts and arguments of tools, by operation' },
  overlay: {
    value: 'FILE-OR-URL',
    multiple: true,
    help: 'an OpenAPI Overlay, which changes each description; in place of those before',
  },
  'no-overlays': { help: 'without overlays from now on' },
  'request-header': {
    value: 'NAME:TEXT',
    multiple: true,
    help: 'goes with each call to the API, as "X-Tenant: acme"; in place of those before; not for secrets',
  },
  'no-request-headers': { help: 'without such headers from now on' },
  'certificate-authority': {
    value: 'FILE',
    multiple: true,
    help: 'certificates in PEM that calls to the API trust beside the public authorities; in place of those before',
  },
  'no-certificate-authorities': { help: 'the public authorities alone from now on' },
  'allowed-origin': { value: 'ORIGIN', multiple: true, help: 'for clients in a browser' },
} as const;

export const CHOICE_OPTIONS: typeof OWN_OPTIONS = { ...OWN_OPTIONS, ...SETTING_OPTIONS };

const { include, exclude, overrides, overlay } = CHOICE_OPTIONS;
type ToolOptions = Pick<typeof OWN_OPTIONS, 'exclude' | 'include' | 'overlay' | 'overrides'>;

export const TOOL_OPTIONS: ToolOptions = {
  include,
  exclude,
  overrides,
  overlay,
  ...Object.fromEntries(
    Object.entries(SETTING_OPTIONS).filter(([, { setting }]) => TOOL_SETTINGS.has(setting)),
  ),
};

type Chosen = ValuesOf<typeof CHOICE_OPTIONS>;

const NOTHING_CHOSEN = Object.fromEntries(
  Object.entries(CHOICE_OPTIONS).map(([name, option]) => [
    name,
    'multiple' in option ? [] : undefined,
  ]),
) as unknown as Chosen;

/** Tool choices for the management API. @throws Failure usage */
export const toolChoicesFrom = (ask: Ask, chosen: ValuesOf<ToolOptions>): Promise<Json> =>
  choicesFrom(ask, { ...NOTHING_CHOSEN, ...chosen });

/** The given choices only, for the management API. @throws Failure usage */
export const choicesFrom = async (ask: Ask, chosen: Chosen): Promise<Json> => {
  const { name, auth, include, exclude } = chosen;
  const variables = chosen['server-variable'].map((text) => pairOf('--server-variable', text));
  const origins = chosen['allowed-origin'];
  return {
    ...(name !== undefined && { name }),
    ...(chosen.comment !== undefined && { comment: chosen.comment }),
    ...textOrNone('instructions', chosen.instructions),
    ...textOrNone('description', chosen.description),
    ...textOrNone('website_url', chosen.website),
    ...textOrNone('network', chosen.network),
    ...(auth !== undefined && { mcp_auth_method: oneOf('--auth', MCP_AUTH_METHODS, auth) }),
    ...accessFrom(chosen),
    ...(chosen['api-base'] !== undefined && { api_base_url: chosen['api-base'] }),
    ...(variables.length > 0 && { server_variables: Object.fromEntries(variables) }),
    ...(include.length + exclude.length > 0 && { operations: { include, exclude } }),
    ...(chosen.overrides !== undefined && {
      overrides: await overridesIn(ask, chosen.overrides),
    }),
    ...(await overlaysFrom(ask, chosen)),
    ...requestHeadersFrom(chosen),
    ...(await authoritiesFrom(ask, chosen)),
    ...(origins.length > 0 && { allowed_origins: origins }),
    ...settingsFrom(chosen),
  };
};

/** An empty text removes the former one. */
const textOrNone = (member: string, text: string | undefined): Json =>
  text === undefined ? {} : { [member]: text.trim() === '' ? null : text };

const settingsFrom = (chosen: Json): Json =>
  Object.fromEntries(
    Object.entries(SETTING_OPTIONS).flatMap(([name, { setting, values }]) => {
      const text = textOf(chosen[name]);
      if (text === undefined) return [];
      const option = `--${name}`;
      return [[setting, values ? oneOf(option, values, text) : numberOrNone(option, text)]];
    }),
  );

const numberOrNone = (option: string, text: string): number | null => {
  if (text === 'none') return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageFailure(`${option} must be a number or none, not "${text}".`);
};

const accessFrom = ({ access, allow }: Chosen): Json => {
  if (allow.length === 0) {
    return access === undefined ? {} : { access: { mode: oneOf('--access', ACCESS, access) } };
  }
  if (access !== undefined) throw usageFailure('--access and --allow exclude each other.');
  const emails = allow.filter((who) => /^[^@]+@/.test(who));
  const domains = allow.filter((who) => !emails.includes(who)).map((who) => who.replace('@', ''));
  return { access: { mode: 'allow_list', emails, domains } };
};

const overlaysFrom = async (ask: Ask, chosen: Chosen): Promise<Json> => {
  const files = chosen.overlay;
  if (chosen['no-overlays']) {
    if (files.length > 0) throw usageFailure('--overlay and --no-overlays exclude each other.');
    return { overlays: null };
  }
  if (files.length === 0) return {};
  const overlays: (string | Json)[] = [];
  for (const file of files) {
    overlays.push(/^https?:/i.test(file) ? { url: file } : await textFrom(ask, file));
  }
  return { overlays };
};

const requestHeadersFrom = (chosen: Chosen): Json => {
  const lines = chosen['request-header'];
  if (chosen['no-request-headers']) {
    if (lines.length === 0) return { request_headers: {} };
    throw usageFailure('--request-header and --no-request-headers exclude each other.');
  }
  if (lines.length === 0) return {};
  return { request_headers: headersFrom('--request-header', lines) };
};

/** A file may hold several certificates. */
const authoritiesFrom = async (ask: Ask, chosen: Chosen): Promise<Json> => {
  const files = chosen['certificate-authority'];
  if (chosen['no-certificate-authorities']) {
    if (files.length === 0) return { certificate_authorities: [] };
    throw usageFailure(
      '--certificate-authority and --no-certificate-authorities exclude each other.',
    );
  }
  if (files.length === 0) return {};
  const texts: string[] = [];
  for (const file of files) {
    const text = await textFrom(ask, file);
    texts.push(...certificatesIn(text));
  }
  return { certificate_authorities: texts };
};

const overridesIn = async (ask: Ask, file: string): Promise<Json> => {
  const overrides = parsed(await textFrom(ask, file));
  if (isJson(overrides)) return overrides;
  throw usageFailure('--overrides must hold a JSON object.');
};

const oneOf = (option: string, allowed: readonly string[], given: string): string => {
  if (allowed.includes(given)) return given;
  throw usageFailure(`${option} must be one of ${allowed.join(', ')}, not "${given}".`);
};

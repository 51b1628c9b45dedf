import { member } from '../../../layers/platform/rules/json/json.ts';
/** Phrases of the API, and those that pages show instead. */
const PHRASES_OF_API: readonly (readonly [said: RegExp, shown: string])[] = [
  // Hints for the command line, which the page replaces by its own controls.
  [/: `set [^`]*`, or Settings/g, ' (Settings)'],
  [/ ?\((?:(?:e\.g\. )?`[^`]*`(?:, | or )?)+\)/g, ''],
  [/ ?\(limit [a-z_…]+\)/g, ''],
  // Codes behind a sentence that says the same.
  [/ \([a-z]+_[a-z_]+\)/g, ''],
  [/, or publish with `tool_mode: "search"`/g, ', or choose the search of tools'],
  [
    /Or publish with `tool_mode: "search"`, which lets/g,
    'Or choose the search of tools, which lets',
  ],
  [/ the tool mode search\b/g, ' the search of tools'],
  [/Choose with `operations\.include` or `operations\.exclude`\./g, 'Choose fewer of them.'],
  [/Give `issuer`, whose metadata name the endpoint, or `token_url`\./g, 'Give one of both.'],
  [/A client that signs has `private_jwk` alone\./g, 'A client that signs has no secret.'],
  [/Say `client_auth` is `private_key_jwt`, or/g, 'Choose that the client signs, or'],
  [/to add it to `assumable_roles`/g, 'to allow it'],
  [/, or give `token_url` in its place/g, ', or give its token endpoint'],
  [/`tool_token_budget` sets/g, 'The operator of this service sets'],
  [/with `hosted-mcp tool hide-secrets SLUG`, or some by overrides/g, 'under Tools'],
  [
    /Bundle everything into one document and refer to it with `#\/\.\.\.`\./g,
    'Choose all of its files together, or drop their folder.',
  ],
  [
    /Run npx --no-install hosted-mcp eval --server \S+ --openapi FILE to keep one, or set this to null in the same request\./g,
    'Ask one with eval on the command line, or empty the percentage in Settings.',
  ],
  [/with PUT\b/g, 'there'],
  [/Choose one of GET \.\.\.\/versions\./g, 'Choose one of the list.'],
  [
    /Give one of openapi, openapi_url and gallery_id\./g,
    'Choose a file, an address or an API of the gallery.',
  ],
  [/Give either openapi or openapi_url\./g, 'Choose a file or an address.'],
  [/Give `openapi_url` with them\./g, 'Give the address that they are meant for.'],
  [/The warnings of the server say what and where\./g, 'Tools and Versions say what and where.'],
  [/answers 404 to everybody/g, 'is reached by nobody'],
  [/Give `\*` nothing but `arguments`/g, 'Change nothing but arguments for all together'],
  [/Publish the deployment in mode jwt first\./g, 'Let callers use API tokens first.'],
  [/Choose oauth if/g, 'Choose Sign-in (OAuth) if'],
  [/Mint a token\b/g, 'Create an API token'],
  [/is minted\b/g, 'is there'],
  [/was minted\b/g, 'was made'],
  [/of this jti\b/g, 'of this kind'],
  [/hosted-mcp admin end-account ends/g, 'the command line of operators ends'],
  [/Send the next_cursor of a page of this very list, or none\./g, 'Load the page again.'],
  [/\bA JSON pointer of at most/g, 'A path of at most'],
];

/** Words of the API, and those that pages show instead. */
const WORDS: readonly (readonly [said: RegExp, shown: string])[] = [
  [/\bOverride fewer\b/g, 'Change fewer'],
  [/\boverrides\b/g, 'changes'],
  [/\bthe override\b/g, 'the change'],
  [/\ban override of its own/g, 'a change of its own'],
  [/\bactive deployments\b/g, 'active servers'],
  [/\bdeployment(s?)\b/g, 'server$1'],
  [/\bDeployment(s?)\b/g, 'Server$1'],
  [/\bslug\b/g, 'URL name'],
];

/** Reason phrases. Source: RFC 9110, 15; RFC 6585. */
export const PHRASES: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Translates a sentence of the API for the page: without names of members, options, commands and statuses. */
export const plain = (text: string): string =>
  replaced(text, PHRASES_OF_API)
    // What somebody has typed is quoted, and stays as it is.
    .split(QUOTED)
    .map((part) => (part.startsWith('"') ? part : plainWords(part)))
    .join('');

const QUOTED = /("[^"]*")/;

const replaced = (text: string, words: typeof WORDS): string =>
  words.reduce((said, [found, shown]) => said.replace(found, shown), text);

const plainWords = (text: string): string =>
  replaced(text, WORDS)
    .replace(/\bHTTP (\d{3})\b/g, (_, status: string) =>
      member(PHRASES, status) === undefined ? `status ${status}` : `“${member(PHRASES, status)}”`,
    )
    .replace(/`([^`]+)`/g, '“$1”');

/** Names that pages use for members of requests. */
const FIELDS: Readonly<Record<string, string>> = {
  openapi: 'Description',
  openapi_url: 'Address of the description',
  cases_right: 'Cases that must be right',
  openapi_headers: 'Headers for fetching it',
  api_base_url: 'Base URL',
  slug: 'URL name (slug)',
  tool_mode: 'Tools',
  operations: 'Choice of operations',
  overrides: 'Changes of tools',
  overlays: 'Overlays',
  access: 'Who may use it',
  mcp_auth_method: 'How callers sign in',
  credential: 'Credential',
  request_headers: 'Headers sent with each call',
  certificate_authorities: 'Certificates that calls trust',
  structured_output: 'Output schemas',
  refresh: 'Fetched again',
  answer_fields: 'Parts of the answer',
  answer_headers: 'Headers of the answer',
  always_load: 'There from the start',
  arguments: 'argument',
  emails: 'address',
  domains: 'domain',
  actions: 'action',
  include: 'entry',
  exclude: 'excluded entry',
  origins: 'host',
  uri: 'URI',
  requestBody: 'request body',
  responses: 'answer',
  parameters: 'parameter',
  servers: 'server address',
  securitySchemes: 'security scheme',
  schemas: 'schema',
  definitions: 'schema',
  callbacks: 'callback',
  tags: 'tag',
};

/** Steps of a JSON pointer that mean nothing to people. */
const SILENT = new Set(['openapi', 'components', 'content', 'schema', 'properties', 'overrides']);
const METHODS = /^(?:get|put|post|delete|options|head|patch|trace|query)$/;

/** `GET /pets, parameter 2`. @param where - JSON pointer into request or description, or `line 3`; empty: everything */
export const placeOf = (where: string): string => {
  if (!where.startsWith('/')) return where.replace(/^line\b/, 'Line');
  const steps = where
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (steps.length === 1) return fieldName(steps[0] ?? '');
  const said: string[] = [];
  steps.forEach((step, index) => {
    const before = steps[index - 1];
    const next = steps[index + 1];
    if (before === 'paths' && next !== undefined && METHODS.test(next)) return;
    if (step === 'paths' || SILENT.has(step)) return;
    if (METHODS.test(step) && steps[index - 2] === 'paths') {
      said.push(`${step.toUpperCase()} ${before ?? ''}`);
    } else if (/^\d+$/.test(step) && before !== 'responses' && said.length > 0) {
      said.push(`${said.pop() ?? ''} ${Number(step) + 1}`);
    } else if (
      ['arguments', 'schemas', 'definitions', 'responses', 'securitySchemes'].includes(before ?? '')
    ) {
      said.push(`${said.pop() ?? ''} ${step}`.trim());
    } else {
      said.push(before === 'overrides' && step === '*' ? 'all tools' : fieldName(step));
    }
  });
  const text = said.filter((one) => one !== '').join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const fieldName = (step: string): string =>
  member(FIELDS, step) ?? (/^[a-z]+(?:_[a-z]+)+$/.test(step) ? step.replaceAll('_', ' ') : step);

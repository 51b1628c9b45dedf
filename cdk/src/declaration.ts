import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { checkCredentials } from './credential.ts';
import { checkJson, checkKind, checkProps, fileText, type Kind, refusal } from './refusal.ts';
import type { Access, McpServerProps } from './server-props.ts';

const KINDS = {
  service: 'object',
  slug: 'text',
  openApi: 'anything',
  name: 'text',
  instructions: 'text',
  auth: 'text',
  access: 'object',
  operations: 'object',
  apiBaseUrl: 'text',
  credentials: 'object',
  resources: 'list',
  prompts: 'list',
  members: 'object',
  maxTools: 'count',
  allowDestructive: 'boolean',
  adopt: 'boolean',
  removalPolicy: 'text',
} as const satisfies Readonly<Record<keyof McpServerProps, Kind>>;

/** Members that have a property of their own, which is checked and shown in the template. */
const OWN_PROPERTIES: Readonly<Record<string, keyof McpServerProps>> = {
  openapi: 'openApi',
  openapi_url: 'openApi',
  openapi_sha256: 'openApi',
  name: 'name',
  instructions: 'instructions',
  mcp_auth_method: 'auth',
  access: 'access',
  operations: 'operations',
  api_base_url: 'apiBaseUrl',
  credentials: 'credentials',
  resources: 'resources',
  prompts: 'prompts',
};

/** Declaration for the API: files are read into texts, secrets left out. @throws Error for senseless values */
export const declarationOf = (
  server: Construct,
  props: McpServerProps,
): Readonly<Record<string, unknown>> => {
  checkProps(server, props, KINDS, ['service', 'slug', 'openApi']);
  const { openApi, name, instructions, auth, access, operations, members } = props;
  const { credentials = {}, resources, prompts } = props;
  if (typeof openApi.textFor !== 'function') {
    throw refusal(
      server,
      "openApi: write OpenApi.fromAsset('openapi.yaml') or OpenApi.fromInline.",
    );
  }
  checkCredentials(server, credentials);
  checkAccess(server, props);
  checkMembers(server, props);
  const declaration = defined({
    openapi: openApi.textFor(server).replaceAll('\r\n', '\n'),
    name,
    instructions,
    mcp_auth_method: auth,
    access,
    operations,
    resources: objectsOf(
      server,
      'resources',
      resources,
      ({ file, content, mimeType, ...one }, at) => ({
        mime_type: mimeType,
        ...one,
        content: textOrFile(server, at, { file, content }),
      }),
    ),
    prompts: objectsOf(server, 'prompts', prompts, ({ file, template, ...one }, at) => ({
      ...one,
      template: textOrFile(server, at, { file, template }),
    })),
    ...(Object.keys(credentials).length > 0 && {
      credentials: Object.fromEntries(
        Object.entries(credentials).map(([its, { open }]) => [its, open]),
      ),
    }),
    ...members,
  });
  for (const [member, value] of Object.entries({ slug: props.slug, ...declaration })) {
    checkJson(server, value, member, 'Of a server only apiBaseUrl and secrets may be.');
  }
  return declaration;
};

/** Declaration for the compiler: secrets count as set before, an unknown URL gets a placeholder. */
export const checkedForm = (
  { credentials = {}, ...declaration }: Readonly<Record<string, unknown>>,
  { apiBaseUrl }: McpServerProps,
): object => ({
  ...declaration,
  credentials: Object.fromEntries(
    Object.entries(credentials as object).map(([name, one]) => [name, { ...one, keep: true }]),
  ),
  ...(apiBaseUrl !== undefined && {
    api_base_url: Token.isUnresolved(apiBaseUrl) ? 'https://at-deployment.invalid' : apiBaseUrl,
  }),
});

const MODES: readonly Access['mode'][] = ['owner', 'allow_list', 'any_user'];

/** Refuses lists of people that have no effect: they would read as if access were limited. */
const checkAccess = (server: Construct, { auth = 'oauth', access }: McpServerProps): void => {
  if (access === undefined) return;
  if (auth !== 'oauth') {
    throw refusal(
      server,
      `access says who of those that sign in is let in, and with auth: '${auth}' nobody signs in here: leave out one of the two.`,
    );
  }
  const { mode, emails = [], domains = [] } = access;
  if (!MODES.includes(mode)) {
    throw refusal(server, `access: mode has to be ${MODES.map((one) => `'${one}'`).join(' or ')}.`);
  }
  checkKind(server, 'access.emails', emails, 'list');
  checkKind(server, 'access.domains', domains, 'list');
  const isEmpty = emails.length === 0 && domains.length === 0;
  if (mode === 'allow_list' && isEmpty) {
    throw refusal(
      server,
      "access: the list of those who are let in is empty: name emails or domains, or write mode: 'owner'.",
    );
  }
  if (mode !== 'allow_list' && !isEmpty) {
    throw refusal(
      server,
      `access: emails and domains count with mode: 'allow_list', and not with '${mode}': leave them out, or change the mode.`,
    );
  }
};

const checkMembers = (server: Construct, { members = {} }: McpServerProps): void => {
  for (const name of Object.keys(members)) {
    const property = OWN_PROPERTIES[name];
    if (property === undefined) continue;
    throw refusal(
      server,
      `members.${name}: write it as the property ${property}, which is checked and shown in the template.`,
    );
  }
};

/** @param declared - makes one member of the declaration, given an item and its path for messages */
const objectsOf = <One extends object>(
  server: Construct,
  name: string,
  list: readonly One[] | undefined,
  declared: (one: One, at: string) => Readonly<Record<string, unknown>>,
): readonly object[] | undefined =>
  list?.map((one, index) => {
    const at = `${name}.${index}`;
    checkKind(server, at, one, 'object');
    return defined(declared(one, at));
  });

/** The text given, or that of the file: exactly one of both is allowed. */
const textOrFile = (
  server: Construct,
  at: string,
  given: Readonly<Record<string, string | undefined>>,
): string => {
  const { file } = given;
  const [name = ''] = Object.keys(given).filter((one) => one !== 'file');
  const text = given[name];
  if ((file === undefined) === (text === undefined)) {
    throw refusal(server, `${at}: give either file or ${name}.`);
  }
  return text ?? fileText(server, `${at}.file`, file);
};

const defined = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

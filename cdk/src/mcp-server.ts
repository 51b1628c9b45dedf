import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotations, CustomResource, Duration, RemovalPolicy, Stage, Token } from 'aws-cdk-lib';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import type { Compilation, CompiledTool } from './compilation.ts';
import { compiled } from './compile.ts';
import type { Credential } from './credential.ts';
import type { OpenApi } from './open-api.ts';
import { Provider } from './provider.ts';
import type { IHostedMcp } from './service.ts';

/** Who may use a server, besides its owner. */
export interface Access {
  readonly mode: 'owner' | 'allow_list' | 'any_user';
  readonly emails?: readonly string[];
  readonly domains?: readonly string[];
}

/** A document that clients can read. */
export interface ServerResource {
  readonly name: string;
  readonly uri: string;
  /** A file with its text, or the text. */
  readonly file?: string;
  readonly content?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ServerPrompt {
  readonly name: string;
  /** A file with its template, or the template. */
  readonly file?: string;
  readonly template?: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly values?: readonly string[];
  }[];
}

export interface McpServerProps {
  readonly service: IHostedMcp;
  /** Its name in its URL. Another one makes another server, and ends this. */
  readonly slug: string;
  readonly openApi: OpenApi;
  /** What people see; the title of the API if omitted. */
  readonly name?: string;
  /** What clients tell models of it. */
  readonly instructions?: string;
  /** Who is let in: `oauth` (people who sign in) if omitted, `jwt` or `none`. */
  readonly auth?: 'oauth' | 'jwt' | 'none';
  /** Its owner alone if omitted. */
  readonly access?: Access;
  /** Each entry `tag:NAME`, `METHOD /path` or an operationId; all operations if omitted. */
  readonly operations?: {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };
  /** Where the API is, if its description does not say it. May be an attribute of another resource. */
  readonly apiBaseUrl?: string;
  /** By their names; the one that needs none is `main`. */
  readonly credentials?: Readonly<Record<string, Credential>>;
  readonly resources?: readonly ServerResource[];
  readonly prompts?: readonly ServerPrompt[];
  /** Any other member of a declaration, under its name in the API: `overrides`, `tool_mode`, `network`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** With more tools, synth fails. */
  readonly maxTools?: number;
  /** `false`: synth fails where a tool may destroy something. */
  readonly allowDestructive?: boolean;
  /** Takes over a server that is there and that nothing manages. */
  readonly adopt?: boolean;
  /** What becomes of the server without this resource: it stays, unmanaged (`RETAIN`), or goes (`DESTROY`). */
  readonly removalPolicy?: RemovalPolicy;
}

/** More are told in sums, so that a template stays readable. */
const MOST_LINES = 100;
const MOST_CHANGING = 200;

/**
 * An MCP server, declared with the API that it serves. Its tools are compiled at synth: what a person reviews in
 * `cdk diff` is each tool that becomes callable, who may call it, and which credential it carries.
 */
export class McpServer extends Construct {
  /** Where MCP clients connect. */
  public readonly url: string;
  /** In the order of the description. */
  public readonly toolNames: readonly string[];
  /** Of its description, counted from 1. */
  public readonly version: string;

  public constructor(scope: Construct, id: string, props: McpServerProps) {
    super(scope, id);
    const { service, slug, adopt = false, removalPolicy = RemovalPolicy.RETAIN } = props;
    checkUnique(this, slug);
    const declaration = declarationOf(props);
    const tokens = tokenIn(declaration);
    if (tokens !== undefined) {
      throw new Error(
        `${this.node.path}: ${tokens} is known at deployment only. Of a server only apiBaseUrl and secrets may be.`,
      );
    }
    const outdir = Stage.of(this)?.outdir ?? tmpdir();
    const compilation = compiled({ slug, declaration: checkedForm(declaration, props) }, outdir);
    const { tools, tokens: size } = unrefused(this, props.openApi, compilation);
    this.toolNames = tools.map(({ name }) => name);
    checkTools(this, props, tools);

    const text = JSON.stringify(declaration);
    const asset = new Asset(this, 'Declaration', { path: writtenTo(text) });
    const { signIn } = service;
    const { handler } = Provider.of(this, 'trust' in signIn ? signIn.roleName : undefined);
    asset.grantRead(handler);
    if ('token' in signIn) signIn.token.grantRead(handler);
    for (const { secret } of secretsOf(props)) secret.grantRead(handler);

    const resource = new CustomResource(this, 'Resource', {
      resourceType: 'Custom::HostedMcpServer',
      serviceToken: handler.functionArn,
      serviceTimeout: Duration.seconds(300),
      properties: {
        Slug: slug,
        Access: accessText(props),
        Credentials: credentialLines(props),
        Size: `${tools.length} tool${tools.length === 1 ? '' : 's'}, about ${size} tokens`,
        Tools: toolLines(tools),
        Digest: createHash('sha256').update(text).digest('hex'),
        BaseUrl: service.baseUrl,
        ...('token' in signIn ? { Token: signIn.token.secretArn } : { Trust: signIn.trust }),
        Declaration: { Bucket: asset.s3BucketName, Key: asset.s3ObjectKey },
        Secrets: secretReferences(props),
        ...(props.apiBaseUrl !== undefined && { ApiBaseUrl: props.apiBaseUrl }),
        Adopt: String(adopt),
        Removal: removalPolicy === RemovalPolicy.DESTROY ? 'destroy' : 'retain',
      },
    });
    this.url = resource.getAttString('Url');
    this.version = resource.getAttString('Version');
  }
}

/** Two resources of one slug would undo each other. */
const checkUnique = (server: McpServer, slug: string): void => {
  const others = server.node.root.node
    .findAll()
    .filter((one) => one instanceof McpServer && one !== server && slugs.get(one) === slug);
  if (others[0]) {
    throw new Error(
      `${server.node.path}: ${others[0].node.path} declares the slug ${slug} already.`,
    );
  }
  slugs.set(server, slug);
};
const slugs = new WeakMap<object, string>();

/** The declaration as the management API takes it: with texts, and without secrets. */
const declarationOf = (props: McpServerProps): Readonly<Record<string, unknown>> => {
  const { openApi, name, instructions, auth, access, operations, members } = props;
  const { credentials = {}, resources, prompts } = props;
  return defined({
    openapi: openApi.text.replaceAll('\r\n', '\n'),
    name,
    instructions,
    mcp_auth_method: auth,
    access,
    operations,
    resources: resources?.map(({ file, mimeType, ...one }) =>
      defined({
        ...one,
        mime_type: mimeType,
        content: file === undefined ? one.content : readFileSync(file, 'utf8'),
      }),
    ),
    prompts: prompts?.map(({ file, ...one }) =>
      defined({ ...one, template: file === undefined ? one.template : readFileSync(file, 'utf8') }),
    ),
    ...(Object.keys(credentials).length > 0 && {
      credentials: Object.fromEntries(
        Object.entries(credentials).map(([its, { open }]) => [its, open]),
      ),
    }),
    ...members,
  });
};

/** For the compiler: without secrets a credential is one that stays, and an address may be known later only. */
const checkedForm = (
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

const defined = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Where something stands in it that only CloudFormation knows. */
const tokenIn = (value: unknown, at = 'the declaration'): string | undefined => {
  if (Token.isUnresolved(value)) return at;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, one] of Object.entries(value)) {
    const found = tokenIn(one, key);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** @throws Error with every fault and its place */
const unrefused = (server: McpServer, { name, text }: OpenApi, compilation: Compilation) => {
  if ('problem' in compilation) {
    const { problem, findings } = compilation;
    const lines = findings.map(
      ({ where, what, hint }) => `  ${where && `${placeOf(name, text, where)}: `}${what}. ${hint}`,
    );
    throw new Error([`${server.node.path}: ${problem}`, ...lines].join('\n'));
  }
  for (const { where, what, hint } of compilation.warnings) {
    Annotations.of(server).addWarningV2(
      `hosted-mcp:${createHash('sha256').update(`${where}${what}`).digest('hex').slice(0, 8)}`,
      `${where && `${name} ${where}: `}${what}. ${hint}`,
    );
  }
  return compilation;
};

/** Faults of a declaration stand at its members, those of a description in its file. */
const placeOf = (file: string, text: string, where: string): string => {
  const [, first = ''] = where.split('/');
  const isOfDescription =
    !where.startsWith('/') || text.includes(`"${first}"`) || text.includes(`${first}:`);
  return isOfDescription ? `${file} ${where}` : where;
};

const checkTools = (
  { node }: McpServer,
  { maxTools = Infinity, allowDestructive = true }: McpServerProps,
  tools: readonly CompiledTool[],
): void => {
  if (tools.length > maxTools) {
    throw new Error(
      `${node.path}: ${tools.length} tools, and maxTools is ${maxTools}. Choose operations, or raise it.`,
    );
  }
  const destroying = tools.filter(({ effect }) => effect === 'destroys');
  if (allowDestructive || destroying.length === 0) return;
  throw new Error(
    `${node.path}: allowDestructive is false, and these may destroy something: ${destroying.map(({ name }) => name).join(', ')}. Exclude them, or say otherwise in overrides.`,
  );
};

/** `GET    getOrder      reads`, so that each tool is a line of its own in `cdk diff`. */
const toolLines = (tools: readonly CompiledTool[]): readonly string[] => {
  const line = ({ method, name, effect, path }: CompiledTool) =>
    `${method.padEnd(6)} ${name} ${effect} ${path}`;
  if (tools.length <= MOST_LINES) return tools.map(line);
  const changing = tools.filter(({ effect }) => effect !== 'reads');
  const digest = createHash('sha256').update(tools.map(line).join('\n')).digest('hex');
  return [
    `${tools.length} tools, ${changing.length} of which change something; all of them: ${digest.slice(0, 16)}`,
    ...changing.slice(0, MOST_CHANGING).map(line),
  ];
};

const accessText = ({ auth = 'oauth', access = { mode: 'owner' } }: McpServerProps): string =>
  auth === 'oauth'
    ? ['oauth,', access.mode, ...(access.emails ?? []), ...(access.domains ?? [])].join(' ')
    : auth;

const credentialLines = ({ credentials = {} }: McpServerProps): readonly string[] =>
  Object.entries(credentials).map(([name, { open }]) =>
    [name, open['type'], open['name'] ?? open['role_arn'] ?? open['client_id'] ?? '']
      .join(' ')
      .trim(),
  );

const secretsOf = ({ credentials = {} }: McpServerProps) =>
  Object.values(credentials).flatMap(({ secrets }) => Object.values(secrets));

/** Which secret belongs to which member of which credential. */
const secretReferences = ({ credentials = {} }: McpServerProps) =>
  Object.entries(credentials).flatMap(([credential, { secrets }]) =>
    Object.entries(secrets).map(([member, { secret, field }]) => ({
      Credential: credential,
      Member: member,
      Arn: secret.secretArn,
      ...(field !== undefined && { Field: field }),
    })),
  );

/** A file for an asset: its name and its place do not count. */
const writtenTo = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'hosted-mcp-declaration-')), 'declaration.json');
  writeFileSync(file, text);
  return file;
};

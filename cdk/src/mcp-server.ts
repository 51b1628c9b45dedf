import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Annotations, RemovalPolicy, Stack, Stage, Token } from 'aws-cdk-lib';
import type { IGrantable, IPrincipal } from 'aws-cdk-lib/aws-iam';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import type { Compilation, CompiledTool } from './compilation.ts';
import { compiled, kept } from './compile.ts';
import { secretId } from './credential.ts';
import { checkedForm, declarationOf } from './declaration.ts';
import { Provider } from './provider.ts';
import { refusal } from './refusal.ts';
import type { McpServerProps } from './server-props.ts';
import { DeclaredServer } from './declared-server.ts';
import { checkService, type IHostedMcp } from './service.ts';

/** Most tools listed one by one: with more, a template lists only those that change something, up to 200. */
const MOST_LINES = 100;
const MOST_CHANGING = 200;

/**
 * An MCP server, declared with the API that it serves. Its tools are compiled at synth: what a person reviews in `cdk
 * diff` is each tool that becomes callable, who may call it, and which credential it carries.
 */
export class McpServer extends Construct implements IGrantable {
  /** URL where MCP clients connect. */
  public readonly url: string;
  /** Names of the tools, in the order of the description. */
  public readonly toolNames: readonly string[];
  /** Version of the description, counted from 1. */
  public readonly version: string;
  /** The function's role: `key.grantDecrypt(server)` for a key that encrypts a secret of the server. */
  public readonly grantPrincipal: IPrincipal;

  public constructor(scope: Construct, id: string, props: McpServerProps) {
    super(scope, id);
    const declaration = declarationOf(this, props);
    const { service, slug, adopt = false, removalPolicy = RemovalPolicy.RETAIN } = props;
    checkService(this, service);
    checkUnique(this, service, slug);
    deployAfter(this, service);
    const outdir = Stage.of(this)?.outdir ?? tmpdir();
    const compilation = compiled(
      this,
      { slug, declaration: checkedForm(declaration, props) },
      outdir,
    );
    const { tools, tokens: size } = unrefused(this, props.openApi.name, declaration, compilation);
    this.toolNames = tools.map(({ name }) => name);
    checkTools(this, props, tools);

    const text = JSON.stringify(declaration);
    const digest = createHash('sha256').update(text).digest('hex');
    const asset = new Asset(this, 'Declaration', {
      path: kept(outdir, `${digest}.declaration`, text),
    });
    const { signIn } = service;
    const isByToken = signIn.token !== undefined;
    const provider = Provider.of(this, isByToken ? undefined : signIn.roleName);
    provider.letRead(asset);
    this.grantPrincipal = provider.handler.grantPrincipal;
    if (isByToken) provider.letReadSecret(signIn.token);
    for (const { secret } of secretsOf(props)) provider.letReadSecret(secret);

    const resource = new DeclaredServer(this, 'Resource', {
      serviceToken: provider.handler.functionArn,
      removalPolicy,
      properties: {
        Slug: slug,
        Access: accessText(props),
        Credentials: credentialLines(props),
        Size: `${tools.length} tool${tools.length === 1 ? '' : 's'}, about ${size} tokens`,
        Tools: toolLines(tools),
        Digest: digest,
        BaseUrl: service.baseUrl,
        ...(isByToken ? { Token: secretId(this, signIn.token) } : { Trust: signIn.trust }),
        Declaration: { Bucket: asset.s3BucketName, Key: asset.s3ObjectKey },
        Secrets: secretReferences(this, props),
        ...(props.apiBaseUrl !== undefined && { ApiBaseUrl: props.apiBaseUrl }),
        Adopt: String(adopt),
      },
    });
    this.url = Token.asString(resource.getAtt('Url'));
    this.version = Token.asString(resource.getAtt('Version'));
  }
}

/** Two resources of one server would undo each other; at another service the same slug is another server. */
const checkUnique = (server: McpServer, { baseUrl }: IHostedMcp, slug: string): void => {
  // A URL known at deployment only is compared by its expression.
  const address = JSON.stringify([
    Token.isUnresolved(baseUrl) ? Stack.of(server).resolve(baseUrl) : new URL(baseUrl).href,
    slug,
  ]);
  const other = server.node.root.node
    .findAll()
    .find((one) => one instanceof McpServer && one !== server && addresses.get(one) === address);
  if (other) {
    throw refusal(server, `${other.node.path} declares the slug ${slug} already.`);
  }
  addresses.set(server, address);
};
const addresses = new WeakMap<object, string>();

/** Between stages of the app, a pipeline orders the stacks. */
const deployAfter = (server: McpServer, { stack, baseUrl }: IHostedMcp): void => {
  const own = Stack.of(server);
  if (
    stack !== undefined &&
    Token.isUnresolved(baseUrl) &&
    isElsewhere(own.account, stack.account)
  ) {
    throw refusal(
      server,
      `the service is of the account ${stack.account} and this stack of ${own.account}, where no output of it can be read: give the stage a domain, or write new HostedMcpService(…) with its baseUrl.`,
    );
  }
  if (stack === undefined) return;
  if (isWithin(own, stack)) {
    throw refusal(
      server,
      'it stands in the stack of the service, which does not answer before that is deployed: put the server into a stack of its own.',
    );
  }
  if (Stage.of(stack) !== Stage.of(server)) return;
  own.addStackDependency(stack);
};

const isWithin = (one: Stack | undefined, stack: Stack): boolean =>
  one !== undefined && (one === stack || isWithin(one.nestedStackParent, stack));

const isElsewhere = (one: string, other: string): boolean =>
  !Token.isUnresolved(one) && !Token.isUnresolved(other) && one !== other;

/** @throws Error with every fault and its place */
const unrefused = (
  server: McpServer,
  name: string,
  { openapi }: Readonly<Record<string, unknown>>,
  compilation: Compilation,
) => {
  if ('problem' in compilation) {
    const { problem, findings } = compilation;
    const lines = findings.map(
      ({ where, what, hint }) =>
        `  ${where && `${placeOf(name, String(openapi), where)}: `}${what}. ${hint}`,
    );
    throw refusal(server, [problem, ...lines].join('\n'));
  }
  for (const { where, what, hint } of compilation.warnings) {
    Annotations.of(server).addWarningV2(
      `hosted-mcp:${createHash('sha256').update(`${where}${what}`).digest('hex').slice(0, 8)}`,
      `${where && `${name} ${where}: `}${what}. ${hint}`,
    );
  }
  return compilation;
};

/** Prefixes the file to places in the description; other places are in the declaration. */
const placeOf = (file: string, text: string, where: string): string => {
  const [, first = ''] = where.split('/');
  const isOfDescription =
    !where.startsWith('/') || text.includes(`"${first}"`) || text.includes(`${first}:`);
  return isOfDescription ? `${file} ${where}` : where;
};

const checkTools = (
  server: McpServer,
  { maxTools = Infinity, allowDestructive = true }: McpServerProps,
  tools: readonly CompiledTool[],
): void => {
  if (tools.length > maxTools) {
    throw refusal(
      server,
      `${tools.length} tools, and maxTools is ${maxTools}. Choose operations, or raise it.`,
    );
  }
  const destroying = tools.filter(({ effect }) => effect === 'destroys');
  if (allowDestructive || destroying.length === 0) return;
  throw refusal(
    server,
    `allowDestructive is false, and these may destroy something: ${destroying.map(({ name }) => name).join(', ')}. Exclude them, or say otherwise in overrides.`,
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

const secretReferences = (server: McpServer, { credentials = {} }: McpServerProps) =>
  Object.entries(credentials).flatMap(([credential, { secrets }]) =>
    Object.entries(secrets).map(([member, { secret, field }]) => ({
      Credential: credential,
      Member: member,
      Arn: secretId(server, secret),
      ...(field !== undefined && { Field: field }),
    })),
  );

/** How an app loads modules, and how its TypeScript finds them. */
export interface Modules {
  readonly type: 'commonjs' | 'module';
  readonly module: string;
  readonly moduleResolution: string;
}

export interface App {
  readonly id: string;
  readonly node: Node;
  readonly cdk: Cdk;
  /** A package of the installation; undefined: the app is JavaScript. */
  readonly typescript?: keyof typeof TYPESCRIPTS;
  readonly modules: Modules;
}

export type Node = keyof typeof NODES;
export type Cdk = 'oldest' | 'newest';

/** The oldest that is promised, the oldest of the next line that is still given out, and the newest. */
export const NODES = {
  'node-20.0': '20.0.0',
  'node-22': '22.12.0',
  'node-24': '24.21.0',
} as const;

/** The oldest that the types of the CDK can be read with, what teams have, and the two that are new. */
export const TYPESCRIPTS = {
  'typescript-5.0': '5.0.4',
  'typescript-5.9': '5.9.3',
  'typescript-6': '6.0.3',
  'typescript-7': '7.0.2',
} as const;

const COMMONJS: Modules = { type: 'commonjs', module: 'commonjs', moduleResolution: 'node10' };
const NODE16: Modules = { type: 'commonjs', module: 'node16', moduleResolution: 'node16' };
const NODENEXT: Modules = { type: 'module', module: 'nodenext', moduleResolution: 'nodenext' };
const BUNDLER: Modules = { type: 'module', module: 'esnext', moduleResolution: 'bundler' };

/** Each value of each column at least once, and the oldest of everything together. */
export const APPS: readonly App[] = [
  {
    id: 'as-old-as-can-be',
    node: 'node-20.0',
    cdk: 'oldest',
    typescript: 'typescript-5.0',
    modules: COMMONJS,
  },
  {
    id: 'of-cdk-init',
    node: 'node-20.0',
    cdk: 'newest',
    typescript: 'typescript-5.9',
    modules: NODE16,
  },
  {
    id: 'modules',
    node: 'node-20.0',
    cdk: 'newest',
    typescript: 'typescript-6',
    modules: NODENEXT,
  },
  {
    id: 'modules-for-a-bundler',
    node: 'node-22',
    cdk: 'oldest',
    typescript: 'typescript-6',
    modules: BUNDLER,
  },
  { id: 'javascript', node: 'node-22', cdk: 'newest', modules: NODENEXT },
  {
    id: 'as-new-as-can-be',
    node: 'node-24',
    cdk: 'newest',
    typescript: 'typescript-7',
    modules: NODENEXT,
  },
];

/** @param stage - what `config/dev.json` says */
export const sourceOf = ({ typescript }: App, stage: string): string => {
  const isTyped = typescript !== undefined;
  return `
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Credential, HostedMcp, HostedMcpService, McpServer, OpenApi } from '@hosted-mcp/cdk';
${isTyped ? "import type { IHostedMcp, McpServerProps } from '@hosted-mcp/cdk';" : ''}

const app = new App();
const stack = new Stack(app, 'Bookshop');
const token = Secret.fromSecretNameV2(stack, 'Token', 'hosted-mcp/bookshop');
const secret = Secret.fromSecretNameV2(stack, 'Key', 'bookshop/key');
const service${isTyped ? ': IHostedMcp' : ''} = new HostedMcpService(stack, 'HostedMcp', {
  baseUrl: 'https://mcp.example.com/v1',
  token,
});
const shared${isTyped ? ": Pick<McpServerProps, 'access' | 'removalPolicy'>" : ''} = {
  access: { mode: 'allow_list', domains: ['acme.example'] },
  removalPolicy: RemovalPolicy.RETAIN,
};
new McpServer(stack, 'Server', {
  ...shared,
  service,
  slug: 'bookshop',
  openApi: OpenApi.fromAsset('bookshop.yaml'),
  operations: { include: ['tag:books'] },
  credentials: { main: Credential.apiKey({ name: 'X-Key', secret }) },
});
const hosted = new HostedMcp(app, 'Service', { name: 'dev', stage: ${stage.trim()} });
const own = new McpServer(stack, 'Own', {
  service: hosted.signedInBy({ token }),
  slug: 'own',
  openApi: OpenApi.fromAsset('bookshop.yaml'),
});
const names${isTyped ? ': readonly string[]' : ''} = own.toolNames;
if (names.length !== 7) throw new Error(names.join());
app.synth();
${
  isTyped
    ? `
const wrong = () => {
  // @ts-expect-error -- a secret belongs there
  new HostedMcpService(stack, 'Wrong', { baseUrl: 'https://mcp.example.com/v1', token: 'text' });
};
void wrong;`
    : ''
}
`;
};

export const compilerOptions = ({ modules, cdk }: App): object => ({
  target: 'es2022',
  module: modules.module,
  moduleResolution: modules.moduleResolution,
  strict: true,
  // Once with the types of the packages, too.
  skipLibCheck: cdk === 'oldest',
  types: ['node'],
});

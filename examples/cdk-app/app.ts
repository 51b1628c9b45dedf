import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Credential, HostedMcpService, McpServer, OpenApi } from '@hosted-mcp/cdk';
import { join } from 'path';

const app = new App();
const stack = new Stack(app, 'Bookshop');

const service = new HostedMcpService(stack, 'HostedMcp', {
  baseUrl: 'https://mcp.example.com/v1',
  token: Secret.fromSecretNameV2(stack, 'Token', 'hosted-mcp/bookshop'),
});

new McpServer(stack, 'Server', {
  service,
  slug: 'bookshop',
  openApi: OpenApi.fromAsset(join(__dirname, '../bookshop.yaml')),
  name: 'Bookshop',
  operations: {
    include: ['tag:books'],
    exclude: ['DELETE /books/{book_id}', 'PUT /books/{book_id}'],
  },
  access: { mode: 'allow_list', domains: ['acme.example'] },
  credentials: {
    main: Credential.apiKey({
      name: 'X-Key',
      secret: Secret.fromSecretNameV2(stack, 'Key', 'bookshop/key'),
    }),
  },
  resources: [{ name: 'guide', uri: 'docs://guide', file: join(__dirname, '../guide.md') }],
  members: { overrides: { listBooks: { title: 'Find books' } } },
  allowDestructive: false,
  removalPolicy: RemovalPolicy.RETAIN,
});

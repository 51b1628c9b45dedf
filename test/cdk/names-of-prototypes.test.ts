import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packedApp } from '../support/cdk/packed-app.ts';
import { startSynthesizer, type Synthesizer } from '../support/cdk/synthesizer.ts';

let synthesizer: Synthesizer;
beforeAll(async () => {
  synthesizer = await startSynthesizer(await packedApp());
});
afterAll(() => synthesizer.close());

const APP = `
const { App, Stack } = require('aws-cdk-lib');
const { Secret } = require('aws-cdk-lib/aws-secretsmanager');
const { Credential, HostedMcpService, McpServer, OpenApi } = require('@hosted-mcp/cdk');
const app = new App();
const stack = new Stack(app, 'Names', { env: { region: 'eu-central-1' } });
const service = new HostedMcpService(stack, 'HostedMcp', {
  baseUrl: 'https://mcp.example.com/v1',
  token: Secret.fromSecretNameV2(stack, 'Token', 'hosted-mcp/orders'),
});
const secret = Secret.fromSecretNameV2(stack, 'Key', 'orders/key');
for (const name of ['constructor', 'toString', 'valueOf']) {
  new McpServer(stack, 'Server-' + name, {
    service,
    slug: name.toLowerCase(),
    openApi: OpenApi.fromInline({
      openapi: '3.1.0',
      info: { title: 'Names', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: { '/a': { get: { operationId: name, responses: {} } } },
    }),
    credentials: { main: Credential.bearer({ secret, field: name }) },
    resources: [{ name, uri: 'docs://a', content: 'A' }],
    prompts: [{ name, template: '{{' + name + '}}', arguments: [{ name }] }],
    members: { overrides: { [name]: { description: 'Does it.' } } },
  });
}
app.synth();
`;

test('a server, its tool, resource and prompt may be called what every object has', async () => {
  const { fault, stacks } = await synthesizer.synthesis(APP);
  expect(fault).toBeUndefined();
  const { text } = stacks['Names']!;
  for (const name of ['constructor', 'toString', 'valueOf']) {
    expect(text).toContain(`"${name.toLowerCase()}"`);
    expect(text).toContain(name);
  }
  expect(text).not.toContain('native code');
});

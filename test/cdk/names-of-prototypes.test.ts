import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-cdk-names-'));
  const args = ['--no-warnings', 'bin/package-cdk.mjs', '--out', folder];
  const { stdout } = await run(process.execPath, args, { cwd: CHECKOUT });
  const modules = join(folder, 'node_modules');
  const constructs = join(modules, '@hosted-mcp/cdk');
  await mkdir(constructs, { recursive: true });
  const archive = stdout.split('\n', 1)[0] ?? '';
  await run('tar', ['xzf', archive, '-C', constructs, '--strip-components=1']);
  for (const name of ['aws-cdk-lib', 'constructs']) {
    await symlink(join(CHECKOUT, 'node_modules', name), join(modules, name));
  }
});
afterAll(() => rm(folder, { recursive: true }));

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
  const env = { ...process.env, CDK_OUTDIR: join(folder, 'out') };
  await run(process.execPath, ['-e', APP], { cwd: folder, env });

  const template = await readFile(join(folder, 'out/Names.template.json'), 'utf8');
  for (const name of ['constructor', 'toString', 'valueOf']) {
    expect(template).toContain(`"${name.toLowerCase()}"`);
    expect(template).toContain(name);
  }
  expect(template).not.toContain('native code');
});

import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recorded, statefulIn } from '../support/stacks/stateful.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}
interface Synthesized {
  readonly resources: readonly Resource[];
  readonly server: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** An app of another team: CommonJS, with the packed constructs and the CDK of this checkout. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-cdk-app-'));
  const { stdout } = await run(
    process.execPath,
    ['--no-warnings', 'bin/package-cdk.mjs', '--out', folder],
    {
      cwd: CHECKOUT,
    },
  );
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@hosted-mcp/cdk'), { recursive: true });
  const unpack = [
    'xzf',
    stdout.split('\n', 1)[0] ?? '',
    '-C',
    join(modules, '@hosted-mcp/cdk'),
    '--strip-components=1',
  ];
  await run('tar', unpack);
  for (const name of ['aws-cdk-lib', 'constructs', '@types', 'undici-types']) {
    await symlink(join(CHECKOUT, 'node_modules', name), join(modules, name));
  }
  await cp(join(CHECKOUT, 'examples'), join(folder, 'examples'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

const APP = `
const { App, RemovalPolicy, Stack, CfnParameter } = require('aws-cdk-lib');
const { Secret } = require('aws-cdk-lib/aws-secretsmanager');
const { Credential, HostedMcpService, McpServer, OpenApi } = require('@hosted-mcp/cdk');
const app = new App();
const stack = new Stack(app, 'Orders', { env: { region: 'eu-central-1' } });
const service = new HostedMcpService(stack, 'HostedMcp', {
  baseUrl: 'https://mcp.example.com/v1',
  token: Secret.fromSecretNameV2(stack, 'Token', 'hosted-mcp/orders'),
});
const openApi = OpenApi.fromAsset('examples/bookshop.yaml');
`;

/** One process for all apps, since the CDK takes a second to load: a line of JSON for each, and one back. */
const HARNESS = `
const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { code, out } = JSON.parse(line);
  process.env.CDK_OUTDIR = out;
  let fault;
  try {
    new Function('require', code)(require);
  } catch (error) {
    fault = String(error && error.message);
  }
  process.stdout.write(JSON.stringify({ synthesized: fault === undefined, fault }) + '\\n');
});
`;

let synthesizer: ReturnType<typeof spawn>;
let answers: AsyncIterator<string>;
beforeAll(async () => {
  await writeFile(join(folder, 'harness.js'), HARNESS);
  const env = { PATH: process.env['PATH'] };
  synthesizer = spawn(process.execPath, ['harness.js'], { cwd: folder, env, stdio: 'pipe' });
  synthesizer.stderr?.resume();
  answers = createInterface({ input: synthesizer.stdout! })[Symbol.asyncIterator]();
});
afterAll(() => void synthesizer.kill());

let outdir = '';
let count = 0;
/** What the synth of an app says that declares servers so; undefined: it is synthesized. */
const faultOf = async (declares: string): Promise<string | undefined> => {
  count += 1;
  outdir = join(folder, `out-${count}`);
  const code = `${APP}${declares}\napp.synth();`;
  synthesizer.stdin?.write(`${JSON.stringify({ code, out: outdir })}\n`);
  for (;;) {
    const { value = '{}' } = await answers.next();
    if (!value.startsWith('{"synthesized"')) continue;
    return (JSON.parse(value) as { readonly fault?: string }).fault;
  }
};

/** @throws what its synth says */
const synthesized = async (declares: string): Promise<Synthesized> => {
  const fault = await faultOf(declares);
  if (fault !== undefined) throw new Error(fault);
  return templateIn(outdir, 'Orders');
};

const templateIn = async (folderOfApp: string, name: string): Promise<Synthesized> => {
  const text = await readFile(join(folderOfApp, `${name}.template.json`), 'utf8');
  const { Resources = {} } = JSON.parse(text) as { Resources?: Record<string, Resource> };
  const resources = Object.values(Resources);
  const server = resources.find(({ Type }) => Type === 'Custom::HostedMcpServer');
  return { resources, server: server?.Properties ?? {}, text };
};

const refusal = async (declares: string): Promise<string> => {
  const fault = await faultOf(declares);
  if (fault === undefined) throw new Error('it was synthesized');
  return fault;
};

describe('the packed constructs in the app of another team', () => {
  test('make the example: typed, and each tool a line of the template', async () => {
    const example = join(folder, 'examples/cdk-app');
    const tsc = join(CHECKOUT, 'node_modules/typescript-5/bin/tsc');
    await run(process.execPath, [tsc, '--outDir', join(example, 'out')], { cwd: example });
    await cp(join(example, 'out/app.js'), join(example, 'app.js'));
    const out = join(folder, 'out-example');
    const env = { PATH: process.env['PATH'], CDK_OUTDIR: out };
    await run(process.execPath, [join(example, 'app.js')], { cwd: folder, env });
    const { server, text } = await templateIn(out, 'Bookshop');
    expect(server).toMatchObject({
      Slug: 'bookshop',
      Access: 'oauth, allow_list acme.example',
      Credentials: ['main api_key X-Key'],
      Tools: [
        'GET    listBooks reads /books',
        'POST   addBook writes /books',
        'GET    getBook reads /books/{book_id}',
        'GET    getBookCover reads /books/{book_id}/cover',
      ],
    });
    expect(text.length).toBeLessThan(40_000);
  });

  test('let one function read what is named, and nothing else', async () => {
    const { resources } = await synthesized(`
      new McpServer(stack, 'One', { service, slug: 'orders-one', openApi,
        credentials: { main: Credential.bearer({ secret: Secret.fromSecretNameV2(stack, 'K', 'orders/key') }) } });
      new McpServer(stack, 'Two', { service, slug: 'orders-two', openApi });`);
    const functions = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
    expect(functions).toHaveLength(1);
    expect(functions[0]?.Properties).toMatchObject({ Runtime: 'nodejs24.x', Timeout: 240 });
    const policies = resources.filter(({ Type }) => Type === 'AWS::IAM::Policy');
    const text = JSON.stringify(policies);
    const actions = new Set(text.match(/"(?:s3|secretsmanager|kms|logs|dynamodb|sts):[^"]+"/g));
    expect([...actions].toSorted()).toEqual(
      [
        '"logs:CreateLogStream"',
        '"logs:PutLogEvents"',
        '"s3:GetBucket*"',
        '"s3:GetObject*"',
        '"s3:List*"',
        '"secretsmanager:DescribeSecret"',
        '"secretsmanager:GetSecretValue"',
      ].toSorted(),
    );
    expect(resources.filter(({ Type }) => Type === 'Custom::HostedMcpServer')).toHaveLength(2);
  });

  test('leave a credential as it is whose secret somebody else sets', async () => {
    const { server } = await synthesized(`
      const key = Credential.existing({ type: 'api_key', in: 'header', name: 'X-Key' });
      new McpServer(stack, 'One', { service, slug: 'orders', openApi, credentials: { main: key } });`);
    expect(server).toMatchObject({ Credentials: ['main api_key X-Key'], Secrets: [] });
    const { Key } = server['Declaration'] as { readonly Key: string };
    expect(JSON.parse(await readFile(join(outdir, `asset.${Key}`), 'utf8'))).toMatchObject({
      credentials: { main: { type: 'api_key', in: 'header', name: 'X-Key', keep: true } },
    });
  });

  test('sign in by a role of a name that is trusted, without any secret', async () => {
    const { resources, server } = await synthesized(`
      const trusted = new HostedMcpService(stack, 'Trusted', {
        baseUrl: 'https://mcp.example.com/v1', trust: '0f1e2d3c', roleName: 'orders-mcp' });
      new McpServer(stack, 'One', { service: trusted, slug: 'orders', openApi });`);
    expect(server).toMatchObject({ Trust: '0f1e2d3c' });
    expect(server['Token']).toBeUndefined();
    const [role] = resources.filter(({ Type }) => Type === 'AWS::IAM::Role');
    expect(role?.Properties).toMatchObject({ RoleName: 'orders-mcp' });
    expect(JSON.stringify(resources)).not.toContain('secretsmanager:');
  });

  test('change nothing of a template where nothing of a server changes', async () => {
    const server = `new McpServer(stack, 'One', { service, slug: 'orders', openApi });`;
    const [once, again] = [await synthesized(server), await synthesized(server)];
    expect(again.text).toBe(once.text);
  });

  test.each([
    ['a member that there is not', `members: { acess: {} }`, /\/acess: unknown/],
    ['a value that cannot be', `members: { tool_mode: 'serch' }`, /\/tool_mode/],
    [
      'an operation that there is not',
      `operations: { include: ['getNothing'] }`,
      /names no operation/,
    ],
    ['a slug that cannot be', `slug: 'No'`, /slug/i],
    ['more tools than are wanted', `maxTools: 2`, /7 tools, and maxTools is 2/],
    ['a tool that destroys', `allowDestructive: false`, /removeBook/],
    [
      'a description that is none',
      `openApi: OpenApi.fromInline({ openapi: '3.1.0' })`,
      /no operations/,
    ],
    [
      'what is known at deployment only',
      `name: new CfnParameter(stack, 'Name').valueAsString`,
      /name is known at deployment only/,
    ],
  ])('fail the synth for %s', async (_, wrong, what) => {
    const said = await refusal(
      `new McpServer(stack, 'One', { service, slug: 'orders', openApi, ${wrong} });`,
    );
    expect(said).toMatch(what);
    expect(said).toContain('Orders/One');
  });

  test('fail the synth for two of one slug', async () => {
    const one = (id: string) =>
      `new McpServer(stack, '${id}', { service, slug: 'orders', openApi });`;
    expect(await refusal(one('One') + one('Two'))).toContain('declares the slug orders already');
  });

  test('make the service itself, with whatever holds data as a checkout has it', async () => {
    const stage = await readFile(join(CHECKOUT, 'config/prod.json'), 'utf8');
    const { text } = await synthesized(`
      const { HostedMcp } = require('@hosted-mcp/cdk');
      const made = new HostedMcp(app, 'Service', {
        name: 'prod',
        stage: { ...${stage}, region: 'eu-central-1', mail: { from: 'mcp@acme.dev', identity: 'acme.dev' } },
      });
      const token = Secret.fromSecretNameV2(stack, 'Own', 'hosted-mcp/own');
      new McpServer(stack, 'One', { service: made.signedInBy({ token }), slug: 'orders', openApi });`);
    const template = async (name: string) => ({
      toJSON: () => templates[name] ?? {},
    });
    const templates: Record<string, object> = {};
    for (const name of ['Data', 'Service']) {
      const file = join(outdir, `HostedMcp-prod-${name}.template.json`);
      templates[name] = JSON.parse(await readFile(file, 'utf8')) as object;
    }
    const [data, service] = await Promise.all([template('Data'), template('Service')]);
    expect(statefulIn({ data, service } as Parameters<typeof statefulIn>[0])).toEqual(recorded());
    expect(text).toContain('HostedMcp-prod-Service');
  });

  test('carry the code that a template has as text', async () => {
    const stage = await readFile(join(CHECKOUT, 'config/dev.json'), 'utf8');
    await synthesized(`
      const { HostedMcp } = require('@hosted-mcp/cdk');
      new HostedMcp(app, 'Service', { name: 'dev', stage: ${stage} });`);
    const data = await readFile(join(outdir, 'HostedMcp-dev-Data.template.json'), 'utf8');
    const codes = [...data.matchAll(/"ZipFile": "(.*)"/g)].map(([, code = '']) => code.length);
    expect(Math.min(...codes)).toBeGreaterThan(500);
  });

  test.each([
    ['a key that there is not', `{ retain: true }`, /the stage prod: .*retain/],
    ['no JSON of a stage', `{}`, /retain_data/],
  ])('refuse %s in the words of a checkout', async (_, stage, why) => {
    const said = await refusal(`
      const { HostedMcp } = require('@hosted-mcp/cdk');
      new HostedMcp(app, 'Service', { name: 'prod', stage: ${stage} });`);
    expect(said).toMatch(why);
  });

  test('hand on the address of another resource, which is known at deployment', async () => {
    const { server } = await synthesized(`
      const api = new CfnParameter(stack, 'Api').valueAsString;
      new McpServer(stack, 'One', { service, slug: 'orders', openApi, apiBaseUrl: api });`);
    expect(server['ApiBaseUrl']).toEqual({ Ref: 'Api' });
  });
});

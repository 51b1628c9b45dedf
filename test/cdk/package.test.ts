import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CHECKOUT, packedApp } from '../support/cdk/packed-app.ts';
import {
  appWith,
  stacksIn,
  startSynthesizer,
  type Synthesis,
  type SynthesizedStack,
  type Synthesizer,
} from '../support/cdk/synthesizer.ts';
import { recorded, statefulIn } from '../support/stacks/stateful.ts';

const run = promisify(execFile);

/** CommonJS, with the packed constructs and the CDK of this checkout. */
let folder: string;
let synthesizer: Synthesizer;
beforeAll(async () => {
  folder = await packedApp();
  synthesizer = await startSynthesizer(folder);
});
afterAll(() => synthesizer.close());

let last: Synthesis;
/** @throws what its synth says */
const synthesized = async (declares: string): Promise<SynthesizedStack> => {
  last = await synthesizer.synthesis(appWith(declares));
  if (last.fault !== undefined) throw new Error(last.fault);
  return stackNamed('Orders');
};

const stackNamed = (name: string): SynthesizedStack => {
  const found = last.stacks[name];
  if (!found) throw new Error(`there is no stack ${name}`);
  return found;
};

const refusal = async (declares: string): Promise<string> => {
  const { fault } = await synthesizer.synthesis(appWith(declares));
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
    const env = { PATH: process.env['PATH'], CDK_OUTDIR: out, CDK_VALIDATION: 'false' };
    await run(process.execPath, [join(example, 'app.js')], { cwd: folder, env });
    const { server, text } = stacksIn(out)['Bookshop']!;
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
        '"s3:GetObject"',
        '"secretsmanager:DescribeSecret"',
        '"secretsmanager:GetSecretValue"',
      ].toSorted(),
    );
    expect(resources.filter(({ Type }) => Type === 'Custom::HostedMcpServer')).toHaveLength(2);
  });

  test.each([
    // Secrets Manager would take `secret` for the random ending of an ARN.
    ['by its name', `Secret.fromSecretNameV2(stack, 'K', 'orders-secret')`, 'orders-secret'],
    [
      'of an ARN without its ending',
      `Secret.fromSecretPartialArn(stack, 'K', 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:orders-secret')`,
      'orders-secret',
    ],
    [
      'of another region',
      `Secret.fromSecretPartialArn(stack, 'K', 'arn:aws:secretsmanager:us-east-1:111122223333:secret:orders-key')`,
      'arn:aws:secretsmanager:us-east-1:111122223333:secret:orders-key',
    ],
    [
      'by its complete ARN',
      `Secret.fromSecretCompleteArn(stack, 'K', 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:orders-key-AbCdEf')`,
      'arn:aws:secretsmanager:eu-central-1:111122223333:secret:orders-key-AbCdEf',
    ],
  ])('name a secret %s as Secrets Manager finds it', async (_, secret, id) => {
    const { server } = await synthesized(`
      new McpServer(stack, 'One', { service, slug: 'orders', openApi,
        credentials: { main: Credential.bearer({ secret: ${secret} }) } });`);
    expect(server).toMatchObject({ Token: 'hosted-mcp/orders', Secrets: [{ Arn: id }] });
  });

  test('let the function use the keys of secrets that other stacks made, and no others', async () => {
    const { resources } = await synthesized(`
      const { Key } = require('aws-cdk-lib/aws-kms');
      const key = (id) => Key.fromKeyArn(stack, id, 'arn:aws:kms:eu-central-1:111122223333:key/' + id);
      const secret = Secret.fromSecretAttributes(stack, 'K', { encryptionKey: key('known'),
        secretCompleteArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:orders-key-AbCdEf' });
      const server = new McpServer(stack, 'One', { service, slug: 'orders', openApi,
        credentials: { main: Credential.bearer({ secret }) } });
      key('granted').grantDecrypt(server);`);
    const policies = resources.filter(({ Type }) => Type === 'AWS::IAM::Policy');
    const statements = policies.flatMap(
      ({ Properties }) =>
        (Properties as { PolicyDocument: { Statement: object[] } }).PolicyDocument.Statement,
    );
    expect(statements.filter((one) => JSON.stringify(one).includes('kms:'))).toEqual([
      {
        Effect: 'Allow',
        Action: 'kms:Decrypt',
        Resource: 'arn:aws:kms:eu-central-1:111122223333:key/known',
        Condition: {
          StringEquals: {
            'kms:ViaService': {
              'Fn::Join': ['', ['secretsmanager.eu-central-1.', { Ref: 'AWS::URLSuffix' }]],
            },
          },
        },
      },
      {
        Effect: 'Allow',
        Action: 'kms:Decrypt',
        Resource: 'arn:aws:kms:eu-central-1:111122223333:key/granted',
      },
    ]);
  });

  test('end with the app, also where fake timers of a test never fire', async () => {
    const file = join(folder, 'fake-timers.js');
    const server = `new McpServer(stack, 'One', { service, slug: 'orders-timers', openApi });`;
    await writeFile(file, `globalThis.setImmediate = () => undefined;\n${appWith(server)}`);
    const env = { PATH: process.env['PATH'], CDK_VALIDATION: 'false' };
    await run(process.execPath, [file], { cwd: folder, env, timeout: 60_000 });
  });

  test('leave a credential as it is whose secret somebody else sets', async () => {
    const { server } = await synthesized(`
      const key = Credential.existing({ type: 'api_key', in: 'header', name: 'X-Key' });
      new McpServer(stack, 'One', { service, slug: 'orders', openApi, credentials: { main: key } });`);
    expect(server).toMatchObject({ Credentials: ['main api_key X-Key'], Secrets: [] });
    const { Key } = server['Declaration'] as { readonly Key: string };
    expect(JSON.parse(await readFile(join(last.outdir, `asset.${Key}`), 'utf8'))).toMatchObject({
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

  test('leave limits to the service, whose operator may have raised them, and warn', async () => {
    const { server } = await synthesized(`
      const paths = Object.fromEntries(Array.from({ length: 60 }, (_, index) => ['/things/' + index, {
        get: { operationId: 'getThing' + index, responses: { 200: { description: 'It.' } } } }]));
      new McpServer(stack, 'One', { service, slug: 'orders', apiBaseUrl: 'https://api.example.com',
        openApi: OpenApi.fromInline({ openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths }) });
      const { Annotations } = require('aws-cdk-lib/assertions');
      Annotations.fromStack(stack).hasWarning('/Orders/One',
        require('aws-cdk-lib/assertions').Match.stringLikeRegexp('60 operations.*takes 50.*endpoints_per_deployment'));`);
    expect(server['Size']).toMatch(/^60 tools/);
  });

  test('fail the synth for two of one slug', async () => {
    const one = (id: string) =>
      `new McpServer(stack, '${id}', { service, slug: 'orders', openApi });`;
    expect(await refusal(one('One') + one('Two'))).toContain('declares the slug orders already');
  });

  test('make the service itself, with whatever holds data as a checkout has it', async () => {
    const stage = await readFile(join(CHECKOUT, 'config/prod.json'), 'utf8');
    const { text } = await synthesized(`
      const made = new HostedMcp(app, 'Service', {
        name: 'prod',
        stage: { ...${stage}, region: 'eu-central-1', mail: { from: 'mcp@acme.dev', identity: 'acme.dev' } },
      });
      new McpServer(stack, 'One', { service: made.signedInBy({ token }), slug: 'orders', openApi });`);
    const template = (name: string) => ({
      toJSON: () => stackNamed(`HostedMcp-prod-${name}`).template,
    });
    const [data, service] = [template('Data'), template('Service')];
    expect(statefulIn({ data, service } as Parameters<typeof statefulIn>[0])).toEqual(recorded());
    expect(text).toContain('HostedMcp-prod-Service');
  });

  test('carry the code that a template has as text', async () => {
    const stage = await readFile(join(CHECKOUT, 'config/dev.json'), 'utf8');
    await synthesized(`
      new HostedMcp(app, 'Service', { name: 'dev', stage: ${stage} });`);
    const { text } = stackNamed('HostedMcp-dev-Data');
    const codes = [...text.matchAll(/"ZipFile": "(.*)"/g)].map(([, code = '']) => code.length);
    expect(Math.min(...codes)).toBeGreaterThan(500);
  });

  test.each([
    ['a key that there is not', `{ retain: true }`, /the stage prod: .*retain/],
    ['no JSON of a stage', `{}`, /retain_data/],
  ])('refuse %s in the words of a checkout', async (_, stage, why) => {
    const said = await refusal(`
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

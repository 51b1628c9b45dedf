import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CHECKOUT, packedApp } from '../support/cdk/packed-app.ts';
import {
  appWith,
  startSynthesizer,
  type SynthesizedStack,
  type Synthesizer,
} from '../support/cdk/synthesizer.ts';

let synthesizer: Synthesizer;
beforeAll(async () => {
  synthesizer = await startSynthesizer(await packedApp());
});
afterAll(() => synthesizer.close());

const faultOf = async (declares: string): Promise<string> => {
  const { fault } = await synthesizer.synthesis(appWith(declares));
  return fault ?? 'it was synthesized';
};

const serverWith = (props: string): string =>
  `new McpServer(stack, 'One', { service, slug: 'orders', openApi, ${props} });`;
const serviceWith = (props: string): string =>
  `new HostedMcpService(stack, 'Other', { ${props} });`;

const SECRET = `Secret.fromSecretNameV2(stack, 'Key', 'orders/key')`;

describe('whatever cannot be meant ends the synth with the path of its construct and what helps', () => {
  test.each([
    ['an address without TLS', `baseUrl: 'http://mcp.example.com/v1', token`, /begin with https/],
    ['one of this machine', `baseUrl: 'http://localhost:3000/v1', token`, /begin with https/],
    ['an address without its version', `baseUrl: 'https://mcp.example.com', token`, /end in \/v1/],
    ['one with a slash behind it', `baseUrl: 'https://mcp.example.com/v1/', token`, /end in \/v1/],
    ['one with a password in it', `baseUrl: 'https://a:b@mcp.example.com/v1', token`, /end in/],
    ['no address', `baseUrl: 'mcp.example.com/v1', token`, /baseUrl is no URL/],
    ['none at all', `token`, /baseUrl is missing/],
    ['no way to sign in', `baseUrl`, /give token, or trust and roleName/],
    ['half of one', `baseUrl, trust: '4711'`, /give token, or trust and roleName/],
    ['two of them', `baseUrl, token, trust: '4711', roleName: 'orders'`, /not both/],
    [
      'a token as a text',
      `baseUrl, token: 'hmt_4711'`,
      /token has to be a secret of AWS Secrets Manager/,
    ],
    [
      'a value as a token',
      `baseUrl, token: SecretValue.unsafePlainText('x')`,
      /Secret\.fromSecret/,
    ],
    ['an ARN as a name', `baseUrl, trust: '4711', roleName: 'arn:aws:iam::1:role/x'`, /roleName/],
    ['a misspelt property', `baseUrl, token, baseURL: ''`, /baseURL: there is no such property/],
  ])('of a service: %s', async (_, props, what) => {
    const said = await faultOf(serviceWith(props));
    expect(said).toMatch(what);
    expect(said).toMatch(/^Orders\/Other: /);
    expect(said).not.toContain('Token[');
  });

  test.each([
    ['a secret as a credential', `credentials: { main: ${SECRET} }`, /main has to be a Credential/],
    ['a text as one', `credentials: { main: 'geheim' }`, /main has to be a Credential/],
    ['a secret as its field', `credentials: { a: Credential.bearer(${SECRET}) }`, /\{ secret \}/],
    ['a text as it', `credentials: { a: Credential.bearer({ secret: 'x' }) }`, /credentials\.a/],
    [
      'a secret in the open',
      `credentials: { main: Credential.of({ type: 'bearer', token: 'geheim' }) }`,
      /token/,
    ],
    ['a list of nobody', `access: { mode: 'allow_list' }`, /name emails or domains/],
    [
      'a list that does not count',
      `access: { mode: 'owner', domains: ['a.example'] }`,
      /leave them/,
    ],
    ['access beside none', `auth: 'none', access: { mode: 'owner' }`, /leave out one of the two/],
    ['access among the members', `members: { access: { mode: 'any_user' } }`, /property access/],
    ['a credential there', `members: { credentials: {} }`, /property credentials/],
    ['a snapshot', `removalPolicy: RemovalPolicy.SNAPSHOT`, /no snapshots of servers/],
    ['no description', `openApi: undefined`, /openApi is missing/],
    ['a path as one', `openApi: 'openapi.yaml'`, /openApi: write OpenApi\.fromAsset/],
    [
      'a file that is missing',
      `openApi: OpenApi.fromAsset('no.yaml')`,
      /\/no\.yaml cannot be read/,
    ],
    ['a folder', `openApi: OpenApi.fromAsset('examples')`, /EISDIR/],
    [
      'a missing file of a resource',
      `resources: [{ name: 'guide', uri: 'docs://guide', file: 'no.md' }]`,
      /resources\.0\.file: .*\/no\.md cannot be read/,
    ],
    ['a resource without a text', `resources: [{ name: 'a', uri: 'docs://a' }]`, /either file or/],
    ['a prompt with two', `prompts: [{ name: 'a', file: 'a', template: 'b' }]`, /either file or/],
    ['what is no list', `resources: {}`, /resources has to be a list/],
    ['a misspelt property', `allowDestrutive: false`, /allowDestrutive: there is no such property/],
    ['a number as a text', `maxTools: '3'`, /maxTools has to be a whole number/],
    [
      'a slug of later',
      `slug: new CfnParameter(stack, 'S').valueAsString`,
      /^Orders\/One: slug is/,
    ],
    [
      'a part of later',
      `members: { overrides: { listBooks: { title: stack.stackId } } }`,
      /overrides\.listBooks\.title is known at deployment only/,
    ],
    [
      'a name of later',
      `members: { overrides: { [stack.stackId]: {} } }`,
      /a name in overrides is known at deployment only/,
    ],
    ['another address without TLS', `apiBaseUrl: 'ftp://x'`, /api_base_url/],
    [
      'a service of its own',
      `service: { baseUrl: 'http://127.0.0.1/v1', signIn: { token } }`,
      /begin with https/,
    ],
    ['no service', `service: null`, /service is missing/],
    ['an address as one', `service: baseUrl`, /service has to be an object/],
    ['a service without an address', `service: { signIn: { token } }`, /baseUrl is no URL/],
    ['a description that is nothing', `openApi: null`, /openApi is missing/],
    ['a file without a path', `openApi: OpenApi.fromAsset()`, /openApi has to be a text/],
    ['a description within', `openApi: OpenApi.fromInline()`, /openApi has to be an object/],
    ['one as a text', `openApi: OpenApi.fromInline('{}')`, /openApi has to be an object/],
    [
      'one that is in itself',
      `openApi: OpenApi.fromInline((() => { const all = {}; all.paths = { all }; return all; })())`,
      /openApi\.paths\.all is in itself/,
    ],
    [
      'one with an address of later',
      `openApi: OpenApi.fromInline({ servers: [{ url: Fn.getAtt('Api', 'Url') }] })`,
      /openApi\.servers\.0\.url is known at deployment only/,
    ],
    [
      'one that is too large',
      `openApi: OpenApi.fromInline({ openapi: '3.1.0', 'x-long': 'x'.repeat(21_000_000) })`,
      /at most 20971520 are accepted/,
    ],
    ['a slug that is none', `slug: 4711`, /slug has to be a text/],
    ['an empty name', `name: ''`, /name has to be a text that is not empty/],
    ['no number of tools', `maxTools: NaN`, /maxTools has to be a whole number/],
    [
      'one of later',
      `maxTools: new CfnParameter(stack, 'N', { type: 'Number' }).valueAsNumber`,
      /maxTools has to be a whole number/,
    ],
    ['a word for yes', `allowDestructive: 'no'`, /allowDestructive has to be true or false/],
    [
      'nobody as a list',
      `access: { mode: 'allow_list', emails: null }`,
      /access\.emails has to be a li/,
    ],
    [
      'one as a list',
      `access: { mode: 'allow_list', emails: 'a@a.com' }`,
      /access\.emails has to be/,
    ],
    ['access without its mode', `access: { domains: ['a.example'] }`, /mode has to be 'owner' or/],
    ['a resource that is none', `resources: [null]`, /resources\.0 has to be an object/],
    ['a prompt that is none', `prompts: [undefined]`, /prompts\.0 has to be an object/],
    [
      'a file by its number',
      `resources: [{ name: 'a', uri: 'docs://a', file: 0 }]`,
      /resources\.0\.file has to be a text/,
    ],
    ['no credential', `credentials: { main: undefined }`, /main has to be a Credential/],
    [
      'a key of nothing',
      `credentials: { main: Credential.apiKey() }`,
      /credentials\.main: its value/,
    ],
    ['a role of nothing', `credentials: { main: Credential.role() }`, /\/credentials\/main/],
    ['a client of nothing', `credentials: { main: Credential.oauthClient() }`, /client_secret has/],
    ['a kind alone', `credentials: { main: Credential.of('aws') }`, /credentials/],
    [
      'a credential for nowhere',
      `credentials: { main: Credential.existing({ type: 'bearer' }).onlyFor({}) }`,
      /credentials\.main: onlyFor names neither/,
    ],
    [
      'a function',
      `members: { overrides: { listBooks: { hidden: () => true } } }`,
      /overrides\.listBooks\.hidden is a Function/,
    ],
    ['a map', `members: { overrides: new Map([['listBooks', {}]]) }`, /overrides is a Map/],
    ['no number', `members: { limits: { calls: 1 / 0 } }`, /limits\.calls is Infinity/],
  ])('of a server: %s', async (_, props, what) => {
    const said = await faultOf(serverWith(props));
    expect(said).toMatch(what);
    expect(said).toMatch(/^Orders\/One: /);
    expect(said).not.toContain('Token[');
    expect(said).not.toContain('geheim');
  });

  test('a snapshot that a policy of the stack asks for', async () => {
    const said = await faultOf(`${serverWith('')} RemovalPolicies.of(stack).snapshot();`);
    expect(said).toContain('no snapshots of servers');
  });

  test.each([
    ['no name', `{ stage: {} }`, /name is missing/],
    ['the path of a file', `{ name: 'prod', stage: 'config/prod.json' }`, /stage has to be an obj/],
    ['a name that cannot be', `{ name: 'Prod', stage: {} }`, /"Prod" is no name of a stage/],
    ['a name of later', `{ name: stack.stackId, stage: {} }`, /name is known at deployment only/],
    [
      'a topic of the app',
      `{ name: 'prod', stage: { alarm_topic_arn: stack.stackId } }`,
      /stage\.alarm_topic_arn is known at deployment only/,
    ],
    ['a stage that is none', `{ name: 'prod', stage: null }`, /stage is missing/],
  ])('of the service itself: %s', async (_, props, what) => {
    const said = await faultOf(`new HostedMcp(app, 'Service', ${props});`);
    expect(said).toMatch(what);
    expect(said).toMatch(/^Service: /);
  });
});

describe('the servers of an app', () => {
  const STAGE = readFileSync(join(CHECKOUT, 'config/dev.json'), 'utf8');
  const at = (id: string, props: string): string =>
    `new HostedMcpService(stack, '${id}', { token, ${props} })`;

  test.each([
    ['written otherwise', `'https://mcp.example.com/v1'`, `'https://MCP.example.com:443/v1'`],
    ['of one parameter', `Fn.importValue('BaseUrl')`, `Fn.importValue('BaseUrl')`],
  ])('are not two of one slug at one address, %s', async (_, one, other) => {
    const declares = [one, other].map(
      (url, index) => `new McpServer(stack, 'Server${index}', {
        service: ${at(`At${index}`, `baseUrl: ${url}`)}, slug: 'orders', openApi });`,
    );
    expect(await faultOf(declares.join(''))).toBe(
      'Orders/Server1: Orders/Server0 declares the slug orders already.',
    );
  });

  test('a server in the stack of its own service', async () => {
    const said = await faultOf(`
      const hosted = new HostedMcp(app, 'Service', { name: 'dev', stage: ${STAGE} });
      new McpServer(hosted.serviceStack, 'One', { slug: 'orders', openApi, service: hosted.signedInBy({ token }) });`);
    expect(said).toMatch(/One: it stands in the stack of the service.* a stack of its own/);
  });

  test('sign in by something at the service that is made beside them', async () => {
    const said = await faultOf(`
      const hosted = new HostedMcp(app, 'Service', { name: 'dev', stage: ${STAGE} });
      new McpServer(stack, 'One', { service: hosted, slug: 'orders', openApi });`);
    expect(said).toMatch(/^Orders\/One: .*write service: hosted\.signedInBy\(\{ token \}\)/);
  });

  test('read no output of a stack of another account', async () => {
    const said = await faultOf(`
      const hosted = new HostedMcp(app, 'Service', {
        name: 'dev', stage: { ...${STAGE}, account: '111122223333', region: 'eu-central-1' } });
      const theirs = new Stack(app, 'Theirs', { env: { account: '444455556666', region: 'eu-central-1' } });
      new McpServer(theirs, 'One', { slug: 'orders', openApi,
        service: hosted.signedInBy({ trust: '4711', roleName: 'orders' }) });`);
    expect(said).toMatch(/^Theirs\/One: the service is of the account 111122223333/);
  });

  test.each([
    [
      'the app',
      `new McpServer(app, 'One', { service, slug: 'orders', openApi });`,
      /at 'One' should be/,
    ],
    [
      'nothing',
      `new McpServer(undefined, 'One', { service, slug: 'orders', openApi });`,
      /at 'One' should be/,
    ],
  ])('stand in a stack, and not in %s', async (_, declares, what) => {
    expect(await faultOf(declares)).toMatch(what);
  });
});

describe('a policy of removal is carried out by the function', () => {
  const serverIn = async (declares: string): Promise<SynthesizedStack> => {
    const { fault, stacks } = await synthesizer.synthesis(appWith(declares));
    expect(fault).toBeUndefined();
    return stacks['Orders']!;
  };

  test.each([
    ['if none is said', serverWith(''), 'retain'],
    ['of its own', serverWith('removalPolicy: RemovalPolicy.DESTROY'), 'destroy'],
    ['of its stack', `${serverWith('')} RemovalPolicies.of(stack).destroy();`, 'destroy'],
    ['that keeps', `${serverWith('')} RemovalPolicies.of(stack).retain();`, 'retain'],
    [
      'that keeps in any case',
      `${serverWith('')} RemovalPolicies.of(stack).retainOnUpdateOrDelete();`,
      'retain',
    ],
  ])('%s', async (_, declares, removal) => {
    const { resources, server } = await serverIn(declares);
    expect(server['Removal']).toBe(removal);
    // Otherwise the function would never hear of the removal.
    const { DeletionPolicy } = resources.find(({ Type }) => Type === 'Custom::HostedMcpServer')!;
    expect(DeletionPolicy).toBe('Delete');
  });
});

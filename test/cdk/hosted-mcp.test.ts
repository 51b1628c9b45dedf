import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CHECKOUT, packedApp } from '../support/cdk/packed-app.ts';
import {
  appWith,
  startSynthesizer,
  type Synthesis,
  type Synthesizer,
} from '../support/cdk/synthesizer.ts';
import { exportFaults } from '../support/stacks/exports.ts';
import { PROD, synthesized } from '../support/stacks/synthesized.ts';

let synthesizer: Synthesizer;
let stage: string;
beforeAll(async () => {
  synthesizer = await startSynthesizer(await packedApp());
  const prod = await readFile(join(CHECKOUT, 'config/prod.json'), 'utf8');
  stage = `{ ...${prod}, mail: { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' } }`;
});
afterAll(() => synthesizer.close());

const made = async (declares: string): Promise<Synthesis> => {
  const synthesis = await synthesizer.synthesis(appWith(declares));
  expect(synthesis.fault).toBeUndefined();
  return synthesis;
};

type Templates = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
const templatesOf = ({ stacks }: Synthesis): Templates =>
  Object.fromEntries(Object.entries(stacks).map(([name, { template }]) => [name, template]));

const hosted = (more = ''): string => `
  const made = new HostedMcp(app, 'Service', {
    name: 'prod', stage: { ...${stage}, region: 'eu-central-1', ${more} } });
  new McpServer(stack, 'One', { service: made.signedInBy({ token }), slug: 'orders', openApi });`;

/** What a template says beside where its code is, which the assets of a test do not tell. */
const comparable = (template: object): unknown =>
  JSON.parse(
    JSON.stringify(template, (key, value: unknown) =>
      [
        'Metadata',
        'Code',
        'Content',
        'ZipFile',
        'S3Key',
        'Conditions',
        'Rules',
        'Parameters',
      ].includes(key) || key === 'CDKMetadata'
        ? undefined
        : value,
    )
      .replaceAll(/CurrentVersion[0-9a-f]{40}|[0-9a-f]{64}|Core[0-9A-F]{8}/gi, 'VERSION')
      // Permissions of rules of events are named by their way through the app; they hold nothing.
      .replaceAll(
        /AllowEventRule(?:Service)?(\w+?)(?:[0-9A-F]{16}|[0-9A-F]{8})(?=")/g,
        'AllowEventRule$1',
      ),
  );

describe('the service in an app without any feature flags', () => {
  test('exports nothing and imports nothing', async () => {
    const templates = templatesOf(await made(hosted()));
    expect(JSON.stringify(templates)).not.toMatch(/"Export"|Fn::ImportValue/);
    expect(Object.keys(templates).toSorted()).toEqual([
      'HostedMcp-prod-Data',
      'HostedMcp-prod-Service',
      'Orders',
    ]);
  });

  test('has the resources, outputs and references of a checkout', async () => {
    const templates = templatesOf(await made(hosted()));
    const checkout = synthesized({ region: 'eu-central-1' }, PROD);
    for (const [name, template] of [
      ['HostedMcp-prod-Data', checkout.data],
      ['HostedMcp-prod-Service', checkout.service],
    ] as const) {
      const packed = comparable(templates[name]!) as { readonly Outputs: object };
      const ours = comparable(template.toJSON()) as { readonly Outputs: object };
      expect(Object.keys(packed.Outputs)).toEqual(Object.keys(ours.Outputs));
      expect(packed).toEqual(ours);
    }
  });

  test('rotates its signing keys, and moves to a checkout and back, by the rules of CloudFormation', async () => {
    const packed = async (keys: readonly number[]) =>
      templatesOf(await made(hosted(`signing_keys: ${JSON.stringify(keys)}`)));
    const checkout = (signingKeys: readonly number[], orders: Templates): Templates => {
      const { data, service } = synthesized({ region: 'eu-central-1', signingKeys }, PROD);
      return {
        ...orders,
        'HostedMcp-prod-Data': data.toJSON(),
        'HostedMcp-prod-Service': service.toJSON(),
      };
    };
    const [one, both, two, next] = [
      await packed([1]),
      await packed([1, 2]),
      await packed([2, 1]),
      await packed([2, 3]),
    ];
    const steps = [one, both, two, next, checkout([2, 3], next), checkout([3], next), next];
    expect(
      exportFaults(steps, ['HostedMcp-prod-Data', 'HostedMcp-prod-Service', 'Orders']),
    ).toEqual([]);
  });

  test('the same rules refuse an export that is in use', () => {
    const producer = (value: string) => ({
      Outputs: { A: { Value: value, Export: { Name: 'a' } } },
    });
    const consumer = { Resources: { B: { Properties: { C: { 'Fn::ImportValue': 'a' } } } } };
    const before = { P: producer('1'), C: consumer };
    expect(exportFaults([before, { P: producer('2'), C: consumer }], ['P', 'C'])).toEqual([
      'P: the export a is in use by C and would change',
    ]);
    expect(exportFaults([before, { P: {}, C: {} }], ['P', 'C'])).toEqual([
      'P: the export a is in use by C and would go',
    ]);
  });

  test('tags what is its own, and nothing else of the app', async () => {
    const { stacks } = await made(
      `new Bucket(stack, 'Theirs'); Tags.of(app).add('team', 'orders'); ${hosted()}`,
    );
    const tagsOf = (name: string, type: string) =>
      stacks[name]?.resources.find(({ Type }) => Type === type)?.Properties['Tags'];
    expect(tagsOf('Orders', 'AWS::S3::Bucket')).toEqual([{ Key: 'team', Value: 'orders' }]);
    expect(tagsOf('HostedMcp-prod-Data', 'AWS::S3::Bucket')).toEqual([
      { Key: 'Application', Value: 'hosted-mcp' },
      { Key: 'Stage', Value: 'prod' },
      { Key: 'team', Value: 'orders' },
    ]);
  });

  test('hands its address to the servers of the app, which are deployed after it', async () => {
    const { stacks, outdir } = await made(hosted());
    expect(stacks['Orders']?.server['BaseUrl']).toMatchObject({
      'Fn::GetStackOutput': { StackName: 'HostedMcp-prod-Service', OutputName: 'BaseUrl' },
    });
    const { artifacts } = JSON.parse(await readFile(join(outdir, 'manifest.json'), 'utf8')) as {
      readonly artifacts: Readonly<Record<string, { readonly dependencies?: readonly string[] }>>;
    };
    expect(artifacts['Orders']?.dependencies?.join()).toMatch(/HostedMcp-?prod-?Service/);
  });
});

describe('one app for two environments', () => {
  const environments = (slugs: readonly string[], urls: readonly string[]): string =>
    slugs
      .map(
        (slug, index) => `
    const cdkStage${index} = new Stage(app, 'Env${index}', {
      env: { account: '${index + 1}11122223333', region: 'eu-central-1' } });
    const stack${index} = new Stack(cdkStage${index}, 'Orders');
    new McpServer(stack${index}, 'One', { slug: '${slug}', openApi,
      service: new HostedMcpService(stack${index}, 'HostedMcp', {
        baseUrl: '${urls[index]}', trust: '4711', roleName: 'orders-mcp' }) });`,
      )
      .join('');

  test('has the same slug at two services, and not twice at one', async () => {
    const urls = ['https://dev.example.com/v1', 'https://prod.example.com/v1'];
    const { stacks } = await made(environments(['orders', 'orders'], urls));
    expect(Object.keys(stacks)).toEqual(expect.arrayContaining(['Env0-Orders', 'Env1-Orders']));
    const { fault } = await synthesizer.synthesis(
      appWith(environments(['orders', 'orders'], [urls[0]!, urls[0]!])),
    );
    expect(fault).toBe('Env1/Orders/One: Env0/Orders/One declares the slug orders already.');
  });

  test('has a service in each, whoever is signed in where', async () => {
    const two = ['dev', 'prod'].map(
      (name, index) => `
      const env${index} = new Stage(app, '${name}', {
        env: { account: '${index + 1}11122223333', region: 'eu-central-1' } });
      const made${index} = new HostedMcp(env${index}, 'Service', { name: '${name}', stage: ${stage} });
      new McpServer(new Stack(env${index}, 'Api'), 'One', { slug: 'orders', openApi,
        service: made${index}.signedInBy({ trust: '4711', roleName: 'orders-mcp' }) });`,
    );
    const elsewhere = `process.env.CDK_DEFAULT_ACCOUNT = '999999999999';`;
    const { stacks } = await made(`${elsewhere} ${two.join('')}`);
    expect(Object.keys(stacks)).toEqual(
      expect.arrayContaining(['HostedMcp-dev-Data', 'HostedMcp-prod-Service', 'dev-Api']),
    );
    expect(stacks['prod-Api']?.text).toContain('"StackName": "HostedMcp-prod-Service"');
  });

  test('has no two services that would be one stack', async () => {
    const service = (at: string, account: number, more: string) => `
      new HostedMcp(new Stage(app, '${at}', {
        env: { account: '${account}11122223333', region: 'eu-central-1' } }), 'Service', {
        name: '${more}', stage: ${stage} });`;
    const both = service('Dev', 1, 'mcp') + service('Prod', 1, 'mcp');
    const { fault } = await synthesizer.synthesis(appWith(both));
    expect(fault).toBe(
      'Prod/Service: Dev/Service has the name of this service, and both would be the stack HostedMcp-mcp-Service: give one of them another name.',
    );
    const { stacks } = await made(service('Dev', 1, 'mcp') + service('Prod', 2, 'mcp'));
    expect(Object.keys(stacks)).toContain('HostedMcp-mcp-Service');
  });

  test('is told where a stage names an account that what it names is not of', async () => {
    const topic = `alarm_topic_arn: 'arn:aws:sns:eu-central-1:999999999999:alarms'`;
    const { fault } = await synthesizer.synthesis(
      appWith(`
      const env = new Stage(app, 'Prod', { env: { account: '111122223333', region: 'eu-central-1' } });
      new HostedMcp(env, 'Service', { name: 'prod', stage: { ...${stage}, ${topic} } });`),
    );
    expect(fault).toMatch(/^Prod\/Service: .*it is of the account 999999999999/);
  });
});

import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { NoAnswer } from '../../layers/target/rules/target.ts';
import { checkUrl } from '../../layers/target/client/guard.ts';
import { targetPolicy } from '../../lambdas/wiring/target-policy.ts';
import {
  policiesOf,
  type PolicyTemplate,
  type TemplatePolicies,
} from '../../lib/permissions/policies.ts';
import type { Egress } from '../../lib/stage/egress.ts';
import { stageOf } from '../../lib/stage/stage.ts';
import { callsOthers } from '../../lib/networks/egress.ts';
import { pascalCase } from '../../lib/pascal-case.ts';
import { warningsOf } from '../../lib/stage/warnings.ts';
import { evaluator } from '../../local/aws/iam/evaluate.ts';
import type { Statement } from '../../local/aws/iam/policy.ts';
import { PROD, synthesized, type Synthesized } from '../support/stacks/synthesized.ts';
import { type Resource, resourcesIn } from '../support/stacks/template-graph.ts';

const FILE = {
  retain_data: false,
  mail: { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' },
};
const WAY_OUT = {
  vpc: 'vpc-0123456789abcdef0',
  subnets: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  security_groups: ['sg-0123456789abcdef0'],
};
const reading = (egress: object) => stageOf('dev', JSON.stringify({ ...FILE, egress }));
const EGRESS = reading(WAY_OUT).egress!;

const NAMES = Object.keys(functions) as FunctionName[];
const CALLERS = NAMES.filter((name) => callsOthers.includes(name));

const made = synthesized({ egress: EGRESS });
const without = synthesized();
const left = synthesized({ egress: { ...EGRESS, enabled: false } });

const functionOf = ({ service }: Synthesized, name: FunctionName): [string, Resource] => {
  const id = new RegExp(`^Functions${pascalCase(name)}Function[0-9A-F]{8}$`);
  return Object.entries(resourcesIn(service)).find(([one]) => id.test(one))!;
};
const idsOf = ({ service }: Synthesized, type: string): string[] =>
  Object.entries(resourcesIn(service)).flatMap(([id, { Type }]) => (Type === type ? [id] : []));
const SUBNETS = {
  SubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  SecurityGroupIds: ['sg-0123456789abcdef0'],
};

describe('the way out in the file of a stage', () => {
  test('is read as that of a private network is', () => {
    expect(EGRESS).toEqual({
      vpc: 'vpc-0123456789abcdef0',
      subnets: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
      securityGroups: ['sg-0123456789abcdef0'],
      enabled: true,
    });
    expect(stageOf('dev', JSON.stringify(FILE)).egress).toBeUndefined();
  });

  test('is refused with all that is wrong at once, each with its place', () => {
    expect(() =>
      reading({
        vpc: 'main',
        subnets: [],
        security_groups: ['sg-1', 'sg-1'],
        enabled: 'no',
        subnet: 'x',
      }),
    ).toThrow(
      [
        'config/dev.json: `egress.vpc`: write the id of a VPC, such as vpc-0123456789abcdef0',
        'config/dev.json: `egress.subnets`: write at least one',
        'config/dev.json: `egress.security_groups.0`: write the id of a security group, such as sg-0123456789abcdef0',
      ].join('\n'),
    );
    expect(() => reading({ ...WAY_OUT, subnet: 'x' })).toThrow('did you mean `subnets`?');
    expect(() => reading({ ...WAY_OUT, enabled: 'no' })).toThrow('`egress.enabled`');
    const twice = [...WAY_OUT.subnets, ...WAY_OUT.subnets];
    expect(() => reading({ ...WAY_OUT, subnets: twice })).toThrow(
      '`egress.subnets`: one is there twice',
    );
  });

  test('in one zone alone is warned of, as long as functions are there', () => {
    const one = { ...EGRESS, subnets: EGRESS.subnets.slice(0, 1) };
    const told = (egress: Egress) =>
      warningsOf({ ...PROD, egress }).filter(({ id }) => id === 'hosted-mcp:one-subnet-of-egress');

    expect(told(one)).toEqual([
      expect.objectContaining({ text: expect.stringContaining('`egress.subnets`: name a second') }),
    ]);
    expect(told({ ...one, enabled: false })).toEqual([]);
    expect(told({ ...one, subnets: EGRESS.subnets })).toEqual([]);
  });
});

/** All files that one loads as it runs, itself included. */
const loadedBy = (path: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const imports = /(?<!import type .*)(?:from|import\()\s*'(\.{1,2}\/[^']+\.ts)'/g;
  for (const [, to = ''] of text.matchAll(imports)) {
    loadedBy(fileURLToPath(new URL(to, `file://${path}`)), seen);
  }
  return seen;
};

describe('the functions that call others', () => {
  test('are those that hold the client for it, and no other', () => {
    const holding = NAMES.filter((name) =>
      [...loadedBy(fileURLToPath(new URL(`../../${functions[name].entry}`, import.meta.url)))].some(
        (path) => path.endsWith('/layers/target/client/exchange.ts'),
      ),
    );

    expect(holding).toEqual(CALLERS);
    expect(CALLERS).toEqual(['router', 'oauth', 'identity', 'management', 'connections']);
  });

  test.each(NAMES)('%s is in the subnets if it is one of them', (name) => {
    const { Properties } = functionOf(made, name)[1];

    // Without IPv6, whose addresses in a VPC look like those of everybody.
    expect(Properties?.['VpcConfig']).toEqual(callsOthers.includes(name) ? SUBNETS : undefined);
  });

  test.each(CALLERS)('%s differs in nothing else, so that its guard refuses the same', (name) => {
    const { VpcConfig: _, ...inSubnets } = functionOf(made, name)[1].Properties!;

    expect(inSubnets).toEqual(functionOf(without, name)[1].Properties);
  });

  test.each([
    'https://10.0.0.5/',
    'https://172.31.0.2/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://169.254.169.253/',
    'https://[fd00:ec2::254]/',
    'https://[fd00:ec2::253]/',
    'https://127.0.0.1/',
  ])('go nowhere in the VPC: %s', (address) => {
    const policy = targetPolicy(
      {},
      {
        BASE_URL: 'https://mcp.acme.com/v1',
        DESCRIPTIONS_BUCKET: 'descriptions',
        ANSWERS_BUCKET: 'answers',
      },
    );

    expect(() => checkUrl(policy, new URL(address))).toThrow(NoAnswer);
  });
});

describe('a stage with a way out of its own', () => {
  const templates = [made.data, made.service].map((one) => one.toJSON() as PolicyTemplate);
  const names = { stackName: 'HostedMcp-prod-Data', mail: PROD.mail };
  const readable = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll('${AWS::Partition}', 'aws')
        .replaceAll(/\$\{[^}"]+\}/g, 'x'),
    );
  const roles = readable(policiesOf(templates, names).functions) as Record<
    string,
    readonly Statement[]
  >;
  const may = evaluator({ administrators: [], roles, resources: {}, encryptedWith: {} });
  const can = (role: string, action: string, resource: string, context = {}): boolean =>
    may(role, { action, resource, context }).allowed;
  const SUBNET = 'arn:aws:ec2:x:x:subnet/subnet-0123456789abcdef0';
  const INTERFACE = 'arn:aws:ec2:x:x:network-interface/eni-1';
  const byItsCode = { 'lambda:SourceFunctionArn': 'arn:aws:lambda:x:x:function:x' };

  test('has one managed policy more, of the roles of these functions alone', () => {
    const [id, ...others] = idsOf(made, 'AWS::IAM::ManagedPolicy');
    const { Properties } = resourcesIn(made.service)[id!]!;

    expect(others).toEqual([]);
    expect(Properties!['Roles']).toHaveLength(CALLERS.length);
    expect(Properties).not.toHaveProperty('ManagedPolicyName');
    expect(idsOf(made, 'AWS::IAM::Policy')).toEqual(idsOf(without, 'AWS::IAM::Policy'));
    expect(made.data.toJSON()['Resources']).toEqual(without.data.toJSON()['Resources']);
  });

  test.each(NAMES)('lets Lambda make interfaces for %s if it is one of them', (name) => {
    const isCaller = callsOthers.includes(name);

    expect(can(name, 'ec2:CreateNetworkInterface', SUBNET)).toBe(isCaller);
    expect(can(name, 'ec2:CreateNetworkInterface', INTERFACE)).toBe(isCaller);
    expect(can(name, 'ec2:DeleteNetworkInterface', INTERFACE)).toBe(isCaller);
    expect(can(name, 'ec2:CreateNetworkInterface', `${SUBNET}9`)).toBe(false);
    expect(can(name, 'ec2:DescribeInstances', '*')).toBe(false);
  });

  test.each(
    CALLERS.flatMap((name) =>
      [
        ['ec2:CreateNetworkInterface', SUBNET],
        ['ec2:DeleteNetworkInterface', INTERFACE],
        ['ec2:AssignPrivateIpAddresses', INTERFACE],
        ['ec2:UnassignPrivateIpAddresses', INTERFACE],
        ['ec2:DescribeNetworkInterfaces', '*'],
        ['ec2:DescribeSubnets', '*'],
      ].map(([action = '', resource = '']) => [name, action, resource] as const),
    ),
  )('denies the code of %s: %s', (name, action, resource) => {
    expect(can(name, action, resource)).toBe(true);
    expect(can(name, action, resource, byItsCode)).toBe(false);
  });

  test.each(CALLERS)('has its policy before %s, and publishes that as another version', (name) => {
    const [id, { DependsOn }] = functionOf(made, name);
    const versions = (of: Synthesized) =>
      idsOf(of, 'AWS::Lambda::Version').filter((one) =>
        JSON.stringify(resourcesIn(of.service)[one]!.Properties!['FunctionName']).includes(id),
      );

    expect(DependsOn).toEqual(expect.arrayContaining([...idsOf(made, 'AWS::IAM::ManagedPolicy')]));
    expect(versions(made)).not.toEqual(versions(without));
  });

  test('has room in its policy for as many subnets and groups as Lambda takes', () => {
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(17, '0')}`);
    const { egress } = reading({
      ...WAY_OUT,
      subnets: many('subnet', 16),
      security_groups: many('sg', 5),
    });
    const Resources = Object.fromEntries(
      Object.entries(resourcesIn(synthesized({ egress }).service)).filter(
        ([, { Type }]) => Type === 'AWS::IAM::ManagedPolicy',
      ),
    );
    const { router } = policiesOf([{ Resources }], names).functions;
    const text = JSON.stringify({ Version: '2012-10-17', Statement: router })
      .replaceAll('${AWS::Partition}', 'aws-us-gov')
      .replaceAll(/\$\{[^}]+\}/g, 'us-gov-west-1');

    expect(text).toContain('subnet-00000000000000015');
    // Source: IAM User Guide, "IAM and AWS STS quotas".
    expect(text.length).toBeLessThanOrEqual(6144);
  });
});

describe('docs/egress.md', () => {
  const SERVICES: Readonly<Record<string, string>> = {
    dynamodb: 'DynamoDB',
    kms: 'KMS',
    lambda: 'Lambda',
    s3: 'S3',
    secretsmanager: 'Secrets Manager',
    sts: 'STS',
  };
  /** It asks whose a signature is, which needs no right. */
  const UNSIGNED: Readonly<Partial<Record<FunctionName, string>>> = { oauth: 'STS' };
  const folder = new URL('../../local/policies/', import.meta.url);
  const policies = readdirSync(folder)
    .filter((name) => name !== 'used-by-aws.json')
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as TemplatePolicies);

  test.each(CALLERS)('says which services of AWS %s has to reach', (name) => {
    const text = readFileSync(new URL('../../docs/egress.md', import.meta.url), 'utf8');
    const [, documented = ''] = new RegExp(`^\\| \`${name}\` \\|[^|]+\\| ([^|]+) \\|$`, 'm').exec(
      text,
    )!;
    const granted = policies.flatMap(({ functions: roles }) =>
      (roles[name] ?? []).flatMap(({ Action }) => [Action].flat().map(String)),
    );
    const called = granted
      .map((action) => action.split(':')[0] ?? '')
      // Lambda writes the log, by ways of its own.
      .filter((service) => service !== 'logs')
      .map((service) => SERVICES[service]);

    const wanted = new Set([...called, ...[UNSIGNED[name] ?? []].flat()]);
    expect(documented.split(', ').toSorted()).toEqual([...wanted].toSorted());
  });
});

describe('a stage that leaves its way out', () => {
  test('has functions outside of it that may still remove their interfaces', () => {
    for (const name of CALLERS) {
      expect(functionOf(left, name)[1].Properties).toEqual(functionOf(without, name)[1].Properties);
    }
    expect(idsOf(left, 'AWS::IAM::ManagedPolicy')).toEqual(idsOf(made, 'AWS::IAM::ManagedPolicy'));
    expect(left.service.findResources('AWS::IAM::ManagedPolicy')).toEqual(
      made.service.findResources('AWS::IAM::ManagedPolicy'),
    );
  });
});

describe('a stage without one', () => {
  test('says nothing of networks', () => {
    expect(JSON.stringify(without.service.toJSON())).not.toContain('ec2:');
    expect(idsOf(without, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  });
});

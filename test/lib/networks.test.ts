import { describe, expect, test } from '@jest/globals';
import { evaluator } from '../../local/aws/iam/evaluate.ts';
import type { Statement } from '../../local/aws/iam/policy.ts';
import { stageOf } from '../../lib/stage/stage.ts';
import { certificate } from '../support/target/target-server.ts';
import {
  grantsOf,
  synthesized,
  variablesOf,
  WITH_NETWORKS,
} from '../support/stacks/synthesized.ts';
import { resourcesIn, textOf } from '../support/stacks/template-graph.ts';

const FILE = {
  retain_data: false,
  mail: { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' },
};
const NETWORK = {
  name: 'orders',
  vpc: 'vpc-0123456789abcdef0',
  subnets: ['subnet-0123456789abcdef0'],
  security_groups: ['sg-0123456789abcdef0'],
  hosts: ['*.orders.internal'],
  ranges: ['10.20.0.0/16'],
};
const reading = (...networks: object[]) => stageOf('dev', JSON.stringify({ ...FILE, networks }));

describe('private networks in the file of a stage', () => {
  test('are read with what holds where nothing is said', () => {
    expect(reading(NETWORK).networks).toEqual([
      {
        name: 'orders',
        vpc: 'vpc-0123456789abcdef0',
        subnets: ['subnet-0123456789abcdef0'],
        securityGroups: ['sg-0123456789abcdef0'],
        hosts: ['*.orders.internal'],
        ranges: ['10.20.0.0/16'],
        http: false,
        executions: 50,
        certificateAuthorities: [],
      },
    ]);
    expect(reading().networks).toEqual([]);
  });

  test('are refused with all that is wrong at once, each with its place', () => {
    const wrong = {
      ...NETWORK,
      name: 'Orders',
      vpc: 'orders',
      subnets: [],
      hosts: ['https://orders.internal'],
      ranges: ['10.20.5.0/16', '169.254.0.0/16', '127.0.0.0/8', '0.0.0.0/0'],
      emails: ['nobody'],
      certificate_authorities: ['none'],
      subnet: 'x',
    };

    expect(() => reading(NETWORK, wrong)).toThrow(
      [
        'config/dev.json: `networks.1.name`: write up to 32 lower-case letters, digits and hyphens',
        'config/dev.json: `networks.1.vpc`: write the id of a VPC, such as vpc-0123456789abcdef0',
        'config/dev.json: `networks.1.subnets`: write at least one',
        'config/dev.json: `networks.1.hosts.0`: write a host in lower case (orders.internal), an IP address, or *.internal for all names below it',
        'config/dev.json: `networks.1.ranges.0`: write 10.20.0.0/16',
        'config/dev.json: `networks.1.ranges.1`: leave it out: no call ever goes there (loopback, link-local, metadata, multicast, reserved)',
        'config/dev.json: `networks.1.ranges.2`: leave it out: no call ever goes there (loopback, link-local, metadata, multicast, reserved)',
        'config/dev.json: `networks.1.ranges.3`: write a range of /8 or narrower',
        'config/dev.json: `networks.1.emails.0`: write an e-mail address',
        'config/dev.json: `networks.1.certificate_authorities.0`: write one certificate of an authority in PEM, from -----BEGIN CERTIFICATE-----',
        'config/dev.json: `networks.1.subnet` is no setting; did you mean `subnets`?',
      ].join('\n'),
    );
  });

  test('may share the executions that nobody has reserved', () => {
    const { networks } = reading({ ...NETWORK, executions: 'unreserved' });
    expect(networks[0]).not.toHaveProperty('executions');
  });

  test('have each name once', () => {
    expect(() => reading(NETWORK, NETWORK)).toThrow('`networks.1.name`: another network has this');
  });

  test('take authorities in PEM', () => {
    const authority = { certificate_authorities: [certificate] };
    const { networks } = reading({ ...NETWORK, ...authority });
    expect(networks[0]?.certificateAuthorities).toEqual([certificate]);
  });
});

const made = synthesized({}, WITH_NETWORKS);
const networkFunctions = Object.entries(resourcesIn(made.service)).filter(
  ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith('Networks'),
);
const policyOf = (id: string) =>
  Object.entries(resourcesIn(made.service)).find(
    ([name, { Type }]) => Type === 'AWS::IAM::Policy' && name.startsWith(id),
  )?.[1].Properties?.['PolicyDocument'] as { readonly Statement: readonly Statement[] };

describe('a stage with private networks', () => {
  test('has a function in the subnets and groups of each, with its lists and no secret', () => {
    expect(networkFunctions).toHaveLength(2);
    expect(networkFunctions.map(([, { Properties }]) => Properties)).toEqual([
      expect.objectContaining({
        ReservedConcurrentExecutions: 50,
        VpcConfig: {
          SubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
          SecurityGroupIds: ['sg-0123456789abcdef0'],
          Ipv6AllowedForDualStack: false,
        },
      }),
      expect.objectContaining({
        VpcConfig: expect.objectContaining({ Ipv6AllowedForDualStack: true }),
      }),
    ]);
    expect(variablesOf(made, 'Networksorders')).toEqual({
      LIMITS: expect.any(String),
      METRICS_NAMESPACE: expect.anything(),
      NETWORK:
        '{"name":"orders","hosts":["*.orders.internal"],"ranges":["10.20.0.0/16"],"http":false,"certificateAuthorities":[]}',
    });
  });

  test('reserves no executions for one that says so, and has no alarm on how many it has left', () => {
    const [first, ...others] = WITH_NETWORKS.networks;
    const networks = [{ ...first!, executions: undefined }, ...others];
    const { service } = synthesized({}, { ...WITH_NETWORKS, networks });
    const resources = Object.entries(resourcesIn(service));
    const [, found] = resources.find(
      ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith('Networksorders'),
    )!;

    expect(found.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    expect(found.Properties).toHaveProperty('VpcConfig');
    const ids = resources.map(([id]) => id);
    expect(ids).not.toContainEqual(expect.stringMatching('NetworkOrdersConcurrency'));
    expect(ids).toContainEqual(expect.stringMatching('NetworkOrdersThrottles'));
  });

  test('lets its router invoke these functions, and nobody else', () => {
    const called = grantsOf(made, 'router').find(({ Sid }) => Sid === 'CallInNetworks');
    const others = Object.values(resourcesIn(made.service))
      .filter(({ Type }) => Type === 'AWS::IAM::Policy')
      .flatMap(
        ({ Properties }) =>
          (Properties!['PolicyDocument'] as { Statement: readonly Statement[] }).Statement,
      )
      .filter(({ Action }) => JSON.stringify(Action).includes('lambda:InvokeFunction'))
      .filter(({ Resource }) => JSON.stringify(Resource).includes('Networks'));

    expect(called).toMatchObject({ Effect: 'Allow', Action: 'lambda:InvokeFunction' });
    expect(called?.Resource).toHaveLength(2);
    expect(others).toHaveLength(1);
    const permissions = Object.values(resourcesIn(made.service)).filter(
      ({ Type, Properties }) =>
        Type === 'AWS::Lambda::Permission' &&
        JSON.stringify(Properties?.['FunctionName']).includes('Networks'),
    );
    expect(permissions).toEqual([]);
  });

  test('shows the lists to management, and to the router the functions alone', () => {
    expect(variablesOf(made, 'FunctionsManagement')['NETWORKS']).toBe(
      '[{"name":"orders","hosts":["*.orders.internal"],"http":false,"domains":["acme.com"]},{"name":"on-premises","hosts":["erp.corp.acme.com"],"http":true}]',
    );
    expect(textOf(variablesOf(made, 'FunctionsRouter')['NETWORK_FUNCTIONS'])).toMatch(
      /^\{"orders":"\$\{Networksorders\w+\}:live","on-premises":"\$\{Networksonpremises\w+\}:live"\}$/,
    );
  });

  test('has alarms on each, and releases them as it releases others', () => {
    const ids = Object.keys(resourcesIn(made.service));

    for (const what of ['Errors', 'Throttles', 'Slow', 'Concurrency']) {
      expect(ids).toContainEqual(expect.stringMatching(`NetworkOrders${what}`));
    }
    expect(ids).toContainEqual(expect.stringMatching('ReleasesOfNetworkOnPremisesGroup'));
  });
});

describe('the role of a private network', () => {
  const statements = JSON.parse(
    JSON.stringify(policyOf('NetworksordersGrants').Statement, (_, value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      ('Fn::Join' in value || 'Fn::GetAtt' in value || 'Fn::GetStackOutput' in value)
        ? (textOf(value) ?? '')
            .replaceAll(/\$\{AWS::Partition\}/g, 'aws')
            .replaceAll(/\$\{[^}]+\}/g, 'x')
        : value,
    ),
  ) as readonly Statement[];
  const may = evaluator({
    administrators: [],
    roles: { network: statements },
    resources: {},
    encryptedWith: {},
  });
  const can = (action: string, resource: string, context = {}): boolean =>
    may('network', { action, resource, context }).allowed;
  const byItsCode = { 'lambda:SourceFunctionArn': 'arn:aws:lambda:x:x:function:x' };
  const SUBNET = 'arn:aws:ec2:x:x:subnet/subnet-0123456789abcdef0';

  test('lets Lambda make interfaces in its own subnets and groups', () => {
    expect(can('ec2:CreateNetworkInterface', SUBNET)).toBe(true);
    expect(can('ec2:CreateNetworkInterface', 'arn:aws:ec2:x:x:network-interface/eni-1')).toBe(true);
    expect(can('ec2:CreateNetworkInterface', `${SUBNET}9`)).toBe(false);
    expect(can('ec2:DeleteNetworkInterface', 'arn:aws:ec2:x:x:network-interface/eni-1')).toBe(true);
  });

  test.each([
    ['ec2:CreateNetworkInterface', SUBNET],
    ['ec2:DeleteNetworkInterface', 'arn:aws:ec2:x:x:network-interface/eni-1'],
    ['ec2:AssignPrivateIpAddresses', 'arn:aws:ec2:x:x:network-interface/eni-1'],
    ['ec2:UnassignPrivateIpAddresses', 'arn:aws:ec2:x:x:network-interface/eni-1'],
    ['ec2:DescribeNetworkInterfaces', '*'],
    ['ec2:DescribeSubnets', '*'],
  ])('denies %s to the code of the function', (action, resource) => {
    expect(can(action, resource)).toBe(true);
    expect(can(action, resource, byItsCode)).toBe(false);
  });

  test.each([
    ['dynamodb:GetItem', 'arn:aws:dynamodb:x:x:table/credentials'],
    ['secretsmanager:GetSecretValue', 'arn:aws:secretsmanager:x:x:secret:x'],
    ['kms:Decrypt', 'arn:aws:kms:x:x:key/x'],
    ['lambda:InvokeFunction', 'arn:aws:lambda:x:x:function:x:live'],
    ['s3:GetObject', 'arn:aws:s3:::x/x'],
    ['sts:AssumeRole', 'arn:aws:iam::x:role/x'],
    ['ec2:DescribeInstances', '*'],
    ['logs:FilterLogEvents', 'x'],
  ])('allows %s to nobody', (action, resource) => {
    expect(can(action, resource)).toBe(false);
  });
});

describe('a stage without private networks', () => {
  test('has no such function, and a router with no permission more', () => {
    const { service } = synthesized();
    expect(Object.keys(resourcesIn(service)).filter((id) => id.startsWith('Networks'))).toEqual([]);
    expect(JSON.stringify(grantsOf(synthesized(), 'router'))).not.toContain('CallInNetworks');
    expect(JSON.stringify(service.toJSON())).not.toContain('ec2:');
  });
});

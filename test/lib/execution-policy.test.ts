import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ACCOUNT_ID } from '../../local/aws/account.ts';
import { evaluator } from '../../local/aws/iam/evaluate.ts';
import type { Access, Statement } from '../../local/aws/iam/policy.ts';
import { statementsOf } from '../../local/aws/iam/statements.ts';
import { policiesOf, type PolicyTemplate } from '../../lib/permissions/policies.ts';
import { callsFor } from '../support/aws/cloudformation-calls.ts';
import {
  OPTION_STAGES,
  STAGES,
  type Synthesized,
  synthesized,
} from '../support/stacks/synthesized.ts';
import { resourcesIn, textOf } from '../support/stacks/template-graph.ts';

const read = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../docs/policies/${name}.json`, import.meta.url), 'utf8'),
  ) as {
    readonly Statement: readonly Statement[];
  };
const FILES = ['data', 'service', 'edge', 'boundary'];
const [, withEgress] = OPTION_STAGES.find(([, { egress }]) => egress !== undefined)!;
// CloudFormation cuts names of stacks where it makes others of them.
const ALL = { ...STAGES, 'a stage of the longest name': { ...withEgress, name: 's'.repeat(20) } };
const stages = Object.entries(ALL).map(([name, stage]) => [name, synthesized({}, stage)] as const);

/** The policies of the keys, as they hold in the embedded account. */
const keyPolicies = ({ data, service, firewall }: Synthesized) => {
  const names = {
    stackName: 'HostedMcp-prod-Data',
    mail: { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' },
  };
  const templates = [data, service, ...(firewall ? [firewall] : [])].map(
    (template) => template.toJSON() as PolicyTemplate,
  );
  const text = JSON.stringify(policiesOf(templates, names).resources)
    .replaceAll(/\$\{AWS::AccountId\}|111122223333/g, ACCOUNT_ID)
    .replaceAll('${AWS::Partition}', 'aws')
    .replaceAll('${AWS::Region}', 'eu-central-1')
    .replaceAll('${AWS::URLSuffix}', 'amazonaws.com')
    .replaceAll(/\$\{Keys(\w+)\.Arn\}/g, `arn:aws:kms:eu-central-1:${ACCOUNT_ID}:key/Keys$1`)
    .replaceAll('${LogKey.Arn}', `arn:aws:kms:us-east-1:${ACCOUNT_ID}:key/LogKey`)
    .replaceAll(/\$\{([^}]+)\}/g, 'arn:aws:absent:::$1');
  return JSON.parse(text) as Record<string, readonly Statement[]>;
};

const BY_IAM_ALONE: Statement = {
  Effect: 'Allow',
  Principal: { AWS: ACCOUNT_ID },
  Action: 'kms:CreateKey',
  Resource: '*',
};

/** Which of these calls the execution role may not make. */
const denied = (calls: readonly Access[], synthesis: Synthesized, files: readonly string[]) => {
  const may = evaluator({
    administrators: [],
    roles: { execution: files.flatMap((file) => read(file).Statement) },
    // Of a key that is not made yet there is no policy.
    resources: { ...keyPolicies(synthesis), '*': [BY_IAM_ALONE] },
    encryptedWith: {},
  });
  return calls
    .filter((call) => !may('execution', call).allowed)
    .map(({ action, resource }) => `${action} on ${resource}`);
};

const [, prod] = stages.find(([name]) => name === 'prod')!;

describe('the policies for the role that CloudFormation works with', () => {
  test.each(stages)('let it make, change and remove every resource of %s', (_, synthesis) => {
    const { deployedAfter, data, service, firewall } = synthesis;
    const calls = [data, service, firewall].flatMap((template, index) => {
      const stackName = Object.keys(deployedAfter)[index] ?? '';
      const region = template === firewall ? 'us-east-1' : 'eu-central-1';
      return Object.entries(template ? resourcesIn(template) : {}).flatMap(([id, resource]) =>
        callsFor({ id, resource, stackName, region }),
      );
    });

    expect(calls.length).toBeGreaterThan(500);
    const files = firewall ? ['data', 'service', 'edge'] : ['data', 'service'];
    expect(denied(calls, synthesis, files)).toEqual([]);
  });

  test('let it read outputs of the stacks, and the version of the bootstrap', () => {
    const calls = [
      [
        'cloudformation:DescribeStacks',
        'cloudformation:eu-central-1',
        'stack/HostedMcp-prod-Data/1',
      ],
      [
        'cloudformation:DescribeStacks',
        'cloudformation:us-east-1',
        'stack/HostedMcp-prod-Edge-eu/1',
      ],
      ['ssm:GetParameters', 'ssm:eu-central-1', 'parameter/cdk-bootstrap/hnb659fds/version'],
    ].map(([action = '', place, rest]) => ({
      action,
      resource: `arn:aws:${place}:${ACCOUNT_ID}:${rest}`,
      context: {},
    }));

    expect(denied(calls, prod, ['data'])).toEqual([]);
  });

  const BOUNDARY = {
    'iam:PermissionsBoundary': `arn:aws:iam::${ACCOUNT_ID}:policy/HostedMcpBoundary`,
  };
  const ROLE = `arn:aws:iam::${ACCOUNT_ID}:role/HostedMcp-prod-Data-RolesRouter-1A`;
  const POLICY = `arn:aws:iam::${ACCOUNT_ID}:policy/HostedMcp-prod-Service-EgressInterfaces1A`;
  const KEY = `arn:aws:kms:eu-central-1:${ACCOUNT_ID}:key/KeysData`;
  const arn = (service: string, rest: string) =>
    `arn:aws:${service}:eu-central-1:${ACCOUNT_ID}:${rest}`;

  test.each<[string, string, string, Record<string, string>?]>([
    ['make a user', 'iam:CreateUser', `arn:aws:iam::${ACCOUNT_ID}:user/HostedMcp-x`],
    ['make a role without the boundary', 'iam:CreateRole', ROLE],
    ['make a role of another name', 'iam:CreateRole', ROLE.replace('HostedMcp', 'Admin'), BOUNDARY],
    ['give rights to a role without the boundary', 'iam:PutRolePolicy', ROLE],
    [
      'make an administrator',
      'iam:AttachRolePolicy',
      ROLE,
      { ...BOUNDARY, 'iam:PolicyARN': 'arn:aws:iam::aws:policy/AdministratorAccess' },
    ],
    ['take a boundary away', 'iam:DeleteRolePermissionsBoundary', ROLE, BOUNDARY],
    [
      'set another boundary',
      'iam:PutRolePermissionsBoundary',
      ROLE,
      { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/AdministratorAccess' },
    ],
    [
      'widen the boundary',
      'iam:CreatePolicyVersion',
      `arn:aws:iam::${ACCOUNT_ID}:policy/HostedMcpBoundary`,
    ],
    ['make a policy of another name', 'iam:CreatePolicy', POLICY.replace('-Egress', '-Admin')],
    ...['data', 'service', 'edge'].map((file): [string, string, string] => [
      `widen its own policy HostedMcp-${file}`,
      'iam:CreatePolicyVersion',
      `arn:aws:iam::${ACCOUNT_ID}:policy/HostedMcp-${file}`,
    ]),
    [
      'give a policy to a role without the boundary',
      'iam:AttachRolePolicy',
      ROLE,
      { 'iam:PolicyARN': POLICY },
    ],
    [
      'hand a role to a machine',
      'iam:PassRole',
      ROLE,
      { 'iam:PassedToService': 'ec2.amazonaws.com' },
    ],
    ['take on a role', 'sts:AssumeRole', ROLE],
    [
      'read what is stored',
      'dynamodb:Scan',
      arn('dynamodb', 'table/HostedMcp-prod-Data-DataUsers-1A'),
    ],
    [
      'read files',
      's3:GetObject',
      'arn:aws:s3:::hostedmcp-prod-data-datadescriptions-1a/deployments/x',
    ],
    [
      'read credentials',
      'secretsmanager:GetSecretValue',
      arn('secretsmanager', 'secret:HostedMcp-prod-Data/credentials/1-a1b2c3'),
    ],
    ['read mails', 'sqs:ReceiveMessage', arn('sqs', 'HostedMcp-prod-Service-UnsentMails-1A')],
    [
      'read logs',
      'logs:GetLogEvents',
      arn('logs', 'log-group:/hosted-mcp/HostedMcp-prod-Data-1/router:*'),
    ],
    ['decrypt by itself', 'kms:Decrypt', KEY],
    [
      'send commands of operators',
      'lambda:InvokeFunction',
      arn('lambda', 'function:HostedMcp-prod-Service-FunctionsOauth-1A'),
    ],
    [
      'change a function of others',
      'lambda:UpdateFunctionCode',
      arn('lambda', 'function:payments'),
    ],
    ['remove a table of others', 'dynamodb:DeleteTable', arn('dynamodb', 'table/payments')],
    ['open a bucket of others', 's3:PutBucketPolicy', 'arn:aws:s3:::payments'],
    [
      'remove a key of others',
      'kms:ScheduleKeyDeletion',
      KEY,
      { 'aws:ResourceTag/Application': 'payments' },
    ],
    ['change a key of nobody', 'kms:PutKeyPolicy', KEY],
    [
      'read outputs of others',
      'cloudformation:DescribeStacks',
      arn('cloudformation', 'stack/payments/1'),
    ],
  ])('do not let it %s', (_, action, resource, context = {}) => {
    expect(denied([{ action, resource, context }], prod, ['data', 'service', 'edge'])).toEqual([
      `${action} on ${resource}`,
    ]);
  });

  test.each(FILES)('fit into a managed policy: %s', (file) => {
    // White space does not count. Source: IAM User Guide, "IAM and AWS STS quotas".
    expect(JSON.stringify(read(file)).length).toBeLessThanOrEqual(6144);
  });
});

describe('the boundary of roles', () => {
  const { Statement: statements } = read('boundary');
  const allows = statementsOf(statements);
  const bounded = OPTION_STAGES.find(([, stage]) => stage.permissionsBoundary !== undefined)![1];
  const resources = ({ data, service }: Synthesized) =>
    [data, service].flatMap((template) => Object.values(resourcesIn(template)));

  test('is on every role of a stage that names it', () => {
    const roles = resources(synthesized({}, bounded)).filter(
      ({ Type }) => Type === 'AWS::IAM::Role',
    );

    expect(roles.length).toBeGreaterThan(10);
    for (const { Properties } of roles) {
      expect(textOf(Properties?.['PermissionsBoundary'])).toMatch(
        /^arn:.+:iam::111122223333:policy\/HostedMcpBoundary$/,
      );
    }
    expect(JSON.stringify(resources(prod))).not.toContain('PermissionsBoundary');
  });

  test.each(stages)('allows all that roles of %s may do', (_, synthesis) => {
    const wanted = resources(synthesis)
      .filter(({ Type }) => ['AWS::IAM::ManagedPolicy', 'AWS::IAM::Policy'].includes(Type))
      .flatMap(({ Properties }) => {
        const document = Properties?.['PolicyDocument'] as { Statement: readonly Statement[] };
        return document.Statement.flatMap(({ Action, Resource }) =>
          [Action]
            .flat()
            .flatMap((action) =>
              [Resource]
                .flat()
                .map((resource) => ({ action: String(action), resource: arnOfText(resource) })),
            ),
        );
      });

    expect(wanted.length).toBeGreaterThan(100);
    expect(wanted.filter((access) => allows({ ...access, context: {} }).length === 0)).toEqual([]);
  });

  test.each([
    ['iam:CreateUser', `arn:aws:iam::${ACCOUNT_ID}:user/x`],
    ['sts:AssumeRole', `arn:aws:iam::${ACCOUNT_ID}:role/HostedMcp-prod-x`],
    ['kms:PutKeyPolicy', `arn:aws:kms:eu-central-1:${ACCOUNT_ID}:key/x`],
    ['lambda:UpdateFunctionCode', `arn:aws:lambda:eu-central-1:${ACCOUNT_ID}:function:HostedMcp-x`],
    ['dynamodb:Scan', `arn:aws:dynamodb:eu-central-1:${ACCOUNT_ID}:table/payments`],
    ['s3:GetObject', 'arn:aws:s3:::payments/x'],
  ])('does not allow %s on %s', (action, resource) => {
    expect(allows({ action, resource, context: {} })).toEqual([]);
  });
});

/** The ARN of a resource of ours, as AWS would have it. */
const arnOfText = (value: unknown): string => {
  const text = textOf(value) ?? '';
  const [, id = ''] = /^\$\{(\w+)\}/.exec(text) ?? [];
  const rest = text.replace(/^\$\{\w+\}/, '');
  const place = `eu-central-1:${ACCOUNT_ID}`;
  if (text === '${AWS::StackId}')
    return `arn:aws:cloudformation:${place}:stack/HostedMcp-prod-Data/x`;
  if (id === '') return text.replace(/\$\{AWS::Partition\}/, 'aws').replaceAll(/\$\{[^}]+\}/g, 'x');
  if (id.startsWith('Keys')) return `arn:aws:kms:${place}:key/1`;
  if (id.startsWith('Logs'))
    return `arn:aws:logs:${place}:log-group:/hosted-mcp/HostedMcp-prod-Data-1/x:*`;
  if (/^(?:Data(?:Descriptions|Answers)|StreamLines)/.test(id))
    return `arn:aws:s3:::hostedmcp-prod-data-x${rest}`;
  if (id.startsWith('Data')) return `arn:aws:dynamodb:${place}:table/HostedMcp-prod-Data-x${rest}`;
  if (/^(?:Functions|Networks)/.test(id))
    return `arn:aws:lambda:${place}:function:HostedMcp-prod-x${rest}`;
  if (id.startsWith('LinesOut')) return `arn:aws:firehose:${place}:deliverystream/HostedMcp-prod-x`;
  if (id.startsWith('Un')) return `arn:aws:sqs:${place}:HostedMcp-prod-x`;
  throw new Error(`what is ${text}?`);
};

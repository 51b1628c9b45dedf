import { describe, expect, test } from '@jest/globals';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { TableName } from '../../lambdas/storage-manifest.ts';
import { arnOf } from '../../local/aws/account.ts';
import { evaluator } from '../../local/aws/iam/evaluate.ts';
import { localPolicies } from '../../local/run/policies.ts';

const REGION = 'eu-central-1';
const key = (name: string) => arnOf('kms', REGION, `key/${name}`);
const evaluate = evaluator(
  localPolicies('secrets-manager', {
    region: REGION,
    prefix: '',
    credentialPrefix: 'hosted-mcp',
    signingKeys: [key('session')],
    mintingKeys: [key('minting')],
    credentialsKey: key('credentials'),
    mailFrom: 'mcp@mail.example',
    mailConfigurationSet: 'mails',
  }),
);

/** One item of a table, by its partition key. */
const mayItem = (name: FunctionName, action: string, table: TableName, pk: string): boolean =>
  evaluate(name, {
    action: `dynamodb:${action}`,
    resource: arnOf('dynamodb', REGION, `table/${table}`),
    context: { 'dynamodb:LeadingKeys': [pk] },
  }).allowed;
const may = (name: FunctionName, action: string, resource: string): boolean =>
  evaluate(name, { action, resource, context: {} }).allowed;

const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem'] as const;
const writers = (table: TableName, pk: string): readonly string[] =>
  NAMES.filter((name) => WRITES.slice(0, 2).some((action) => mayItem(name, action, table, pk)));
const NAMES: readonly FunctionName[] = [
  'activity',
  'connections',
  'console',
  'credentials',
  'identity',
  'mails',
  'maintenance',
  'management',
  'oauth',
  'router',
  'tally',
];

describe('who owns a function', () => {
  test('cannot send commands of operators to what writes whom the service believes', () => {
    const maintenance = arnOf('lambda', REGION, 'function:maintenance:live');
    const invokers = NAMES.filter((name) => may(name, 'lambda:InvokeFunction', maintenance));
    expect(invokers).toEqual([]);
  });

  test.each<readonly [string, TableName, string, readonly FunctionName[]]>([
    ['tokens of a person for programs', 'oauth', 'PAT#0123', ['management']],
    [
      'tokens of machines, which hold for minutes',
      'oauth',
      'PAT#machine-01',
      ['management', 'oauth'],
    ],
    ['trusts', 'oauth', 'TRUST#1', ['management']],
    ['minted tokens', 'oauth', 'JTI#1', ['maintenance', 'management']],
    ['sessions', 'oauth', 'SESSION#1', ['oauth']],
    ['authorization codes', 'oauth', 'CODE#1', ['oauth']],
    ['refresh tokens', 'oauth', 'RT#1', ['oauth']],
    ['clients', 'oauth', 'CLIENT#1', ['oauth']],
    ['which key signs', 'oauth', 'SIGNINGKEYS', ['oauth']],
    ['which identity providers are believed', 'oauth', 'PROVIDERS', ['maintenance']],
    ['secrets of our clients at providers', 'oauth', 'PROVIDERSECRET#acme', ['identity']],
    ['sign-ins with a company', 'oauth', 'SIGNIN#1', ['oauth']],
    ['codes for the command line', 'oauth', 'CLICODE#1', ['oauth']],
    ['what companies gave for people', 'connections', 'PERSON#0123', ['identity']],
    ['tokens that others gave for calls', 'connections', 'TOKEN#1#main', ['connections']],
    ['operators', 'users', 'OPERATOR#1', ['oauth']],
    ['accounts', 'users', 'USER#1', ['management', 'oauth']],
    ['locks of passwords', 'users', 'LOCK#1', ['oauth']],
    ['what is undeliverable', 'users', 'UNDELIVERABLE#1', ['mails']],
    ['an item of a kind that is not known', 'users', 'OTHER#1', []],
    ['another item of a kind that is not known', 'oauth', 'OTHER#1', []],
    ['servers', 'deployments', 'SLUG#orders', ['maintenance', 'management']],
    ['calls', 'calls', 'CALLS#1#0', ['activity', 'maintenance']],
    ['what is to be counted', 'calls', 'TOUCHED#2026-11-20T12:00#0', ['activity']],
    ['counts of calls', 'calls', 'CALLHOURS#1', ['tally']],
    ['how far calls are counted', 'calls', 'TALLIED', ['tally']],
  ])('writes %s only where it is one of those', (_, table, pk, owners) => {
    expect(writers(table, pk)).toEqual(owners);
  });

  test.each<readonly [FunctionName, string, string]>([
    ['oauth', 'dynamodb:Scan', arnOf('dynamodb', REGION, 'table/oauth')],
    ['management', 'kms:Sign', key('session')],
    ['oauth', 'kms:Sign', key('minting')],
    ['router', 'kms:Sign', key('session')],
    ['router', 'secretsmanager:GetSecretValue', `${secretsArn()}hosted-mcp/1`],
    ['management', 'secretsmanager:GetSecretValue', `${secretsArn()}hosted-mcp/1`],
    ['oauth', 'secretsmanager:GetSecretValue', `${secretsArn()}hosted-mcp/1`],
    ['oauth', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:router:live')],
    ['oauth', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:connections:live')],
    ['management', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:connections:live')],
    ['management', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:credentials:live')],
    ['router', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:identity:live')],
  ])('%s may not %s on %s', (name, action, resource) => {
    expect(may(name, action, resource)).toBe(false);
  });

  test.each<readonly [FunctionName, TableName, string, boolean]>([
    // By which it knows who calls, in place of what the router says.
    ['connections', 'oauth', 'AT#1', true],
    ['connections', 'oauth', 'NOTBEFORE', true],
    ['connections', 'oauth', 'SESSION#1', false],
    ['connections', 'oauth', 'RT#1', false],
    ['connections', 'oauth', 'PAT#1', false],
    ['connections', 'users', 'USER#1', false],
    ['connections', 'deployments', 'SLUG#orders', false],
    ['credentials', 'oauth', 'AT#1', false],
    ['oauth', 'oauth', 'PROVIDERS', true],
    ['identity', 'oauth', 'PROVIDERS', true],
    ['identity', 'oauth', 'PROVIDERSECRET#acme', true],
    ['identity', 'oauth', 'SIGNIN#1', false],
    ['identity', 'users', 'USER#1', false],
    ['oauth', 'oauth', 'PROVIDERSECRET#acme', false],
    ['router', 'oauth', 'PROVIDERSECRET#acme', false],
    ['management', 'oauth', 'PROVIDERSECRET#acme', false],
    ['maintenance', 'oauth', 'PROVIDERSECRET#acme', false],
    ['router', 'oauth', 'PROVIDERS', true],
    ['management', 'oauth', 'PROVIDERS', true],
    ['identity', 'connections', 'PERSON#0123', true],
    ['identity', 'connections', 'TOKEN#1#main', false],
    ['connections', 'connections', 'PERSON#0123', false],
    ['oauth', 'connections', 'PERSON#0123', false],
    ['management', 'connections', 'PERSON#0123', false],
  ])('%s reads of %s the item %s: %s', (name, table, pk, isAllowed) => {
    expect(mayItem(name, 'GetItem', table, pk)).toBe(isAllowed);
  });

  test.each<readonly [FunctionName, string, string]>([
    // What SECURITY.md says of them: a credential is used through those who may read it.
    ['management', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:router:live')],
    ['oauth', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:identity:live')],
    ['router', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:connections:live')],
    ['router', 'lambda:InvokeFunction', arnOf('lambda', REGION, 'function:credentials:live')],
    ['credentials', 'secretsmanager:GetSecretValue', `${secretsArn()}hosted-mcp/1`],
  ])('%s may %s on %s', (name, action, resource) => {
    expect(may(name, action, resource)).toBe(true);
  });
});

function secretsArn(): string {
  return arnOf('secretsmanager', REGION, 'secret:');
}

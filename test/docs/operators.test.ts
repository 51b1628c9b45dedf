import { readFile } from 'node:fs/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Statement } from '../../local/aws/index.ts';
import { startTestAws, type TestAws } from '../support/aws/aws.ts';
import { ROOT } from './documents.ts';

/** The JSON below a heading of the page, as somebody pastes it. */
const pasted = async (heading: string): Promise<unknown> => {
  const text = await readFile(`${ROOT}docs/operations.md`, 'utf8');
  const section = text.split(`### ${heading}\n`)[1]?.split('\n##')[0] ?? '';
  return JSON.parse(/```json\n([\s\S]*?)```/.exec(section)?.[1] ?? '');
};

describe('the policy that keeps others from the functions', () => {
  const MANAGEMENT = 'HostedMcp-prod-Service-FunctionsManagement1A2B3C4D-5E6F';
  const ALLOWED = { Effect: 'Allow', Action: '*', Resource: '*' };
  let aws: TestAws;
  beforeAll(async () => {
    // What is tried here shows no need of a grant.
    delete process.env['HOSTED_MCP_ACCESS_RECORDS'];
    aws = await startTestAws();
    const { Statement: statements } = (await pasted(
      'A policy so that only operators invoke functions',
    )) as {
      readonly Statement: readonly Statement[];
    };
    const bound = [ALLOWED, ...statements];
    const roles = {
      developer: bound,
      HostedMcpOperator: bound,
      'HostedMcp-prod-Data-RolesRouter1A2B3C4D-5E6F': bound,
      'cdk-hnb659fds-cfn-exec-role-111122223333-eu-central-1': bound,
    };
    aws.aws.enforce({ administrators: [], roles, resources: {}, encryptedWith: {} });
    aws.aws.onInvoke(async () => ({ payload: '{"ok":true}' }));
  });
  afterAll(() => aws.stop());

  const invoke = (caller: string, FunctionName: string): Promise<string> =>
    aws
      .client(LambdaClient, caller)
      .send(new InvokeCommand({ FunctionName, Payload: Buffer.from('{}') }))
      .then(
        () => 'allowed',
        (error: Error) => `${error.name}: ${error.message}`,
      );

  test('denies a developer who may do everything else', async () => {
    expect(await invoke('developer', `${MANAGEMENT}:live`)).toMatch(
      /^AccessDeniedException: .*lambda:InvokeFunction.* with an explicit deny$/,
    );
    expect(await invoke('developer', 'something-of-their-own')).toBe('allowed');
  });

  test.each([
    'HostedMcpOperator',
    'HostedMcp-prod-Data-RolesRouter1A2B3C4D-5E6F',
    'cdk-hnb659fds-cfn-exec-role-111122223333-eu-central-1',
  ])('lets %s through', async (role) => {
    expect(await invoke(role, `${MANAGEMENT}:live`)).toBe('allowed');
  });
});

describe('the selectors for CloudTrail', () => {
  interface Selector {
    readonly FieldSelectors: readonly {
      readonly Field: string;
      readonly Equals?: readonly string[];
      readonly StartsWith?: readonly string[];
    }[];
  }

  /** Whether an event is recorded: every field has to match one of its values. */
  const isRecorded = ({ FieldSelectors }: Selector, event: Readonly<Record<string, string>>) =>
    FieldSelectors.every(({ Field, Equals = [], StartsWith = [] }) => {
      const value = event[Field];
      return (
        value !== undefined &&
        (Equals.includes(value) || StartsWith.some((beginning) => value.startsWith(beginning)))
      );
    });
  const invoked = {
    eventCategory: 'Data',
    'resources.type': 'AWS::Lambda::Function',
    'resources.ARN':
      'arn:aws:lambda:eu-central-1:111122223333:function:HostedMcp-prod-Service-FunctionsOauth1',
  };

  test('record people and roles, and not what the gateway invokes', async () => {
    const selectors = (await pasted('CloudTrail selectors')) as Selector[];
    const recorded = (event: Readonly<Record<string, string>>) =>
      selectors.some((selector) => isRecorded(selector, event));
    const person = 'arn:aws:sts::111122223333:assumed-role/HostedMcpOperator/ada';

    expect(recorded({ ...invoked, 'userIdentity.arn': person })).toBe(true);
    expect(recorded(invoked)).toBe(false);
    const another = { ...invoked, 'resources.ARN': 'arn:aws:lambda:eu-central-1:1:function:other' };
    expect(recorded({ ...another, 'userIdentity.arn': person })).toBe(false);
  });

  test('leave a trail the calls that disable keys, of which a rule tells', async () => {
    const selectors = (await pasted('CloudTrail selectors')) as Selector[];
    const disabled = { eventCategory: 'Management', readOnly: 'false' };

    expect(selectors.some((selector) => isRecorded(selector, disabled))).toBe(true);
  });
});

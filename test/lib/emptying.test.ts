import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { handlerCode } from '../../lib/data/emptying/index.ts';
import type { EmptyingEvent } from '../../lib/data/emptying/handler.ts';
import { type LeavingAws, startLeavingAws } from '../support/aws/leaving-aws.ts';
import { type Statement, synthesized } from '../support/stacks/synthesized.ts';

let aws: LeavingAws;
let handler: (event: EmptyingEvent) => Promise<void>;

beforeAll(async () => {
  aws = await startLeavingAws();
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: aws.url,
  });
  // The very text that is in the template, as Lambda takes it.
  const module = { exports: {} as { handler: typeof handler } };
  const wrapped = compileFunction(handlerCode(), ['require', 'module', 'exports']);
  wrapped(createRequire(import.meta.url), module, module.exports);
  ({ handler } = module.exports);
});
afterAll(() => aws.close());

beforeEach(() => {
  for (const each of [aws.objects, aws.secrets, aws.kept]) each.clear();
  aws.answers.splice(0);
  aws.stackStatus = 'DELETE_IN_PROGRESS';
  for (const version of ['one', 'two', 'marker-three']) {
    aws.objects.add(`descriptions/deployments/a ${version}`);
  }
  aws.objects.add('answers/b null').add('of-others/c null');
  for (const id of ['1', '2', '3', '4', '5']) aws.secrets.add(`Dev-Data/credentials/${id}`);
  aws.secrets.add('dev-data/credentials/of-another').add('Prod-Data/credentials/1');
});

const sent = (RequestType: EmptyingEvent['RequestType']) =>
  handler({
    RequestType,
    ResponseURL: `${aws.url}/waiting?signature=s`,
    StackId: 'stack-1',
    RequestId: 'request-1',
    LogicalResourceId: 'Emptying',
    ResourceProperties: { Buckets: ['descriptions', 'answers'], Secrets: 'Dev-Data/credentials/' },
  });

const answer = (Status: string) => ({
  Status,
  PhysicalResourceId: 'Emptying',
  StackId: 'stack-1',
  RequestId: 'request-1',
  LogicalResourceId: 'Emptying',
});

describe('a stack that keeps nothing', () => {
  test('removes all versions of all files, and the secrets below its own prefix, when it goes', async () => {
    await sent('Delete');

    expect([...aws.objects]).toEqual(['of-others/c null']);
    expect([...aws.secrets]).toEqual([
      'dev-data/credentials/of-another',
      'Prod-Data/credentials/1',
    ]);
    // The address was signed without a content type.
    expect(aws.answers).toEqual([{ contentType: '', body: answer('SUCCESS') }]);
  });

  test.each(['Create', 'Update'] as const)('removes nothing at the request %s', async (request) => {
    await sent(request);

    expect([aws.objects.size, aws.secrets.size]).toEqual([5, 7]);
    expect(aws.answers).toEqual([{ contentType: '', body: answer('SUCCESS') }]);
  });

  test('removes what a first deployment made that failed', async () => {
    aws.stackStatus = 'ROLLBACK_IN_PROGRESS';
    await sent('Delete');

    expect([...aws.objects]).toEqual(['of-others/c null']);
  });

  test.each([
    // The update made the stage keep its data, for one.
    'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
    'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS',
    'UPDATE_ROLLBACK_IN_PROGRESS',
  ])('removes nothing where an update drops the resource: %s', async (status) => {
    aws.stackStatus = status;
    await sent('Delete');

    expect([aws.objects.size, aws.secrets.size]).toEqual([5, 7]);
    expect(aws.answers).toEqual([{ contentType: '', body: answer('SUCCESS') }]);
  });

  test('reports to CloudFormation what it could not remove', async () => {
    aws.kept.add('b');

    await sent('Delete');
    expect(aws.answers).toMatchObject([
      { body: { ...answer('FAILED'), Reason: 'Error: b: AccessDenied' } },
    ]);
  });

  test('fails where nobody heard it', async () => {
    const event = { RequestType: 'Create', ResponseURL: 'http://127.0.0.1:1/' } as EmptyingEvent;

    await expect(handler(event)).rejects.toThrow();
  });
});

describe('the function that empties', () => {
  const { data } = synthesized({ name: 'dev', retainData: false, backup: false });
  const resources = Object.entries(
    data.toJSON()['Resources'] as Record<string, { Type: string; DependsOn?: readonly string[] }>,
  );

  test('may list and remove, and read nothing', () => {
    const [policy] = Object.values(data.findResources('AWS::IAM::Policy'));
    const statements = policy?.['Properties'].PolicyDocument.Statement as Statement[];
    expect(statements.map(({ Sid, Action }) => [Sid, [Action].flat()])).toEqual([
      ['WriteOwnLogs', ['logs:CreateLogStream', 'logs:PutLogEvents']],
      ['ReadStackStatus', ['cloudformation:DescribeStacks']],
      ['ListFiles', ['s3:ListBucketVersions']],
      ['DeleteFiles', ['s3:DeleteObjectVersion']],
      ['FindSecrets', ['secretsmanager:ListSecrets']],
      ['DeleteSecrets', ['secretsmanager:DeleteSecret']],
    ]);
    expect(statements[1]?.Resource).toEqual({ Ref: 'AWS::StackId' });
    expect(JSON.stringify(statements[5]?.Resource)).toContain(
      ':secret:HostedMcp-dev-Data/credentials*/*"',
    );
  });

  test('is done before anything goes that it works with', () => {
    const [, emptying] = resources.find(([, { Type }]) => Type === 'Custom::Emptying') ?? [];
    const after = emptying?.DependsOn?.join() ?? '';
    for (const needed of ['DataDescriptions', 'DataAnswers', 'EmptyingGrants', 'LogsEmptying']) {
      expect(after).toContain(needed);
    }
  });

  test('is in no stage that keeps its data', () => {
    const { data: kept } = synthesized();

    kept.resourceCountIs('AWS::Lambda::Function', 0);
    expect(Object.keys(kept.toJSON()['Resources']).join()).not.toContain('Emptying');
  });
});

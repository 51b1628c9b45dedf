import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';

let aws: TestAws;
let lambda: LambdaClient;
const invoked: { name: string; payload: string; qualifier: string | undefined }[] = [];

beforeAll(async () => {
  aws = await startTestAws();
  lambda = aws.client(LambdaClient);
  aws.aws.onInvoke(async (name, payload, qualifier) => {
    invoked.push({ name, payload, qualifier });
    if (name === 'missing') return undefined;
    if (name === 'failing') {
      return { payload: '{"errorMessage":"no"}', functionError: 'Unhandled' };
    }
    if (name === 'crashing') throw new Error('the worker is gone');
    if (name === 'talkative') return { payload: JSON.stringify('x'.repeat(7_000_000)) };
    return { payload: JSON.stringify({ echo: JSON.parse(payload) as unknown }) };
  });
});
afterAll(() => aws.stop());

const invoke = async (FunctionName: string, payload?: unknown) => {
  const reply = await lambda.send(
    new InvokeCommand({
      FunctionName,
      ...(payload !== undefined && { Payload: JSON.stringify(payload) }),
    }),
  );
  return {
    status: reply.StatusCode,
    error: reply.FunctionError,
    payload: JSON.parse(reply.Payload!.transformToString()) as unknown,
  };
};

describe('invoking a function by the embedded Lambda', () => {
  test('returns what the function returns', async () => {
    expect(await invoke('router', { text: 'Grüße' })).toEqual({
      status: 200,
      error: undefined,
      payload: { echo: { text: 'Grüße' } },
    });
  });

  test('gives the function an empty object where there is no payload', async () => {
    expect(await invoke('router')).toMatchObject({ payload: { echo: {} } });
  });

  test.each([
    ['router', undefined],
    ['router:live', 'live'],
    ['router:7', '7'],
  ])('finds the function %s with the qualifier %s', async (name, qualifier) => {
    await invoke(name, {});

    expect(invoked.at(-1)).toEqual({ name: 'router', payload: '{}', qualifier });
  });

  test('says when the function failed', async () => {
    expect(await invoke('failing')).toEqual({
      status: 200,
      error: 'Unhandled',
      payload: { errorMessage: 'no' },
    });
  });

  test('fails when the result is too large', async () => {
    expect(await invoke('talkative')).toMatchObject({
      error: 'Unhandled',
      payload: { errorType: 'Function.ResponseSizeTooLarge' },
    });
  });

  test.each([
    ['an unknown function', 'missing', '{}', 'ResourceNotFoundException'],
    ['a payload that is not JSON', 'router', '{', 'InvalidRequestContentException'],
    ['a payload over 6 MB', 'router', `"${'x'.repeat(6_300_000)}"`, 'RequestTooLargeException'],
    ['a name that is none', '../router', '{}', 'InvalidParameterValueException'],
    ['a crash around the function', 'crashing', '{}', 'ServiceException'],
  ])('is refused for %s', async (_, FunctionName, Payload, name) => {
    await expect(lambda.send(new InvokeCommand({ FunctionName, Payload }))).rejects.toMatchObject({
      name,
    });
  });

  test.each([
    ['for a dry run', { InvocationType: 'DryRun' }],
    ['for its log', { LogType: 'Tail' }],
    ['for a context of its own', { ClientContext: 'e30=' }],
    ['for a qualifier apart from the name', { Qualifier: 'live' }],
  ] as const)('is refused when it asks %s, which production never does', async (_, more) => {
    const before = invoked.length;

    await expect(
      lambda.send(new InvokeCommand({ FunctionName: 'router', ...more })),
    ).rejects.toMatchObject({ name: 'InvalidParameterValueException' });
    expect(invoked).toHaveLength(before);
  });

  test('is the only operation', async () => {
    await expect(lambda.send(new ListFunctionsCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestAws, type TestAws } from '../../support/aws.ts';

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

const invoke = async (FunctionName: string, payload?: unknown, Qualifier?: string) => {
  const reply = await lambda.send(
    new InvokeCommand({
      FunctionName,
      ...(payload !== undefined && { Payload: JSON.stringify(payload) }),
      ...(Qualifier !== undefined && { Qualifier }),
    }),
  );
  return {
    status: reply.StatusCode,
    error: reply.FunctionError,
    payload: JSON.parse(reply.Payload!.transformToString()) as unknown,
  };
};

describe('invoking a function', () => {
  test('answers what the function answers', async () => {
    expect(await invoke('router', { text: 'Grüße' })).toEqual({
      status: 200,
      error: undefined,
      payload: { echo: { text: 'Grüße' } },
    });
  });

  test('without a payload gives it an empty object', async () => {
    expect(await invoke('router')).toMatchObject({ payload: { echo: {} } });
  });

  test.each([
    ['router', undefined, undefined],
    ['router', 'live', 'live'],
    ['router:live', undefined, 'live'],
    ['000000000000:function:router', undefined, undefined],
    ['arn:aws:lambda:us-east-1:000000000000:function:router', undefined, undefined],
    ['arn:aws:lambda:us-east-1:000000000000:function:router:7', undefined, '7'],
  ])('finds %s with qualifier %s', async (name, sent, qualifier) => {
    await invoke(name, {}, sent);

    expect(invoked.at(-1)).toEqual({ name: 'router', payload: '{}', qualifier });
  });

  test('as an event answers at once, whatever becomes of it', async () => {
    const invocation = { InvocationType: 'Event', Payload: '{"event":1}' } as const;

    const reply = await lambda.send(new InvokeCommand({ FunctionName: 'crashing', ...invocation }));

    expect(reply.StatusCode).toBe(202);
    expect(invoked.at(-1)).toMatchObject({ name: 'crashing', payload: '{"event":1}' });
  });

  test('tells when the function failed', async () => {
    expect(await invoke('failing')).toEqual({
      status: 200,
      error: 'Unhandled',
      payload: { errorMessage: 'no' },
    });
  });

  test('tells when the answer is too large', async () => {
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

  test('is all there is', async () => {
    await expect(lambda.send(new ListFunctionsCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

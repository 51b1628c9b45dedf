import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { startTestAws, type TestAws } from '../../support/aws/aws.ts';

let aws: TestAws;
/** Events that the function `mails` was invoked with, the repetitions too. */
let invoked: string[];
beforeEach(async () => {
  aws = await startTestAws({ eventRetryMs: [5, 10] });
  invoked = [];
  listen(aws);
});
afterEach(() => aws.stop());

/** Fails so often on an event that says `{"failures": 2}`. */
const listen = ({ aws: embedded }: TestAws) => {
  const left = new Map<string, number>();
  embedded.onInvoke(
    async (_name, payload) => {
      invoked.push(payload);
      const { failures = 0 } = JSON.parse(payload) as { failures?: number };
      const remaining = left.get(payload) ?? failures;
      left.set(payload, remaining - 1);
      return remaining > 0
        ? { payload: '{"errorMessage":"no"}', functionError: 'Unhandled' }
        : { payload: 'null' };
    },
    (name) => name === 'mails',
  );
  embedded.configureEvents('mails', { retries: 2, failed: 'unsent' });
};

const send = async (FunctionName: string, payload: object) => {
  const command = new InvokeCommand({
    FunctionName,
    InvocationType: 'Event',
    Payload: JSON.stringify(payload),
  });
  const { StatusCode, Payload } = await aws.client(LambdaClient).send(command);
  return { status: StatusCode, answer: Payload?.transformToString() };
};

describe('an event that nobody waits for', () => {
  test('is answered 202 with nothing, before the function has ended', async () => {
    const end = Promise.withResolvers<{ payload: string }>();
    aws.aws.onInvoke(() => end.promise);

    expect(await send('mails:live', {})).toEqual({ status: 202, answer: undefined });
    end.resolve({ payload: 'null' });
    await aws.aws.eventsSettled();
  });

  test.each([
    [0, 1, 0],
    [2, 3, 0],
    [3, 3, 1],
    [4, 3, 1],
  ])(
    'on which its function fails %i times invokes it %i times and leaves %i messages',
    async (failures, times, messages) => {
      await send('mails', { failures });
      await aws.aws.eventsSettled();

      expect(invoked).toHaveLength(times);
      expect(await aws.aws.queued('unsent')).toHaveLength(messages);
      expect(await readdir(join(aws.dataFolder, 'events'))).toEqual([]);
    },
  );

  test('goes to the queue of failures with what it was and how it ended', async () => {
    await send('mails:live', { failures: 3 });
    await aws.aws.eventsSettled();

    expect(await aws.aws.queued('unsent')).toEqual([
      expect.objectContaining({
        requestContext: expect.objectContaining({
          functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:mails:live',
          condition: 'RetriesExhausted',
          approximateInvokeCount: 3,
        }),
        requestPayload: { failures: 3 },
        responsePayload: { errorMessage: 'no' },
      }),
    ]);
  });

  test('survives the end of the process, and comes again in the next one', async () => {
    aws.aws.onInvoke(() => new Promise(() => undefined));
    await send('mails', { from: 'before' });
    await aws.aws.close();
    aws = await aws.restart();
    listen(aws);
    await aws.aws.resumeEvents();
    await aws.aws.eventsSettled();

    expect(invoked).toEqual(['{"from":"before"}']);
  });

  test.each([
    ['an unknown function', 'nobody', {}, 'ResourceNotFoundException'],
    ['more than 256 KB', 'mails', { text: 'x'.repeat(262_144) }, 'RequestTooLargeException'],
  ])('is refused for %s', async (_, name, payload, error) => {
    await expect(send(name, payload)).rejects.toMatchObject({ name: error });
    expect(invoked).toEqual([]);
  });
});

describe('a queue', () => {
  test('keeps a message for a fortnight', async () => {
    await send('mails', { failures: 3 });
    await aws.aws.eventsSettled();
    const now = Math.floor(Date.now() / 1000);

    await aws.aws.sweep(now + 14 * DAY - 60);
    expect(await aws.aws.queued('unsent')).toHaveLength(1);
    await aws.aws.sweep(now + 14 * DAY + 60);
    expect(await aws.aws.queued('unsent')).toEqual([]);
  });
});

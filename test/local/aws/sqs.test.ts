import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestAws } from '../../support/aws/aws.ts';

const aws = await startTestAws();
afterAll(() => aws.stop());

const client = aws.client(SQSClient);
let QueueUrl = '';
let queues = 0;
beforeEach(() => {
  queues += 1;
  aws.aws.createQueue(`queue-${queues}`);
  QueueUrl = aws.aws.queueUrl(`queue-${queues}`);
});

const send = (...bodies: readonly string[]) =>
  Promise.all(
    bodies.map((MessageBody) => client.send(new SendMessageCommand({ QueueUrl, MessageBody }))),
  );
const receive = async (more: object = { WaitTimeSeconds: 1 }) => {
  const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...more });
  return (await client.send(command)).Messages ?? [];
};
const waiting = async () => {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames });
  return (await client.send(command)).Attributes?.['ApproximateNumberOfMessages'];
};

describe('a queue', () => {
  test('keeps what is sent to it until it is deleted, and hides it meanwhile from others', async () => {
    await send('a', 'b');

    const got = await receive();
    expect(got.map(({ Body }) => Body).sort()).toEqual(['a', 'b']);
    expect([await waiting(), await receive()]).toEqual(['0', []]);
    for (const { ReceiptHandle } of got) {
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    expect(await aws.aws.queued(`queue-${queues}`)).toEqual([]);
  });

  test('gives again what nobody deleted in time, and counts that', async () => {
    await send('a');
    const asked = {
      WaitTimeSeconds: 1,
      VisibilityTimeout: 0,
      MessageSystemAttributeNames: ['All' as const],
    };
    await receive(asked);

    const [again] = await receive(asked);
    expect(again?.Attributes).toMatchObject({ ApproximateReceiveCount: '2' });
    expect(Number(again?.Attributes?.SentTimestamp)).toBeGreaterThan(Date.now() - 60_000);
    expect(await waiting()).toBe('1');
  });

  test('shows who does not wait a part of it alone', async () => {
    await send('a');

    expect(await receive({})).toEqual([]);
  });

  test('keeps attributes of a message, for who asks for them', async () => {
    const MessageAttributes = { TARGET_ARN: { DataType: 'String', StringValue: 'arn' } };
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a', MessageAttributes }));

    const hidden = { WaitTimeSeconds: 1, VisibilityTimeout: 0 };
    expect((await receive(hidden))[0]).not.toHaveProperty('MessageAttributes');
    const [got] = await receive({ ...hidden, MessageAttributeNames: ['All'] });
    expect(got?.MessageAttributes).toEqual(MessageAttributes);
  });

  test.each([
    [
      'a queue that there is not',
      'QueueDoesNotExist',
      async () => {
        QueueUrl = aws.aws.queueUrl('nowhere');
        await send('a');
      },
    ],
    [
      'a receipt of nothing',
      'ReceiptHandleIsInvalid',
      async () => {
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: '../x' }));
      },
    ],
    [
      'a message that is too long',
      'InvalidParameterValue',
      async () => {
        await send('a'.repeat(1024 * 1024 + 1));
      },
    ],
  ])('refuses %s', async (_, name, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ name });
  });
});

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT_ID, arnOf } from '../account.ts';
import type { Wanted } from '../iam/access-control.ts';
import { kmsContext, viaService } from '../iam/key-use.ts';
import { AwsError } from '../wire/aws-error.ts';
import { jsonOperation, jsonService } from '../wire/json.ts';
import type { AwsService } from '../wire/service.ts';
import { openQueues, type Queues, type ReceivedMessage } from './queues.ts';

export interface EmbeddedSqs {
  readonly service: AwsService;
  readonly queues: Queues;
  createQueue(name: string): void;
}

/** Most bytes of a message with its attributes. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const VISIBILITY_SECONDS = 30;

/**
 * SQS: standard queues, whose messages are sent, received and deleted. Attributes of messages are texts. As on AWS,
 * a receiver that does not wait (short polling) sees only a part of the queue.
 * Source: Amazon SQS API Reference; Amazon SQS Developer Guide, "Short and long polling", "Key management".
 */
export const openSqs = async (folder: string, region: string): Promise<EmbeddedSqs> => {
  const queues = await openQueues(folder);
  const known = new Set<string>();

  const nameIn = (url: string): string => {
    const name = new URL(url).pathname.slice(`/${ACCOUNT_ID}/`.length);
    if (known.has(name)) return name;
    throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
  };
  const QueueUrl = z.url().transform(nameIn);

  const accesses = (action: string, queue: string): Wanted => ({
    action: `sqs:${action}`,
    resource: arnOf('sqs', region, queue),
    context: {},
  });
  const encrypted = (action: 'kms:Decrypt' | 'kms:GenerateDataKey', queue: string): Wanted => {
    const arn = arnOf('sqs', region, queue);
    return {
      action,
      keyOf: arn,
      context: kmsContext({ 'aws:sqs:arn': arn }, viaService('sqs', region)),
    };
  };

  const operations = {
    SendMessage: jsonOperation(
      z.strictObject({
        QueueUrl,
        MessageBody: z.string().min(1),
        MessageAttributes: z
          .record(
            z.string(),
            z.strictObject({ DataType: z.literal('String'), StringValue: z.string() }),
          )
          .default({}),
      }),
      async ({ QueueUrl: queue, MessageBody: body, MessageAttributes }) => {
        if (Buffer.byteLength(body) > MAX_MESSAGE_BYTES) {
          throw new AwsError('InvalidParameterValue', 'The message is too long.');
        }
        const texts = Object.entries(MessageAttributes).map(([name, one]) => [
          name,
          one.StringValue,
        ]);
        const MessageId = await queues.send(queue, body, Object.fromEntries(texts));
        return { MessageId, MD5OfMessageBody: md5(body) };
      },
      ({ QueueUrl: queue }) => [
        accesses('SendMessage', queue),
        encrypted('kms:GenerateDataKey', queue),
        encrypted('kms:Decrypt', queue),
      ],
    ),
    ReceiveMessage: jsonOperation(
      z.strictObject({
        QueueUrl,
        MaxNumberOfMessages: z.int().min(1).max(10).default(1),
        VisibilityTimeout: z.int().min(0).max(43_200).default(VISIBILITY_SECONDS),
        WaitTimeSeconds: z.int().min(0).max(20).default(0),
        MessageAttributeNames: z.array(z.literal('All')).default([]),
        MessageSystemAttributeNames: z.array(z.literal('All')).default([]),
      }),
      async (input) => {
        const found = await queues.receive(input.QueueUrl, {
          most: input.MaxNumberOfMessages,
          hiddenMs: input.VisibilityTimeout * 1000,
          isLong: input.WaitTimeSeconds > 0,
        });
        const hasAttributes = input.MessageAttributeNames.length > 0;
        const hasSystem = input.MessageSystemAttributeNames.length > 0;
        return found.length === 0
          ? {}
          : { Messages: found.map((one) => messageOf(one, hasAttributes, hasSystem)) };
      },
      ({ QueueUrl: queue }) => [accesses('ReceiveMessage', queue), encrypted('kms:Decrypt', queue)],
    ),
    DeleteMessage: jsonOperation(
      z.strictObject({ QueueUrl, ReceiptHandle: z.string() }),
      async ({ QueueUrl: queue, ReceiptHandle }) => {
        if (await queues.remove(queue, ReceiptHandle)) return {};
        throw new AwsError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
      },
      ({ QueueUrl: queue }) => [accesses('DeleteMessage', queue)],
    ),
    GetQueueAttributes: jsonOperation(
      z.strictObject({
        QueueUrl,
        AttributeNames: z.array(z.literal('ApproximateNumberOfMessages')),
      }),
      async ({ QueueUrl: queue }) => {
        const { visible } = await queues.count(queue);
        return { Attributes: { ApproximateNumberOfMessages: String(visible) } };
      },
      ({ QueueUrl: queue }) => [accesses('GetQueueAttributes', queue)],
    ),
  };
  return {
    queues,
    createQueue: (name) => void known.add(name),
    service: jsonService({
      signingName: 'sqs',
      target: 'AmazonSQS',
      version: '1.0',
      maxBodyBytes: 2 * MAX_MESSAGE_BYTES,
      operations,
    }),
  };
};

const messageOf = (
  { id, body, attributes, sentAt, receives, receiptHandle }: ReceivedMessage,
  hasAttributes: boolean,
  hasSystem: boolean,
) => ({
  MessageId: id,
  ReceiptHandle: receiptHandle,
  Body: body,
  MD5OfBody: md5(body),
  ...(hasSystem && {
    Attributes: { SentTimestamp: String(sentAt), ApproximateReceiveCount: String(receives) },
  }),
  ...(hasAttributes && {
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, StringValue]) => [
        name,
        { DataType: 'String', StringValue },
      ]),
    ),
  }),
});

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

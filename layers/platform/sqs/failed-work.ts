import type { FailedQueue, FailedMessage } from '../rules/failed-work.ts';
import { type AwsAccess, faultOf, sdkClient } from '../aws/access.ts';

const ANSWER_MS = 10_000;

/** URLs of the dead-letter queues, and of the queue from which the function `activity` stores calls. */
export interface QueueUrls {
  readonly failed: Readonly<Record<FailedQueue, string>>;
  readonly unstoredCalls: string;
}

/**
 * Dead-letter queues in SQS. Only long polling (here one second) searches all servers of a queue.
 * Source: Amazon SQS Developer Guide, "Amazon SQS short and long polling".
 */
export const sqsFailedWork = (access: AwsAccess, { failed, unstoredCalls }: QueueUrls) => {
  const open = sdkClient(
    () => import('./sdk.ts'),
    (sdk, settings) => new sdk.SQSClient(settings),
    access,
    { answerMs: ANSWER_MS },
  );
  const sqsFault = faultOf('sqs');
  return {
    /** Approximate number of messages. @throws Fault */
    count: async (queue: FailedQueue): Promise<number> => {
      const { sdk, client } = await open();
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const command = new sdk.GetQueueAttributesCommand({
        QueueUrl: failed[queue],
        AttributeNames,
      });
      const { Attributes } = await client.send(command).catch(sqsFault);
      return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0);
    },

    /** At most ten messages, hidden from other receivers for a time. @throws Fault */
    receive: async (
      queue: FailedQueue,
      hiddenSeconds: number,
    ): Promise<readonly FailedMessage[]> => {
      const { sdk, client } = await open();
      const command = new sdk.ReceiveMessageCommand({
        QueueUrl: failed[queue],
        MaxNumberOfMessages: 10,
        VisibilityTimeout: hiddenSeconds,
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      });
      const { Messages = [] } = await client.send(command).catch(sqsFault);
      return Messages.map(({ Body = '', ReceiptHandle = '', Attributes, MessageAttributes }) => ({
        body: Body,
        receipt: ReceiptHandle,
        sentAt: Math.floor(Number(Attributes?.SentTimestamp ?? 0) / 1000),
        attributes: Object.fromEntries(
          Object.entries(MessageAttributes ?? {}).map(([name, { StringValue = '' }]) => [
            name,
            StringValue,
          ]),
        ),
      }));
    },

    /** @throws Fault */
    remove: async (queue: FailedQueue, ReceiptHandle: string): Promise<void> => {
      const { sdk, client } = await open();
      const command = new sdk.DeleteMessageCommand({ QueueUrl: failed[queue], ReceiptHandle });
      await client.send(command).catch(sqsFault);
    },

    /** Queues calls to be stored once more; calls already stored count once. @throws Fault */
    storeAgain: async (MessageBody: string): Promise<void> => {
      const { sdk, client } = await open();
      const command = new sdk.SendMessageCommand({ QueueUrl: unstoredCalls, MessageBody });
      await client.send(command).catch(sqsFault);
    },
  };
};

export type FailedWork = ReturnType<typeof sqsFailedWork>;

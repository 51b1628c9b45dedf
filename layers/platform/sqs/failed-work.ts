import type { FailedQueue, FailedMessage } from '../rules/failed-work.ts';
import { type AwsAccess, faultOf, sdkClient } from '../aws/access.ts';

const ANSWER_MS = 10_000;

/** URLs of queues: of each kind of work, and of the one that gives calls to the function `activity` again. */
export interface QueueUrls {
  readonly failed: Readonly<Record<FailedQueue, string>>;
  readonly unstoredCalls: string;
}

/**
 * Queues of SQS. Only a receiver that waits is shown all of a queue; a second is enough.
 *
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
    /** How many messages wait, roughly. @throws Fault */
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

    /**
     * Some of those that wait, ten at most; nobody else is given them for so long.
     *
     * @throws Fault
     */
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

    /** Has calls stored once more; those that are stored already count once. @throws Fault */
    storeAgain: async (MessageBody: string): Promise<void> => {
      const { sdk, client } = await open();
      const command = new sdk.SendMessageCommand({ QueueUrl: unstoredCalls, MessageBody });
      await client.send(command).catch(sqsFault);
    },
  };
};

/** The queues of what functions failed at for good. */
export type FailedWork = ReturnType<typeof sqsFailedWork>;

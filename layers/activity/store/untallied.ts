import * as z from 'zod/mini';
import { eachAtOnce } from '../../platform/rules/at-once.ts';
import { type AwsAccess, faultOf, sdkClient } from '../../platform/aws/access.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import type { TouchedMinute } from '../rules/touched.ts';

const ANSWER_MS = 10_000;
const AT_ONCE = 8;
/** Batches of ten messages per read. */
const MOST_BATCHES = 20;
/** Somewhat longer than a run, so that no other run counts the same messages. */
const HIDDEN_SECONDS = 120;

const Body = z.object({ deploymentId: z.string(), shard: z.int(), minute: z.string() });

export interface UntalliedMinute {
  readonly minute: TouchedMinute | undefined;
  readonly receipt: string;
}

/** Queue of minutes with unreadable calls. */
export const sqsUntallied = (access: AwsAccess, QueueUrl: string) => {
  const open = sdkClient(
    () => import('../../platform/sqs/sdk.ts'),
    (sdk, settings) => new sdk.SQSClient(settings),
    access,
    { answerMs: ANSWER_MS },
  );
  const sqsFault = faultOf('sqs');
  return {
    /** @throws Fault */
    tell: async (minutes: readonly TouchedMinute[]): Promise<void> => {
      const { sdk, client } = await open();
      await eachAtOnce(AT_ONCE, minutes, ({ deploymentId, shard, minute }) => {
        const MessageBody = JSON.stringify({ deploymentId, shard, minute });
        const command = new sdk.SendMessageCommand({ QueueUrl, MessageBody });
        return client.send(command).catch(sqsFault);
      });
    },

    /** Up to 200 waiting messages, hidden from others meanwhile; `isAll` if there are no more. @throws Fault */
    some: async (): Promise<{
      readonly told: readonly UntalliedMinute[];
      readonly isAll: boolean;
    }> => {
      const { sdk, client } = await open();
      const told: UntalliedMinute[] = [];
      for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
        const command = new sdk.ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: HIDDEN_SECONDS,
          WaitTimeSeconds: 1,
        });
        const { Messages = [] } = await client.send(command).catch(sqsFault);
        if (Messages.length === 0) return { told, isAll: true };
        for (const { Body: text = '', ReceiptHandle: receipt = '' } of Messages) {
          const { data: minute } = z.safeParse(Body, jsonOrUndefined(text));
          told.push({ minute, receipt });
        }
      }
      return { told, isAll: false };
    },

    /** @throws Fault */
    remove: async (told: readonly UntalliedMinute[]): Promise<void> => {
      const { sdk, client } = await open();
      await eachAtOnce(AT_ONCE, told, ({ receipt: ReceiptHandle }) =>
        client.send(new sdk.DeleteMessageCommand({ QueueUrl, ReceiptHandle })).catch(sqsFault),
      );
    },
  };
};

export type Untallied = ReturnType<typeof sqsUntallied>;

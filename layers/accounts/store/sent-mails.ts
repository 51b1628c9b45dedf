import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import { sentMailKey } from '../../platform/dynamodb/keys.ts';
import { DAY, type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';

/** As long as the function that sends mails may run: one that was killed has ended by then, and its event comes again later. */
const HOLD_SECONDS = MINUTE / 2;
/** Longer than the fortnight that the queue of failed mails keeps an event. */
const KNOWN_SECONDS = 15 * DAY;

/**
 * Which mails were sent, by the ids of the requests for them: Lambda and SQS bring an event at least once, and may bring
 * it twice, at once or much later.
 *
 * @throws Fault from every method when the store is down
 */
export const dynamoSentMails = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const items = itemsOf(dynamo, TableName, sentMailKey, z.object({}));

  return {
    /**
     * Keeps others from sending it meanwhile.
     *
     * @returns what ends the hold, once it was sent or where nothing was; or why it may not be sent now
     */
    begin: async (id: string, now: EpochSeconds): Promise<MailBegun | 'sent' | 'under_way'> => {
      const holder = random.id();
      const begun = await items.update(id, {
        UpdateExpression: 'SET heldBy = :holder, heldUntil = :until, deleteAfter = :deleteAfter',
        // It names the holder, so that a repetition after a lost answer is no second one.
        ConditionExpression:
          'attribute_not_exists(sentAt) AND (attribute_not_exists(heldUntil) OR heldUntil <= :now OR heldBy = :holder)',
        ExpressionAttributeValues: {
          ':holder': holder,
          ':until': now + HOLD_SECONDS,
          ':now': now,
          ':deleteAfter': now + KNOWN_SECONDS,
        },
      });
      if (!begun) {
        const sent = await items.update(id, {
          UpdateExpression: 'SET deleteAfter = :deleteAfter',
          ConditionExpression: 'attribute_exists(sentAt)',
          ExpressionAttributeValues: { ':deleteAfter': now + KNOWN_SECONDS },
        });
        return sent ? 'sent' : 'under_way';
      }
      return {
        sent: async () => {
          await items.update(id, {
            UpdateExpression: 'SET sentAt = :now REMOVE heldBy, heldUntil',
            ExpressionAttributeValues: { ':now': now },
          });
        },
        notSent: async () => {
          await items.update(id, {
            UpdateExpression: 'REMOVE heldBy, heldUntil',
            ConditionExpression: 'heldBy = :holder',
            ExpressionAttributeValues: { ':holder': holder },
          });
        },
      };
    },
  };
};

/** Mails that were sent, and are not sent again. Source: docs/decisions/accounts.md, "Who sends mails". */
export type SentMails = ReturnType<typeof dynamoSentMails>;

interface MailBegun {
  /** From now on it is sent no more. */
  sent(): Promise<void>;
  /** It may be sent at once. */
  notSent(): Promise<void>;
}

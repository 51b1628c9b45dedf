import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import { sentMailKey } from '../../platform/dynamodb/keys.ts';
import { DAY, type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';

/** The mail function's maximum run time: the hold of a crashed one has ended when its event is retried. */
const HOLD_SECONDS = MINUTE / 2;
/** Longer than the 14 days for which the queue of failed mails keeps an event. */
const KNOWN_SECONDS = 15 * DAY;

/**
 * Remembers sent mails by request id: Lambda and SQS deliver events at least once, so duplicates can come at the same
 * time or days later. Source: docs/decisions/accounts.md, "Who sends mails".
 * @throws Fault from every method when the store is down
 */
export const dynamoSentMails = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const items = itemsOf(dynamo, TableName, sentMailKey, z.object({}));

  return {
    /** Reserves a mail for one sender. @returns how to end the reservation, or why the mail must not be sent now */
    begin: async (id: string, now: EpochSeconds): Promise<MailBegun | 'sent' | 'under_way'> => {
      const holder = random.id();
      const begun = await items.update(id, {
        UpdateExpression: 'SET heldBy = :holder, heldUntil = :until, deleteAfter = :deleteAfter',
        // The condition accepts its own holder, so that a retry after a lost answer succeeds.
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

export type SentMails = ReturnType<typeof dynamoSentMails>;

interface MailBegun {
  sent(): Promise<void>;
  /** Releases the reservation, so that a retry can send the mail at once. */
  notSent(): Promise<void>;
}

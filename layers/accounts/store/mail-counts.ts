import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LimitValues } from '../../limits/rules/limits.ts';
import { windowOf } from '../../limits/rules/windows.ts';
import { counterKey, emailHash } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

/** The hour first: once the day is used up, what an hour still counts lets nothing pass. */
const LIMITS = ['mails_per_hour_per_recipient', 'mails_per_day_per_recipient'] as const;

/**
 * A set of mails for each recipient and window, whose size is the count: adding one that is in it already
 * changes nothing, so that a mail that is tried again counts once.
 */
export const dynamoMailCounts = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: LimitValues,
) => {
  const items = itemsOf(dynamo, TableName, counterKey, z.object({ mails: z.set(z.string()) }));

  return {
    /**
     * Counts a mail before it is sent; atomic. One that is tried again counts once.
     *
     * @param id - of the request for it
     * @returns false if it would be one too many
     */
    take: async (email: string, id: string, now: EpochSeconds): Promise<boolean> => {
      for (const limit of LIMITS) {
        const { start, end } = windowOf(limit, now);
        const counted = await items.update(
          { limit, subject: emailHash(email), start },
          {
            UpdateExpression: 'ADD mails :mail SET deleteAfter = :deleteAfter',
            ConditionExpression:
              'attribute_not_exists(mails) OR contains(mails, :id) OR size(mails) < :limit',
            ExpressionAttributeValues: {
              ':mail': new Set([id]),
              ':id': id,
              ':limit': limits[limit],
              ':deleteAfter': end + DAY,
            },
          },
        );
        if (!counted) return false;
      }
      return true;
    },
  };
};

/** Mails to one recipient, of all kinds together, by hour and day. */
export type MailCounts = ReturnType<typeof dynamoMailCounts>;

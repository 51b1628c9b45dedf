import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LimitValues } from '../../limits/rules/limits.ts';
import { windowOf } from '../../limits/rules/windows.ts';
import { counterKey, emailHash } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

/** The hour is counted first: once the day is used up, counts of the hour have no effect. */
const LIMITS = ['mails_per_hour_per_recipient', 'mails_per_day_per_recipient'] as const;

/** Stores the set of mail ids per recipient and window; its size is the count, so that retries do not count again. */
export const dynamoMailCounts = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: LimitValues,
) => {
  const items = itemsOf(dynamo, TableName, counterKey, z.object({ mails: z.set(z.string()) }));

  return {
    /**
     * Counts a mail before it is sent, atomically. Retries count once.
     * @param id - of the mail request
     * @returns false if the limit is reached
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

export type MailCounts = ReturnType<typeof dynamoMailCounts>;

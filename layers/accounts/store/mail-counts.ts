import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LimitValues } from '../../limits/rules/limits.ts';
import { windowOf } from '../../limits/rules/windows.ts';
import { DAY } from '../../platform/rules/time.ts';
import type { MailCounts } from '../../ports.ts';
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
): MailCounts => {
  const items = itemsOf(dynamo, TableName, counterKey, z.object({ mails: z.set(z.string()) }));

  return {
    take: async (email, id, now) => {
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

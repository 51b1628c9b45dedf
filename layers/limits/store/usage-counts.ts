import { exactly } from '../../platform/rules/shape.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { hourOf, monthOf, type Window } from '../rules/windows.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { usageKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

/** What a user has used: the hour and the month last counted in, and the counts in them. */
export interface UsageCounts {
  readonly hourStart: EpochSeconds;
  readonly hourCount: number;
  readonly monthStart: EpochSeconds;
  readonly monthCount: number;
}

export interface Windows {
  readonly hour: Window;
  readonly month: Window;
}

/** A cost, and what may be there already for it to fit. */
export interface Cost {
  readonly cost: number;
  readonly hourRoom: number;
  readonly monthRoom: number;
}

const Item = exactly<UsageCounts>()(
  z.object({
    hourStart: z.int(),
    hourCount: z.int(),
    monthStart: z.int(),
    monthCount: z.int(),
  }),
);

/** An hour lies within its month, so whoever is in a newer month is in a newer hour. */
export const windowsAt = (now: EpochSeconds): Windows => ({
  hour: hourOf(now),
  month: monthOf(now),
});

/** The single steps of counting: each one conditional update of the user's one item, or one read. */
export const usageCounts = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, usageKey, Item);

  return {
    read: items.find,

    /** In the windows that are stored. */
    add: (userId: string, { hour, month }: Windows, { cost, hourRoom, monthRoom }: Cost) =>
      items.update(userId, {
        UpdateExpression: 'ADD hourCount :cost, monthCount :cost',
        ConditionExpression:
          'hourStart = :hour AND monthStart = :month AND hourCount <= :hourRoom AND monthCount <= :monthRoom',
        ExpressionAttributeValues: {
          ':cost': cost,
          ':hour': hour.start,
          ':month': month.start,
          ':hourRoom': hourRoom,
          ':monthRoom': monthRoom,
        },
      }),

    /** As the first of an hour. Time only goes forward: a late clock reopens nothing. */
    openHour: (userId: string, { hour, month }: Windows, { cost, monthRoom }: Cost) =>
      items.update(userId, {
        UpdateExpression: 'SET hourStart = :hour, hourCount = :cost ADD monthCount :cost',
        ConditionExpression:
          'hourStart < :hour AND monthStart = :month AND monthCount <= :monthRoom',
        ExpressionAttributeValues: {
          ':cost': cost,
          ':hour': hour.start,
          ':month': month.start,
          ':monthRoom': monthRoom,
        },
      }),

    /** As the first of a month, or of all. */
    openMonth: (userId: string, { hour, month }: Windows, { cost }: Cost) =>
      items.update(userId, {
        UpdateExpression:
          'SET hourStart = :hour, hourCount = :cost, monthStart = :month, monthCount = :cost, deleteAfter = :deleteAfter',
        ConditionExpression: 'attribute_not_exists(pk) OR monthStart < :month',
        ExpressionAttributeValues: {
          ':cost': cost,
          ':hour': hour.start,
          ':month': month.start,
          ':deleteAfter': month.end + DAY,
        },
      }),
  };
};

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { hourOf, monthOf, type Window } from '../../domain/access/windows.ts';
import { DAY, type EpochSeconds } from '../../domain/time.ts';
import { itemsOf } from './items.ts';

/** What a user has used: the hour and the month last counted in, and the counts in them. */
export interface UsageCounts {
  readonly hourStart: EpochSeconds;
  readonly hour: number;
  readonly monthStart: EpochSeconds;
  readonly month: number;
}

export interface Windows {
  readonly hour: Window;
  readonly month: Window;
}

/** A cost, and what may be there already for it to fit. */
export interface Taking {
  readonly cost: number;
  readonly hourRoom: number;
  readonly monthRoom: number;
}

const Item = z.pipe(
  z.object({ hw: z.int(), hc: z.int(), mw: z.int(), mc: z.int() }),
  z.transform((item): UsageCounts => ({
    hourStart: item.hw,
    hour: item.hc,
    monthStart: item.mw,
    month: item.mc,
  })),
);

/** An hour lies within its month, so whoever is in a newer month is in a newer hour. */
export const windowsAt = (now: EpochSeconds): Windows => ({
  hour: hourOf(now),
  month: monthOf(now),
});

/** The single steps of counting: each one conditional update of the user's one item, or one read. */
export const usageCounts = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, 'USAGE', Item);

  return {
    read: items.find,

    /** In the windows that are stored. */
    add: (userId: string, { hour, month }: Windows, taking: Taking) =>
      items.update(userId, {
        UpdateExpression: 'ADD hc :cost, mc :cost',
        ConditionExpression: 'hw = :hour AND mw = :month AND hc <= :hourRoom AND mc <= :monthRoom',
        ExpressionAttributeValues: {
          ':cost': taking.cost,
          ':hour': hour.start,
          ':month': month.start,
          ':hourRoom': taking.hourRoom,
          ':monthRoom': taking.monthRoom,
        },
      }),

    /** As the first of an hour. Time only goes forward: a late clock reopens nothing. */
    openHour: (userId: string, { hour, month }: Windows, { cost, monthRoom }: Taking) =>
      items.update(userId, {
        UpdateExpression: 'SET hw = :hour, hc = :cost ADD mc :cost',
        ConditionExpression: 'hw < :hour AND mw = :month AND mc <= :monthRoom',
        ExpressionAttributeValues: {
          ':cost': cost,
          ':hour': hour.start,
          ':month': month.start,
          ':monthRoom': monthRoom,
        },
      }),

    /** As the first of a month, or of all. */
    openMonth: (userId: string, { hour, month }: Windows, { cost }: Taking) =>
      items.update(userId, {
        UpdateExpression:
          'SET hw = :hour, hc = :cost, mw = :month, mc = :cost, expires_at = :expires',
        ConditionExpression: 'attribute_not_exists(pk) OR mw < :month',
        ExpressionAttributeValues: {
          ':cost': cost,
          ':hour': hour.start,
          ':month': month.start,
          ':expires': month.end + DAY,
        },
      }),
  };
};

import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { DAY, type EpochSeconds, MINUTE } from '../../domain/time.ts';
import type { BlockedSubject } from '../../ports.ts';
import { dynamoFault, undefinedUnlessMet } from './faults.ts';
import { scanItems } from './scan-items.ts';
import { stored } from './stored.ts';

/** What a request is counted with. Windows are minutes since 1970. */
export interface Counting {
  readonly subject: string;
  readonly cost: number;
  readonly window: number;
  readonly now: EpochSeconds;
}

const Item = z.pipe(
  z.object({
    window: z.int(),
    count: z.int(),
    blocked_until: z.exactOptional(z.int()),
  }),
  z.transform(({ window, count, blocked_until: blockedUntil = 0 }) => ({
    window,
    count,
    blockedUntil,
  })),
);

const KIND = 'public_requests_per_minute_per_ip';
const MAX_BLOCKED = 1000;

const NOT_BLOCKED = '(attribute_not_exists(blocked_until) OR blocked_until <= :now)';

/** The single steps of counting: each one conditional update of the subject's one item, or one read. */
export const publicRequestCounter = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const count = async (
    { subject, cost, window, now }: Counting,
    UpdateExpression: string,
    condition: string,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<number | undefined> => {
    const counted = await dynamo
      .send(
        new UpdateCommand({
          TableName,
          Key: keyOf(subject),
          UpdateExpression,
          ConditionExpression: `${condition} AND ${NOT_BLOCKED}`,
          ExpressionAttributeNames: { '#window': 'window', '#count': 'count' },
          ExpressionAttributeValues: { ':cost': cost, ':window': window, ':now': now, ...values },
          ReturnValues: 'ALL_NEW',
        }),
      )
      .catch(undefinedUnlessMet);
    return counted && stored(Item, counted.Attributes, 'a public request count').count;
  };

  return {
    /** Counts in the stored window. @returns the new count, or undefined if that is another window */
    add: (counting: Counting) => count(counting, 'ADD #count :cost', '#window = :window'),

    /** Counts as the first of a window. Time only goes forward: a late clock reopens nothing. */
    open: (counting: Counting) =>
      count(
        counting,
        'SET #window = :window, #count = :cost, expires_at = :expires',
        '(attribute_not_exists(pk) OR #window < :window)',
        { ':expires': endOf(counting.window) + DAY },
      ),

    read: async (subject: string) => {
      const { Item: item } = await dynamo
        .send(new GetCommand({ TableName, Key: keyOf(subject), ConsistentRead: true }))
        .catch(dynamoFault);
      return item && stored(Item, item, 'a public request count');
    },

    /** @returns true for the one call that did it */
    block: async (subject: string, now: EpochSeconds, until: EpochSeconds): Promise<boolean> => {
      const blocked = await dynamo
        .send(
          new UpdateCommand({
            TableName,
            Key: keyOf(subject),
            UpdateExpression: 'SET blocked_until = :until, expires_at = :expires',
            ConditionExpression: `attribute_exists(pk) AND ${NOT_BLOCKED}`,
            ExpressionAttributeValues: { ':until': until, ':expires': until + DAY, ':now': now },
          }),
        )
        .catch(undefinedUnlessMet);
      return blocked !== undefined;
    },

    /** Begins the count anew as well, or the next request would be blocked again. */
    unblock: async (subject: string, now: EpochSeconds): Promise<boolean> => {
      const unblocked = await dynamo
        .send(
          new UpdateCommand({
            TableName,
            Key: keyOf(subject),
            UpdateExpression: 'SET #count = :none REMOVE blocked_until',
            ConditionExpression: 'blocked_until > :now',
            ExpressionAttributeNames: { '#count': 'count' },
            ExpressionAttributeValues: { ':none': 0, ':now': now },
          }),
        )
        .catch(undefinedUnlessMet);
      return unblocked !== undefined;
    },

    /** Reads the whole table: for operators. */
    blocked: async (now: EpochSeconds): Promise<readonly BlockedSubject[]> => {
      const blocked: BlockedSubject[] = [];
      for await (const item of scanItems(dynamo, TableName, KIND)) {
        const { blockedUntil: until } = stored(Item, item, 'a public request count');
        if (until <= now) continue;
        blocked.push({ subject: String(item['pk']).slice(KIND.length + 1), until });
        if (blocked.length === MAX_BLOCKED) break;
      }
      return blocked;
    },
  };
};

/** The first second after a window. */
export const endOf = (window: number): EpochSeconds => (window + 1) * MINUTE;

const keyOf = (subject: string) => ({ pk: `${KIND}#${subject}` });

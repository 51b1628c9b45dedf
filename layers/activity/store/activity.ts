import { type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type ActivityEvent, EVENT_TYPES } from '../../events/rules/call-record.ts';
import type { ActivityQuery } from '../rules/queries.ts';
import { parseItem, queryPage } from '../../platform/dynamodb/items.ts';

/** Events read for one page, of whatever type. */
const LOOK_AT = 2000;
const AT_ONCE = 500;

const Event = z.looseObject({
  type: z.enum(EVENT_TYPES),
  sk: z.string(),
  at: z.int(),
});
const Detail = z.union([z.string(), z.number()]);

const NO_DETAILS: ReadonlySet<string> = new Set([
  'pk',
  'sk',
  'at',
  'type',
  'deleteAfter',
  'deploymentId',
  'accountId',
  'slug',
]);

export const dynamoActivity = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  events: async ({
    of,
    type,
    from,
    before,
    limit,
  }: ActivityQuery): Promise<{
    readonly events: readonly ActivityEvent[];
    readonly next: string | undefined;
  }> => {
    const [index, attribute, id] = timeLineOf(of);
    const events: ActivityEvent[] = [];
    let end = before;
    // DynamoDB refuses a range that ends before it begins.
    if (end <= from) return { events, next: undefined };
    for (let looked = 0; looked < LOOK_AT; looked += AT_ONCE) {
      const { Items = [], LastEvaluatedKey } = await queryPage(dynamo, {
        TableName,
        IndexName: index,
        KeyConditionExpression: `${attribute} = :id AND sk BETWEEN :from AND :end`,
        ExpressionAttributeValues: { ':id': id, ':from': from, ':end': end },
        ScanIndexForward: false,
        Limit: AT_ONCE,
      });
      for (const item of Items) {
        const event = eventFrom(item);
        // BETWEEN is inclusive, and the event at `end` has been shown already.
        if (event.place >= end) continue;
        if (type !== undefined && event.type !== type) continue;
        events.push(event);
        if (events.length === limit) return { events, next: event.place };
      }
      if (!LastEvaluatedKey) return { events, next: undefined };
      end = String(LastEvaluatedKey['sk']);
    }
    return { events, next: end };
  },
});

/** Eventually consistent. */
export type Activity = ReturnType<typeof dynamoActivity>;

const timeLineOf = (of: ActivityQuery['of']) =>
  'accountId' in of
    ? (['by-account', 'accountId', of.accountId] as const)
    : (['by-deployment', 'deploymentId', of.deploymentId] as const);

const eventFrom = (item: unknown): ActivityEvent => {
  const { type, sk: place, at, ...rest } = parseItem(Event, item, 'an event');
  const details = Object.entries(rest).flatMap(([name, value]) => {
    const detail = z.safeParse(Detail, value);
    return NO_DETAILS.has(name) || !detail.success ? [] : [[name, detail.data] as const];
  });
  return { type, place, at, details: Object.fromEntries(details) };
};

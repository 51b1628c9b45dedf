import { daysOf, nameOfCall, type ToolDay } from '../rules/call-counts.ts';
import { type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isUnfinished } from '../../events/rules/call-outcome.ts';
import { type CallRecord, placeOfCall } from '../../events/rules/call-record.ts';
import type { CallQuery } from '../rules/queries.ts';
import { callHoursPartition, callPartition } from '../../platform/dynamodb/keys.ts';
import { queryItems, queryPage } from '../../platform/dynamodb/items.ts';
import { readableCount } from './count-item.ts';
import { ERASED } from '../../platform/rules/subject.ts';
import { SHARDS } from '../rules/touched.ts';
import { later, readCalls, SPAN, unpackCalls, type UnreadCall } from './call-item.ts';

/** Calls read for one page at least, unless it is full before. */
const LOOK_AT = 2000;
/** Items per read of a partition: few where calls are packed, many where they came one by one. */
const FIRST_ITEMS = 15;
const MORE_ITEMS = 250;

/** What has been read of one shard, from its newest end. */
interface Look {
  readonly shard: number;
  readonly found: readonly { readonly place: string; readonly call: CallRecord }[];
  /** Names of calls whose end was read, even if they do not match the query. */
  readonly ended: readonly string[];
  /** Names of calls of erased callers. A log event that is delivered again stores the call with its caller again. */
  readonly erased: readonly string[];
  readonly seen: number;
  /** Sort key of the last item read. */
  readonly end: string | undefined;
  readonly isWhole: boolean;
}

export const dynamoCalls = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const readOn = async (query: CallQuery, look: Look, Limit: number): Promise<Look> => {
    if (look.isWhole) return look;
    const { deploymentId, from, before } = query;
    const { pk } = callPartition(deploymentId, look.shard);
    const { Items = [], LastEvaluatedKey } = await queryPage(dynamo, {
      TableName,
      KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':partition': pk,
        ':from': later(from, -SPAN),
        ':to': before,
      },
      ...(look.end !== undefined && { ExclusiveStartKey: { pk, sk: look.end } }),
      ScanIndexForward: false,
      Limit,
    });
    const unread = Items.flatMap((item) => unpackCalls(deploymentId, item));
    const calls = readCalls(deploymentId, unread.filter(wantedBy(query)));
    return {
      ...look,
      found: [...look.found, ...calls.map((call) => ({ place: placeOfCall(call), call }))],
      ended: [...look.ended, ...unread.filter((call) => !isUnfinished(call)).map(nameOfCall)],
      erased: [...look.erased, ...unread.filter(isErased).map(nameOfCall)],
      seen: look.seen + unread.length,
      end: LastEvaluatedKey && String(LastEvaluatedKey['sk']),
      isWhole: !LastEvaluatedKey,
    };
  };

  return {
    /** The newest first. */
    page: async (
      query: CallQuery,
    ): Promise<{
      readonly calls: readonly CallRecord[];
      readonly next: string | undefined;
    }> => {
      // DynamoDB refuses a range that ends before it begins.
      if (query.before <= query.from) return { calls: [], next: undefined };
      let looks = shards().map((shard): Look => ({ shard, ...NOTHING_YET }));
      for (let items = FIRST_ITEMS; ; items = MORE_ITEMS) {
        looks = await Promise.all(looks.map((look) => readOn(query, look, items)));
        const page = pageOf(looks, query);
        const seen = looks.reduce((sum, look) => sum + look.seen, 0);
        // Unread items may overlap the page by the length of an item, so the read must get past that.
        const isFurther = page.next === undefined || page.next < query.before;
        if (isFurther && (page.calls.length === query.limit || seen >= LOOK_AT || !page.next)) {
          return page;
        }
      }
    },

    /** One entry per tool and day, unordered; both ends inclusive. */
    days: async (deploymentId: string, from: string, to: string): Promise<readonly ToolDay[]> => {
      const items = await queryItems(dynamo, {
        TableName,
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':partition': callHoursPartition(deploymentId).pk,
          ':from': from,
          // Sorts after every hour of the last day.
          ':to': `${to}~`,
        },
      });
      const what = `counts of calls of deployment ${deploymentId}`;
      return daysOf(
        items
          .flatMap((item) => readableCount(what, item) ?? [])
          .map(({ sk: hour, tools }) => ({ hour, tools })),
      );
    },
  };
};

/** Eventually consistent. */
export type Calls = ReturnType<typeof dynamoCalls>;

const isErased = ({ subject }: UnreadCall): boolean => subject === ERASED;

const NOTHING_YET = {
  found: [],
  ended: [],
  erased: [],
  seen: 0,
  end: undefined,
  isWhole: false,
} as const;

const shards = (): readonly number[] => Array.from({ length: SHARDS }, (_, shard) => shard);

const pageOf = (looks: readonly Look[], { from, before, limit }: CallQuery) => {
  // Every shard is read down to this place: unread items begin earlier, and span at most `SPAN` seconds.
  const last = looks.reduce((end, look) => (look.end && look.end > end ? look.end : end), '');
  const end = last && later(last, SPAN + 1);
  const within = looks
    .flatMap((look) => look.found)
    .filter(({ place }) => place < before && place >= from && place >= end);
  // Calls below `end` were read, too, so that the ends of all shown calls are known.
  const known = new Set(looks.flatMap((look) => look.ended));
  const isOver = ({ call }: (typeof within)[number]) =>
    isUnfinished(call) && known.has(nameOfCall(call));
  const erased = new Set(looks.flatMap((look) => look.erased));
  const isErasedElsewhere = ({ call }: (typeof within)[number]) =>
    call.subject !== ERASED && erased.has(nameOfCall(call));
  const found = [
    ...new Map(
      within
        .filter((one) => !isOver(one) && !isErasedElsewhere(one))
        .map((one) => [one.place, one]),
    ).values(),
  ].toSorted((one, other) => (one.place > other.place ? -1 : 1));
  const shown = found.slice(0, limit);
  const next = found.length > limit ? shown.at(-1)?.place : end || undefined;
  return { calls: shown.map(({ call }) => call), next };
};

const wantedBy =
  ({ tool, subjects, clientId, outcome }: CallQuery) =>
  (call: UnreadCall): boolean =>
    (tool === undefined || call['tool'] === tool) &&
    (subjects === undefined || subjects.some((subject) => call['subject'] === subject)) &&
    (clientId === undefined || call['clientId'] === clientId) &&
    (outcome === undefined || call['outcome'] === outcome);

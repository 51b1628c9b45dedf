import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { placeOfCall } from '../../events/rules/call-record.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { dynamoFault, parseItem, queryPage } from '../../platform/dynamodb/items.ts';
import { recordedCallPartition, recordedCallsKey } from '../../platform/dynamodb/keys.ts';
import type { RecordingKey } from '../../deployments/rules/recording.ts';
import type { RecordedCall } from '../rules/recorded-content.ts';
import { later, SPAN } from './call-item.ts';
import { callOpener } from './sealed-call.ts';

export interface SealedCall {
  readonly deploymentId: string;
  readonly at: EpochSeconds;
  readonly requestId: string;
  readonly index: number;
  readonly until: EpochSeconds;
  readonly person: Fingerprint;
  readonly sealed: Uint8Array;
}

/** Limits of an item; DynamoDB allows 400 KB. */
const [MOST_CALLS, MOST_BYTES] = [100, 300_000];

/**
 * Stores recorded calls sealed. Calls that arrive together share an item, since DynamoDB bills whole kilobytes.
 * Duplicates are stored twice and shown once.
 */
export const dynamoRecordedCallStore = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  /** @throws Fault; some calls may be stored then, and repeating does no harm */
  store: async (calls: readonly SealedCall[]): Promise<void> => {
    for (const [deploymentId, its] of Map.groupBy(calls, (call) => call.deploymentId)) {
      for (const part of partsOf(its)) {
        const [first] = part as [SealedCall];
        const Item = {
          ...recordedCallsKey(deploymentId, placeOfCall(first)),
          sealed: part.map(({ sealed }) => sealed),
          people: [...new Set(part.map(({ person }) => person))],
          deleteAfter: Math.max(...part.map(({ until }) => until)),
        };
        await dynamo.send(new PutCommand({ TableName, Item })).catch(dynamoFault);
      }
    }
  },
});

export type RecordedCallStore = ReturnType<typeof dynamoRecordedCallStore>;

const partsOf = (calls: readonly SealedCall[]): readonly (readonly SealedCall[])[] => {
  const parts: SealedCall[][] = [];
  let bytes = 0;
  const inOrder = calls
    .map((call) => [placeOfCall(call), call] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  for (const [, call] of inOrder) {
    const size = call.sealed.length;
    const part = parts.at(-1);
    const isNear = part?.[0] !== undefined && call.at - part[0].at <= SPAN;
    if (part && isNear && part.length < MOST_CALLS && bytes + size <= MOST_BYTES) {
      part.push(call);
      bytes += size;
    } else {
      parts.push([call]);
      bytes = size;
    }
  }
  return parts;
};

export interface RecordedCallQuery {
  readonly deploymentId: string;
  /** Places on the time line: `from` inclusive, `before` exclusive. */
  readonly from: string;
  readonly before: string;
  readonly limit: number;
  readonly isWanted: (call: RecordedCall) => boolean;
}

const Item = z.object({ sk: z.string(), sealed: z.array(z.instanceof(Uint8Array)) });

/** Items per read, and calls read for one page unless it is full before. */
const [AT_ONCE, LOOK_AT] = [25, 2000];
const REMOVED_AT_ONCE = 25;

export const dynamoRecordedCalls = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const pages = async (
    deploymentId: string,
    range: { readonly from: string; readonly to: string },
    query: object,
    last: Record<string, unknown> | undefined,
  ) =>
    queryPage(dynamo, {
      TableName,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': recordedCallPartition(deploymentId).pk,
        ':from': range.from,
        ':to': range.to,
      },
      ScanIndexForward: false,
      ...(last && { ExclusiveStartKey: last }),
      ...query,
    });

  const removeWhere = async (
    deploymentId: string,
    isTheirs: (people: readonly unknown[]) => boolean,
  ): Promise<void> => {
    let last: Record<string, unknown> | undefined;
    do {
      const attributes = {
        ProjectionExpression: 'pk, sk, people',
        Limit: 1000,
        // Consistent, so that no item escapes its removal.
        ConsistentRead: true,
      };
      const page = await pages(deploymentId, EVERYTHING, attributes, last);
      const keys = (page.Items ?? [])
        .filter(({ people }) => isTheirs(Array.isArray(people) ? people : []))
        .map(({ pk, sk }) => ({ pk, sk }));
      for (let at = 0; at < keys.length; at += REMOVED_AT_ONCE) {
        const removals = keys
          .slice(at, at + REMOVED_AT_ONCE)
          .map((Key) => dynamo.send(new DeleteCommand({ TableName, Key })));
        await Promise.all(removals).catch(dynamoFault);
      }
      last = page.LastEvaluatedKey;
    } while (last);
  };

  return {
    /** The newest first; only calls that one of the keys opens. @returns calls, and the place to continue at */
    page: async (
      { deploymentId, from, before, limit, isWanted }: RecordedCallQuery,
      keys: readonly RecordingKey[],
    ): Promise<{ readonly calls: readonly RecordedCall[]; readonly next: string | undefined }> => {
      const open = callOpener(deploymentId, keys);
      const found = new Map<string, RecordedCall>();
      let last: Record<string, unknown> | undefined;
      // DynamoDB refuses a range that ends before it begins; without a key nothing opens.
      if (before <= from || keys.length === 0) return { calls: [], next: undefined };
      const range = { from: later(from, -SPAN), to: before };
      for (let looked = 0; ;) {
        const page = await pages(deploymentId, range, { Limit: AT_ONCE }, last);
        for (const item of page.Items ?? []) {
          const { sealed } = parseItem(Item, item, `recorded calls of ${deploymentId}`);
          looked += sealed.length;
          for (const one of sealed) {
            const recorded = open(one);
            if (recorded && isWanted(recorded)) found.set(placeOfCall(recorded.call), recorded);
          }
        }
        last = page.LastEvaluatedKey;
        // Unread items begin earlier, and span at most `SPAN` seconds.
        const end = last ? later(String(last['sk']), SPAN + 1) : '';
        const shown = [...found]
          .filter(([place]) => place < before && place >= from && place >= end)
          .toSorted(([one], [other]) => (one > other ? -1 : 1));
        if (shown.length > limit) {
          const calls = shown.slice(0, limit);
          return { calls: calls.map(([, call]) => call), next: calls.at(-1)?.[0] };
        }
        const isFurther = end < before;
        if (!last || (looked >= LOOK_AT && isFurther)) {
          return { calls: shown.map(([, call]) => call), next: end || undefined };
        }
      }
    },

    removeAll: (deploymentId: string): Promise<void> => removeWhere(deploymentId, () => true),

    /** Also removes other people's calls in the same items. */
    removeOf: (deploymentId: string, person: Fingerprint): Promise<void> =>
      removeWhere(deploymentId, (people) => people.includes(person)),
  };
};

export type RecordedCalls = ReturnType<typeof dynamoRecordedCalls>;

const EVERYTHING = { from: '0', to: '~' };

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  NEVER_ENDED,
  NOT_BEFORE_CACHE_SECONDS,
  NotBefore,
  type NotBeforeRegister,
  type NotBeforeTimes,
} from '../rules/not-before.ts';
import type { Clock } from '../../platform/system/clock.ts';
import { cached } from '../../platform/cache/cache.ts';
import { notBeforeKey } from '../../platform/dynamodb/keys.ts';
import { follows, itemsOf } from '../../platform/dynamodb/items.ts';

/** One item; while there is none, nothing has been ended. */
export const dynamoNotBefore = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): NotBeforeRegister => {
  const items = itemsOf(dynamo, TableName, notBeforeKey, NotBefore);

  return {
    find: async () => (await items.find('')) ?? NEVER_ENDED,

    replace: (next) => items.put('', next, follows(next.revision)),
  };
};

/** Cached, for functions that read it on every call. */
export const rememberedNotBefore = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  clock: Clock,
): NotBeforeTimes => {
  const { find } = dynamoNotBefore(dynamo, TableName);
  const recall = cached<NotBefore>(clock, {
    keepSeconds: () => NOT_BEFORE_CACHE_SECONDS,
    weigh: () => 1,
    maxWeight: 1,
  });
  return { find: () => recall('', find) };
};

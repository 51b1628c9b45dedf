import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Placement, ContentLimits } from '../rules/placement.ts';
import { contentTotalsKey, type NamedContentKind } from '../../platform/dynamodb/keys.ts';
import { getItem } from '../../platform/dynamodb/get-item.ts';
import { parseItem } from '../../platform/dynamodb/parse-item.ts';
import type { Write } from '../../platform/dynamodb/transact.ts';

const Totals = z.object({ count: z.int(), bytes: z.int() });

/** How many contents there will be more, and how many bytes. */
export interface Growth {
  readonly count: 1 | 0 | -1;
  readonly bytes: number;
}

/** How many contents of one kind a deployment has, and their bytes: one item, so that limits can be conditions. */
export const contentTotals = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  kind: NamedContentKind,
) => ({
  /** @param limits - what there may be afterwards; anything if omitted */
  grow: (deploymentId: string, { count, bytes }: Growth, limits?: ContentLimits): Write => ({
    Update: {
      TableName,
      Key: contentTotalsKey(deploymentId, kind),
      UpdateExpression: 'ADD #count :count, bytes :bytes',
      ...(limits && { ConditionExpression: conditionFor(bytes, limits) }),
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: {
        ':count': count,
        ':bytes': bytes,
        ...(limits && { ':maxCount': limits.maxCount - count }),
        ...(limits && limits.maxBytes !== Infinity && { ':maxBytes': limits.maxBytes - bytes }),
      },
    },
  }),

  /** Why it did not fit. */
  whatLacks: async (
    deploymentId: string,
    { count }: Growth,
    limits: ContentLimits,
  ): Promise<Placement> => {
    const Key = contentTotalsKey(deploymentId, kind);
    const item = await getItem(dynamo, TableName, Key);
    const has = item ? parseItem(Totals, item, `${Key.pk} ${Key.sk}`).count : 0;
    return has + count > limits.maxCount ? 'too_many' : 'too_much';
  },
});

const conditionFor = (bytes: number, { maxCount, maxBytes }: ContentLimits): string => {
  const fits = `#count <= :maxCount${maxBytes === Infinity ? '' : ' AND bytes <= :maxBytes'}`;
  const fitsAlone = maxCount > 0 && bytes <= maxBytes;
  return fitsAlone ? `attribute_not_exists(pk) OR (${fits})` : fits;
};

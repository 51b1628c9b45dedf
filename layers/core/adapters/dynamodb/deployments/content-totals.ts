import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Placement, Room } from '../../../domain/resources/placement.ts';
import { contentTotalsKey, type NamedContentKind } from '../keys.ts';
import { getItem } from '../table/get-item.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/transact.ts';

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
  /** @param room - what there may be afterwards; anything if omitted */
  grow: (deploymentId: string, { count, bytes }: Growth, room?: Room): Write => ({
    Update: {
      TableName,
      Key: contentTotalsKey(deploymentId, kind),
      UpdateExpression: 'ADD #count :count, bytes :bytes',
      ...(room && { ConditionExpression: conditionFor(bytes, room) }),
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: {
        ':count': count,
        ':bytes': bytes,
        ...(room && { ':maxCount': room.maxCount - count }),
        ...(room && room.maxBytes !== Infinity && { ':maxBytes': room.maxBytes - bytes }),
      },
    },
  }),

  /** Why there was no room. */
  whatLacks: async (deploymentId: string, { count }: Growth, room: Room): Promise<Placement> => {
    const Key = contentTotalsKey(deploymentId, kind);
    const item = await getItem(dynamo, TableName, Key);
    const has = item ? parseItem(Totals, item, `${Key.pk} ${Key.sk}`).count : 0;
    return has + count > room.maxCount ? 'too_many' : 'too_much';
  },
});

const conditionFor = (bytes: number, { maxCount, maxBytes }: Room): string => {
  const fits = `#count <= :maxCount${maxBytes === Infinity ? '' : ' AND bytes <= :maxBytes'}`;
  const fitsAlone = maxCount > 0 && bytes <= maxBytes;
  return fitsAlone ? `attribute_not_exists(pk) OR (${fits})` : fits;
};

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { OwnedSlugs, Reservation } from '../../ports.ts';
import { ABSENT, itemsOf } from './items.ts';
import { scanItems } from './scan-items.ts';
import { stored } from './stored.ts';

const Item = z.object({
  slugs: z.record(z.string(), z.object({ id: z.string(), since: z.int() })),
});

/** One item per owner, in the table of deployments: a map of slugs, so that its size can be a condition. */
export const dynamoOwnedSlugs = (dynamo: DynamoDBDocumentClient, TableName: string): OwnedSlugs => {
  const items = itemsOf(dynamo, TableName, 'OWNER', Item);

  const add = ({ ownerId, slug, deploymentId, since }: Reservation, limit: number) =>
    items.update(ownerId, {
      UpdateExpression: 'SET slugs.#slug = :reservation',
      // The same deployment's is known again, so that a repetition by the SDK or after a crash holds.
      ConditionExpression:
        'attribute_exists(pk) AND (slugs.#slug.id = :id OR ' +
        '(attribute_not_exists(slugs.#slug) AND size(slugs) < :limit))',
      ExpressionAttributeNames: { '#slug': slug },
      ExpressionAttributeValues: {
        ':reservation': { id: deploymentId, since },
        ':id': deploymentId,
        ':limit': limit,
      },
    });

  return {
    reserve: async (reservation, limit) => {
      if (await add(reservation, limit)) return true;
      const owned = await items.find(reservation.ownerId);
      if (owned) return false;
      await items.put(reservation.ownerId, { slugs: {} }, ABSENT);
      return (await add(reservation, limit)) !== undefined;
    },

    release: async ({ ownerId, slug, deploymentId }) => {
      await items.update(ownerId, {
        UpdateExpression: 'REMOVE slugs.#slug',
        ConditionExpression: 'slugs.#slug.id = :id',
        ExpressionAttributeNames: { '#slug': slug },
        ExpressionAttributeValues: { ':id': deploymentId },
      });
    },

    list: async (ownerId) => reservationsIn(ownerId, await items.find(ownerId)),

    forget: (ownerId) =>
      items.remove(ownerId, {
        ConditionExpression: 'size(slugs) = :none',
        ExpressionAttributeValues: { ':none': 0 },
      }),

    async *all() {
      for await (const item of scanItems(dynamo, TableName, 'OWNER')) {
        const ownerId = String(item['pk']).slice('OWNER#'.length);
        yield* reservationsIn(ownerId, stored(Item, item, `slugs of ${ownerId}`));
      }
    },
  };
};

const reservationsIn = (
  ownerId: string,
  item: z.output<typeof Item> | undefined,
): readonly Reservation[] =>
  Object.entries(item?.slugs ?? {}).map(([slug, { id, since }]) => ({
    ownerId,
    slug,
    deploymentId: id,
    since,
  }));

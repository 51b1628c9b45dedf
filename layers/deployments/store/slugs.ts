import * as z from 'zod/mini';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../rules/deployment.ts';
import { ownerKey, reservedSlugKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import { transact } from '../../platform/dynamodb/transact.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { reservationOf, SlugReservation } from '../../platform/rules/addresses.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

/** Sets are optional, since DynamoDB stores no empty ones. */
const Item = z.object({
  activeSlugs: z._default(z.set(z.string()), new Set()),
  givenAway: z._default(z.set(z.string()), new Set()),
});

/** Slugs of an owner's active deployments, one item so that writes can limit their number; ids of those given away. */
export const ownersActiveSlugs = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, ownerKey, Item);

  return {
    list: async (ownerId: string): Promise<readonly string[]> => [
      ...((await items.find(ownerId))?.activeSlugs ?? []),
    ],

    /** @param maxActive - limit on their number, this one included */
    add: ({ ownerId, slug }: Deployment, maxActive = Infinity): Write => ({
      Update: {
        TableName,
        Key: ownerKey(ownerId),
        UpdateExpression: 'ADD activeSlugs :slug',
        ...(maxActive !== Infinity && {
          ConditionExpression: `${maxActive > 0 ? 'attribute_not_exists(activeSlugs) OR ' : ''}size(activeSlugs) < :maxActive`,
        }),
        ExpressionAttributeValues: {
          ':slug': new Set([slug]),
          ...(maxActive !== Infinity && { ':maxActive': maxActive }),
        },
      },
    }),

    remove: ({ ownerId, slug }: Deployment): Write => ({
      Update: {
        TableName,
        Key: ownerKey(ownerId),
        UpdateExpression: 'DELETE activeSlugs :slug',
        ExpressionAttributeValues: { ':slug': new Set([slug]) },
      },
    }),

    /** A transferred deployment: data of its former owner stays under its id. */
    give: ({ id, ownerId, slug, status }: Deployment): Write => ({
      Update: {
        TableName,
        Key: ownerKey(ownerId),
        UpdateExpression: `ADD givenAway :id${status === 'active' ? ' DELETE activeSlugs :slug' : ''}`,
        ExpressionAttributeValues: {
          ':id': new Set([id]),
          ...(status === 'active' && { ':slug': new Set([slug]) }),
        },
      },
    }),

    givenAway: async (ownerId: string): Promise<readonly string[]> => [
      ...((await items.find(ownerId))?.givenAway ?? []),
    ],

    /** Removes the item of an owner who is gone, unless a slug is active. */
    forget: async (ownerId: string): Promise<void> => {
      const ConditionExpression = 'attribute_not_exists(activeSlugs)';
      await transact(dynamo, {
        owner: { Delete: { TableName, Key: ownerKey(ownerId), ConditionExpression } },
      });
    },
  };
};

/** Reserved slugs of removed deployments, changed in the transactions of deployments. */
export const reservedSlugs = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  find: itemsOf(dynamo, TableName, reservedSlugKey, SlugReservation).find,

  reserve: (deployment: Pick<Deployment, 'slug' | 'ownerId'>, now: EpochSeconds): Write => ({
    Put: {
      TableName,
      Item: { ...reservedSlugKey(deployment.slug), ...expiring(reservationOf(deployment, now)) },
    },
  }),

  /** Succeeds for the former owner, and for everybody once the reservation has expired. */
  take: ({ slug, ownerId, createdAt }: Deployment): Write => ({
    Delete: {
      TableName,
      Key: reservedSlugKey(slug),
      ConditionExpression: 'attribute_not_exists(pk) OR ownerId = :owner OR expiresAt <= :now',
      ExpressionAttributeValues: { ':owner': ownerId, ':now': createdAt },
    },
  }),
});

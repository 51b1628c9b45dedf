import * as z from 'zod/mini';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../rules/deployment.ts';
import { ownerKey, reservedSlugKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import { transact } from '../../platform/dynamodb/transact.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { reservationOf, SlugReservation } from '../../platform/rules/addresses.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

/** A set without members is no attribute. */
const Item = z.object({
  activeSlugs: z._default(z.set(z.string()), new Set()),
  givenAway: z._default(z.set(z.string()), new Set()),
});

/** The slugs of an owner's active deployments: one item, so that their number can be a condition; and what they gave away. */
export const ownersActiveSlugs = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, ownerKey, Item);

  return {
    list: async (ownerId: string): Promise<readonly string[]> => [
      ...((await items.find(ownerId))?.activeSlugs ?? []),
    ],

    /** @param maxActive - how many there may be with this one */
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

    /** Of one that somebody else gets, with whom what is known of this owner there stays. */
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

    /** Ids of deployments that others have by now. */
    givenAway: async (ownerId: string): Promise<readonly string[]> => [
      ...((await items.find(ownerId))?.givenAway ?? []),
    ],

    /** Of an owner who is gone. Does nothing while there is a slug. */
    forget: async (ownerId: string): Promise<void> => {
      const ConditionExpression = 'attribute_not_exists(activeSlugs)';
      await transact(dynamo, {
        owner: { Delete: { TableName, Key: ownerKey(ownerId), ConditionExpression } },
      });
    },
  };
};

/** Slugs of removed deployments: they are reserved and taken in the transactions of the deployments. */
export const reservedSlugs = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  find: itemsOf(dynamo, TableName, reservedSlugKey, SlugReservation).find,

  reserve: (deployment: Pick<Deployment, 'slug' | 'ownerId'>, now: EpochSeconds): Write => ({
    Put: {
      TableName,
      Item: { ...reservedSlugKey(deployment.slug), ...expiring(reservationOf(deployment, now)) },
    },
  }),

  /** Holds for the former owner, and for everybody once the reservation has ended. */
  take: ({ slug, ownerId, createdAt }: Deployment): Write => ({
    Delete: {
      TableName,
      Key: reservedSlugKey(slug),
      ConditionExpression: 'attribute_not_exists(pk) OR ownerId = :owner OR expiresAt <= :now',
      ExpressionAttributeValues: { ':owner': ownerId, ':now': createdAt },
    },
  }),
});

import { exactly } from '../../platform/rules/shape.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Deployment } from '../rules/deployment.ts';
import { reservationOf, type SlugReservation } from '../rules/slug-reservation.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { reservedSlugKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/transact.ts';

const Item = exactly<SlugReservation>()(
  z.object({
    slug: z.string(),
    ownerId: z.string(),
    expiresAt: z.int(),
  }),
);

/** Slugs of removed deployments: they are reserved and taken in the transactions of the deployments. */
export const reservedSlugs = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  find: itemsOf(dynamo, TableName, reservedSlugKey, Item).find,

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

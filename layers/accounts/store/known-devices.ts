import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { KnownDevices } from '../../ports.ts';
import { emailHash, knownDeviceKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import { reserveFailure } from './reserve-failure.ts';

const Item = z.object({
  accountHash: z.string(),
  createdAt: z.int(),
  expiresAt: z.int(),
  failures: z.int(),
  failedAt: z.int(),
});

/** Devices that have signed in before, each with the failed sign-ins that are its own. */
export const dynamoKnownDevices = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): KnownDevices => {
  const items = itemsOf(dynamo, TableName, knownDeviceKey, Item);

  return {
    remember: async (device, { email, createdAt, expiresAt }) => {
      const known = { accountHash: emailHash(email), createdAt, expiresAt };
      await items.put(device, { ...expiring(known), failures: 0, failedAt: 0 });
    },

    reserve: async (device, email, now) => {
      const accountHash = emailHash(email);
      const { UpdateExpression, isUnlocked, values } = reserveFailure(now);
      const counted = await items.update(device, {
        UpdateExpression,
        ConditionExpression: `accountHash = :account AND expiresAt > :now AND ${isUnlocked}`,
        ExpressionAttributeValues: { ...values, ':account': accountHash },
      });
      if (counted) {
        const { createdAt, failures, failedAt } = counted;
        return { createdAt, failed: { failures, failedAt } };
      }
      const item = await items.find(device);
      const isKnown = item?.accountHash === accountHash && now < item.expiresAt;
      return isKnown ? { createdAt: item.createdAt } : undefined;
    },
  };
};

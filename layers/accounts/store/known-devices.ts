import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { KnownDevice } from '../rules/user.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { FailedLogins } from '../rules/lockout.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
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

/** Known browsers and programs, each with its failed sign-ins. Source: docs/decisions/accounts.md, "Lockout". */
export const dynamoKnownDevices = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, knownDeviceKey, Item);

  return {
    remember: async (
      device: Fingerprint,
      { email, createdAt, expiresAt }: KnownDevice,
    ): Promise<void> => {
      const known = { accountHash: emailHash(email), createdAt, expiresAt };
      await items.put(device, { ...expiring(known), failures: 0, failedAt: 0 });
    },

    /**
     * Like `Lockouts.reserve`, for failures of this device only.
     * @returns undefined for a device unknown to this account; without `failed` while it is locked
     */
    reserve: async (
      device: Fingerprint,
      email: string,
      now: EpochSeconds,
    ): Promise<
      { readonly createdAt: EpochSeconds; readonly failed?: FailedLogins } | undefined
    > => {
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

export type KnownDevices = ReturnType<typeof dynamoKnownDevices>;

import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { FailedLogins } from '../rules/lockout.ts';
import { lockoutKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import { reserveFailure } from './reserve-failure.ts';

/** Much longer than any lock, so that slow guessing gains nothing. */
const KEEP_SECONDS = 30 * DAY;

/** Failed sign-ins per e-mail; a lost answer may count one twice. Source: docs/decisions/accounts.md, "Lockout". */
export const dynamoLockouts = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, lockoutKey, FailedLogins);

  return {
    /** Counts a failure before the password is checked, atomically. @returns the count, undefined if locked */
    reserve: (email: string, now: EpochSeconds): Promise<FailedLogins | undefined> => {
      const { UpdateExpression, isUnlocked, values } = reserveFailure(now);
      return items.update(email, {
        UpdateExpression: `${UpdateExpression}, deleteAfter = :deleteAfter`,
        ConditionExpression: `attribute_not_exists(pk) OR (${isUnlocked})`,
        ExpressionAttributeValues: { ...values, ':deleteAfter': now + KEEP_SECONDS },
      });
    },

    reset: (email: string): Promise<void> => items.remove(email),
  };
};

export type Lockouts = ReturnType<typeof dynamoLockouts>;

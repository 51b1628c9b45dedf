import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { FailedLogins } from '../rules/lockout.ts';
import { lockoutKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import { reserveFailure } from './reserve-failure.ts';

/** Much longer than any lock, so that nobody gains by guessing slowly. */
const KEEP_SECONDS = 30 * DAY;

/** Failed sign-ins by e-mail. One whose answer is lost may count twice, never not at all. */
export const dynamoLockouts = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, lockoutKey, FailedLogins);

  return {
    /**
     * Counts a failure before anything is verified; atomic, given back by `reset`.
     *
     * @returns the state with this failure; undefined, and nothing counted, while the e-mail is locked
     */
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

/**
 * Failed sign-ins per e-mail, whether or not anybody has it. Source: docs/decisions/accounts.md,
 * "Lockout".
 */
export type Lockouts = ReturnType<typeof dynamoLockouts>;

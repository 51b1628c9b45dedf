import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { FailedLogins } from '../../domain/accounts/user.ts';
import { Fault } from '../../domain/fault.ts';
import { DAY } from '../../domain/time.ts';
import type { Lockouts } from '../../ports.ts';
import { emailKey } from './email-key.ts';
import { itemsOf, PRESENT } from './items.ts';

/** Much longer than any lock, so that nobody gains by guessing slowly. */
const KEEP_SECONDS = 30 * DAY;
/** A try fails only if the count is reset, or begun, between its two updates. */
const TRIES = 5;

const Item = z.pipe(
  z.object({ failures: z.int(), failed_at: z.int() }),
  z.transform((item): FailedLogins => ({ failures: item.failures, failedAt: item.failed_at })),
);

/** Failed sign-ins by e-mail. One whose answer is lost may count twice, never not at all. */
export const dynamoLockouts = (dynamo: DynamoDBDocumentClient, TableName: string): Lockouts => {
  const items = itemsOf(dynamo, TableName, 'LOCK', Item);

  return {
    read: (email) => items.find(emailKey(email)),

    recordFailure: async (email, now) => {
      const key = emailKey(email);
      for (let tries = 0; tries < TRIES; tries += 1) {
        const state =
          (await items.update(key, {
            UpdateExpression: 'ADD failures :one SET failed_at = :now, expires_at = :expires',
            ConditionExpression: 'attribute_not_exists(pk) OR failed_at <= :now',
            ExpressionAttributeValues: { ':one': 1, ':now': now, ':expires': now + KEEP_SECONDS },
          })) ??
          // By a clock that is late: what another instance saw happen later stands.
          (await items.update(key, {
            ...PRESENT,
            UpdateExpression: 'ADD failures :one',
            ExpressionAttributeValues: { ':one': 1 },
          }));
        if (state) return state;
      }
      throw new Fault('dynamodb', 'a failed sign-in could not be counted');
    },

    reset: (email) => items.remove(emailKey(email)),
  };
};

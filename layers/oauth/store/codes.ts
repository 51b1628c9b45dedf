import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AuthorizationCode } from '../../tokens/rules/oauth-records.ts';
import { codeKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';

/** A code is marked, not deleted, so that a replay is recognized and ends the grant. */
export const dynamoCodes = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, codeKey, AuthorizationCode);

  return {
    find: items.find,

    put: async (code: Fingerprint, record: AuthorizationCode): Promise<void> => {
      await items.put(code, expiring(record));
    },

    /**
     * @param requestId - names this attempt, so that a retry after a lost answer is no replay
     * @returns true for exactly one request
     */
    markUsed: async (code: Fingerprint, requestId: string, now: EpochSeconds): Promise<boolean> => {
      // The condition names our own request too: a retry after a lost answer is no replay.
      const used = await items.update(code, {
        UpdateExpression: 'SET usedAt = :now, usedBy = :request',
        ConditionExpression:
          'expiresAt > :now AND (attribute_not_exists(usedAt) OR usedBy = :request)',
        ExpressionAttributeValues: { ':now': now, ':request': requestId },
      });
      return used !== undefined;
    },
  };
};

export type Codes = ReturnType<typeof dynamoCodes>;

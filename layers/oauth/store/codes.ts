import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AuthorizationCode } from '../../tokens/rules/oauth-records.ts';
import { codeKey } from '../../platform/dynamodb/keys.ts';
import { assigning, expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

/** Codes are marked as used, not deleted, so that a replay is recognized and ends the grant. */
export const dynamoCodes = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, codeKey, AuthorizationCode);

  return {
    find: items.find,

    /** Committed together with the decision. */
    storing: (code: Fingerprint, record: AuthorizationCode): Write =>
      items.storing(code, expiring(record)),

    /**
     * Committed together with the tokens. The condition lets exactly one of several requests pass.
     * @param requestId - stored for diagnosis
     */
    spending: (code: Fingerprint, requestId: string, now: EpochSeconds): Write =>
      items.changing(
        code,
        assigning(
          { usedAt: now, usedBy: requestId },
          { ConditionExpression: 'expiresAt > :usedAt AND attribute_not_exists(usedAt)' },
        ),
      ),
  };
};

export type Codes = ReturnType<typeof dynamoCodes>;

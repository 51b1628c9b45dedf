import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';
import { usedAssertions } from './client-assertions.ts';

/** Tokens that machines have signed in by, each of which is good once, by issuer and `jti`. */
export const dynamoUsedMachineTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const use = usedAssertions(dynamo, TableName, random);
  return {
    /** @returns true for exactly one request, until the token has ended */
    use: (issuer: string, jti: string, endsAt: EpochSeconds): Promise<boolean> =>
      // In JSON, and with a word that no issuer is, so that it reads like no assertion.
      use(fingerprint(JSON.stringify(['machine', issuer, jti])), endsAt),
  };
};

export type UsedMachineTokens = ReturnType<typeof dynamoUsedMachineTokens>;

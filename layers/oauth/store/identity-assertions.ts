import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { IdentityAssertions, Random } from '../../ports.ts';
import { usedAssertions } from './client-assertions.ts';

/** Assertions of identity providers that were used, by issuer, tenant and `jti`. */
export const dynamoIdentityAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
): IdentityAssertions => {
  const use = usedAssertions(dynamo, TableName, random);
  return {
    use: ({ provider: { issuer, tenant = null }, jti, endsAt }) =>
      // One member more than those of clients have, so that no two read alike.
      use(fingerprint(JSON.stringify([issuer, tenant, jti])), endsAt),
  };
};

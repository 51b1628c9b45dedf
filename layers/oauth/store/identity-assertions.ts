import type { IdentityAssertion } from '../rules/tokens/identity-assertion.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Random } from '../../platform/system/random.ts';
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

/** Assertions of identity providers, each of which is good once. */
export interface IdentityAssertions {
  /** @returns true for exactly one request, until the assertion has ended */
  use(assertion: Pick<IdentityAssertion, 'provider' | 'jti' | 'endsAt'>): Promise<boolean>;
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { IdentityAssertion } from '../rules/tokens/identity-assertion.ts';
import { getItem } from '../../platform/dynamodb/items.ts';
import { assertionKey } from '../../platform/dynamodb/keys.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import type { Random } from '../../platform/system/random.ts';
import { spendingAssertion } from '../../tokens/store/used-assertions.ts';

/** What tells an assertion from all others. */
type Named = Pick<IdentityAssertion, 'issuer' | 'tenant' | 'jti'>;

/** Assertions of identity providers that were used, by issuer, tenant and `jti`. Each is good once. */
export const dynamoIdentityAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => ({
  /** To be committed with the token that it buys. It holds for exactly one request, until the assertion has ended. */
  spending: ({ endsAt, ...named }: Named & Pick<IdentityAssertion, 'endsAt'>): Write =>
    spendingAssertion(TableName, random, nameOf(named), endsAt),

  /** Whether it was used. Each of several requests at once may hear that it was not: `spending` lets one of them through. */
  isSpent: async (named: Named): Promise<boolean> =>
    (await getItem(dynamo, TableName, assertionKey(nameOf(named)))) !== undefined,
});

/** One member more than those of clients have, so that no two read alike. */
const nameOf = ({ issuer, tenant, jti }: Named): Fingerprint =>
  fingerprint(JSON.stringify([issuer, tenant ?? null, jti]));

export type IdentityAssertions = ReturnType<typeof dynamoIdentityAssertions>;

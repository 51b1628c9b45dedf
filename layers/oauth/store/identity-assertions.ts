import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { IdentityAssertion } from '../rules/tokens/identity-assertion.ts';
import { getItem } from '../../platform/dynamodb/items.ts';
import { assertionKey } from '../../platform/dynamodb/keys.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import type { Random } from '../../platform/system/random.ts';
import { spendingAssertion } from '../../tokens/store/used-assertions.ts';

type Named = Pick<IdentityAssertion, 'issuer' | 'tenant' | 'jti'>;

/** Used assertions of identity providers, by issuer, tenant and `jti`. */
export const dynamoIdentityAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => ({
  /** Committed with the token. The condition lets exactly one request pass, until the assertion has expired. */
  spending: ({ endsAt, ...named }: Named & Pick<IdentityAssertion, 'endsAt'>): Write =>
    spendingAssertion(TableName, random, nameOf(named), endsAt),

  /** May say no to several parallel requests: `spending` then lets one of them pass. */
  isSpent: async (named: Named): Promise<boolean> =>
    (await getItem(dynamo, TableName, assertionKey(nameOf(named)))) !== undefined,
});

/** Three members, so that it never equals the pair of a client assertion. */
const nameOf = ({ issuer, tenant, jti }: Named): Fingerprint =>
  fingerprint(JSON.stringify([issuer, tenant ?? null, jti]));

export type IdentityAssertions = ReturnType<typeof dynamoIdentityAssertions>;

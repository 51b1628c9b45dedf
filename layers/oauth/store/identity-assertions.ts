import type { IdentityAssertion } from '../rules/tokens/identity-assertion.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import type { Random } from '../../platform/system/random.ts';
import { spendingAssertion } from '../../tokens/store/used-assertions.ts';

/** Assertions of identity providers that were used, by issuer, tenant and `jti`. Each is good once. */
export const dynamoIdentityAssertions = (TableName: string, random: Random) => ({
  /** To be committed with the token that it buys. It holds for exactly one request, until the assertion has ended. */
  spending: ({
    issuer,
    tenant,
    jti,
    endsAt,
  }: Pick<IdentityAssertion, 'issuer' | 'tenant' | 'jti' | 'endsAt'>): Write =>
    // One member more than those of clients have, so that no two read alike.
    spendingAssertion(
      TableName,
      random,
      fingerprint(JSON.stringify([issuer, tenant ?? null, jti])),
      endsAt,
    ),
});

export type IdentityAssertions = ReturnType<typeof dynamoIdentityAssertions>;

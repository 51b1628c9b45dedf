import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { claimUpdate, expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import { companySignInKey } from '../../platform/dynamodb/keys.ts';
import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';

/** A browser that was sent to a provider and has not come back. */
export interface CompanySignIn {
  /** The id of the provider, and the issuer that had it then. */
  readonly provider: string;
  readonly issuer: string;
  /** Of what the browser holds of it, where it goes on included. */
  readonly browser: Fingerprint;
  /** They have to show who they are from then on; absent: it may have been before. */
  readonly freshFrom?: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

const Item = z.object({
  provider: z.string(),
  issuer: z.string(),
  browser: FingerprintText,
  freshFrom: z.exactOptional(z.int()),
  expiresAt: z.int(),
});

/** Sign-ins that are under way, by the fingerprint of their state. */
export const dynamoCompanySignIns = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Pick<Random, 'id'>,
) => {
  const items = itemsOf(dynamo, TableName, companySignInKey, Item);
  return {
    put: async (state: Fingerprint, signIn: CompanySignIn): Promise<void> => {
      await items.put(state, expiring(signIn));
    },

    /** For the first of any number of callers. @returns undefined for others, and where there is none */
    claim: (state: Fingerprint): Promise<CompanySignIn | undefined> =>
      items.update(state, claimUpdate(random.id())),
  };
};

export type CompanySignIns = ReturnType<typeof dynamoCompanySignIns>;

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { claimUpdate, expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import { companySignInKey } from '../../platform/dynamodb/keys.ts';
import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';

export interface CompanySignIn {
  /** Provider's id, and its issuer at that time. */
  readonly provider: string;
  readonly issuer: string;
  /** Fingerprint of the browser's cookie, which contains the destination. */
  readonly browser: Fingerprint;
  /** Authentication must not be older than this (`prompt=login`); absent: any. */
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

    /** Succeeds for the first of any number of callers. @returns undefined for others, and where there is none */
    claim: (state: Fingerprint): Promise<CompanySignIn | undefined> =>
      items.update(state, claimUpdate(random.id())),
  };
};

export type CompanySignIns = ReturnType<typeof dynamoCompanySignIns>;

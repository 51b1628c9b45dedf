import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { cached } from '../../platform/cache/cache.ts';
import { assigning, follows, itemsOf } from '../../platform/dynamodb/items.ts';
import { identityProvidersKey } from '../../platform/dynamodb/keys.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Believed } from '../rules/password-terms.ts';
import { type IdentityProvider, StoredProvider } from '../rules/providers.ts';

/** Maximum age of an instance's cache, as for deployments. */
const KEPT_SECONDS = 15;

const ProvidersItem = z.object({
  providers: z.array(StoredProvider),
  passwords: z._default(z.enum(['off', 'on']), 'on'),
  breakGlass: z._default(z.array(z.string()), []),
  revision: z.int(),
});

export interface AppliedProviders extends Believed {
  /** 0 before anything was applied. */
  readonly revision: number;
}

/** Changed members only; the others stay as stored. */
export interface AppliedChange extends Partial<Believed> {
  readonly revision: number;
}

export interface IdentityProviderRegister {
  find(): Promise<AppliedProviders>;
  /** Writes if the stored revision is one less. @returns false otherwise */
  replace(change: AppliedChange): Promise<boolean>;
}

/** Cached for at most 15 seconds. */
export interface IdentityProviders {
  /** @throws Fault */
  list(): Promise<readonly IdentityProvider[]>;
  /** @throws Fault */
  believed(): Promise<Believed>;
}

const NOTHING = {
  providers: [],
  passwords: 'on',
  breakGlass: [],
  revision: 0,
} as const satisfies AppliedProviders;

/** A single item with the trusted identity providers; while it is missing, none is trusted. */
export const dynamoIdentityProviders = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): IdentityProviderRegister => {
  const items = itemsOf(dynamo, TableName, identityProvidersKey, ProvidersItem);
  return {
    find: async () => (await items.find('')) ?? NOTHING,

    // An update, since its IAM policies permit no `PutItem` in this table.
    replace: async ({ revision, ...change }) => {
      const isFirst = revision === 1;
      const written = { ...(isFirst && NOTHING), ...change, revision };
      const updated = await items.update('', assigning(written, follows(revision)));
      return updated !== undefined;
    },
  };
};

export const rememberedIdentityProviders = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  clock: Clock,
): IdentityProviders => {
  const { find } = dynamoIdentityProviders(dynamo, TableName);
  const recall = cached<AppliedProviders>(clock, {
    keepSeconds: () => KEPT_SECONDS,
    weigh: () => 1,
    maxWeight: 1,
  });
  const believed = () => recall('', find);
  return { list: async () => (await believed()).providers, believed };
};

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { cached } from '../../platform/cache/cache.ts';
import { assigning, follows, itemsOf } from '../../platform/dynamodb/items.ts';
import { identityProvidersKey } from '../../platform/dynamodb/keys.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Believed } from '../rules/password-terms.ts';
import { type IdentityProvider, StoredProvider } from '../rules/providers.ts';

/** What one instance may still believe, like what it knows of a deployment. */
const KEPT_SECONDS = 15;

const ProvidersItem = z.object({
  providers: z.array(StoredProvider),
  passwords: z._default(z.enum(['off', 'on']), 'on'),
  breakGlass: z._default(z.array(z.string()), []),
  /** Counts every change, for optimistic concurrency. */
  revision: z.int(),
});

/** Whose word is taken, as it was applied last. */
export interface AppliedProviders extends Believed {
  /** 0 before anything was applied. */
  readonly revision: number;
}

/** Some of it, in place of what the item has; the rest of it stays. */
export interface AppliedChange extends Partial<Believed> {
  /** From now on. */
  readonly revision: number;
}

export interface IdentityProviderRegister {
  find(): Promise<AppliedProviders>;
  /** Writes if the stored list still has `revision - 1`. @returns false otherwise */
  replace(change: AppliedChange): Promise<boolean>;
}

/** All at most 15 seconds old. */
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

/** The one item that says which identity providers are believed. Until there is one, none is. */
export const dynamoIdentityProviders = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): IdentityProviderRegister => {
  const items = itemsOf(dynamo, TableName, identityProvidersKey, ProvidersItem);
  return {
    find: async () => (await items.find('')) ?? NOTHING,

    // An update, since who writes it may put no items of that table.
    replace: async ({ revision, ...change }) => {
      const isFirst = revision === 1;
      const written = { ...(isFirst && NOTHING), ...change, revision };
      const updated = await items.update('', assigning(written, follows(revision)));
      return updated !== undefined;
    },
  };
};

/** The same from a cache. */
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

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { cached } from '../../platform/cache/cache.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import { identityProvidersKey } from '../../platform/dynamodb/keys.ts';
import type { Clock } from '../../platform/system/clock.ts';
import { type IdentityProvider, StoredProvider } from '../rules/providers.ts';

/** What one instance may still believe, like what it knows of a deployment. */
const KEPT_SECONDS = 15;

const ProvidersItem = z.object({
  providers: z.array(StoredProvider),
  /** Counts every change, for optimistic concurrency. */
  revision: z.int(),
});

/** Whose word is taken, as it was applied last. */
export interface AppliedProviders {
  readonly providers: readonly IdentityProvider[];
  /** 0 before anything was applied. */
  readonly revision: number;
}

export interface IdentityProviderRegister {
  find(): Promise<AppliedProviders>;
  /** Writes if the stored list still has `revision - 1`. @returns false otherwise */
  replace(next: AppliedProviders): Promise<boolean>;
}

export interface IdentityProviders {
  /** At most 15 seconds old. @throws Fault */
  list(): Promise<readonly IdentityProvider[]>;
}

/** The one item that says which identity providers are believed. Until there is one, none is. */
export const dynamoIdentityProviders = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): IdentityProviderRegister => {
  const items = itemsOf(dynamo, TableName, identityProvidersKey, ProvidersItem);
  return {
    find: async () => (await items.find('')) ?? { providers: [], revision: 0 },

    // An update, since who writes it may put no items of that table.
    replace: async ({ providers, revision }) => {
      const isFirst = revision === 1;
      const written = await items.update('', {
        UpdateExpression: 'SET providers = :providers, revision = :revision',
        ConditionExpression: isFirst ? 'attribute_not_exists(pk)' : 'revision = :previous',
        ExpressionAttributeValues: {
          ':providers': providers,
          ':revision': revision,
          ...(!isFirst && { ':previous': revision - 1 }),
        },
      });
      return written !== undefined;
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
  return { list: async () => (await recall('', find)).providers };
};

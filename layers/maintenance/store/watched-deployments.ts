import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { SERVING_SETTINGS } from '../../deployments/rules/settings.ts';
import type { WatchedDeployment } from '../rules/sweep.ts';
import { scanPage } from '../../platform/dynamodb/items.ts';

const WatchedItem = z.object({
  id: z.string(),
  slug: z.string(),
  refresh: z._default(SERVING_SETTINGS.refresh.value, SERVING_SETTINGS.refresh.initial),
  credential: z.optional(z.object({ version: z.string(), refusedAt: z.optional(z.int()) })),
});

/** Active deployments with a credential or an automatically fetched description, from the whole table. */
export const dynamoWatchedDeployments = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  /** Order is arbitrary but stable. A page may be empty though more follow. */
  page: async (query: PageQuery): Promise<Page<WatchedDeployment>> => {
    const filter = {
      FilterExpression:
        '#status = :active AND (attribute_exists(#credential) OR #refresh IN (:hourly, :daily))',
      ExpressionAttributeNames: {
        '#status': 'status',
        '#credential': 'credential',
        '#refresh': 'refresh',
      },
      ExpressionAttributeValues: { ':active': 'active', ':hourly': 'hourly', ':daily': 'daily' },
    };
    const { items, ...rest } = await scanPage(dynamo, TableName, filter, query);
    return { items: items.flatMap(watchedIn), ...rest };
  },
});

export type WatchedDeployments = ReturnType<typeof dynamoWatchedDeployments>;

/** An unreadable item is skipped, so that the others are still cared for. */
const watchedIn = (item: Readonly<Record<string, unknown>>): readonly WatchedDeployment[] => {
  const { success, data } = z.safeParse(WatchedItem, item);
  if (!success) return [];
  const { id, slug, refresh, credential } = data;
  const untoldCredential = credential?.refusedAt === undefined && credential?.version;
  return [{ id, slug, refresh, ...(untoldCredential && { untoldCredential }) }];
};

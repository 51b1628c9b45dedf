import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { SERVING_SETTINGS } from '../../servers/rules/settings.ts';
import type { WatchedDeployment, WatchedDeployments } from '../../ports.ts';
import { scanPage } from '../../platform/dynamodb/scan-page.ts';

const WatchedItem = z.object({
  id: z.string(),
  slug: z.string(),
  refresh: z._default(SERVING_SETTINGS.refresh.value, SERVING_SETTINGS.refresh.initial),
  credential: z.optional(z.object({ version: z.string(), refusedAt: z.optional(z.int()) })),
});

/** Out of the table of deployments: for the maintenance function, which alone may read all of it. */
export const dynamoWatchedDeployments = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): WatchedDeployments => ({
  page: async (query) => {
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

/** One that cannot be read keeps nobody from the others. */
const watchedIn = (item: Readonly<Record<string, unknown>>): readonly WatchedDeployment[] => {
  const { success, data } = z.safeParse(WatchedItem, item);
  if (!success) return [];
  const { id, slug, refresh, credential } = data;
  const untoldCredential = credential?.refusedAt === undefined && credential?.version;
  return [{ id, slug, refresh, ...(untoldCredential && { untoldCredential }) }];
};

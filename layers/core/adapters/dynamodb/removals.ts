import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Removals } from '../../ports.ts';
import { itemsOf } from './items.ts';
import { scanItems } from './scan-items.ts';
import { stored } from './stored.ts';

const Item = z.object({ slug: z.string(), since: z.int() });

/** One item per deployment that is gone, in the table of deployments. */
export const dynamoRemovals = (dynamo: DynamoDBDocumentClient, TableName: string): Removals => {
  const items = itemsOf(dynamo, TableName, 'REMOVED', Item);
  return {
    note: async ({ deploymentId, ...removal }) => {
      await items.put(deploymentId, removal);
    },
    forget: (deploymentId) => items.remove(deploymentId),
    async *all() {
      for await (const item of scanItems(dynamo, TableName, 'REMOVED')) {
        const deploymentId = String(item['pk']).slice('REMOVED#'.length);
        yield { deploymentId, ...stored(Item, item, `removal of ${deploymentId}`) };
      }
    },
  };
};

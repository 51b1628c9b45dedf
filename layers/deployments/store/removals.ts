import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import type { DeploymentEditor, UnfinishedRemoval } from './deployment-store.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import { deploymentKey, removedDeploymentKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf, parseItem, scanPage } from '../../platform/dynamodb/items.ts';
import { transact } from '../../platform/dynamodb/transact.ts';
import { parseDeployment } from './deployments.ts';
import { reservedSlugs } from './slugs.ts';

const RemovedItem = z.object({
  deploymentId: z.string(),
  removedAt: z.int(),
  credentialNames: z.exactOptional(z.array(z.string())),
});

/** Removes a deployment's item, remembers its id for the sweep, and reserves its slug. */
export const deploymentRemoval = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): DeploymentEditor['remove'] => {
  const { reserve } = reservedSlugs(dynamo, TableName);
  return async ({ id: deploymentId, credentialNames, ...deployment }, now) => {
    await transact(dynamo, {
      deployment: {
        Delete: {
          TableName,
          Key: deploymentKey(deployment.slug),
          ConditionExpression: 'id = :id',
          ExpressionAttributeValues: { ':id': deploymentId },
        },
      },
      removed: {
        Put: {
          TableName,
          Item: {
            ...removedDeploymentKey(deploymentId),
            deploymentId,
            removedAt: now,
            ...(credentialNames && { credentialNames }),
          },
        },
      },
      reserved: reserve(deployment, now),
    });
  };
};

/** Removals that have contents left to remove, for the maintenance function, which scans the whole table. */
export const dynamoUnfinishedRemovals = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  /** Stable, but arbitrary order. A page may be empty though others follow. */
  page: async (query: PageQuery): Promise<Page<UnfinishedRemoval>> => {
    const filter = {
      FilterExpression: 'begins_with(pk, :removed) OR #status = :removing',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':removed': removedDeploymentKey('').pk,
        ':removing': 'removing',
      },
    };
    const { items, ...rest } = await scanPage(dynamo, TableName, filter, query);
    return { items: items.map(leftoverIn), ...rest };
  },

  remove: deploymentRemoval(dynamo, TableName),

  forget: (deploymentId: string): Promise<void> =>
    itemsOf(dynamo, TableName, removedDeploymentKey, RemovedItem).remove(deploymentId),
});

export type UnfinishedRemovals = ReturnType<typeof dynamoUnfinishedRemovals>;

/** An unreadable item must not stop the sweep of others. */
const leftoverIn = (item: Readonly<Record<string, unknown>>): UnfinishedRemoval => {
  const after = String(item['pk']);
  try {
    if (after.startsWith(removedDeploymentKey('').pk)) {
      return { after, kind: 'removed', removed: parseItem(RemovedItem, item, after) };
    }
    const deployment = parseDeployment(String(item['slug']), item);
    if (deployment) return { after, kind: 'removing', deployment };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  return { after, kind: 'unreadable' };
};

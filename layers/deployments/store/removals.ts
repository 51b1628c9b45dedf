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

/** Takes a deployment out of the table, remembers its id for the sweep, and reserves its slug. */
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

/** What removals have left in the table of deployments. */
export const dynamoUnfinishedRemovals = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  /** In no order that means anything, but always in the same one. A page may be empty with others after it. */
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

  /** That a deployment was removed. */
  forget: (deploymentId: string): Promise<void> =>
    itemsOf(dynamo, TableName, removedDeploymentKey, RemovedItem).remove(deploymentId),
});

/** As the maintenance function has it, which reads whole tables, page after page. */
export type UnfinishedRemovals = ReturnType<typeof dynamoUnfinishedRemovals>;

/** One that cannot be read keeps the sweep from no other. */
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

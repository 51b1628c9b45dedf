import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../platform/rules/fault.ts';
import type { StoredRow } from '../rules/inventory.ts';
import { deploymentKey, ownerKey } from '../../platform/dynamodb/keys.ts';
import { getItem, scanPage } from '../../platform/dynamodb/items.ts';
import { ownersActiveSlugs } from '../../deployments/store/slugs.ts';
import { parseDeployment } from '../../deployments/store/deployments.ts';

const [SLUG, OWNER] = [deploymentKey('').pk, ownerKey('').pk];

/** Rows of all deployments and owners, for comparison with other stored data. */
export const dynamoStoredRows = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  /** Order is arbitrary but stable. A page may be empty though more follow. */
  page: async (query: PageQuery): Promise<Page<StoredRow>> => {
    const filter = {
      FilterExpression: 'begins_with(pk, :slug) OR begins_with(pk, :owner)',
      ExpressionAttributeValues: { ':slug': SLUG, ':owner': OWNER },
    };
    const { items, ...rest } = await scanPage(dynamo, TableName, filter, query);
    return { items: items.map((item) => rowOf(String(item['pk']))), ...rest };
  },

  deployment: async (slug: string): Promise<Deployment | 'unreadable' | undefined> => {
    const item = await getItem(dynamo, TableName, deploymentKey(slug));
    try {
      return parseDeployment(slug, item);
    } catch (error) {
      if (error instanceof Fault) return 'unreadable';
      throw error;
    }
  },

  activeSlugs: ownersActiveSlugs(dynamo, TableName).list,
});

export type StoredRows = ReturnType<typeof dynamoStoredRows>;

const rowOf = (after: string): StoredRow =>
  after.startsWith(SLUG)
    ? { after, kind: 'deployment', slug: after.slice(SLUG.length) }
    : { after, kind: 'owner', ownerId: after.slice(OWNER.length) };

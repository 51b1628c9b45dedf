import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Refreshed } from '../../rules/versions.ts';
import { refreshKey } from '../../../platform/dynamodb/keys.ts';
import { dynamoFault, getItem, parseItem } from '../../../platform/dynamodb/items.ts';

/** Result of a deployment's last refresh, in the partition of its contents, so that it is removed with them. */
export const dynamoRefreshes = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  find: async (deploymentId: string): Promise<Refreshed | undefined> => {
    const key = refreshKey(deploymentId);
    const item = await getItem(dynamo, TableName, key);
    return item && parseItem(Refreshed, item, `${key.pk} ${key.sk}`);
  },

  put: async (deploymentId: string, refreshed: Refreshed): Promise<void> => {
    await dynamo
      .send(new PutCommand({ TableName, Item: { ...refreshKey(deploymentId), ...refreshed } }))
      .catch(dynamoFault);
  },
});

export type Refreshes = ReturnType<typeof dynamoRefreshes>;

import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../../domain/deployment.ts';
import type { DeploymentEditor } from '../../ports.ts';
import { deploymentFrom, deploymentItem, deploymentKey } from './deployment-item.ts';
import { deploymentPages } from './deployment-list.ts';
import { deploymentReader } from './deployments.ts';
import { undefinedUnlessMet } from './faults.ts';
import { scanItems } from './scan-items.ts';

/** The write side: each change is one conditional write of the one item. */
export const dynamoDeploymentEditor = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): DeploymentEditor => {
  const read = deploymentReader(dynamo, TableName);

  const put = async (deployment: Deployment, condition: Condition): Promise<boolean> => {
    const Item = deploymentItem(deployment);
    const written = await dynamo
      .send(new PutCommand({ TableName, Item, ...condition }))
      .catch(undefinedUnlessMet);
    // The SDK repeats a write whose answer was lost; the repetition then fails on our own item.
    return written !== undefined || isDeepStrictEqual(await read(deployment.slug), deployment);
  };

  return {
    read,
    create: (deployment) => put(deployment, { ConditionExpression: 'attribute_not_exists(pk)' }),
    replace: (deployment) =>
      put(deployment, {
        ConditionExpression: 'id = :id AND revision = :previous',
        ExpressionAttributeValues: { ':id': deployment.id, ':previous': deployment.revision - 1 },
      }),
    remove: async ({ id, slug }) => {
      await dynamo
        .send(
          new DeleteCommand({
            TableName,
            Key: deploymentKey(slug),
            ConditionExpression: 'id = :id',
            ExpressionAttributeValues: { ':id': id },
          }),
        )
        .catch(undefinedUnlessMet);
    },
    listByOwner: deploymentPages(dynamo, TableName),
    async *all() {
      for await (const item of scanItems(dynamo, TableName, 'SLUG')) {
        const deployment = deploymentFrom(String(item['slug']), item);
        if (deployment) yield deployment;
      }
    },
  };
};

interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

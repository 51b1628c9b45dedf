import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tables } from '../../lambdas/storage-manifest.ts';
import type { EmbeddedAws } from '../../local/aws/index.ts';
import { connectionOf } from '../support/aws/aws.ts';

/**
 * Gives every item an attribute that no version knows yet, as a later one would, which writes what this one
 * need not understand.
 *
 * @returns how many items have it
 */
export const addAttribute = async (aws: EmbeddedAws, prefix: string): Promise<number> => {
  const database = new DynamoDBClient(connectionOf(aws, 'test'));
  const client = DynamoDBDocumentClient.from(database);
  let count = 0;
  try {
    for (const [name, { partitionKey, sortKey }] of Object.entries(tables)) {
      const TableName = `${prefix}${name}`;
      const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
      for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
        for (const item of Items) {
          const command = new UpdateCommand({
            TableName,
            Key: Object.fromEntries(keys.map((key) => [key, item[key]])),
            // What was deleted since stays deleted.
            ConditionExpression: 'attribute_exists(#key)',
            UpdateExpression: 'SET writtenLater = :value',
            ExpressionAttributeNames: { '#key': partitionKey },
            ExpressionAttributeValues: { ':value': { by: 'a later version' } },
          });
          await client.send(command).then(
            () => (count += 1),
            (error: Error) => {
              if (error.name !== 'ConditionalCheckFailedException') throw error;
            },
          );
        }
      }
    }
    return count;
  } finally {
    database.destroy();
  }
};

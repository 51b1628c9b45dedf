import {
  type DynamoDBDocumentClient,
  paginateScan,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { PartitionKey } from '../keys.ts';
import { dynamoFault } from './faults.ts';

/** All items of one kind, page after page. Reads the whole table: for the sweep. */
export async function* scanItems(
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keyOf: (id: string) => PartitionKey,
): AsyncIterable<Readonly<Record<string, unknown>>> {
  const query: ScanCommandInput = {
    TableName,
    FilterExpression: 'begins_with(pk, :kind)',
    ExpressionAttributeValues: { ':kind': keyOf('').pk },
    ConsistentRead: true,
  };
  try {
    for await (const { Items = [] } of paginateScan({ client: dynamo }, query)) yield* Items;
  } catch (cause) {
    dynamoFault(cause);
  }
}

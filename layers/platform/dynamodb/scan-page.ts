import {
  type DynamoDBDocumentClient,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Page, PageQuery } from '../rules/paging.ts';
import { dynamoFault } from './faults.ts';

type Item = Readonly<Record<string, unknown>>;
type Filter = Pick<
  ScanCommandInput,
  'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/**
 * A part of a whole table without sort keys: for the maintenance function, which alone may.
 *
 * @param page - `limit` of the items that are read, before they are filtered; `after` is the partition key of
 *   the one before, which need not be there any more
 */
export const scanPage = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  filter: Filter,
  { limit, after }: PageQuery,
): Promise<Page<Item>> => {
  const { Items = [], LastEvaluatedKey } = await dynamo
    .send(
      new ScanCommand({
        TableName,
        ...filter,
        Limit: limit,
        ExclusiveStartKey: after === undefined ? undefined : { pk: after },
        ConsistentRead: true,
      }),
    )
    .catch(dynamoFault);
  return { items: Items, ...(LastEvaluatedKey && { next: String(LastEvaluatedKey['pk']) }) };
};

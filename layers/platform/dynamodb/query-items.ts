import {
  type DynamoDBDocumentClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { dynamoFault } from './faults.ts';

/** All items of a query, page after page. */
export const queryItems = async (
  dynamo: DynamoDBDocumentClient,
  query: QueryCommandInput,
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const items: Record<string, unknown>[] = [];
  try {
    for await (const { Items } of paginateQuery({ client: dynamo }, query)) {
      items.push(...(Items ?? []));
    }
  } catch (cause) {
    dynamoFault(cause);
  }
  return items;
};

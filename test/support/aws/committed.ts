import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { transact } from '../../../layers/platform/dynamodb/transact.ts';
import type { Write } from '../../../layers/platform/dynamodb/writes.ts';

/** Commits a write of a store by itself. @returns whether its condition holds */
export const committed = async (dynamo: DynamoDBDocumentClient, write: Write): Promise<boolean> =>
  (await transact(dynamo, { write })).size === 0;

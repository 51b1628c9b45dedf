import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../rules/fault.ts';
import { errorName } from '../aws/access.ts';
import {
  credentialKey,
  type ItemKey,
  type PartitionKey,
  publicRequestsKey,
  undeliverableKey,
  versionKey,
} from './keys.ts';
import { getItem, queryItems, scanPage } from './items.ts';

export interface TableNames {
  readonly deployments: string;
  readonly content: string;
  readonly users: string;
  readonly oauth: string;
  readonly limits: string;
  /** Table of encrypted credentials; absent where these are stored in Secrets Manager. */
  readonly credentials?: string;
}

/** Id of no item: the reads must find nothing. */
const NOBODY = '-';

/** Detects missing tables by reads that the maintenance function is permitted to make anyway. */
export const dynamoStoredTables = (
  dynamo: DynamoDBDocumentClient,
  { deployments, content, users, oauth, limits, credentials }: TableNames,
) => {
  const get = (name: string, key: PartitionKey | ItemKey) => () => getItem(dynamo, name, key);
  const reads: readonly (MissingTable & { readonly read: () => Promise<unknown> })[] = [
    {
      name: deployments,
      isCompared: true,
      read: () => scanPage(dynamo, deployments, {}, { limit: 1 }),
    },
    { name: content, isCompared: true, read: get(content, versionKey(NOBODY, 1, 'INDEX')) },
    { name: users, isCompared: false, read: get(users, undeliverableKey(NOBODY)) },
    {
      name: oauth,
      isCompared: false,
      read: () =>
        queryItems(dynamo, {
          TableName: oauth,
          IndexName: 'by-deployment',
          KeyConditionExpression: 'deploymentId = :id',
          ExpressionAttributeValues: { ':id': NOBODY },
        }),
    },
    { name: limits, isCompared: false, read: get(limits, publicRequestsKey(NOBODY)) },
    ...(credentials === undefined
      ? []
      : [
          {
            name: credentials,
            isCompared: true,
            read: get(
              credentials,
              credentialKey({ deploymentId: NOBODY, name: NOBODY, from: 'store' }),
            ),
          },
        ]),
  ];

  return {
    missing: async (): Promise<readonly MissingTable[]> => {
      const found: MissingTable[] = [];
      for (const { read, ...table } of reads) {
        const isThere = await read().then(() => true, falseIfMissing);
        if (!isThere) found.push(table);
      }
      return found;
    },
  };
};

export type StoredTables = ReturnType<typeof dynamoStoredTables>;

const falseIfMissing = (error: unknown): false => {
  if (error instanceof Fault && errorName(error.cause) === 'ResourceNotFoundException')
    return false;
  throw error;
};

export interface MissingTable {
  /** Full name in AWS. */
  readonly name: string;
  /** Whether the comparison of all data needs this table. */
  readonly isCompared: boolean;
}

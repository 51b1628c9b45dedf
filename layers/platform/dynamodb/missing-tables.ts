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
  /** Where credentials are in envelopes. */
  readonly credentials?: string;
}

/** Nothing has this id: tables are asked for what is not in them. */
const NOBODY = '-';

/** Reads of each table that the maintenance function may do anyway: so none needs a power of its own. */
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
    /** Those that are not there, of all that the maintenance function reads. */
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
  /** As AWS knows it. */
  readonly name: string;
  /** Nothing else can be compared without it. */
  readonly isCompared: boolean;
}

/** Which tables and buckets exist: data only, as `manifest.ts` has it of functions. */

export type TableName =
  | 'deployments'
  | 'deployment-content'
  | 'credentials'
  | 'users'
  | 'oauth'
  | 'limits'
  | 'security-events'
  | 'calls';

export interface TableManifest {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Attribute, epoch seconds. DynamoDB deletes late, so whatever ends says when in `expiresAt`. */
  readonly timeToLive?: string;
  readonly indexes: readonly IndexManifest[];
}

interface IndexManifest {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: { readonly name: string; readonly type: 'string' | 'number' };
  /** What it holds of an item beside all keys; whole items if omitted. */
  readonly attributes?: readonly string[];
}

/** Keys are strings, named `pk` and `sk` whatever they hold. */
export const tables: Readonly<Record<TableName, TableManifest>> = {
  deployments: {
    partitionKey: 'pk',
    timeToLive: 'deleteAfter',
    indexes: [
      {
        name: 'by-owner',
        partitionKey: 'ownerId',
        sortKey: { name: 'createdAt', type: 'number' },
      },
    ],
  },
  'deployment-content': { partitionKey: 'pk', sortKey: 'sk', indexes: [] },
  // Of stages that keep credentials in envelopes; empty in the others.
  credentials: { partitionKey: 'pk', indexes: [] },
  users: {
    partitionKey: 'pk',
    timeToLive: 'deleteAfter',
    // Of users alone, and nothing that is secret of them.
    indexes: [
      {
        name: 'by-email',
        partitionKey: 'kind',
        sortKey: { name: 'email', type: 'string' },
        attributes: ['id', 'plan', 'operator', 'createdAt'],
      },
    ],
  },
  oauth: {
    partitionKey: 'pk',
    timeToLive: 'deleteAfter',
    // Of grants and, in partitions of their own, sessions; the second of grants and minted tokens.
    indexes: [
      { name: 'by-user', partitionKey: 'userId', sortKey: { name: 'createdAt', type: 'number' } },
      {
        name: 'by-deployment',
        partitionKey: 'deploymentId',
        sortKey: { name: 'createdAt', type: 'number' },
      },
    ],
  },
  limits: { partitionKey: 'pk', timeToLive: 'deleteAfter', indexes: [] },
  'security-events': {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'deleteAfter',
    // Events, by time. Few events concern an account.
    indexes: [
      {
        name: 'by-account',
        partitionKey: 'accountId',
        sortKey: { name: 'sk', type: 'string' },
      },
      {
        name: 'by-deployment',
        partitionKey: 'deploymentId',
        sortKey: { name: 'sk', type: 'string' },
      },
    ],
  },
  // Calls of tools one by one, and their counts by hour.
  calls: { partitionKey: 'pk', sortKey: 'sk', timeToLive: 'deleteAfter', indexes: [] },
};

/**
 * `descriptions`: descriptions and tool indexes that are too large for the table, below
 * `deployments/`, and what did not fit into results, below `answers/`.
 */
export type BucketName = 'descriptions';

export interface BucketManifest {
  /** What is removed by itself, a day after its time at the latest. */
  readonly expires: readonly ExpiryManifest[];
}

export interface ExpiryManifest {
  /** Of the names of objects. */
  readonly prefix: string;
  readonly afterDays: number;
}

export const buckets: Readonly<Record<BucketName, BucketManifest>> = {
  descriptions: { expires: [{ prefix: 'answers/', afterDays: 1 }] },
};

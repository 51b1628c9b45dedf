/** Tables, buckets and queues, as data; functions are in `manifest.ts`. */

export type TableName =
  | 'deployments'
  | 'deployment-content'
  | 'credentials'
  | 'connections'
  | 'users'
  | 'oauth'
  | 'limits'
  | 'security-events'
  | 'calls'
  | 'recorded-calls';

export interface TableManifest {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Attribute in epoch seconds. DynamoDB deletes late: `expiresAt` says when something ends. */
  readonly timeToLive?: string;
  readonly indexes: readonly IndexManifest[];
  readonly backup: BackupSchedule;
}

/** Schedule `none` has no point-in-time recovery either. Source: docs/restore.md, "What there is to restore from". */
export type BackupSchedule = 'none' | 'daily' | 'daily-and-monthly';

/** Days for which a nightly copy is kept, and a monthly one. */
export const BACKUP_DAYS = { daily: 35, monthly: 366 } as const;

interface IndexManifest {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: { readonly name: string; readonly type: 'string' | 'number' };
  /** Attributes that the index has besides all keys; whole items if omitted. */
  readonly attributes?: readonly string[];
}

/** All keys are strings named `pk` and `sk`. */
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
    backup: 'daily-and-monthly',
  },
  'deployment-content': {
    partitionKey: 'pk',
    sortKey: 'sk',
    indexes: [],
    backup: 'daily-and-monthly',
  },
  // Credentials of stages that keep them in envelopes; empty in others.
  credentials: { partitionKey: 'pk', indexes: [], backup: 'daily-and-monthly' },
  // Tokens that others gave. They have no backup, which would bring back ended ones, and can be asked for again.
  connections: { partitionKey: 'pk', timeToLive: 'deleteAfter', indexes: [], backup: 'none' },
  users: {
    partitionKey: 'pk',
    timeToLive: 'deleteAfter',
    // The index has users alone, and no secrets of them.
    indexes: [
      {
        name: 'by-email',
        partitionKey: 'kind',
        sortKey: { name: 'email', type: 'string' },
        attributes: ['id', 'plan', 'operator', 'createdAt'],
      },
    ],
    // Users have no monthly backup: a removed account would be in it for a year.
    backup: 'daily',
  },
  oauth: {
    partitionKey: 'pk',
    timeToLive: 'deleteAfter',
    // `by-user` has grants and, in other partitions, sessions; `by-deployment` has grants and minted tokens.
    indexes: [
      { name: 'by-user', partitionKey: 'userId', sortKey: { name: 'createdAt', type: 'number' } },
      {
        name: 'by-deployment',
        partitionKey: 'deploymentId',
        sortKey: { name: 'createdAt', type: 'number' },
      },
    ],
    backup: 'daily',
  },
  // Counters need no backup: they fill up again.
  limits: { partitionKey: 'pk', timeToLive: 'deleteAfter', indexes: [], backup: 'none' },
  'security-events': {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'deleteAfter',
    // Events are sorted by time. Few are in `by-account`, since most concern no account.
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
    backup: 'daily',
  },
  // Single calls of tools, and their sums by the hour. No backup: the router's log has the calls, too.
  calls: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'deleteAfter',
    indexes: [],
    backup: 'none',
  },
  // Calls with sealed requests and answers, of deployments whose owners record them.
  'recorded-calls': {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'deleteAfter',
    indexes: [],
    backup: 'none',
  },
};

/** `descriptions`: descriptions and tool indexes too large for a table. `answers`: what did not fit into results. */
export type BucketName = 'descriptions' | 'answers';

export interface BucketManifest {
  /** A bucket with `none` keeps no former versions. */
  readonly backup: BackupSchedule;
  /** Objects are deleted within a day after this time; never if omitted. */
  readonly expiresAfterDays?: number;
}

export const buckets: Readonly<Record<BucketName, BucketManifest>> = {
  descriptions: { backup: 'daily-and-monthly' },
  answers: { backup: 'none', expiresAfterDays: 1 },
};

/** Queues of work that failed, or waits for another attempt. */
export const QUEUES = [
  'unsent-mails',
  'unstored-calls',
  'unstorable-calls',
  'undelivered-commands',
  'untallied',
] as const;

export type QueueName = (typeof QUEUES)[number];

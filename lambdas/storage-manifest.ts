/** Which tables and buckets exist: data only, as `manifest.ts` has it of functions. */

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
  /** Attribute, epoch seconds. DynamoDB deletes late, so whatever ends says when in `expiresAt`. */
  readonly timeToLive?: string;
  readonly indexes: readonly IndexManifest[];
  readonly backup: BackupSchedule;
}

/**
 * Which copies there are where the stage has `backup`: of each night, for 35 days; of each month, for a year.
 * `none` has no point-in-time recovery either. Source: docs/restore.md, "What there is to restore from".
 */
export type BackupSchedule = 'none' | 'daily' | 'daily-and-monthly';

/** How many days a copy of a night is kept, and one of a month. */
export const BACKUP_DAYS = { daily: 35, monthly: 366 } as const;

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
    backup: 'daily-and-monthly',
  },
  'deployment-content': {
    partitionKey: 'pk',
    sortKey: 'sk',
    indexes: [],
    backup: 'daily-and-monthly',
  },
  // Of stages that keep credentials in envelopes; empty in the others.
  credentials: { partitionKey: 'pk', indexes: [], backup: 'daily-and-monthly' },
  // Tokens that others gave for credentials. A copy would bring back what has ended since, and they are asked for again.
  connections: { partitionKey: 'pk', timeToLive: 'deleteAfter', indexes: [], backup: 'none' },
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
    // Who removed their account is not kept for a year.
    backup: 'daily',
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
    backup: 'daily',
  },
  // Counters fill up by themselves.
  limits: { partitionKey: 'pk', timeToLive: 'deleteAfter', indexes: [], backup: 'none' },
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
    backup: 'daily',
  },
  // Calls of tools one by one, and what they add up to by the hour. The router's log has the calls, too.
  calls: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'deleteAfter',
    indexes: [],
    backup: 'none',
  },
  // Calls with what was sent and answered, sealed, of deployments whose owners have them recorded.
  'recorded-calls': {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'deleteAfter',
    indexes: [],
    backup: 'none',
  },
};

/**
 * `descriptions`: descriptions and tool indexes that are too large for the table, below `deployments/`.
 * `answers`: what did not fit into results, for ten minutes.
 */
export type BucketName = 'descriptions' | 'answers';

export interface BucketManifest {
  /** Without former versions where it is `none`. */
  readonly backup: BackupSchedule;
  /** Objects are removed by themselves, a day after this time at the latest; never if omitted. */
  readonly expiresAfterDays?: number;
}

export const buckets: Readonly<Record<BucketName, BucketManifest>> = {
  descriptions: { backup: 'daily-and-monthly' },
  answers: { backup: 'none', expiresAfterDays: 1 },
};

/** Of work that failed, or waits for another attempt. */
export const QUEUES = [
  'unsent-mails',
  'unstored-calls',
  'unstorable-calls',
  'undelivered-commands',
  'untallied',
] as const;

export type QueueName = (typeof QUEUES)[number];

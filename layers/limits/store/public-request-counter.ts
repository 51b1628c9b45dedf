import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { DAY, type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { PublicRequest } from '../rules/decisions.ts';
import { publicRequestsKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

/** `window` is the minute since 1970. */
export interface Counting extends PublicRequest {
  readonly cost: number;
  readonly window: number;
  readonly now: EpochSeconds;
}

export const PublicRequestsItem = z.object({
  window: z.int(),
  count: z.int(),
  /** In this window, by deployment id. */
  counts: z._default(z.record(z.string(), z.int()), {}),
  /** End of a block on all deployments. */
  blockedUntil: z._default(z.int(), 0),
  /** By deployment id. */
  blocks: z._default(z.record(z.string(), z.object({ slug: z.string(), until: z.int() })), {}),
});
export type PublicRequestsItem = z.output<typeof PublicRequestsItem>;

/** Kept apart, since DynamoDB refuses names that an expression does not use. */
const NAMES = { '#window': 'window', '#count': 'count', '#until': 'until' };

const NOT_BLOCKED_EVERYWHERE = '(attribute_not_exists(blockedUntil) OR blockedUntil <= :now)';
const NOT_BLOCKED_HERE =
  '(attribute_not_exists(blocks.#deployment) OR blocks.#deployment.#until <= :now)';

/**
 * Steps of counting, each one conditional update of the subject's item, or one read. The item has the counts of all
 * deployments, so that one write counts a request both for its deployment and in total.
 */
export const publicRequestCounter = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, publicRequestsKey, PublicRequestsItem);

  const count = (
    { subject, deploymentId, cost, window, now }: Counting,
    UpdateExpression: string,
    condition: string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<PublicRequestsItem | undefined> =>
    items.update(subject, {
      UpdateExpression,
      ConditionExpression: `${condition} AND ${NOT_BLOCKED_EVERYWHERE} AND ${NOT_BLOCKED_HERE}`,
      ExpressionAttributeNames: { ...NAMES, '#deployment': deploymentId },
      ExpressionAttributeValues: { ':cost': cost, ':window': window, ':now': now, ...values },
    });

  return {
    read: items.find,

    /** Counts in the stored window; undefined if that is another window, or the subject is blocked. */
    add: (counting: Counting) =>
      count(
        counting,
        'SET counts.#deployment = if_not_exists(counts.#deployment, :none) + :cost ADD #count :cost',
        '#window = :window AND attribute_exists(counts)',
        { ':none': 0 },
      ),

    /** Counts as the first request of a window. Windows only advance, so that a slow clock cannot reopen one. */
    open: (counting: Counting) =>
      count(
        counting,
        'SET #window = :window, #count = :cost, counts = :counts, blocks = if_not_exists(blocks, :none), deleteAfter = :deleteAfter',
        '(attribute_not_exists(pk) OR #window < :window OR attribute_not_exists(counts))',
        {
          ':counts': { [counting.deploymentId]: counting.cost },
          ':none': {},
          ':deleteAfter': endOf(counting.window) + DAY,
        },
      ),

    /** @returns true for the call that set the block */
    blockEverywhere: async (
      subject: string,
      now: EpochSeconds,
      until: EpochSeconds,
    ): Promise<boolean> => {
      const blocked = await items.update(subject, {
        UpdateExpression: 'SET blockedUntil = :until, deleteAfter = :deleteAfter',
        ConditionExpression: `attribute_exists(pk) AND ${NOT_BLOCKED_EVERYWHERE}`,
        ExpressionAttributeValues: { ':until': until, ':deleteAfter': until + DAY, ':now': now },
      });
      return blocked !== undefined;
    },

    /**
     * Blocks on one deployment, and removes expired blocks.
     * @param counted - the item as the request found it
     * @returns true for the call that set the block
     */
    blockHere: async (
      { subject, deploymentId, slug }: PublicRequest,
      counted: PublicRequestsItem,
      now: EpochSeconds,
      until: EpochSeconds,
    ): Promise<boolean> => {
      const ended = Object.keys(counted.blocks).filter(
        (id) => id !== deploymentId && (counted.blocks[id]?.until ?? 0) <= now,
      );
      const { paths, names } = blockPaths(ended);
      const blocked = await items.update(subject, {
        UpdateExpression: `SET blocks.#deployment = :block, deleteAfter = :deleteAfter${removing(paths)}`,
        ConditionExpression: `attribute_exists(blocks) AND ${NOT_BLOCKED_HERE}`,
        ExpressionAttributeNames: { '#until': 'until', '#deployment': deploymentId, ...names },
        ExpressionAttributeValues: {
          ':block': { slug, until },
          ':deleteAfter': until + DAY,
          ':now': now,
        },
      });
      return blocked !== undefined;
    },

    /** Also resets the count: otherwise the next request would cause a block again. */
    lift: async (
      subject: string,
      lifted: { readonly everywhere: boolean; readonly deploymentIds: readonly string[] },
    ): Promise<void> => {
      const { paths, names } = blockPaths(lifted.deploymentIds);
      const gone = lifted.everywhere ? [...paths, 'blockedUntil'] : paths;
      await items.update(subject, {
        UpdateExpression: `SET #count = :zero, counts = :none${removing(gone)}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#count': 'count', ...names },
        ExpressionAttributeValues: { ':zero': 0, ':none': {} },
      });
    },
  };
};

const blockPaths = (deploymentIds: readonly string[]) => ({
  paths: deploymentIds.map((_, index) => `blocks.#block${index}`),
  names: Object.fromEntries(deploymentIds.map((id, index) => [`#block${index}`, id])),
});

const removing = (paths: readonly string[]): string =>
  paths.length > 0 ? ` REMOVE ${paths.join(', ')}` : '';

/** Exclusive. */
export const endOf = (window: number): EpochSeconds => (window + 1) * MINUTE;

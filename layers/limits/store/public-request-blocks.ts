import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { BlockedSubject } from '../rules/decisions.ts';
import { publicRequestsKey } from '../../platform/dynamodb/keys.ts';
import { parseItem, scanPage } from '../../platform/dynamodb/items.ts';
import { publicRequestCounter, PublicRequestsItem } from './public-request-counter.ts';

/** Deployments on which a subject is blocked, and whether it is blocked everywhere. */
const blocksIn = (
  { blockedUntil, blocks }: PublicRequestsItem,
  now: EpochSeconds,
  slug?: string,
) => ({
  everywhere: slug === undefined && now < blockedUntil,
  deploymentIds: Object.entries(blocks)
    .filter(([, block]) => now < block.until && (slug ?? block.slug) === block.slug)
    .map(([id]) => id),
});

const subjectsIn = (
  item: Readonly<Record<string, unknown>>,
  now: EpochSeconds,
): readonly BlockedSubject[] => {
  const subject = String(item['pk']).slice(publicRequestsKey('').pk.length);
  return blocksOf(subject, parseItem(PublicRequestsItem, item, 'a public request count'), now);
};

const blocksOf = (
  subject: string,
  counted: PublicRequestsItem,
  now: EpochSeconds,
): readonly BlockedSubject[] => {
  const { everywhere, deploymentIds } = blocksIn(counted, now);
  return [
    ...(everywhere ? [{ subject, until: counted.blockedUntil }] : []),
    ...deploymentIds.flatMap((id) => {
      const block = counted.blocks[id];
      return block ? [{ subject, ...block }] : [];
    }),
  ];
};

/** Blocks for operators to see and lift. Instances of the router cache theirs. */
export const dynamoPublicRequestBlocks = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const counter = publicRequestCounter(dynamo, TableName);
  return {
    /**
     * Lifts a block and restarts the count; instances notice within a minute.
     * @param slug - of the deployment; undefined: all blocks of the subject
     * @returns false if there was none
     */
    unblock: async (
      subject: string,
      slug: string | undefined,
      now: EpochSeconds,
    ): Promise<boolean> => {
      const item = await counter.read(subject);
      const lifted = item ? blocksIn(item, now, slug) : { everywhere: false, deploymentIds: [] };
      if (!lifted.everywhere && lifted.deploymentIds.length === 0) return false;
      await counter.lift(subject, lifted);
      return true;
    },

    find: async (subject: string, now: EpochSeconds): Promise<readonly BlockedSubject[]> => {
      const item = await counter.read(subject);
      return item ? blocksOf(subject, item, now) : [];
    },

    /** Scans the table; a page may be empty although others follow. */
    page: async (query: PageQuery, now: EpochSeconds): Promise<Page<BlockedSubject>> => {
      const filter = {
        FilterExpression: 'begins_with(pk, :kind)',
        ExpressionAttributeValues: { ':kind': publicRequestsKey('').pk },
      };
      const { items, ...rest } = await scanPage(dynamo, TableName, filter, query);
      return { items: items.flatMap((item) => subjectsIn(item, now)), ...rest };
    },
  };
};

export type PublicRequestBlocks = ReturnType<typeof dynamoPublicRequestBlocks>;

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { BlockedSubject, PublicRequestBlocks } from '../../ports.ts';
import { publicRequestsKey } from '../../platform/dynamodb/keys.ts';
import { parseItem } from '../../platform/dynamodb/parse-item.ts';
import { scanPage } from '../../platform/dynamodb/scan-page.ts';
import { publicRequestCounter, PublicRequestsItem } from './public-request-counter.ts';

/** The ids of deployments on which somebody is blocked, and whether everywhere. */
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

/** Blocks as operators see them. Instances of the router remember theirs. */
export const dynamoPublicRequestBlocks = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): PublicRequestBlocks => {
  const counter = publicRequestCounter(dynamo, TableName);
  return {
    unblock: async (subject, slug, now) => {
      const item = await counter.read(subject);
      const lifted = item ? blocksIn(item, now, slug) : { everywhere: false, deploymentIds: [] };
      if (!lifted.everywhere && lifted.deploymentIds.length === 0) return false;
      await counter.lift(subject, lifted);
      return true;
    },

    find: async (subject, now) => {
      const item = await counter.read(subject);
      return item ? blocksOf(subject, item, now) : [];
    },

    page: async (query, now) => {
      const filter = {
        FilterExpression: 'begins_with(pk, :kind)',
        ExpressionAttributeValues: { ':kind': publicRequestsKey('').pk },
      };
      const { items, ...rest } = await scanPage(dynamo, TableName, filter, query);
      return { items: items.flatMap((item) => subjectsIn(item, now)), ...rest };
    },
  };
};

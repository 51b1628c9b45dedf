import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { EpochSeconds } from '../../../domain/time.ts';
import type { BlockedSubject } from '../../../ports.ts';
import { publicRequestsKey } from '../keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { scanItems } from '../table/scan-items.ts';
import { PublicRequestsItem } from './public-request-counter.ts';

const MAX_BLOCKED = 1000;

/** The ids of deployments on which somebody is blocked, and whether everywhere. */
export const blocksIn = (
  { blockedUntil, blocks }: PublicRequestsItem,
  now: EpochSeconds,
  slug?: string,
) => ({
  everywhere: slug === undefined && now < blockedUntil,
  deploymentIds: Object.entries(blocks)
    .filter(([, block]) => now < block.until && (slug ?? block.slug) === block.slug)
    .map(([id]) => id),
});

/** Reads the whole table: for operators. */
export const listBlocked = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  now: EpochSeconds,
): Promise<readonly BlockedSubject[]> => {
  const blocked: BlockedSubject[] = [];
  for await (const item of scanItems(dynamo, TableName, publicRequestsKey)) {
    const subject = String(item['pk']).slice(publicRequestsKey('').pk.length);
    const counted = parseItem(PublicRequestsItem, item, 'a public request count');
    const { everywhere, deploymentIds } = blocksIn(counted, now);
    if (everywhere) blocked.push({ subject, until: counted.blockedUntil });
    for (const id of deploymentIds) {
      const block = counted.blocks[id];
      if (block) blocked.push({ subject, ...block });
    }
    if (blocked.length >= MAX_BLOCKED) break;
  }
  return blocked.slice(0, MAX_BLOCKED);
};

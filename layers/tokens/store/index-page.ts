import { type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { PartitionKey } from '../../platform/dynamodb/keys.ts';
import { queryPage } from '../../platform/dynamodb/items.ts';

const AT_ONCE = 200;
/** Items read for one page, whatever their kind. */
const LOOK_AT = 5000;
const POSITION = /^(\d{1,15})#(.+)$/s;

type Item = Readonly<Record<string, unknown>>;

/** Selects an index of table `oauth`. */
export type IndexedBy = { readonly deploymentId: string } | { readonly userId: string };

export interface IndexedItems {
  readonly TableName: string;
  /** Key of the wanted kind: the indexes hold grants and minted tokens. */
  readonly keyOf: (id: string) => PartitionKey;
  readonly of: IndexedBy;
}

/**
 * One page of the items of one kind that belong to a deployment or a user, the newest first.
 * @param read - returns undefined for an item to skip
 */
export const indexPage = async <Shown>(
  dynamo: DynamoDBDocumentClient,
  { TableName, keyOf, of }: IndexedItems,
  { limit, after }: PageQuery,
  read: (item: Item) => Shown | undefined,
): Promise<Page<Shown>> => {
  const { IndexName, attribute, id } = indexOf(of);
  let ExclusiveStartKey = after === undefined ? undefined : startKey(of, after);
  // Not a position that this function returned.
  if (after !== undefined && !ExclusiveStartKey) return { items: [] };

  const items: Shown[] = [];
  for (let looked = 0; looked < LOOK_AT; looked += AT_ONCE) {
    const { Items = [], LastEvaluatedKey } = await queryPage(dynamo, {
      TableName,
      IndexName,
      KeyConditionExpression: `${attribute} = :id`,
      ExpressionAttributeValues: { ':id': id },
      ScanIndexForward: false,
      Limit: AT_ONCE,
      ExclusiveStartKey,
    });
    for (const [index, item] of Items.entries()) {
      const shown = String(item['pk']).startsWith(keyOf('').pk) ? read(item) : undefined;
      if (shown === undefined) continue;
      items.push(shown);
      if (items.length < limit) continue;
      const isLast = index === Items.length - 1 && !LastEvaluatedKey;
      return { items, ...(!isLast && { next: positionOf(item) }) };
    }
    if (!LastEvaluatedKey) return { items };
    ExclusiveStartKey = LastEvaluatedKey;
  }
  return { items, ...(ExclusiveStartKey && { next: positionOf(ExclusiveStartKey) }) };
};

const indexOf = (of: IndexedBy) =>
  'deploymentId' in of
    ? ({ IndexName: 'by-deployment', attribute: 'deploymentId', id: of.deploymentId } as const)
    : ({ IndexName: 'by-user', attribute: 'userId', id: of.userId } as const);

const positionOf = ({ pk, createdAt }: Item): string => `${createdAt}#${pk}`;

const startKey = (of: IndexedBy, position: string): Item | undefined => {
  const [, createdAt, pk] = POSITION.exec(position) ?? [];
  return pk === undefined ? undefined : { ...of, pk, createdAt: Number(createdAt) };
};

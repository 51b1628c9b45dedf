import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Page, PageQuery } from '../../ports.ts';
import { dynamoFault } from './faults.ts';

const AT_ONCE = 200;
/** How many items are looked at for one page, whatever they are. */
const LOOK_AT = 5000;
const POSITION = /^(\d{1,15})#(.+)$/s;

type Item = Readonly<Record<string, unknown>>;

/** An index of table `oauth`, and the attribute that it is of. */
const INDEXES = {
  deployment: { IndexName: 'by-deployment', attribute: 'deployment_id' },
  user: { IndexName: 'by-user', attribute: 'user_id' },
} as const;

/** Whose items are asked for. */
export interface Belonging {
  readonly to: keyof typeof INDEXES;
  readonly id: string;
}

/**
 * One page of the items of one kind that belong to a deployment or a user, the newest first, as the indexes
 * of table `oauth` have them.
 *
 * @param kind - what the keys begin with: the index holds grants and minted tokens
 * @param read - undefined for what is not to be shown
 */
export const pageOfBelonging = async <Shown>(
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  kind: string,
  belonging: Belonging,
  { limit, after }: PageQuery,
  read: (item: Item) => Shown | undefined,
): Promise<Page<Shown>> => {
  const { IndexName, attribute } = INDEXES[belonging.to];
  let ExclusiveStartKey = after === undefined ? undefined : startKey(belonging, after);
  // Nothing of ours: no page has ended there.
  if (after !== undefined && !ExclusiveStartKey) return { items: [] };

  const items: Shown[] = [];
  for (let looked = 0; looked < LOOK_AT; looked += AT_ONCE) {
    const { Items = [], LastEvaluatedKey } = await dynamo
      .send(
        new QueryCommand({
          TableName,
          IndexName,
          KeyConditionExpression: `${attribute} = :owner`,
          ExpressionAttributeValues: { ':owner': belonging.id },
          ScanIndexForward: false,
          Limit: AT_ONCE,
          ExclusiveStartKey,
        }),
      )
      .catch(dynamoFault);
    for (const [index, item] of Items.entries()) {
      const shown = String(item['pk']).startsWith(`${kind}#`) ? read(item) : undefined;
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

const positionOf = ({ pk, created_at: createdAt }: Item): string => `${createdAt}#${pk}`;

const startKey = ({ to, id }: Belonging, position: string): Item | undefined => {
  const [, createdAt, pk] = POSITION.exec(position) ?? [];
  return pk === undefined
    ? undefined
    : { pk, [INDEXES[to].attribute]: id, created_at: Number(createdAt) };
};

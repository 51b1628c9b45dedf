import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Page, PageQuery } from '../../ports.ts';
import { dynamoFault } from './faults.ts';

const AT_ONCE = 200;
/** How many items are looked at for one page, whatever they are. */
const LOOK_AT = 5000;
const POSITION = /^(\d{1,15})#(.+)$/s;

type Item = Readonly<Record<string, unknown>>;

/**
 * One page of the items of one kind that belong to a deployment, the newest first, as the index
 * `by-deployment` of table `oauth` has them.
 *
 * @param kind - what the keys begin with: the index holds grants and minted tokens
 * @param read - undefined for what is not to be shown
 */
export const pageOfDeployment = async <Shown>(
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  kind: string,
  deploymentId: string,
  { limit, after }: PageQuery,
  read: (item: Item) => Shown | undefined,
): Promise<Page<Shown>> => {
  let ExclusiveStartKey = after === undefined ? undefined : startKey(deploymentId, after);
  // Nothing of ours: no page has ended there.
  if (after !== undefined && !ExclusiveStartKey) return { items: [] };

  const items: Shown[] = [];
  for (let looked = 0; looked < LOOK_AT; looked += AT_ONCE) {
    const { Items = [], LastEvaluatedKey } = await dynamo
      .send(
        new QueryCommand({
          TableName,
          IndexName: 'by-deployment',
          KeyConditionExpression: 'deployment_id = :deployment',
          ExpressionAttributeValues: { ':deployment': deploymentId },
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

const startKey = (deploymentId: string, position: string): Item | undefined => {
  const [, createdAt, pk] = POSITION.exec(position) ?? [];
  return pk === undefined
    ? undefined
    : { pk, deployment_id: deploymentId, created_at: Number(createdAt) };
};

import { AwsRefusal } from '../wire/refusal.ts';
import type { DynamoEngine } from './engine.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Deletes the items whose time of death has passed, in small pages so that requests come between them.
 *
 * @param attributes - time-to-live attribute per table
 * @param now - epoch seconds
 * @returns how many were deleted
 */
export const sweepExpired = async (
  engine: DynamoEngine,
  attributes: ReadonlyMap<string, string>,
  now: number,
): Promise<number> => {
  let deleted = 0;
  for (const [TableName, attribute] of attributes) {
    const expired = {
      ExpressionAttributeNames: { '#at': attribute },
      ExpressionAttributeValues: { ':now': { N: String(now) } },
    };
    const { Table } = (await engine.run('DescribeTable', { TableName })) as unknown as Described;
    const keys = Table.KeySchema.map(({ AttributeName }) => AttributeName);
    let ExclusiveStartKey: Item | undefined;
    do {
      const page = (await engine.run('Scan', {
        TableName,
        Limit: 100,
        FilterExpression: '#at <= :now',
        ...expired,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      })) as unknown as Page;
      for (const item of page.Items) {
        const Key = Object.fromEntries(keys.map((key) => [key, item[key]]));
        // Its life may have been prolonged since it was read.
        const ConditionExpression = '#at <= :now';
        const gone = engine.run('DeleteItem', { TableName, Key, ConditionExpression, ...expired });
        if (await gone.then(() => true, prolonged)) deleted += 1;
      }
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  return deleted;
};

const prolonged = (error: unknown): false => {
  if (error instanceof AwsRefusal && error.code.endsWith('ConditionalCheckFailedException')) {
    return false;
  }
  throw error;
};

interface Described {
  readonly Table: { readonly KeySchema: readonly { readonly AttributeName: string }[] };
}

interface Page {
  readonly Items: readonly Item[];
  readonly LastEvaluatedKey?: Item;
}

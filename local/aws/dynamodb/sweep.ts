import type { Json } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { DynamoEngine } from './engine.ts';

export interface ExpiringTable {
  readonly TableName: string;
  readonly keys: readonly string[];
  /** Attribute with the time of expiry, in epoch seconds. */
  readonly timeToLive: string;
}

/** Deletes expired items in small pages, between which requests come. @param now - epoch seconds @returns how many */
export const sweepExpired = async (
  engine: DynamoEngine,
  tables: readonly ExpiringTable[],
  now: number,
): Promise<number> => {
  let deleted = 0;
  for (const { TableName, keys, timeToLive } of tables) {
    const expired = {
      ExpressionAttributeNames: { '#ttl': timeToLive },
      ExpressionAttributeValues: { ':now': { N: String(now) } },
    };
    let next: Json = {};
    do {
      const page = await engine.run('Scan', {
        TableName,
        Limit: 100,
        FilterExpression: '#ttl <= :now',
        ...expired,
        ...next,
      });
      for (const item of page['Items'] as readonly Json[]) {
        const Key = Object.fromEntries(keys.map((key) => [key, item[key]]));
        // The item may have been prolonged since it was read.
        const ConditionExpression = '#ttl <= :now';
        const gone = engine.run('DeleteItem', { TableName, Key, ConditionExpression, ...expired });
        if (await gone.then(() => true, prolonged)) deleted += 1;
      }
      next = { ExclusiveStartKey: page['LastEvaluatedKey'] };
    } while (next['ExclusiveStartKey'] !== undefined);
  }
  return deleted;
};

const prolonged = (error: unknown): false => {
  if (error instanceof AwsError && error.code.endsWith('ConditionalCheckFailedException')) {
    return false;
  }
  throw error;
};

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';
import { recordingKeysKey } from '../../platform/dynamodb/keys.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { RecordingKey } from '../../deployments/rules/recording.ts';
import { generateKeyPair } from './hpke.ts';

const Item = z.object({ keys: z.array(RecordingKey), revision: z.int() });

/**
 * The private keys of a deployment's recordings: one item, which nobody but management may read, in a table of which
 * there are no copies. Without it what was recorded is bytes.
 */
export const dynamoRecordingKeys = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, recordingKeysKey, Item);
  return {
    /** Those that have not ended. */
    find: async (deploymentId: string, now: EpochSeconds): Promise<readonly RecordingKey[]> =>
      ((await items.find(deploymentId))?.keys ?? []).filter(({ until }) => now < until),

    /**
     * What changes the keys as they are now, to be committed with the deployment that points to one of them: where
     * either was changed meanwhile, neither is. Those that have ended fall away.
     */
    changing: async (
      deploymentId: string,
      now: EpochSeconds,
      make: (keys: readonly RecordingKey[]) => readonly RecordingKey[],
    ): Promise<Write> => {
      const found = await items.find(deploymentId);
      const keys = make((found?.keys ?? []).filter(({ until }) => now < until));
      if (keys.length === 0) return items.removing(deploymentId);
      const deleteAfter = Math.max(...keys.map(({ until }) => until));
      const item = { keys, revision: (found?.revision ?? 0) + 1, deleteAfter };
      const condition = found
        ? {
            ConditionExpression: 'revision = :before',
            ExpressionAttributeValues: { ':before': found.revision },
          }
        : ABSENT;
      return items.storing(deploymentId, item, condition);
    },

    /** The same for all keys: what was recorded cannot be read any more from then on. */
    removing: (deploymentId: string): Write => items.removing(deploymentId),

    /** At once, of a deployment that is gone. */
    remove: (deploymentId: string): Promise<void> => items.remove(deploymentId),

    generate: generateKeyPair,
  };
};

export type RecordingKeys = ReturnType<typeof dynamoRecordingKeys>;

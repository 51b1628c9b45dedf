import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';
import { recordingKeysKey } from '../../platform/dynamodb/keys.ts';
import { RecordingKey } from '../../deployments/rules/recording.ts';
import { generateKeyPair } from './hpke.ts';

const Item = z.object({ keys: z.array(RecordingKey), revision: z.int() });

const ATTEMPTS = 5;

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
     * Changes the keys, whatever else was changed meanwhile; those that have ended fall away.
     *
     * @returns what there is then; undefined where others keep changing them
     */
    change: async (
      deploymentId: string,
      now: EpochSeconds,
      make: (keys: readonly RecordingKey[]) => readonly RecordingKey[],
    ): Promise<readonly RecordingKey[] | undefined> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const found = await items.find(deploymentId);
        const keys = make((found?.keys ?? []).filter(({ until }) => now < until));
        const condition = found
          ? {
              ConditionExpression: 'revision = :before',
              ExpressionAttributeValues: { ':before': found.revision },
            }
          : ABSENT;
        if (keys.length === 0) {
          // Unless somebody has made one meanwhile.
          await items.remove(deploymentId, condition);
          return keys;
        }
        const deleteAfter = Math.max(...keys.map(({ until }) => until));
        const item = { keys, revision: (found?.revision ?? 0) + 1, deleteAfter };
        if (await items.put(deploymentId, item, condition)) return keys;
      }
      return undefined;
    },

    /** What was recorded cannot be read any more from then on. */
    remove: (deploymentId: string): Promise<void> => items.remove(deploymentId),

    generate: generateKeyPair,
  };
};

export type RecordingKeys = ReturnType<typeof dynamoRecordingKeys>;

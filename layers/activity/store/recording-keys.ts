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
 * Private keys of a deployment's recordings: one item that only `management` asks for, in a table without backups.
 * `maintenance` may scan that table, but cannot read recorded calls. Once the item is deleted, they are unreadable.
 */
export const dynamoRecordingKeys = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, recordingKeysKey, Item);
  return {
    /** Keys that have not expired. */
    find: async (deploymentId: string, now: EpochSeconds): Promise<readonly RecordingKey[]> =>
      ((await items.find(deploymentId))?.keys ?? []).filter(({ until }) => now < until),

    /**
     * Changes the current keys, committed together with the deployment that uses them: if either was changed
     * meanwhile, neither is stored. Expired keys are dropped.
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

    /** Committed together with the deployment; recorded calls are unreadable afterwards. */
    removing: (deploymentId: string): Write => items.removing(deploymentId),

    /** For a deployment that was deleted. */
    remove: (deploymentId: string): Promise<void> => items.remove(deploymentId),

    generate: generateKeyPair,
  };
};

export type RecordingKeys = ReturnType<typeof dynamoRecordingKeys>;

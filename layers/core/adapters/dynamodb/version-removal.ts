import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';
import type { Versions } from '../../ports.ts';
import { dynamoFault } from './faults.ts';
import { queryItems } from './query-items.ts';
import { stored } from './stored.ts';
import { deploymentFiles, type Files, versionFiles, versionPrefix } from './version-item.ts';

/** DynamoDB's. */
const MAX_BATCH = 25;
const TRIES = 5;

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

const Key = z.object({ pk: z.string(), sk: z.string() });

/** Items that hold no more than their key and when they were written. */
const Part = z.object({ sk: z.string(), stored_at: z.exactOptional(z.int()) });

/** Removing what is stored: files before the items beside them, so that whatever breaks off is found again. */
export const versionRemoval = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  files: Files,
): Pick<Versions, 'remove' | 'removeAll' | 'stored'> => {
  /** @param prefix - of the sort key; empty for all: DynamoDB takes no empty value for a key */
  const keysOf = (deploymentId: string, prefix: string, attributes = 'pk, sk') =>
    queryItems(dynamo, {
      TableName,
      KeyConditionExpression:
        prefix === '' ? 'pk = :deployment' : 'pk = :deployment AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: {
        ':deployment': `DEP#${deploymentId}`,
        ...(prefix !== '' && { ':prefix': prefix }),
      },
      ProjectionExpression: attributes,
      ConsistentRead: true,
    });

  const removeItems = async (deploymentId: string, prefix: string): Promise<void> => {
    const keys = (await keysOf(deploymentId, prefix)).map((item) => stored(Key, item, 'a key'));
    for (let at = 0; at < keys.length; at += MAX_BATCH) {
      await removeBatch(keys.slice(at, at + MAX_BATCH));
    }
  };

  const removeBatch = async (keys: readonly z.output<typeof Key>[]): Promise<void> => {
    let left: Requests = keys.map((one) => ({ DeleteRequest: { Key: one } }));
    for (let tries = 0; left.length > 0; tries += 1) {
      if (tries === TRIES) throw new Fault('dynamodb', 'items could not be removed');
      const { UnprocessedItems } = await dynamo
        .send(new BatchWriteCommand({ RequestItems: { [TableName]: left } }))
        .catch(dynamoFault);
      left = UnprocessedItems?.[TableName] ?? [];
    }
  };

  const removeFiles = async (prefix: string): Promise<void> => {
    for (const { key } of await files.list(prefix)) await files.remove(key);
  };

  return {
    remove: async (deploymentId, version) => {
      await removeFiles(versionFiles(deploymentId, version));
      await removeItems(deploymentId, versionPrefix(version));
    },

    removeAll: async (deploymentId) => {
      await removeFiles(deploymentFiles(deploymentId));
      await removeItems(deploymentId, '');
    },

    stored: async (deploymentId) => {
      const [items, listed] = await Promise.all([
        keysOf(deploymentId, 'V#', 'sk, stored_at'),
        files.list(deploymentFiles(deploymentId)),
      ]);
      const parts = [
        ...items
          .map((item) => stored(Part, item, 'a part of a version'))
          .map(({ sk, stored_at }) => ({
            version: numberIn(/^V#(\d+)#/, sk),
            since: stored_at ?? 0,
          })),
        ...listed.map(({ key, writtenAt }) => ({
          version: numberIn(/\/v(\d+)\//, key),
          since: writtenAt,
        })),
      ];
      return [...Map.groupBy(parts, ({ version }) => version)].map(([version, all]) => ({
        version,
        since: Math.max(...all.map(({ since }) => since)),
      }));
    },
  };
};

const numberIn = (pattern: RegExp, name: string): number => Number(pattern.exec(name)?.[1] ?? 0);

import { VersionNotes } from '../../rules/version-notes.ts';
import type { VersionFile } from '../../rules/versions.ts';
import type { Page, PageQuery } from '../../../platform/rules/paging.ts';
import { type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  contentPartition,
  VERSION_PARTS,
  versionKey,
  type VersionPart,
  VERSIONS,
} from '../../../platform/dynamodb/keys.ts';
import { getItem, parseJson, queryPage } from '../../../platform/dynamodb/items.ts';
import { removePartition } from '../../../platform/dynamodb/remove-partition.ts';
import { deploymentFiles, type Files, isHeldBy, readText, versionFilesIn } from './version-item.ts';

/** Parts of versions that the router does not read. */
export const dynamoVersions = (dynamo: DynamoDBDocumentClient, TableName: string, files: Files) => {
  const read = async (deploymentId: string, version: number, part: VersionPart) => {
    const Key = versionKey(deploymentId, version, part);
    const item = await getItem(dynamo, TableName, Key);
    return item && readText(item, files, `${Key.pk} ${Key.sk}`);
  };

  return {
    notes: async (deploymentId: string, version: number): Promise<VersionNotes | undefined> => {
      const text = await read(deploymentId, version, 'NOTES');
      return text === undefined
        ? undefined
        : parseJson(VersionNotes, text, `notes of ${deploymentId} ${version}`);
    },

    description: (deploymentId: string, version: number): Promise<string | undefined> =>
      read(deploymentId, version, 'SPEC'),

    // Files first, while items still name them, so that an interrupted removal can be resumed.
    /** Removes all contents stored under this id, resources and prompts included. Idempotent. */
    removeAll: async (deploymentId: string): Promise<void> => {
      for (const { key } of await files.list(deploymentFiles(deploymentId))) {
        await files.remove(key);
      }
      await removePartition(dynamo, TableName, contentPartition(deploymentId));
    },

    /** Whether any version is stored, which is so exactly as long as the deployment exists. */
    exist: async (deploymentId: string): Promise<boolean> => {
      const { Count } = await queryPage(dynamo, {
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :version)',
        ExpressionAttributeValues: {
          ':pk': contentPartition(deploymentId).pk,
          ':version': VERSIONS,
        },
        Select: 'COUNT',
        Limit: 1,
        ConsistentRead: true,
      });
      return Count !== 0;
    },

    /** Files of all versions sorted by name, uncommitted ones included: for the sweep. */
    files: async ({ limit, after }: PageQuery): Promise<Page<VersionFile>> => {
      const page = await files.page(deploymentFiles(), limit, after);
      const keys = page.files.map(({ key }) => key);
      const next = page.isLast ? undefined : keys.at(-1);
      return { items: versionFilesIn(keys), ...(next !== undefined && { next }) };
    },

    // Items name the files in use, since a version and its items are committed together.
    isInUse: async ({ key, deploymentId, version, part: name }: VersionFile): Promise<boolean> => {
      const part = VERSION_PARTS.find((one) => one.toLowerCase() === name);
      if (part === undefined) return false;
      const Key = versionKey(deploymentId, version, part);
      const item = await getItem(dynamo, TableName, Key);
      return item !== undefined && isHeldBy(item, key, `${Key.pk} ${Key.sk}`);
    },

    removeFile: (key: string): Promise<void> => files.remove(key),
  };
};

export type Versions = ReturnType<typeof dynamoVersions>;

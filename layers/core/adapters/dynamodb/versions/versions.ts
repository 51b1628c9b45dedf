import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Versions } from '../../../ports.ts';
import { contentPartition, versionKey, type VersionPart } from '../keys.ts';
import { getItem } from '../table/get-item.ts';
import { parseJson } from '../table/parse-item.ts';
import { removePartition } from '../table/remove-partition.ts';
import { deploymentFiles, type Files, readText, versionFilesIn } from './version-item.ts';
import { VersionNotesSchema } from './version-notes-schema.ts';

/** What is stored of versions, but for what the router reads of them. */
export const dynamoVersions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  files: Files,
): Versions => {
  const read = async (deploymentId: string, version: number, part: VersionPart) => {
    const Key = versionKey(deploymentId, version, part);
    const item = await getItem(dynamo, TableName, Key);
    return item && readText(item, files, `${Key.pk} ${Key.sk}`);
  };

  return {
    notes: async (deploymentId, version) => {
      const text = await read(deploymentId, version, 'NOTES');
      return text === undefined
        ? undefined
        : parseJson(VersionNotesSchema, text, `notes of ${deploymentId} ${version}`);
    },

    description: (deploymentId, version) => read(deploymentId, version, 'SPEC'),

    // Files before the items that name them, so that a removal that breaks off is found again.
    removeAll: async (deploymentId) => {
      for (const { key } of await files.list(deploymentFiles(deploymentId))) {
        await files.remove(key);
      }
      await removePartition(dynamo, TableName, contentPartition(deploymentId));
    },

    files: async () => versionFilesIn((await files.list(deploymentFiles())).map(({ key }) => key)),

    removeFile: (key) => files.remove(key),
  };
};

import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredVersion, Versions } from '../../ports.ts';
import { dynamoFault, undefinedUnlessMet } from './faults.ts';
import { pack, type Packed } from './packing.ts';
import {
  fileKey,
  type Files,
  fitsInline,
  textOf,
  versionItem,
  versionKey,
  type VersionPart,
} from './version-item.ts';
import { notesFrom, notesText } from './version-notes.ts';
import { versionRemoval } from './version-removal.ts';

/**
 * Writes files first, then the index's item, which claims the number, then the others. A crash in between leaves a number that no deployment points to; trying again with the same content
 * finishes it.
 */
export const dynamoVersions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  files: Files,
): Versions => {
  const place = async (version: StoredVersion, part: VersionPart, packed: Packed) => {
    const { deploymentId, version: number, inline } = version;
    const file =
      inline && fitsInline(packed) ? undefined : fileKey(deploymentId, number, part, packed);
    if (file !== undefined) await files.put(file, packed.bytes);
    return {
      ...versionKey(deploymentId, number, part),
      ...versionItem(packed, file, version.notes.createdAt),
    };
  };

  const read = async (deploymentId: string, version: number, part: VersionPart) => {
    const Key = versionKey(deploymentId, version, part);
    const { Item } = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    return Item && textOf(Item, files, `${Key.pk} ${Key.sk}`);
  };

  return {
    put: async (version) => {
      const { searchIndex } = version;
      const [index, spec, notes, report, search] = await Promise.all([
        pack(JSON.stringify(version.index)),
        pack(version.description),
        pack(notesText(version.notes)),
        pack(JSON.stringify(version.report)),
        searchIndex && pack(JSON.stringify(searchIndex)),
      ]);
      const [indexItem, ...others] = await Promise.all([
        place(version, 'INDEX', index),
        ...(search ? [place({ ...version, inline: true }, 'SEARCH', search)] : []),
        place(version, 'SPEC', spec),
        place({ ...version, inline: true }, 'NOTES', notes),
        place({ ...version, inline: true }, 'REPORT', report),
      ]);
      const content = { ':index': index.sha256, ':spec': spec.sha256 };

      // The condition knows our own content too: what a lost answer or a crash left is no other's.
      const claimed = await dynamo
        .send(
          new PutCommand({
            TableName,
            Item: {
              ...indexItem,
              spec_sha256: spec.sha256,
              ...(search && { search_sha256: search.sha256 }),
            },
            ConditionExpression: `attribute_not_exists(pk) OR (sha256 = :index AND spec_sha256 = :spec AND ${
              search ? 'search_sha256 = :search' : 'attribute_not_exists(search_sha256)'
            })`,
            ExpressionAttributeValues: { ...content, ...(search && { ':search': search.sha256 }) },
          }),
        )
        .catch(undefinedUnlessMet);
      if (!claimed) return false;

      for (const Item of others) {
        await dynamo.send(new PutCommand({ TableName, Item })).catch(dynamoFault);
      }
      return true;
    },

    notes: async (deploymentId, version) => {
      const text = await read(deploymentId, version, 'NOTES');
      return text === undefined
        ? undefined
        : notesFrom(text, `notes of ${deploymentId} ${version}`);
    },

    description: (deploymentId, version) => read(deploymentId, version, 'SPEC'),

    ...versionRemoval(dynamo, TableName, files),
  };
};

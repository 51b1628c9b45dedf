import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredVersion, Versions } from '../../ports.ts';
import { dynamoFault, undefinedUnlessMet } from './faults.ts';
import { pack, type Packed } from './packing.ts';
import {
  fileKey,
  type Files,
  fitsInline,
  versionItem,
  versionKey,
  type VersionPart,
} from './version-item.ts';

/**
 * Writes files first, then the index's item, which claims the number, then the description's. A
 * crash in between leaves a number that no deployment points to; trying again with the same content
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
    return { ...versionKey(deploymentId, number, part), ...versionItem(packed, file) };
  };

  return {
    put: async (version) => {
      const [index, spec] = await Promise.all([
        pack(JSON.stringify(version.index)),
        pack(version.description),
      ]);
      const [indexItem, specItem] = await Promise.all([
        place(version, 'INDEX', index),
        place(version, 'SPEC', spec),
      ]);

      // The condition knows our own content too: what a lost answer or a crash left is no other's.
      const claimed = await dynamo
        .send(
          new PutCommand({
            TableName,
            Item: { ...indexItem, spec_sha256: spec.sha256 },
            ConditionExpression:
              'attribute_not_exists(pk) OR (sha256 = :index AND spec_sha256 = :spec)',
            ExpressionAttributeValues: { ':index': index.sha256, ':spec': spec.sha256 },
          }),
        )
        .catch(undefinedUnlessMet);
      if (!claimed) return false;

      await dynamo.send(new PutCommand({ TableName, Item: specItem })).catch(dynamoFault);
      return true;
    },
  };
};

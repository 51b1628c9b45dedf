import type { TableManifest } from '../../../lambdas/storage-manifest.ts';
import type { Json } from '../wire/json.ts';

export const tableDefinition = (
  TableName: string,
  { partitionKey, sortKey, indexes }: TableManifest,
): Json => {
  const types = new Map<string, 'S' | 'N'>();
  for (const index of indexes) {
    types.set(index.partitionKey, 'S');
    types.set(index.sortKey.name, index.sortKey.type === 'number' ? 'N' : 'S');
  }
  types.set(partitionKey, 'S');
  if (sortKey) types.set(sortKey, 'S');

  return {
    TableName,
    TableStatus: 'ACTIVE',
    KeySchema: keySchema(partitionKey, sortKey),
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index.partitionKey, index.sortKey.name),
      Projection: index.attributes
        ? { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.attributes] }
        : { ProjectionType: 'ALL' },
    })),
  };
};

const keySchema = (partitionKey: string, sortKey: string | undefined) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  ...(sortKey ? [{ AttributeName: sortKey, KeyType: 'RANGE' }] : []),
];

import { setTimeout } from 'node:timers/promises';
import type { TableManifest } from '../../../lambdas/manifest.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import { addIndexes } from './add-indexes.ts';
import type { DynamoEngine } from './engine.ts';
import type { TimeToLive } from './time-to-live.ts';

/** Creates the tables and indexes that do not exist yet, named `prefix` and the manifest's name. */
export const createTables = async (
  engine: DynamoEngine,
  timeToLive: TimeToLive,
  tables: Readonly<Record<string, TableManifest>>,
  prefix: string,
): Promise<void> => {
  for (const [name, table] of Object.entries(tables)) {
    const TableName = `${prefix}${name}`;
    const definition = definitionOf(table);
    await engine.run('CreateTable', { TableName, ...definition }).catch(existsAlready);
    await untilActive(engine, TableName);
    await addIndexes(engine, TableName, definition);
    if (table.timeToLive && !timeToLive.attributes().has(TableName)) {
      const TimeToLiveSpecification = { Enabled: true, AttributeName: table.timeToLive };
      await timeToLive.update({ TableName, TimeToLiveSpecification });
    }
  }
};

const definitionOf = ({ partitionKey, sortKey, indexes }: TableManifest) => {
  const types = new Map<string, 'S' | 'N'>();
  for (const index of indexes) {
    types.set(index.partitionKey, 'S');
    types.set(index.sortKey.name, index.sortKey.type === 'number' ? 'N' : 'S');
  }
  types.set(partitionKey, 'S');
  if (sortKey) types.set(sortKey, 'S');

  const GlobalSecondaryIndexes = indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: keySchema(index.partitionKey, index.sortKey.name),
    Projection: { ProjectionType: 'ALL' },
  }));
  return {
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(partitionKey, sortKey),
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
  };
};

const keySchema = (partitionKey: string, sortKey: string | undefined) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  ...(sortKey ? [{ AttributeName: sortKey, KeyType: 'RANGE' }] : []),
];

const existsAlready = (error: unknown): void => {
  if (error instanceof AwsRefusal && error.code.endsWith('ResourceInUseException')) return;
  throw error;
};

const untilActive = async (engine: DynamoEngine, TableName: string): Promise<void> => {
  const status = async () => {
    const { Table } = await engine.run('DescribeTable', { TableName });
    return (Table as { TableStatus: string }).TableStatus;
  };
  while ((await status()) !== 'ACTIVE') await setTimeout(1);
};

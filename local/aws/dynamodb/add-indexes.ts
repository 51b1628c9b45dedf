import type { DynamoEngine } from './engine.ts';

/** What a table is to have. */
export interface Definition {
  readonly AttributeDefinitions: readonly AttributeDefinition[];
  readonly GlobalSecondaryIndexes?: readonly IndexDefinition[];
}

interface AttributeDefinition {
  readonly AttributeName: string;
  readonly AttributeType: string;
}

interface IndexDefinition {
  readonly IndexName: string;
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly Projection: { readonly ProjectionType: string };
}

/**
 * Gives a table the indexes it lacks, because it was made before they were, and fills them: what
 * UpdateTable does on AWS and dynalite does not. An index whose filling broke off is filled again.
 */
export const addIndexes = async (
  engine: DynamoEngine,
  TableName: string,
  wanted: Definition,
): Promise<void> => {
  const { Table } = (await engine.run('DescribeTable', { TableName })) as unknown as Described;
  const there = (Table.GlobalSecondaryIndexes ?? []).filter(isActive);
  const missing = (wanted.GlobalSecondaryIndexes ?? []).filter(
    ({ IndexName }) => !there.some((index) => index.IndexName === IndexName),
  );
  if (missing.length === 0) return;

  const types = [...Table.AttributeDefinitions, ...wanted.AttributeDefinitions];
  const define = (IndexStatus: string) =>
    engine.redefine(TableName, {
      AttributeDefinitions: [...new Map(types.map((one) => [one.AttributeName, one])).values()],
      GlobalSecondaryIndexes: [
        ...there,
        ...missing.map((index) => ({ ...index, ...EMPTY, IndexStatus })),
      ],
    });
  await define('CREATING');
  for (const index of missing) await fill(engine, TableName, index);
  await define('ACTIVE');
};

const isActive = ({ IndexStatus }: { readonly IndexStatus: string }): boolean =>
  IndexStatus === 'ACTIVE';

const EMPTY = {
  IndexSizeBytes: 0,
  ItemCount: 0,
  ProvisionedThroughput: {
    ReadCapacityUnits: 0,
    WriteCapacityUnits: 0,
    NumberOfDecreasesToday: 0,
  },
};

/** Writes again, as it is, every item that belongs in the index. */
const fill = async (
  engine: DynamoEngine,
  TableName: string,
  { KeySchema }: IndexDefinition,
): Promise<void> => {
  const names = KeySchema.map((key, at) => [`#${at}`, key.AttributeName] as const);
  let ExclusiveStartKey: unknown;
  do {
    const page = await engine.run('Scan', {
      TableName,
      FilterExpression: names.map(([name]) => `attribute_exists(${name})`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(names),
      ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }),
    });
    for (const Item of page['Items'] as readonly unknown[]) {
      await engine.run('PutItem', { TableName, Item });
    }
    ExclusiveStartKey = page['LastEvaluatedKey'];
  } while (ExclusiveStartKey !== undefined);
};

interface Described {
  readonly Table: {
    readonly AttributeDefinitions: readonly AttributeDefinition[];
    readonly GlobalSecondaryIndexes?: readonly (IndexDefinition & {
      readonly IndexStatus: string;
    })[];
  };
}

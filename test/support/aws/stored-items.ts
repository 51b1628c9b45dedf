import {
  type AttributeValue,
  DynamoDBClient,
  paginateScan,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type TableName, tables } from '../../../lambdas/storage-manifest.ts';
import type { TestAws } from './aws.ts';

type Item = Record<string, AttributeValue>;

/** Items as DynamoDB has them, by table; bytes as base64. */
export type StoredItems = Readonly<Partial<Record<TableName, readonly Item[]>>>;

const names = Object.keys(tables) as readonly TableName[];

/** What is too large for a record: parts of versions that were made so large on purpose. */
const MOST_BYTES = 4096;

/** All items of all tables. */
export const itemsOf = async (aws: TestAws): Promise<StoredItems> => {
  const client = aws.client(DynamoDBClient, 'test');
  const found = await Promise.all(
    names.map(async (name) => {
      const pages = paginateScan({ client }, { TableName: aws.tableName(name) });
      const items = (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items);
      return [name, items.filter((item) => textOf(item).length < MOST_BYTES)] as const;
    }),
  );
  return Object.fromEntries(found);
};

export const storeItems = async (aws: TestAws, stored: StoredItems): Promise<void> => {
  const client = aws.client(DynamoDBClient, 'test');
  for (const name of names) {
    for (const Item of stored[name] ?? []) {
      await client.send(new PutItemCommand({ TableName: aws.tableName(name), Item }));
    }
  }
};

/** For a file. */
export const textOf = (stored: unknown): string =>
  `${JSON.stringify(stored, (_, value: unknown) => (value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value), 1)}\n`;

export const readItems = (text: string): StoredItems =>
  JSON.parse(text, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'base64' in value
      ? Buffer.from(String(value.base64), 'base64')
      : value,
  ) as StoredItems;

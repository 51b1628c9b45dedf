import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { TableName } from '../lambdas/storage-manifest.ts';
import { connectionOf } from '../test/support/aws/aws.ts';
import type { TestRouter } from '../test/support/mcp/router.ts';

/** An item as it travels, written as JSON. */
export interface Template {
  readonly table: TableName;
  readonly text: string;
}

/** Items that adapters of the service have written, all that tell of `name`. */
export const templatesOf = async (
  { store }: TestRouter,
  tables: readonly TableName[],
  name: string,
): Promise<readonly Template[]> => {
  const client = new DynamoDBClient(connectionOf(store.aws, 'test'));
  const found: Template[] = [];
  for (const table of tables) {
    for await (const page of paginateScan({ client }, { TableName: store.tableName(table) })) {
      const texts = (page.Items ?? []).map((item) => JSON.stringify(asItTravels(item)));
      found.push(...texts.filter((text) => text.includes(name)).map((text) => ({ table, text })));
    }
  }
  client.destroy();
  if (found.length === 0) throw new Error(`nothing tells of ${name}`);
  return found;
};

const BATCH = 5000;

/** Stores the same once more for each further number, with the names of that number in it. */
export const loadMore = async (
  { store }: TestRouter,
  templates: readonly Template[],
  { from, to }: { readonly from: number; readonly to: number },
  names: (number: number) => readonly (readonly [before: string, now: string])[],
): Promise<void> => {
  for (let start = from; start < to; start += BATCH) {
    const numbers = Array.from(
      { length: Math.min(BATCH, to - start) },
      (_, index) => start + index,
    );
    for (const { table, text } of templates) {
      const items = numbers.map((number) =>
        JSON.parse(names(number).reduce((made, pair) => made.replaceAll(...pair), text)),
      );
      await store.aws.loadItems(store.tableName(table), items);
    }
  }
};

/** The SDK reads bytes where JSON has base64. */
const asItTravels = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(asItTravels);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, AttributeValue>).map(([name, one]) => [
      name,
      asItTravels(one),
    ]),
  );
};

import type { TableManifest } from '../../../lambdas/storage-manifest.ts';
import { ACCOUNT_ID, arnOf } from '../account.ts';
import type { Wanted } from '../iam/access-control.ts';
import { kmsContext, viaService } from '../iam/key-use.ts';
import type { Json } from '../wire/json.ts';
import type { DynamoOperation } from './engine.ts';
import { isObject } from '../../../layers/platform/rules/json/json.ts';

type Tables = ReadonlyMap<string, TableManifest>;

/** Items of one table, or of an index of it, that a request touches. */
interface Touched {
  readonly action: string;
  readonly table: string;
  readonly index?: string | undefined;
  /** Values of the partition key; undefined if the request names none. */
  readonly leadingKeys?: readonly string[];
  /** Attributes that the request asks for by name; undefined if it asks for all. */
  readonly attributes?: readonly string[] | undefined;
  /** `Select` as the request has it. AWS does not document a value for requests that only have a projection. */
  readonly select?: string | undefined;
}

/**
 * Permissions that a request needs: an action for each item of a transaction, the leading keys that it names, and
 * the key that its tables are encrypted with, which DynamoDB uses in the caller's name.
 * Source: Amazon DynamoDB Developer Guide, "Using IAM policy conditions for fine-grained access control", "Using
 * IAM with DynamoDB transactions" and "DynamoDB encryption at rest"; docs/permissions.md, "What is taken for
 * granted of AWS".
 */
export const dynamoAccesses = (
  operation: DynamoOperation,
  input: Json,
  tables: Tables,
  region: string,
): readonly Wanted[] => {
  const touched = touchedBy(operation, input, tables);
  const names = new Set(touched.map(({ table }) => table));
  return [
    ...touched.map(({ action, table, index, leadingKeys, attributes, select }) => ({
      action: `dynamodb:${action}`,
      resource: tableArn(region, table) + (index === undefined ? '' : `/index/${index}`),
      context: {
        ...(leadingKeys && { 'dynamodb:LeadingKeys': leadingKeys }),
        ...(attributes && { 'dynamodb:Attributes': attributes }),
        ...(select !== undefined && { 'dynamodb:Select': [select] }),
      },
    })),
    ...[...names].map((table) => ({
      action: 'kms:Decrypt' as const,
      keyOf: tableArn(region, table),
      context: kmsContext(
        { 'aws:dynamodb:tableName': table, 'aws:dynamodb:subscriberId': ACCOUNT_ID },
        viaService('dynamodb', region),
      ),
    })),
  ];
};

const tableArn = (region: string, table: string): string =>
  arnOf('dynamodb', region, `table/${table}`);

const touchedBy = (operation: DynamoOperation, input: Json, tables: Tables): readonly Touched[] => {
  const table = String(input['TableName']);
  switch (operation) {
    case 'GetItem':
    case 'DeleteItem':
    case 'UpdateItem':
    case 'PutItem':
      return [itemOf(operation, input, tables)];
    case 'Query':
      return [queried(table, input, tables)];
    case 'Scan':
      return [scanned(table, input)];
    case 'BatchWriteItem':
      return Object.entries(recordIn(input['RequestItems'])).map(([name, requests]) => ({
        action: 'BatchWriteItem',
        table: name,
        leadingKeys: listIn(requests).flatMap((request) =>
          Object.values(recordIn(request)).flatMap((one) => keyOf(name, recordIn(one), tables)),
        ),
      }));
    case 'TransactWriteItems':
      return listIn(input['TransactItems']).flatMap((item) =>
        Object.entries(recordIn(item)).map(([kind, action]) =>
          itemOf(kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, action, tables),
        ),
      );
  }
};

const scanned = (table: string, input: Json): Touched => {
  const { Select } = input;
  return {
    action: 'Scan',
    table,
    index: indexOf(input),
    attributes: projectedBy(input),
    select: Select === undefined ? undefined : String(Select),
  };
};

/** Attributes of the projection. Those of a filter count, too, so a request with a filter has no known list. */
const projectedBy = (input: Json): readonly string[] | undefined => {
  const { ProjectionExpression, FilterExpression } = input;
  if (ProjectionExpression === undefined || FilterExpression !== undefined) return undefined;
  const names = recordIn(input['ExpressionAttributeNames']);
  return String(ProjectionExpression)
    .split(',')
    .map((name) => String(names[name.trim()] ?? name.trim()));
};

const itemOf = (action: string, input: unknown, tables: Tables): Touched => {
  const request = recordIn(input);
  const table = String(request['TableName']);
  return { action, table, leadingKeys: keyOf(table, request, tables) };
};

const keyOf = (table: string, { Item, Key }: Json, tables: Tables): readonly string[] => {
  const name = tables.get(table)?.partitionKey ?? '';
  return keyTexts(recordIn(Item ?? Key)[name]);
};

const queried = (table: string, input: Json, tables: Tables): Touched => {
  const index = indexOf(input);
  const { partitionKey, indexes = [] } = tables.get(table) ?? {};
  const attribute =
    index === undefined ? partitionKey : indexes.find(({ name }) => name === index)?.partitionKey;
  const names = recordIn(input['ExpressionAttributeNames']);
  const values = recordIn(input['ExpressionAttributeValues']);
  const expression = String(input['KeyConditionExpression'] ?? '');
  // Finds `pk = :pk` and `:pk = pk`: a key condition has to compare the partition key, and only that, with `=`.
  const leadingKeys = [...expression.matchAll(/([#:\w]+)\s*=\s*([#:\w]+)/g)].flatMap(
    ([, one = '', other = '']) => {
      const [name, value] = one.startsWith(':') ? [other, one] : [one, other];
      return (names[name] ?? name) === attribute ? keyTexts(values[value]) : [];
    },
  );
  return { action: 'Query', table, index, leadingKeys };
};

const indexOf = ({ IndexName }: Json): string | undefined =>
  IndexName === undefined ? undefined : String(IndexName);

const keyTexts = (value: unknown): readonly string[] => {
  const { S } = recordIn(value);
  return typeof S === 'string' ? [S] : [];
};

const recordIn = (value: unknown): Json => (isObject(value) ? value : {});

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

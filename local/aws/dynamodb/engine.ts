import { createRequire } from 'node:module';
import { ACCOUNT_ID } from '../account.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import type { Json } from '../wire/json.ts';

const OPERATIONS = [
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'DescribeTable',
  'GetItem',
  'ListTables',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
] as const;

export type DynamoOperation = (typeof OPERATIONS)[number];

export interface DynamoEngine {
  readonly operations: readonly DynamoOperation[];
  /** @throws AwsRefusal */
  run(operation: DynamoOperation, input: Json): Promise<Json>;
  /** Changes what is known of a table, and none of its items. Nobody else may use it meanwhile. */
  redefine(TableName: string, change: Json): Promise<void>;
  close(): Promise<void>;
}

/**
 * dynalite without its HTTP server: its validations and actions on its LevelDB store, so that a body is
 * parsed once and an error in it is answered, where dynalite's own handler would end the process.
 *
 * @throws if another process has the folder open
 */
export const openDynamoEngine = async (path: string, region: string): Promise<DynamoEngine> => {
  const store = database.create({ path, createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  await store.db.open().catch((cause: unknown) => {
    throw new Error(`The data folder cannot be opened, or another process uses it: ${path}`, {
      cause,
    });
  });
  store.tableDb.awsRegion = region;
  store.tableDb.awsAccountId = ACCOUNT_ID;

  const running = new Set<Promise<Json>>();
  const run = (operation: DynamoOperation, input: Json): Promise<Json> => {
    const { action, validation } = actions.get(operation)!;
    const data = validated(input, validation, store);
    const done = new Promise<Json>((resolve, reject) => {
      action(store, data, (error, output) => (error ? reject(error) : resolve(output ?? {})));
    });
    running.add(done);
    return done.finally(() => running.delete(done));
  };

  await finishTables(store, run);
  return {
    operations: OPERATIONS,
    run: async (operation, input) => {
      try {
        return await run(operation, input);
      } catch (error) {
        throw refusalOf(error);
      }
    },
    redefine: async (TableName, change) => {
      const { Table } = (await run('DescribeTable', { TableName })) as { Table: Table };
      await putTable(store, TableName, { ...Table, ...change });
    },
    close: async () => {
      // A store that is closed under an action ends the process.
      await Promise.allSettled(running);
      await store.lifecycleManager.gracefulClose();
    },
  };
};

/** A kill right after CreateTable or DeleteTable leaves the table in between for ever. */
const finishTables = async (store: Store, run: DynamoEngine['run']): Promise<void> => {
  const { TableNames } = (await run('ListTables', {})) as { TableNames: readonly string[] };
  for (const TableName of TableNames) {
    const { Table } = (await run('DescribeTable', { TableName })) as { Table: Table };
    if (Table.TableStatus === 'ACTIVE') continue;
    const indexes = Table.GlobalSecondaryIndexes?.map((index) => ({
      ...index,
      IndexStatus: 'ACTIVE',
    }));
    const table = {
      ...Table,
      TableStatus: 'ACTIVE',
      ...(indexes && { GlobalSecondaryIndexes: indexes }),
    };
    await putTable(store, TableName, table);
    if (Table.TableStatus === 'DELETING') await run('DeleteTable', { TableName });
  }
};

const putTable = (store: Store, TableName: string, table: Json): Promise<void> =>
  new Promise((resolve, reject) => {
    store.tableDb.put(TableName, table, (error) => (error ? reject(error) : resolve()));
  });

const validated = (input: Json, { types, custom }: Validation, store: Store): Json => {
  try {
    const data = validations.checkTypes({ ...input }, types);
    validations.checkValidations(data, types, custom, store);
    return data;
  } catch (error) {
    if ((error as DynaliteError).statusCode !== undefined) throw error;
    // It stumbles over nulls and over depth, where DynamoDB says that it cannot read them.
    throw new AwsRefusal('SerializationException', 'The request cannot be read.');
  }
};

const refusalOf = (error: unknown): unknown => {
  const { statusCode, body } = error as DynaliteError;
  if (statusCode === undefined) return error;
  return new AwsRefusal(body.__type, body.message ?? body.Message ?? '', statusCode);
};

interface DynaliteError {
  readonly statusCode?: number;
  readonly body: { readonly __type: string; readonly message?: string; readonly Message?: string };
}

interface Table extends Json {
  readonly TableStatus: string;
  readonly GlobalSecondaryIndexes?: readonly Json[];
}

interface Store {
  readonly db: { open(): Promise<void> };
  readonly tableDb: {
    awsRegion: string;
    awsAccountId: string;
    put(key: string, value: Json, done: (error: unknown) => void): void;
  };
  readonly lifecycleManager: { gracefulClose(): Promise<void> };
}

type Action = (store: Store, data: Json, done: (error: unknown, output?: Json) => void) => void;

interface Validation {
  readonly types: Json;
  readonly custom: unknown;
}

// dynalite brings no types; it is pinned, and this is all that is used of it.
const dynalite = createRequire(import.meta.url);

const database = dynalite('dynalite/db') as { create(options: Json): Store };

const validations = dynalite('dynalite/validations') as {
  /** Keeps what it knows; @throws DynaliteError */
  checkTypes(input: Json, types: Json): Json;
  checkValidations(data: Json, types: Json, custom: unknown, store: Store): void;
};

const actions = new Map(
  OPERATIONS.map((operation) => {
    const file = `${operation.charAt(0).toLowerCase()}${operation.slice(1)}`;
    const action = dynalite(`dynalite/actions/${file}`) as Action;
    const validation = dynalite(`dynalite/validations/${file}`) as Validation;
    return [operation, { action, validation }];
  }),
);

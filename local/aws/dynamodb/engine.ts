import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import {
  actionOf,
  createStore,
  isDynaliteError,
  resultOf,
  type Store,
  validated,
  type Validation,
  validationOf,
} from './dynalite.ts';
import { batchesInParts } from './batch-write-item.ts';
import { commitTogether } from './commits.ts';
import { indexLag } from './index-lag.ts';
import { loadItems } from './load.ts';
import { openTransactWriteItems } from './transact-write-items.ts';
import { TRANSACTION_MEMBERS } from './transaction.ts';
import { closeIterators } from './value-streams.ts';
import { writeItem, type WriteOperation, writeValidation } from './write-item.ts';

export type DynamoOperation =
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'Scan'
  | 'TransactWriteItems'
  | 'UpdateItem';

export interface DynamoEngine {
  readonly operations: readonly DynamoOperation[];
  /** @throws AwsError */
  run(operation: DynamoOperation, input: Json): Promise<Json>;
  /**
   * Puts thousands of items at once, and unchecked, as an import does.
   * @param items - in wire form: `{ "pk": { "S": "..." } }`, with bytes in base64
   * @throws if there is no such table
   */
  load(table: string, items: readonly Json[]): Promise<void>;
  /** Does nothing if it exists. @throws if there is another table of that name */
  createTable(definition: Json): Promise<void>;
  /** Makes indexes lag, as those of DynamoDB may for a while. @returns a function that lets them catch up */
  lagIndexes(): () => Promise<void>;
  /** Makes batches do one write each and hand back the others. @returns a function that ends it */
  slowBatches(): () => void;
  close(): Promise<void>;
}

interface Operation {
  readonly members: readonly string[];
  run(store: Store, input: Json): Promise<Json>;
}

/**
 * dynalite without its HTTP server: its validations and actions on its LevelDB store. A body is parsed once and an
 * error in it is answered, where dynalite's own handler would end the process.
 * @throws if another process has the folder open
 */
export const openDynamoEngine = async (path: string): Promise<DynamoEngine> => {
  const store = createStore({ path });
  await store.db.open().catch((cause: unknown) => {
    throw new Error(`The data folder cannot be opened, or another process uses it: ${path}`, {
      cause,
    });
  });

  commitTogether(store);
  const lagIndexes = indexLag(store);
  closeIterators(store);
  rememberTables(store);

  const batches = asDynalite('BatchWriteItem');
  const { run: runBatch, slow: slowBatches } = batchesInParts(batches.run);
  const operations: Readonly<Record<DynamoOperation, Operation>> = {
    BatchWriteItem: { ...batches, run: runBatch },
    GetItem: asDynalite('GetItem'),
    Query: asDynalite('Query'),
    // dynalite checks this member, but does not list it.
    Scan: asDynalite('Scan', { ConsistentRead: 'Boolean' }),
    DeleteItem: written('DeleteItem'),
    PutItem: written('PutItem'),
    UpdateItem: written('UpdateItem'),
    TransactWriteItems: { members: TRANSACTION_MEMBERS, run: openTransactWriteItems() },
  };
  const running = new Set<Promise<Json>>();

  return {
    operations: Object.keys(operations) as DynamoOperation[],
    run: async (name, input) => {
      const { members, run } = operations[name];
      refuseOthers(input, members);
      const done = run(store, input);
      running.add(done);
      try {
        return await done;
      } catch (error) {
        throw awsError(error);
      } finally {
        running.delete(done);
      }
    },
    load: async (name, items) => {
      const table = await tableOf(store, name);
      if (!table) throw new Error(`there is no table ${name}`);
      await loadItems(store, table, items);
    },
    createTable: async (definition) => {
      const name = String(definition['TableName']);
      const known = await tableOf(store, name);
      if (known === undefined) return putTable(store, name, definition);
      if (!isDeepStrictEqual(known, definition))
        throw new Error(`the table ${name} was made with other keys or indexes`);
    },
    lagIndexes,
    slowBatches,
    close: async () => {
      // Closing the store under a running action would end the process.
      await Promise.allSettled(running);
      await store.lifecycleManager.gracefulClose();
    },
  };
};

/** Caches definitions of tables: every operation reads one, and they never change. */
const rememberTables = ({ tableDb }: Store): void => {
  const tables = new Map<string, Json>();
  const get = tableDb.get;
  tableDb.get = (name, done) => {
    const known = tables.get(name);
    if (known) return done(undefined, known);
    get(name, (error, table) => {
      if (table) tables.set(name, table);
      done(error, table);
    });
  };
};

/** Members that are refused: forms of requests from before expressions, and statistics that dynalite only estimates. */
const LEFT_OUT = new Set([
  'AttributeUpdates',
  'AttributesToGet',
  'ConditionalOperator',
  'Expected',
  'KeyConditions',
  'QueryFilter',
  'ReturnConsumedCapacity',
  'ReturnItemCollectionMetrics',
  'ScanFilter',
]);

const membersOf = ({ types }: Validation): readonly string[] =>
  Object.keys(types).filter((name) => !LEFT_OUT.has(name));

const asDynalite = (operation: DynamoOperation, more: Json = {}): Operation => {
  const { types, custom } = validationOf(operation);
  const validation = { types: { ...types, ...more }, custom };
  const action = actionOf(operation);
  return {
    members: membersOf(validation),
    run: async (store, input) => resultOf(action, store, validated(input, validation, store)),
  };
};

const written = (operation: WriteOperation): Operation => ({
  members: membersOf(writeValidation(operation)),
  run: writeItem(operation),
});

const refuseOthers = (input: Json, members: readonly string[]): void => {
  const other = Object.keys(input).find((name) => !members.includes(name));
  if (other !== undefined) {
    throw new AwsError('ValidationException', `${other} is not implemented here.`);
  }
};

const tableOf = (store: Store, name: string): Promise<Json | undefined> =>
  new Promise((resolve, reject) => {
    store.tableDb.get(name, (error, table) => (error ? reject(error) : resolve(table)));
  });

const putTable = (store: Store, name: string, definition: Json): Promise<void> =>
  new Promise((resolve, reject) => {
    store.tableDb.put(name, definition, (error) => (error ? reject(error) : resolve()));
  });

const awsError = (error: unknown): unknown => {
  if (!isDynaliteError(error)) return error;
  const { statusCode, body } = error;
  return new AwsError(body.__type, body.message ?? body.Message ?? '', statusCode);
};

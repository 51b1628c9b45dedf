import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type { Json } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import { type ExpressionParser, rememberParsed } from './parsed-expressions.ts';

/** The members of dynalite that are used here. It brings no types; its version is pinned. */
const load = createRequire(import.meta.url);

export type Item = Json;
type Done<Value = unknown> = (error: unknown, value?: Value) => void;

/** A part of the LevelDB: the tables, the items of one table, or one of its indexes. */
interface KeyValues {
  get(key: string, done: Done<Item>): void;
  put(key: string, value: Json, done: Done): void;
  del(key: string, done: Done): void;
}

interface ItemDb extends KeyValues {
  /** Runs the task when nobody else holds the key. Calling what `release` returns gives the key back. */
  lock(key: string, task: (release: (done: () => void) => () => void) => void): void;
}

interface ValueIterator {
  /** The next values; none at the end. */
  nextv(most: number): Promise<readonly Item[]>;
  close(): Promise<void>;
}

export type LevelWrite =
  | { readonly type: 'put'; readonly key: string; readonly value: Json }
  | { readonly type: 'del'; readonly key: string };

export interface Store {
  readonly db: KeyValues & {
    open(): Promise<void>;
    getSync(key: string): Item | undefined;
    /** Writes all or nothing. Without writes, it resolves once the earlier ones are written. */
    batch(writes: readonly LevelWrite[]): Promise<void>;
    /** The item after the last write, which may not be on the disk yet: a base for writes, not for answers. */
    latest(key: string): Item | undefined;
    values(range: Json): ValueIterator;
    createValueStream(range: Json): Readable;
  };
  readonly tableDb: KeyValues;
  readonly lifecycleManager: { gracefulClose(): Promise<void> };
  getItemDb(table: string): ItemDb;
  getIndexDb(type: 'Local' | 'Global', table: string, index: string): KeyValues;
}

export type Action = (store: Store, data: Json, done: Done<Json>) => void;

export interface Validation {
  readonly types: Json;
  readonly custom?: ((data: Json, store: Store) => string | undefined) | undefined;
}

export interface DynaliteError {
  readonly statusCode: number;
  readonly body: { readonly __type: string; readonly message?: string; readonly Message?: string };
}

export const isDynaliteError = (error: unknown): error is DynaliteError =>
  typeof error === 'object' && error !== null && 'statusCode' in error && 'body' in error;

export const {
  create: createStore,
  createKey,
  getIndexActions: indexActions,
  itemSize,
} = load('dynalite/db') as {
  create(options: Json): Store;
  createKey(item: Item, table: Json): string;
  /** Changes of entries in indexes that a write brings. @param before - the item that it replaces */
  getIndexActions(
    indexes: readonly Json[],
    before: Item | null,
    item: Item,
    table: Json,
  ): {
    readonly puts: readonly { readonly index: string; readonly key: string; readonly item: Item }[];
  };
  /** Size in bytes, as DynamoDB counts it. */
  itemSize(item: Item): number;
};

const validations = load('dynalite/validations') as {
  /** Drops the members that it does not know. @throws DynaliteError */
  checkTypes(input: Json, types: Json): Json;
  checkValidations(data: Json, types: Json, custom: Validation['custom'], store: Store): void;
};

for (const name of ['condition', 'projection', 'update']) {
  rememberParsed(load(`dynalite/db/${name}Parser`) as ExpressionParser);
}

/** @param operation - as AWS names it, `PutItem` */
export const actionOf = (operation: string): Action =>
  load(`dynalite/actions/${lowerFirst(operation)}`) as Action;

/** The output of an action. @throws DynaliteError */
export const resultOf = (action: Action, store: Store, data: Json): Promise<Json> =>
  new Promise((resolve, reject) => {
    action(store, data, (error, output = {}) => (error ? reject(error) : resolve(output)));
  });

export const validationOf = (operation: string): Validation =>
  load(`dynalite/validations/${lowerFirst(operation)}`) as Validation;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Checks a request. @returns the known members, with parsed expressions @throws DynaliteError, AwsError */
export const validated = (input: Json, { types, custom }: Validation, store: Store): Json => {
  try {
    const data = validations.checkTypes({ ...input }, types);
    validations.checkValidations(data, types, custom, store);
    return data;
  } catch (error) {
    if (isDynaliteError(error)) throw error;
    // dynalite fails on nulls and on deep nesting, which DynamoDB calls unreadable.
    throw new AwsError('SerializationException', 'The request cannot be read.');
  }
};

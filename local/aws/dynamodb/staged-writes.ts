import type { Json } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { Action, Item, LevelWrite, Store } from './dynalite.ts';

export interface StagedWrite {
  readonly error: unknown;
  readonly output: Json;
  readonly found: Item | undefined;
  readonly writes: readonly LevelWrite[];
}

export interface Staging {
  /** Runs a write without its effect. Nobody else can write the item until `release`. */
  stage(action: Action, data: Json): Promise<StagedWrite>;
  /** To be called once the writes are queued: whoever comes next reads what they will have left. */
  release(): void;
}

/**
 * Runs writes of dynalite's, with conditions and expressions, on a store that only records them. Writes that belong
 * together can then go into one batch of LevelDB, which is done as a whole or not at all, for every reader and
 * after every kill.
 */
export const openStaging = (store: Store): Staging => {
  const locks = new Map<string, () => void>();

  const stage: Staging['stage'] = (action, data) =>
    new Promise((resolve, reject) => {
      const writes: LevelWrite[] = [];
      let found: Item | undefined;
      const recording = (part: string) => ({
        put: (key: string, value: Json, done: (error: unknown) => void) => {
          writes.push({ type: 'put', key: `${part}~${key}`, value });
          done(null);
        },
        del: (key: string, done: (error: unknown) => void) => {
          writes.push({ type: 'del', key: `${part}~${key}` });
          done(null);
        },
      });
      const recordingStore: Store = {
        ...store,
        getIndexDb: (type, table, index) => ({
          ...store.getIndexDb(type, table, index),
          ...recording(`index-${type.toLowerCase()}~${table}~${index}`),
        }),
        getItemDb: (table) => {
          const items = store.getItemDb(table);
          return {
            ...recording(`item-${table}`),
            get: (key, done) => {
              found = store.db.latest(`item-${table}~${key}`);
              done(undefined, found);
            },
            lock: (key, task) => {
              const item = `${table}~${key}`;
              // The request would wait forever for its own lock.
              if (locks.has(item)) return reject(sameItem());
              locks.set(item, () => undefined);
              items.lock(key, (release) => {
                locks.set(
                  item,
                  release(() => undefined),
                );
                task((done) => done);
              });
            },
          };
        },
      };
      action(recordingStore, data, (error, output = {}) =>
        resolve({ error, output, found, writes }),
      );
    });

  return {
    stage,
    release: () => {
      for (const release of locks.values()) release();
      locks.clear();
    },
  };
};

const sameItem = () =>
  new AwsError(
    'ValidationException',
    'Transaction request cannot include multiple operations on one item',
  );

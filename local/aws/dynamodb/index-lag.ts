import type { LevelWrite, Store } from './dynalite.ts';

const ENTRIES = 'index-global~';

/**
 * Lets indexes lag, as those of DynamoDB may at any time. Until they catch up, queries of an index find its former
 * entries, while the items themselves are current.
 *
 * @returns begins the lag, and returns a function that ends it
 *
 * Source: Amazon DynamoDB Developer Guide, "Data synchronization between tables and global secondary indexes".
 */
export const indexLag = ({ db }: Store): (() => () => Promise<void>) => {
  const write = db.batch;
  let held: LevelWrite[] | undefined;

  db.batch = (writes) => {
    if (!held) return write(writes);
    held.push(...writes.filter(isEntry));
    return write(writes.filter((one) => !isEntry(one)));
  };

  return () => {
    held ??= [];
    return async () => {
      const late = held ?? [];
      held = undefined;
      await write(late);
    };
  };
};

const isEntry = ({ key }: LevelWrite): boolean => key.startsWith(ENTRIES);

import type { Item, LevelWrite, Store } from './dynalite.ts';
import { parsedJson } from '../../../layers/platform/rules/json/parsed-json.ts';

interface Group {
  readonly writes: StoredWrite[];
  readonly done: PromiseWithResolvers<void>;
}

type StoredWrite =
  | { readonly type: 'put'; readonly key: string; readonly value: string; valueEncoding: 'utf8' }
  | { readonly type: 'del'; readonly key: string };

/**
 * Joins the writes of one turn of the event loop, or of the time while LevelDB writes, into one batch. Each write
 * is done as a whole or not at all, in the order of arrival, and is answered once the disk has it. Reads take no
 * thread of their own: to hand one over and back costs more than to read.
 */
export const commitTogether = ({ db }: Store): void => {
  const writeBatch = db.batch as unknown as (writes: readonly StoredWrite[]) => Promise<void>;
  /** The latest write of each key that is not on the disk yet. */
  const ahead = new Map<string, { readonly write: StoredWrite; readonly group: Group }>();
  let running: Group | undefined;
  let next: Group | undefined;
  let isWriting = false;

  const run = async () => {
    isWriting = true;
    while (next) {
      await new Promise(setImmediate);
      running = next;
      next = undefined;
      try {
        await writeBatch(running.writes);
        for (const write of running.writes) {
          if (ahead.get(write.key)?.write === write) ahead.delete(write.key);
        }
        running.done.resolve();
      } catch (error) {
        // Writes that came meanwhile may build on those that failed.
        ahead.clear();
        running.done.reject(error);
        (next as Group | undefined)?.done.reject(error);
        next = undefined;
      }
    }
    running = undefined;
    isWriting = false;
  };

  db.batch = (writes) => {
    if (writes.length === 0) return (next ?? running)?.done.promise ?? Promise.resolve();
    next ??= { writes: [], done: Promise.withResolvers() };
    const group = next;
    for (const write of writes.map(stored)) {
      group.writes.push(write);
      ahead.set(write.key, { write, group });
    }
    if (!isWriting) void run();
    return group.done.promise;
  };
  const write = (one: LevelWrite, done: (error: unknown) => void) => {
    db.batch([one]).then(
      () => setImmediate(done, null),
      (error: unknown) => setImmediate(done, error),
    );
  };
  db.put = (key, value, done) => write({ type: 'put', key, value }, done);
  db.del = (key, done) => write({ type: 'del', key }, done);

  db.latest = (key) => {
    const { write: one } = ahead.get(key) ?? {};
    if (!one) return db.getSync(key);
    return one.type === 'put' ? (parsedJson(one.value) as Item) : undefined;
  };
  db.get = (key, done) => {
    const read = () => {
      let item: Item | undefined;
      try {
        item = db.getSync(key);
      } catch (error) {
        return done(error);
      }
      done(undefined, item);
    };
    const { group } = ahead.get(key) ?? {};
    if (!group) return read();
    group.done.promise.catch(() => undefined).then(() => setImmediate(read));
  };
};

const stored = (write: LevelWrite): StoredWrite =>
  write.type === 'del'
    ? write
    : { ...write, value: JSON.stringify(write.value), valueEncoding: 'utf8' };

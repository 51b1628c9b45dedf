import { Readable } from 'node:stream';
import type { Store } from './dynalite.ts';

/** Fewer come where they are large: LevelDB hands over some 16 KB at once. */
const MOST_AT_ONCE = 1000;

/**
 * Reads the values of a range page by page, and closes the iterator of LevelDB then. dynalite's own stream never
 * closes it, and an open one keeps for ever what it has read, the writes of its time in memory, and the files of
 * its time on disk.
 */
export const closeIterators = ({ db }: Store): void => {
  db.createValueStream = (range) => {
    const iterator = db.values(range);
    return new Readable({
      objectMode: true,
      read() {
        iterator.nextv(MOST_AT_ONCE).then(
          (values) => {
            for (const value of values) this.push(value);
            if (values.length === 0) this.push(null);
          },
          (error: Error) => this.destroy(error),
        );
      },
      destroy: (error, done) => {
        const closed = () => done(error);
        iterator.close().then(closed, closed);
      },
    });
  };
};

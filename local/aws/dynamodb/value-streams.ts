import { Readable } from 'node:stream';
import type { Store } from './dynalite.ts';

/** LevelDB returns fewer values at once if they are large: some 16 KB. */
const MOST_AT_ONCE = 1000;

/**
 * Reads the values of a range page by page, and then closes the iterator of LevelDB, which dynalite's own stream
 * never does. An open iterator keeps forever what it has read, the writes of its time in memory, and their files on
 * disk.
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

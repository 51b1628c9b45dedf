import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder, removeFile, replaceFile } from './disk.ts';

/** Queues that Lambda sends to and an operator reads: a folder each, a file for each message. */
export interface Queues {
  send(queue: string, message: object): Promise<void>;
  /** All that is kept, the oldest first. */
  list(queue: string): Promise<readonly unknown[]>;
  /** Removes what has been kept for a fortnight. @param now - epoch seconds @returns how many */
  sweep(now: number): Promise<number>;
}

/** The longest that SQS keeps a message. */
const RETENTION_MS = 14 * 86_400_000;

export const openQueues = async (folder: string): Promise<Queues> => {
  await openFolder(folder);
  return {
    send: async (queue, message) => {
      await openFolder(join(folder, queue));
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID()}.json`;
      await replaceFile(join(folder, queue, name), `${JSON.stringify(message, undefined, 2)}\n`);
    },
    list: async (queue) => {
      const names = await openFolder(join(folder, queue));
      const texts = names.map((name) => readFile(join(folder, queue, name), 'utf8'));
      return (await Promise.all(texts)).map((text): unknown => JSON.parse(text));
    },
    sweep: async (now) => {
      let removed = 0;
      for (const queue of await openFolder(folder)) {
        for (const name of await openFolder(join(folder, queue))) {
          const path = join(folder, queue, name);
          if ((await stat(path)).mtimeMs + RETENTION_MS > now * 1000) continue;
          await removeFile(path);
          removed += 1;
        }
      }
      return removed;
    },
  };
};

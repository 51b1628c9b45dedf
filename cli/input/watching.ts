import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two looks at the files. */
const EVERY_MS = 250;

/** Files as they are when they are added, that is: before they are read. */
export const watching = () => {
  const files = new Map<string, string>();
  const changed = () => [...files].some(([path, before]) => signatureOf(path) !== before);
  return {
    add: (path: string): void => {
      const at = resolve(path);
      if (!files.has(at)) files.set(at, signatureOf(at));
    },
    size: () => files.size,
    /** Resolves once one of them was saved, and none is being written any more; or when it is ended. */
    saved: async (ended: AbortSignal): Promise<void> => {
      const pause = () => setTimeout(EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
      while (!ended.aborted && !changed()) await pause();
      for (let before = ''; !ended.aborted; await pause()) {
        const now = [...files.keys()].map(signatureOf).join();
        if (now === before) return;
        before = now;
      }
    },
  };
};

/** Differs once a file was written, replaced by another, made or removed. */
const signatureOf = (path: string): string => {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path);
    return [mtimeMs, ctimeMs, size, ino].join(' ');
  } catch {
    return 'missing';
  }
};

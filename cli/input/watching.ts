import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds between two looks at the files. */
const EVERY_MS = 250;

/** Watches files for changes since they were added, which must be before they are read. */
export const watching = () => {
  const files = new Map<string, string>();
  const changed = () => [...files].some(([path, before]) => signatureOf(path) !== before);
  return {
    add: (path: string): void => {
      const at = resolve(path);
      if (!files.has(at)) files.set(at, signatureOf(at));
    },
    size: () => files.size,
    /** Resolves once a file has changed and all are stable, or when `ended`. */
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

/** Changes when a file is written, replaced, created or removed. */
const signatureOf = (path: string): string => {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path);
    return [mtimeMs, ctimeMs, size, ino].join(' ');
  } catch {
    return 'missing';
  }
};

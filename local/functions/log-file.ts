import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface LogFile {
  write(chunk: Uint8Array): void;
  close(): void;
}

/** Appends to a file of at most about `maxBytes`; one older part is kept beside it, as `.1`. */
export const openLogFile = (path: string, maxBytes: number): LogFile => {
  mkdirSync(dirname(path), { recursive: true });
  let file = openSync(path, 'a', 0o600);
  let bytes = fstatSync(file).size;
  let open = true;

  const makeRoom = () => {
    closeSync(file);
    renameSync(path, `${path}.1`);
    file = openSync(path, 'a', 0o600);
    bytes = 0;
  };
  return {
    write: (chunk) => {
      // The last words of a thread may come after the end.
      if (!open) return;
      try {
        if (bytes > 0 && bytes + chunk.length > maxBytes) makeRoom();
        bytes += writeSync(file, chunk);
      } catch {
        // A full disk costs the lines, not the service.
      }
    },
    close: () => {
      if (open) closeSync(file);
      open = false;
    },
  };
};

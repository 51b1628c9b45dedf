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
  return {
    write: (chunk) => {
      if (bytes > 0 && bytes + chunk.length > maxBytes) {
        closeSync(file);
        renameSync(path, `${path}.1`);
        file = openSync(path, 'a', 0o600);
        bytes = 0;
      }
      bytes += writeSync(file, chunk);
    },
    close: () => closeSync(file),
  };
};

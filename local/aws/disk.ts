import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const UNFINISHED = '.unfinished';

/** Creates the folder for its owner only, and deletes what a kill left half written. @returns names of its files */
export const openFolder = async (folder: string): Promise<readonly string[]> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  const left = names.filter((name) => name.endsWith(UNFINISHED));
  await Promise.all(left.map((name) => unlink(join(folder, name))));
  return names.filter((name) => !name.endsWith(UNFINISHED)).sort();
};

/** A kill at any moment leaves either the old or the new content. Mode 0600. */
export const replaceFile = async (
  path: string,
  ...parts: readonly (string | Buffer)[]
): Promise<void> => {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    for (const part of parts) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncFolder(dirname(path));
};

export const removeFile = async (path: string): Promise<void> => {
  await unlink(path);
  await syncFolder(dirname(path));
};

// A rename is only on disk when its folder is.
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

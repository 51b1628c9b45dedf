import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Lock, takeLock } from './lock.ts';
import { codeOf, inWords, StartRefused } from './start-refused.ts';

export interface DataFolder {
  readonly path: string;
  /** Whom everything belongs to that is published from the command line. Source: D33. */
  readonly owner: Owner;
  /** Lets the next process have it. */
  release(): void;
}

export interface Owner {
  readonly email: string;
  /** As it was at the first start; readable by nobody else. */
  readonly password: string;
}

/**
 * Makes the folder if it is missing and keeps other processes out of it.
 *
 * @throws StartRefused if it cannot be used, or is in use
 */
export const openDataFolder = async (path: string): Promise<DataFolder> => {
  let lock: Lock | { readonly heldBy: number };
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    lock = await takeLockSoon(join(path, 'lock.json'));
  } catch (error) {
    throw unusable(path, error);
  }
  if ('heldBy' in lock) {
    throw new StartRefused(
      `Hosted MCP runs already on the data folder ${path} (process ${lock.heldBy}): ` +
        'stop that one first and run this command again, or set HOSTED_MCP_DATA to another folder.',
    );
  }

  try {
    return { path, owner: await ownerOf(join(path, 'owner.json')), release: lock.release };
  } catch (error) {
    lock.release();
    throw unusable(path, error);
  }
};

/** The sentence for whatever the system says about the data folder or something in it. */
export const unusable = (path: string, error: unknown): StartRefused =>
  new StartRefused(
    `The data folder ${path} cannot be used: ${inWords(error)}. ` +
      'Set HOSTED_MCP_DATA to a folder that you may read and write.',
  );

/** The one before may just be on its way out. */
const takeLockSoon = async (file: string): Promise<ReturnType<typeof takeLock>> => {
  for (let tries = 0; tries < 30; tries += 1) {
    const lock = takeLock(file);
    if (!('heldBy' in lock)) return lock;
    await setTimeout(50);
  }
  return takeLock(file);
};

const ownerOf = async (file: string): Promise<Owner> => {
  const known = await readFile(file, 'utf8').catch(nothingThere);
  if (known !== undefined) return JSON.parse(known);
  const owner: Owner = {
    email: 'owner@localhost',
    password: randomBytes(18).toString('base64url'),
  };
  // Renamed into place, so that a process killed meanwhile leaves no half of it.
  await writeFile(`${file}.new`, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return owner;
};

const nothingThere = (error: unknown): undefined => {
  if (codeOf(error) !== 'ENOENT') throw error;
};

import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { replaceFile } from '../aws/disk.ts';
import { type Lock, takeLock } from './lock.ts';
import { codeOf, inWords, StartRefused } from './start-refused.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

export interface DataFolder {
  readonly path: string;
  /** Owner of everything that is published from the command line. Source: docs/local-run.md, "The local owner". */
  readonly owner: Owner;
  release(): void;
}

export interface Owner {
  readonly email: string;
  /** The password of the first start, which nobody else can read. */
  readonly password: string;
}

/** Format of the folder: a higher number when tables, items, objects or keys get another form. */
const FORMAT = '3';
const FORMAT_FILE = 'format';

/** Locks the folder, and creates it if missing. @throws StartRefused if it is unusable, in use, or of another format */
export const openDataFolder = async (path: string): Promise<DataFolder> => {
  const lock = await lockFolder(path).catch((error: unknown) => {
    throw error instanceof StartRefused ? error : unusable(path, error);
  });
  try {
    await writeOnce(join(path, FORMAT_FILE), () => FORMAT);
    return { path, owner: await ownerOf(join(path, 'owner.json')), release: lock.release };
  } catch (error) {
    lock.release();
    throw unusable(path, error);
  }
};

/** The sentence for an error of the system about the data folder or something in it. */
export const unusable = (path: string, error: unknown): StartRefused =>
  new StartRefused(
    `The data folder ${path} cannot be used: ${inWords(error)}. ` +
      'Set HOSTED_MCP_DATA to a folder that you may read and write.',
  );

/** Why the service did not start: `unusable` if the folder is to blame, otherwise the error itself. */
export const startFault = (path: string, error: unknown): unknown =>
  isOfFolder(error) ? unusable(path, error) : error;

/** Errors of files and of the database, and files that are no JSON. */
const isOfFolder = (error: unknown): boolean => {
  if (error instanceof SyntaxError) return true;
  const syscall =
    typeof error === 'object' && error !== null && 'syscall' in error ? error.syscall : undefined;
  return syscall === undefined
    ? /^(?:LEVEL_|E[A-Z]+$)/.test(codeOf(error))
    : !OF_THE_NETWORK.has(String(syscall));
};

const OF_THE_NETWORK: ReadonlySet<string> = new Set(['bind', 'connect', 'getaddrinfo', 'listen']);

const lockFolder = async (path: string): Promise<Lock> => {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  if (await hasOtherFormat(path)) {
    throw new StartRefused(
      `The data folder ${path} was written by another version of Hosted MCP: ` +
        'move it away and run this command again, or set HOSTED_MCP_DATA to another folder.',
    );
  }
  const lock = await takeLockSoon(join(path, 'lock.json'));
  if (!('heldBy' in lock)) return lock;
  throw new StartRefused(
    `Hosted MCP runs already on the data folder ${path} (process ${lock.heldBy}): ` +
      'stop that one first and run this command again, or set HOSTED_MCP_DATA to another folder.',
  );
};

/** Earlier versions wrote no format. */
const hasOtherFormat = async (path: string): Promise<boolean> => {
  // Read before the format: another process that creates both right now creates the tables last.
  const hasTables = (await readdir(path)).includes('dynamodb');
  const format = await readFile(join(path, FORMAT_FILE), 'utf8').catch(nothingThere);
  return format === undefined ? hasTables : format.trim() !== FORMAT;
};

/** Tries for a while: the process that holds the lock may be about to end. */
const takeLockSoon = async (file: string): Promise<ReturnType<typeof takeLock>> => {
  for (let tries = 0; tries < 30; tries += 1) {
    const lock = takeLock(file);
    if (!('heldBy' in lock)) return lock;
    await setTimeout(50);
  }
  return takeLock(file);
};

const ownerOf = async (file: string): Promise<Owner> =>
  parsedJson(
    await writeOnce(file, () => {
      const password = randomBytes(18).toString('base64url');
      return JSON.stringify({ email: 'owner@localhost', password } satisfies Owner);
    }),
  ) as Owner;

/** @returns the content of the file, which `make` returned at the first start */
const writeOnce = async (file: string, make: () => string): Promise<string> => {
  const known = await readFile(file, 'utf8').catch(nothingThere);
  if (known !== undefined) return known;
  const content = make();
  await replaceFile(file, `${content}\n`);
  return content;
};

const nothingThere = (error: unknown): undefined => {
  if (codeOf(error) !== 'ENOENT') throw error;
};

import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  link,
  mkdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EXIT, Failure } from './failure.ts';
import type { Output } from './output.ts';
import { plain } from './text/plain.ts';
import { codeOf, inWords } from './text/words.ts';
import type { World } from './world.ts';

export type Content = string | Uint8Array;

/** Name for standard output when writing, and for standard input when reading. */
export const STANDARD = '-';

export const OUT = { value: 'FILE' } as const;

/** With `--out -`, the document is all of standard output: the rest goes to standard error. */
export const outputBeside = (output: Output, out: string | undefined): Output =>
  out === STANDARD
    ? {
        ...output,
        result: (_, lines) => {
          if (lines.length > 0) output.note(lines.join('\n'));
        },
      }
    : output;

/** Writes a whole file or nothing, or standard output. @throws Failure file_unwritable */
export const writeOut = async (
  { stdout }: Pick<World, 'stdout'>,
  out: string,
  content: Content,
): Promise<void> => {
  if (out === STANDARD) stdout.write(content);
  else await replaceFile(out, content).catch(unwritable(out));
};

/** Nobody sees half a file; devices such as `/dev/null` are written to. @param mode - if omitted, as before */
export const replaceFile = async (path: string, content: Content, mode?: number): Promise<void> => {
  const there = await stat(path).catch(() => undefined);
  if (there && !there.isFile()) return writeFile(path, content);
  // Symbolic links are kept: their target is replaced.
  const at = there ? await realpath(path) : path;
  const fresh = `${at}.${randomUUID()}`;
  const rights = mode ?? (there && there.mode & 0o777);
  try {
    await writeFile(fresh, content, { mode: rights ?? 0o666, flag: 'wx' });
    // The umask may have removed bits of the mode.
    if (rights !== undefined) await chmod(fresh, rights);
    await rename(fresh, at);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
};

/**
 * Writes all files or none, and overwrites none.
 * @param mode - before the umask
 * @throws Failure file_exists, file_unwritable
 */
export const writeNew = async (
  files: ReadonlyMap<string, Content>,
  mode = 0o666,
): Promise<void> => {
  for (const path of files.keys()) await requireFree(path);
  const fresh = new Map<string, string>();
  const made: string[] = [];
  try {
    for (const [path, content] of files) {
      const beside = `${path}.${randomUUID()}`;
      await mkdir(dirname(resolve(path)), { recursive: true }).catch(unwritable(path));
      fresh.set(path, beside);
      await writeFile(beside, content, { mode, flag: 'wx' }).catch(unwritable(path));
    }
    for (const [path, beside] of fresh) {
      await linkNew(beside, path);
      made.push(path);
    }
  } catch (error) {
    await Promise.all(made.map((path) => rm(path, { force: true }).catch(() => undefined)));
    throw error;
  } finally {
    await Promise.all(
      [...fresh.values()].map((path) => rm(path, { force: true }).catch(() => undefined)),
    );
  }
};

/** Checks before long work that its output file does not exist yet. @throws Failure file_exists */
export const requireFree = async (path: string): Promise<void> => {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw alreadyThere(path);
};

/** A hard link never replaces a file created meanwhile; file systems without links get a rename. */
const linkNew = async (beside: string, path: string): Promise<void> => {
  try {
    await link(beside, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(path);
    await rename(beside, path).catch(unwritable(path));
  }
};

const alreadyThere = (path: string): Failure =>
  new Failure(EXIT.refused, 'file_exists', `${plain(path)} is there already.`, {
    hint: 'Nothing is overwritten: choose another place with --out, or move it away.',
  });

const unwritable =
  (path: string) =>
  (error: unknown): never => {
    throw new Failure(
      EXIT.refused,
      'file_unwritable',
      `${plain(path)} cannot be written: ${inWords(error)}.`,
    );
  };

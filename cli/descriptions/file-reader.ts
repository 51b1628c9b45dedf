import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, inWords } from '../text/words.ts';
import { DescriptionFault } from './description-fault.ts';

/** As much as a whole description may be. */
export const MAX_DOCUMENT_BYTES = 5_242_880;

/** Reads the document at an address. @throws DescriptionFault that ends a sentence about it */
export type ReadDocument = (url: string) => Promise<Uint8Array>;

/**
 * Reads files below a folder and no others: a description that somebody else wrote must not carry off
 * what else is on this machine.
 *
 * @param onFile - hears the path of each file below the folder, before it is read
 * @throws DescriptionFault if there is no such folder
 */
export const filesBelow = async (
  root: string,
  onFile?: (path: string) => void,
): Promise<ReadDocument> => {
  const folder = await realpath(root).catch((error: unknown) => {
    throw new DescriptionFault(`The folder ${root} cannot be read: ${inWords(error)}.`);
  });
  return async (url) => {
    const path = pathOf(url);
    if (!isBelow(resolve(root), path)) {
      throw new DescriptionFault(`it lies outside of ${root}; --root names a folder around both`);
    }
    onFile?.(path);
    const file = await realpath(path).catch(unreadable);
    // The links have all been followed now, and what has been looked at is what is opened.
    if (!isBelow(folder, file)) throw new DescriptionFault(`a link leads out of ${root}`);
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(unreadable);
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) throw new DescriptionFault('it is no file');
      if (facts.size > MAX_DOCUMENT_BYTES) throw new DescriptionFault('it is larger than 5 MB');
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  };
};

const pathOf = (url: string): string => {
  try {
    return fileURLToPath(url);
  } catch {
    throw new DescriptionFault('it is no path to a file');
  }
};

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const unreadable = (error: unknown): never => {
  throw new DescriptionFault(
    codeOf(error) === 'ENOENT' ? 'there is no such file' : `it cannot be read (${inWords(error)})`,
  );
};

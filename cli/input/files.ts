import { readFile } from 'node:fs/promises';
import { type Ask, utf8 } from './ask.ts';
import { EXIT, Failure } from '../failure.ts';
import { inWords } from '../text/words.ts';

/**
 * The bytes of a file.
 *
 * @throws Failure refused, with the system's reason
 */
export const bytesOf = async (file: string): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    throw new Failure(
      EXIT.refused,
      'file_unreadable',
      `The file ${file} cannot be read: ${inWords(error)}.`,
    );
  }
};

/** The text of a file, or of standard input for `-`. @throws Failure */
export const textFrom = async (ask: Ask, file: string): Promise<string> =>
  file === '-' ? ask.input() : utf8(await bytesOf(file), `The file ${file}`);

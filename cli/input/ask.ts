import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { plain } from '../text/plain.ts';
import type { World } from '../world.ts';

/** How a person, or the program before a pipe, gives what is not on the command line. */
export interface Ask {
  /** Whether somebody is there to be asked. */
  readonly isPossible: boolean;
  /** @throws Failure usage if nobody is there */
  line(question: string): Promise<string>;
  /** Nothing of what is typed is shown. @throws Failure usage if nobody is there */
  hidden(question: string): Promise<string>;
  /** Everything on standard input. */
  input(): Promise<string>;
  /** The same as a secret: without the end of its line. @throws Failure usage if there is none */
  secretInput(): Promise<string>;
}

const MAX_INPUT_BYTES = 16 * 1024 * 1024;

export const asking = ({ stdin, stderr }: Pick<World, 'stdin' | 'stderr'>): Ask => {
  const isPossible = stdin.isTTY === true && stderr.isTTY === true;

  const question = async (text: string, shown: boolean): Promise<string> => {
    if (!isPossible) {
      throw usageFailure(`There is no terminal to ask for this: ${plain(text)}`);
    }
    stderr.write(`${plain(text)}: `);
    const output = shown ? stderr : new Writable({ write: (_chunk, _encoding, done) => done() });
    const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
    try {
      return await new Promise<string>((resolve, reject) => {
        reader.once('line', resolve);
        reader.once('SIGINT', () => reject(interrupted()));
        reader.once('close', () => reject(interrupted()));
      });
    } finally {
      reader.close();
      if (!shown) stderr.write('\n');
    }
  };

  const input = async (): Promise<string> => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stdin) {
      const part = Buffer.from(chunk);
      bytes += part.byteLength;
      if (bytes > MAX_INPUT_BYTES) throw usageFailure('Standard input is larger than 16 MB.');
      chunks.push(part);
    }
    return utf8(Buffer.concat(chunks), 'Standard input');
  };

  return {
    isPossible,
    line: (text) => question(text, true),
    hidden: (text) => question(text, false),
    input,
    secretInput: async () => {
      const secret = (await input()).replace(/\r?\n$/, '');
      if (secret === '') throw usageFailure('Standard input is empty.');
      return secret;
    },
  };
};

/** @throws Failure usage for bytes that are no UTF-8 */
export const utf8 = (bytes: Uint8Array, what: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageFailure(`${what} is no UTF-8 text.`);
  }
};

const interrupted = () => new Failure(EXIT.refused, 'interrupted', 'Interrupted.');

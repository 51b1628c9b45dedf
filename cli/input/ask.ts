import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { STANDARD } from '../files.ts';
import { plain } from '../text/plain.ts';
import { codeOf, decodedText, inWords } from '../text/words.ts';
import type { World } from '../world.ts';

/** Input from a terminal, or through standard input. */
export interface Ask {
  readonly isPossible: boolean;
  /** @throws Failure usage without a terminal */
  line(question: string): Promise<string>;
  /** Asks without an echo. @throws Failure usage without a terminal */
  hidden(question: string): Promise<string>;
  /** All of standard input. @throws Failure usage if it was read before, or is too large */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** All of standard input as UTF-8. @throws Failure usage */
  input(): Promise<string>;
  /** A secret on standard input, without its line end. @throws Failure usage if there is none */
  secretInput(): Promise<string>;
}

const MAX_INPUT_BYTES = 16 * 1024 * 1024;

export const asking = ({ stdin, stderr }: Pick<World, 'stdin' | 'stderr'>): Ask => {
  const isPossible = stdin.isTTY === true && stderr.isTTY === true;

  const question = async (text: string, shown: boolean): Promise<string> => {
    if (!isPossible) {
      throw usageFailure(`Not a terminal, so nobody can answer: ${plain(text)}`);
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

  let isRead = false;
  const bytes = async (): Promise<Uint8Array<ArrayBuffer>> => {
    if (isRead) throw usageFailure('Standard input is read once: only one option may take it.');
    isRead = true;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stdin) {
      const part = Buffer.from(chunk);
      size += part.byteLength;
      if (size > MAX_INPUT_BYTES) throw usageFailure('Standard input is larger than 16 MB.');
      chunks.push(part);
    }
    return new Uint8Array(Buffer.concat(chunks));
  };
  const input = async (): Promise<string> => utf8(await bytes(), 'Standard input');

  return {
    isPossible,
    line: (text) => question(text, true),
    hidden: (text) => question(text, false),
    bytes,
    input,
    secretInput: async () => {
      const secret = (await input()).replace(/\r?\n$/, '');
      if (secret === '') throw usageFailure('Standard input is empty.');
      return secret;
    },
  };
};

/** @throws Failure usage for other bytes than `decodedText` takes */
const utf8 = (bytes: Uint8Array, what: string): string => {
  const text = decodedText(bytes);
  if (text === undefined) {
    throw usageFailure(`${what} is not UTF-8 text.`, 'Save it as UTF-8 in your editor.');
  }
  return text;
};

const interrupted = () => new Failure(EXIT.refused, 'interrupted', 'Interrupted.');

export const bytesOf = async (file: string): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    throw new Failure(
      EXIT.refused,
      'file_unreadable',
      codeOf(error) === 'EISDIR'
        ? `${file} is a folder.`
        : `The file ${file} cannot be read: ${inWords(error)}.`,
      codeOf(error) === 'EISDIR' ? { hint: 'Name a file in it.' } : {},
    );
  }
};

/** Reads a file, or standard input for `-`. @throws Failure */
export const bytesFrom = (ask: Ask, file: string): Promise<Uint8Array<ArrayBuffer>> =>
  file === STANDARD ? ask.bytes() : bytesOf(file);

/** Reads a file, or standard input for `-`, as UTF-8. @throws Failure */
export const textFrom = async (ask: Ask, file: string): Promise<string> =>
  utf8(await bytesFrom(ask, file), file === STANDARD ? 'Standard input' : `The file ${file}`);

/**
 * Secrets are never arguments, which others can see.
 * @param option - switch by which a secret comes from standard input
 * @throws Failure usage
 */
export const secretFrom = async (
  ask: Ask,
  fromInput: boolean,
  option: string,
  question: string,
): Promise<string> => {
  if (fromInput) return ask.secretInput();
  if (!ask.isPossible) {
    throw usageFailure(`Not a terminal: pass the secret to ${option}.`);
  }
  const secret = await ask.hidden(question);
  if (secret === '') throw usageFailure('Nothing was typed.');
  return secret;
};

/** Asks for a new secret twice, since it is not echoed. */
export const newSecretFrom = async (
  ask: Ask,
  fromInput: boolean,
  option: string,
  question: string,
): Promise<string> => {
  const secret = await secretFrom(ask, fromInput, option, question);
  if (fromInput || (await ask.hidden(`${question} again`)) === secret) return secret;
  throw usageFailure('The two entries differ.');
};

/** A person types the name. @param kind - as in `the server` @throws Failure usage, also without a terminal */
export const confirm = async (ask: Ask, kind: string, name: string): Promise<void> => {
  expectTerminal(ask, kind, name);
  const typed = await ask.line(`Type ${name} to remove it permanently`);
  if (typed.trim() !== name) throw usageFailure('Nothing was removed.');
};

/** Checks for a terminal before work that needs a confirmation later. @throws Failure usage without one */
export const expectTerminal = ({ isPossible }: Ask, kind: string, name: string): void => {
  if (isPossible) return;
  throw usageFailure(`Not a terminal: pass --yes to remove ${kind} ${plain(name)} permanently.`);
};

/** @throws Failure usage if the person does not agree, or without a terminal */
export const agree = async (ask: Ask, what: string): Promise<void> => {
  if (!ask.isPossible) throw usageFailure(`Not a terminal: pass --yes to ${what}.`);
  const typed = await ask.line(`Type yes to ${what}`);
  if (typed.trim().toLowerCase() !== 'yes') throw usageFailure('Nothing was done.');
};

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** What ends a synth: which construct it is about, and a sentence with what helps. */
export const refusal = ({ node }: Construct, sentence: string, cause?: unknown): Error =>
  new Error(`${node.path}: ${sentence}`, { cause });

/** `anything` is checked by whoever knows what helps. */
type Kind = 'text' | 'list' | 'object' | 'number' | 'boolean' | 'anything';

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && value !== '',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  anything: () => true,
};

/**
 * Apps in JavaScript have no compiler that would notice a misspelt property, which would then say nothing.
 *
 * @param kinds - of all properties that there are
 * @throws Error
 */
export const checkProps = <Props extends object>(
  construct: Construct,
  props: Props,
  kinds: Readonly<Record<keyof Props, Kind>>,
  required: readonly (keyof Props & string)[],
): void => {
  for (const name of required) {
    if (props?.[name] === undefined) throw refusal(construct, `${name} is missing.`);
  }
  for (const [name, value] of Object.entries(props)) {
    if (!Object.hasOwn(kinds, name)) {
      const names = Object.keys(kinds).join(', ');
      throw refusal(construct, `${name}: there is no such property. There are ${names}.`);
    }
    const kind = kinds[name as keyof Props];
    if (value !== undefined && !IS[kind](value)) {
      throw refusal(
        construct,
        `${name} has to be ${kind === 'object' ? 'an object' : `a ${kind}`}.`,
      );
    }
  }
};

/** The way to something in a value that CloudFormation alone knows; undefined: all is known at synth. */
export const unknownAtSynth = (value: unknown, at: string): string | undefined => {
  if (Token.isUnresolved(value)) return at;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, one] of Object.entries(value)) {
    const found = Token.isUnresolved(key) ? `a name in ${at}` : unknownAtSynth(one, `${at}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** @param what - of the construct the file is for @throws Error */
export const textOf = (construct: Construct, what: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'no file';
    throw refusal(
      construct,
      `${what}: ${resolve(file)} cannot be read (${why}). A path counts from the folder that the app is started in: write path.join(__dirname, '…') for one beside the code.`,
      error,
    );
  }
};

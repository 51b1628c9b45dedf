import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** An error that ends the synth, with the construct's path. */
export const refusal = ({ node }: Construct, sentence: string, cause?: unknown): Error =>
  new Error(`${node.path}: ${sentence}`, { cause });

/** `anything` is checked elsewhere, with more helpful messages. */
const KINDS = {
  text: 'a text that is not empty',
  list: 'a list',
  object: 'an object',
  count: 'a whole number',
  boolean: 'true or false',
  anything: 'anything',
} as const;

export type Kind = keyof typeof KINDS;

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && value !== '',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  boolean: (value) => typeof value === 'boolean',
  anything: () => true,
};

/** @param at - path to the value @throws Error */
export const checkKind = (construct: Construct, at: string, value: unknown, kind: Kind): void => {
  if (!IS[kind](value)) throw refusal(construct, `${at} has to be ${KINDS[kind]}.`);
};

/** Refuses misspelt properties: JavaScript apps have no compiler to notice them. @throws Error */
export const checkProps = <Props extends object>(
  construct: Construct,
  props: Props,
  kinds: Readonly<Record<keyof Props, Kind>>,
  required: readonly (keyof Props & string)[],
): void => {
  for (const name of required) {
    if ((props?.[name] ?? undefined) === undefined) throw refusal(construct, `${name} is missing.`);
  }
  for (const [name, value] of Object.entries(props)) {
    if (!Object.hasOwn(kinds, name)) {
      const names = Object.keys(kinds).join(', ');
      throw refusal(construct, `${name}: there is no such property. There are ${names}.`);
    }
    if (value !== undefined) checkKind(construct, name, value, kinds[name as keyof Props]);
  }
};

/**
 * Refuses what JSON drops or cannot hold, and values known only at deployment.
 * @param at - path to the value
 * @param instead - advice where the value is known at deployment only
 * @throws Error
 */
export const checkJson = (
  construct: Construct,
  value: unknown,
  at: string,
  instead: string,
): void => {
  const fault = faultOfJson(value, at, []);
  if (fault === undefined) return;
  throw refusal(
    construct,
    fault.isLater
      ? `${fault.at} is known at deployment only. ${instead}`
      : `${fault.at} is ${fault.what}: write a text, a number, true, false, a list or an object of these.`,
  );
};

type JsonFault =
  | { readonly at: string; readonly isLater: true }
  | { readonly at: string; readonly isLater: false; readonly what: string };

const faultOfJson = (
  value: unknown,
  at: string,
  above: readonly object[],
): JsonFault | undefined => {
  if (Token.isUnresolved(value)) return { at, isLater: true };
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return undefined;
  if (Number.isFinite(value)) return undefined;
  // `[object Map]` becomes `Map`, also for objects of another realm.
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (typeof value !== 'object' || !['Object', 'Array'].includes(kind)) {
    return { at, isLater: false, what: typeof value === 'number' ? String(value) : `a ${kind}` };
  }
  if (above.includes(value)) return { at, isLater: false, what: 'in itself' };
  for (const [key, one] of Object.entries(value)) {
    if (Token.isUnresolved(key)) return { at: `a name in ${at}`, isLater: true };
    const found = faultOfJson(one, `${at}.${key}`, [...above, value]);
    if (found) return found;
  }
  return undefined;
};

/** @param what - property of the construct that names the file @throws Error */
export const fileText = (construct: Construct, what: string, file: unknown): string => {
  checkKind(construct, what, file, 'text');
  const path = String(file);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'no file';
    throw refusal(
      construct,
      `${what}: ${resolve(path)} cannot be read (${why}). A path counts from the folder that the app is started in: write path.join(__dirname, '…') for one beside the code.`,
      error,
    );
  }
};

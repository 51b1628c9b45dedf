import { type Ask, textFrom } from './ask.ts';
import { usageFailure } from '../failure.ts';
import { isJson, type Json, parsed } from '../json.ts';

export const ARGUMENT_OPTIONS = {
  arg: { value: 'NAME=TEXT', multiple: true, help: 'an argument, as text' },
  'arg-json': { value: 'NAME=JSON', multiple: true, help: 'an argument, as JSON' },
  'args-file': { value: 'FILE', help: 'a JSON object of arguments; - reads standard input' },
} as const;

interface Given {
  readonly arg: readonly string[];
  readonly 'arg-json': readonly string[];
  readonly 'args-file': string | undefined;
}

/** Merges all arguments; single ones override the file. @throws Failure usage */
export const argumentsFrom = async (ask: Ask, given: Given): Promise<Json> => {
  const { arg, 'arg-json': argJson, 'args-file': file } = given;
  const ofFile = file === undefined ? {} : parsed(await textFrom(ask, file));
  if (!isJson(ofFile)) throw usageFailure('--args-file must hold a JSON object.');
  // The object has no prototype, so that an argument may have any name.
  return Object.assign(
    Object.create(null),
    ofFile,
    Object.fromEntries(arg.map((text) => pairOf('--arg', text))),
    Object.fromEntries(argJson.map(jsonPairOf)),
  );
};

export const pairOf = (option: string, text: string): readonly [name: string, value: string] => {
  const at = text.indexOf('=');
  if (at < 1) throw usageFailure(`${option} needs NAME=VALUE, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
};

const jsonPairOf = (text: string): readonly [name: string, value: unknown] => {
  const [name, json] = pairOf('--arg-json', text);
  const value = parsed(json);
  if (value === undefined) throw usageFailure(`--arg-json ${name}: "${json}" is not JSON.`);
  return [name, value];
};

/** @param what - names the number, as in `--version` @throws Failure usage */
export const numberIn = (what: string, text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageFailure(`${what} must be a whole number from 1 on, not "${text}".`);
};

/** Parses headers `NAME: TEXT`. @returns undefined without lines. @throws Failure usage */
export const headersFrom = (
  option: string,
  lines: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  if (lines.length === 0) return undefined;
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    if (colon > 0) return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    throw usageFailure(`${option} must be "NAME: TEXT".`);
  });
  return Object.fromEntries(pairs);
};

/** Completion values of prompt arguments and template variables. */
export const VALUE_OPTIONS = {
  completion: {
    value: 'NAME=TEXT',
    multiple: true,
    help: 'a value to complete it with, while typed',
  },
  completions: { value: 'NAME=FILE', multiple: true, help: 'all of them, one in a line' },
} as const;

interface GivenValues {
  readonly completion: readonly string[];
  readonly completions: readonly string[];
}

/** Values by name, those of files first. @throws Failure usage */
export const completionValues = async (
  ask: Ask,
  given: GivenValues,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const lists = new Map<string, readonly string[]>();
  const add = (name: string, more: readonly string[]): void => {
    lists.set(name, [...(lists.get(name) ?? []), ...more]);
  };
  for (const text of given.completions) {
    const [name, file] = pairOf('--completions', text);
    const lines = (await textFrom(ask, file)).split(/\r?\n/).map((line) => line.trim());
    add(
      name,
      lines.filter((line) => line !== ''),
    );
  }
  for (const text of given.completion) {
    const [name, value] = pairOf('--completion', text);
    add(name, [value]);
  }
  return lists;
};

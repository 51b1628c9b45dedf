import type { Ask } from './ask.ts';
import { usageFailure } from '../failure.ts';
import { isJson, type Json, parsed } from '../json.ts';
import { textFrom } from './files.ts';

/** How arguments are given on a command line. */
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

/**
 * All arguments together: what is given singly wins over the file.
 *
 * @throws Failure usage
 */
export const argumentsFrom = async (ask: Ask, given: Given): Promise<Json> => {
  const { arg, 'arg-json': argJson, 'args-file': file } = given;
  const ofFile = file === undefined ? {} : parsed(await textFrom(ask, file));
  if (!isJson(ofFile)) throw usageFailure('--args-file must hold a JSON object.');
  // Without a prototype, so that an argument may have any name.
  return Object.assign(
    Object.create(null),
    ofFile,
    Object.fromEntries(arg.map((text) => pairOf('--arg', text))),
    Object.fromEntries(argJson.map(jsonPairOf)),
  );
};

/** @throws Failure usage */
export const pairOf = (option: string, text: string): readonly [name: string, value: string] => {
  const at = text.indexOf('=');
  if (at < 1) throw usageFailure(`${option} wants NAME=VALUE, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
};

const jsonPairOf = (text: string): readonly [name: string, value: unknown] => {
  const [name, json] = pairOf('--arg-json', text);
  const value = parsed(json);
  if (value === undefined) throw usageFailure(`--arg-json ${name}: "${json}" is no JSON.`);
  return [name, value];
};

/** Headers as `NAME: TEXT`. @returns undefined where there are none. @throws Failure usage */
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

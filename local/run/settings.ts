import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';
import { textOf } from '../../lib/stage/setting.ts';
import {
  FUNCTION_SETTINGS,
  type LocalOption,
  type Texts,
  variableOf,
} from '../../lib/stage/variables.ts';
import { messageOf, StartRefused } from './start-refused.ts';

/** Settings of operators as text, by variable of functions. Those that are not set have a stage's defaults. */
export type LocalSettings = Partial<Texts>;

/**
 * @param environment - variables of functions, with the prefix `HOSTED_MCP_`
 * @param options - values from options of the command line
 * @throws StartRefused for one that cannot be used
 */
export const settingsFrom = (
  environment: Readonly<Record<string, string | undefined>>,
  options: Readonly<Record<LocalOption, unknown>>,
): LocalSettings =>
  Object.fromEntries(
    FUNCTION_SETTINGS.flatMap(([key, row]) => {
      if (row.localDescription === undefined) return [];
      const variable = variableOf(key);
      const [option] = row.localOption ?? [];
      if (option) return [[variable, textOf(row, options[option as LocalOption])]];
      const text = over(checked(`HOSTED_MCP_${variable}`, environment, row.read), row.localDefault);
      return text === '' ? [] : [[variable, text]];
    }),
  );

/** Text of a variable, after a test that it can be read; empty if it is not set. */
const checked = (
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  read: (text: string) => unknown,
): string => {
  const text = environment[name] ?? '';
  try {
    if (text !== '') read(text);
    return text;
  } catch (error) {
    throw new StartRefused(`${name} cannot be used: ${messageOf(error)}.`);
  }
};

/** Replaces a default; members of a JSON object are replaced one by one. */
const over = (text: string, base = ''): string =>
  base.startsWith('{') && text !== ''
    ? JSON.stringify({ ...(parsedJson(base) as object), ...(parsedJson(text) as object) })
    : text || base;

import type * as z from 'zod';
import type { FunctionName } from '../../lambdas/manifest.ts';

/** A function that reads a setting, or the function of each private network. */
export type Reader = FunctionName | 'network';

interface Common {
  /** Messages of the schema say what to write instead. */
  readonly schema: z.core.$ZodType;
  readonly needed?: true;
  readonly default?: unknown;
  /** Default with `retain_data`, where it differs: the choice that is safe for data. */
  readonly retained?: unknown;
  /** The default in words for documents, where the value itself does not explain it. */
  readonly defaultInWords?: string;
  /** In words, when a change loses something. The value is then a stack parameter, which refuses a silent change. */
  readonly lasting?: string;
  /** The setting changes no costs. */
  readonly isFree?: true;
  /** One sentence for documents in `docs/`, as Markdown. */
  readonly description: string;
}

/** A setting that functions read as text, from a variable named after its key in upper case. */
export interface OfFunctions extends Common {
  readonly functions: readonly [Reader, ...Reader[]];
  /** The functions' own reader, which checks the file, too. */
  readonly read: (text?: string) => unknown;
  /** Text for functions, where it is neither the value nor its JSON. */
  readonly text?: (value: never) => string;
  /** A long setting is in a file beside the code: Lambda takes no more than 4 KB of variables. */
  readonly isLong?: true;
  /** One sentence for `--help` of `npm start` and its documents; its variable is `HOSTED_MCP_...`. */
  readonly localDescription?: string;
  /** Option of `npm start` instead of that variable, and the form of its value. */
  readonly localOption?: readonly [name: string, form: string];
  /** Text of another default for the local run. */
  readonly localDefault?: string;
}

interface OfStacks extends Common {
  readonly functions?: never;
  readonly localDescription?: never;
}

export type Setting = OfFunctions | OfStacks;

/** Text of a setting for functions; empty without a value. */
export const textOf = ({ text }: OfFunctions, value: unknown): string => {
  if (value === undefined) return '';
  if (text) return text(value as never);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** `sign_up` becomes `signUp`. */
export const camelCase = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

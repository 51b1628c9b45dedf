import type * as z from 'zod';
import type { FunctionName } from '../../lambdas/manifest.ts';

/** Who is given a setting: a function, or that of each private network. */
export type Reader = FunctionName | 'network';

interface Common {
  /** What the file of a stage may say, with what is to be written instead of anything else. */
  readonly schema: z.core.$ZodType;
  /** A file without it is refused. */
  readonly needed?: true;
  /** What the file means that does not say it; nothing if omitted. */
  readonly default?: unknown;
  /** The same with `retain_data`, where it differs: what is left out is what is safe for data. */
  readonly retained?: unknown;
  /** What the documents say of the default, where its value does not say it. */
  readonly defaultInWords?: string;
  /** A later change strands something: what of it is kept as a parameter of the stack, which refuses a silent one. */
  readonly lasting?: string;
  /** Nothing is paid for it, and nothing less. */
  readonly isFree?: true;
  /** One sentence for documents, in Markdown, from `docs/`. */
  readonly description: string;
}

/** What functions are given, as text: in a variable of its key's name in upper case. */
export interface OfFunctions extends Common {
  readonly functions: readonly [Reader, ...Reader[]];
  /** Their own reader, which what the file says is held to as well. */
  readonly read: (text?: string) => unknown;
  /** What they are given, where it is not the value as it is, or its JSON. */
  readonly text?: (value: never) => string;
  /** As long as the file says: in a file beside their code, since Lambda takes no more than 4 KB of variables. */
  readonly isLong?: true;
  /** One sentence for documents of `npm start`, which has it in the variable `HOSTED_MCP_...`, and for `--help`. */
  readonly localDescription?: string;
  /** Of `npm start` in place of that variable, with the form of its value. */
  readonly localOption?: readonly [name: string, form: string];
  /** Where this machine begins with another value than a stage, as text. */
  readonly localDefault?: string;
}

interface OfStacks extends Common {
  readonly functions?: never;
  readonly localDescription?: never;
}

export type Setting = OfFunctions | OfStacks;

/** How a setting's value is given to functions; empty where there is none. */
export const textOf = ({ text }: OfFunctions, value: unknown): string => {
  if (value === undefined) return '';
  if (text) return text(value as never);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** `sign_up` is `signUp` in code. */
export type CamelCase<Key extends string> = Key extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Key;

export const camelCase = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

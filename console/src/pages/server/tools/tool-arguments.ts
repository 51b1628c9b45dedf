import { hintsOf } from './argument-hints.ts';

/** An argument of a tool, as far as a form needs to know it. */
export interface Argument {
  readonly name: string;
  /** In words: `text`, `whole number`, `list of text`. */
  readonly type: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  readonly required: boolean;
  readonly description: string;
  /** Which values it takes, in words. */
  readonly takes: string;
  readonly choices: readonly string[];
  readonly preset: unknown;
}

type Schema = Readonly<Record<string, unknown>>;

/** @param schema - an `inputSchema`: an object whose properties are the arguments */
export const argumentsOf = (schema: unknown): readonly Argument[] => {
  const { properties, required } = objectIn(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(objectIn(properties)).map(([name, given]) => {
    const one = objectIn(given);
    const choices = Array.isArray(one['enum']) ? one['enum'].map(String) : [];
    return {
      name,
      type: wordsFor(one),
      kind: choices.length > 0 ? 'choice' : kindOf(one['type']),
      required: needed.includes(name),
      description: typeof one['description'] === 'string' ? one['description'] : '',
      takes: hintsOf(one),
      choices,
      preset: one['default'],
    };
  });
};

const kindOf = (type: unknown): Argument['kind'] => {
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
};

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'yes or no',
  object: 'object',
  null: 'nothing',
};

const wordsFor = (schema: Schema): string => {
  const { type, items } = schema;
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].length}`;
  if (type === 'array') return `list of ${wordsFor(objectIn(items))}`;
  if (Array.isArray(type)) return type.map((one) => NAMES[String(one)] ?? String(one)).join(' or ');
  return NAMES[String(type)] ?? 'any value';
};

const objectIn = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};

/** What somebody has typed, for each argument. */
export type Typed = Readonly<Record<string, string>>;

export interface ReadArguments {
  readonly values: Readonly<Record<string, unknown>>;
  /** What cannot be read, by argument. */
  readonly faults: Readonly<Record<string, string>>;
}

/** What was typed as the values that are sent: what is empty is left out; the service checks the rest. */
export const readArguments = (all: readonly Argument[], typed: Typed): ReadArguments => {
  const values: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const { name, kind, required } of all) {
    const text = typed[name] ?? '';
    if (text === '') {
      if (required) faults[name] = 'It is required.';
      continue;
    }
    if (kind === 'number') {
      // Digits beyond what a number holds stay text, which the service takes for it.
      values[name] =
        Number.isNaN(Number(text)) || !Number.isSafeInteger(Math.trunc(Number(text)))
          ? text
          : Number(text);
    } else if (kind === 'boolean') values[name] = text === 'true';
    else if (kind === 'json') {
      const read = readJson(text);
      if (read.fault === undefined) values[name] = read.value;
      else faults[name] = read.fault;
    } else values[name] = text;
  }
  return { values, faults };
};

/**
 * What the service says of arguments that it refuses, by the field that each stands in.
 *
 * @param data - of the error `invalid_params`: places as JSON pointers, with what is wrong there
 */
export const faultsOf = (data: unknown): Readonly<Record<string, string>> => {
  const { errors } = objectIn(data);
  const faults: Record<string, string> = {};
  for (const one of Array.isArray(errors) ? errors : []) {
    const { path, message } = objectIn(one);
    if (typeof path !== 'string' || typeof message !== 'string') continue;
    const [name = '', ...inner] = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const text = inner.length === 0 ? `It ${message}.` : `${inner.join(', ')}: ${message}.`;
    faults[name] = faults[name] === undefined ? text : `${faults[name]} ${text}`;
  }
  return faults;
};

export const readJson = (
  text: string,
): { readonly value?: unknown; readonly fault?: string | undefined } => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `This is no JSON: ${error instanceof Error ? error.message : 'unreadable'}` };
  }
};

import { BASE64_OF_FILE } from '../../../../../layers/openapi/json-schema/formats.ts';
import { isObject, member } from '../../../../../layers/platform/rules/json/json.ts';

export interface Argument {
  readonly name: string;
  /** Type in words: `text`, `whole number`, `list of text`. */
  readonly type: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'file' | 'json';
  /** The argument is a list. Only fields of files take several values. */
  readonly isList: boolean;
  readonly required: boolean;
  readonly isNullable: boolean;
  /** Whether typed text that is no JSON may be sent as a string. */
  readonly takesText: boolean;
  /** Whether a file may be sent as an object with its name and type. */
  readonly takesFileName: boolean;
  readonly description: string;
  /** Allowed values, in words. */
  readonly takes: string;
  readonly choices: readonly unknown[];
  readonly preset: unknown;
}

type Schema = Readonly<Record<string, unknown>>;

/** @param schema - an `inputSchema`: an object whose properties are the arguments */
export const argumentsOf = (schema: unknown): readonly Argument[] => {
  const { properties, required } = objectIn(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(objectIn(properties)).map(([name, given]) => {
    const { schema: one, isNullable } = withoutNull(objectIn(given));
    const choices = Array.isArray(one['enum']) ? one['enum'] : [];
    const isList = one['type'] === 'array';
    const inner = isList ? withoutNull(objectIn(one['items'])).schema : one;
    return {
      name,
      type: wordsFor(objectIn(given)),
      kind: choices.length > 0 ? 'choice' : isFile(inner) ? 'file' : kindOf(one['type']),
      isList,
      required: needed.includes(name),
      isNullable,
      takesText: alternativesOf(one).some(isText),
      takesFileName: alternativesOf(inner).some(isFileObject),
      description: typeof one['description'] === 'string' ? one['description'] : '',
      takes: hintsOf(one),
      choices,
      preset: one['default'],
    };
  });
};

/** Removes the `null` that a schema allows: no field needs an input for it. */
const withoutNull = (schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } => {
  const all = alternativesOf(schema);
  const left = all.filter(({ type }) => type !== 'null');
  const choices = schema['enum'];
  const isOfChoices = Array.isArray(choices) && choices.includes(null);
  const isNullable = isOfChoices || left.length < all.length;
  const [only] = left;
  const one = isNullable && left.length === 1 ? { ...schema, ...only } : schema;
  return isOfChoices
    ? { schema: { ...one, enum: choices.filter((choice) => choice !== null) }, isNullable }
    : { schema: one, isNullable };
};

/** Alternatives of a schema, with the members that hold for all: of `anyOf` or `oneOf`, or one for each type. */
const alternativesOf = ({ anyOf, oneOf, ...around }: Schema): readonly Schema[] => {
  const all = anyOf ?? oneOf;
  if (Array.isArray(all) && all.length > 0) {
    return all.flatMap((one) => alternativesOf({ ...around, ...objectIn(one), ...saidOf(around) }));
  }
  const { type } = around;
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...around, type: one })) : [around];
};

/** The description of an argument replaces those of its alternatives: it says more. */
const saidOf = ({ description }: Schema): Schema =>
  description === undefined ? {} : { description };

const isText = ({ type, properties, items, $ref }: Schema): boolean =>
  type === 'string' || [type, properties, items, $ref].every((one) => one === undefined);

const kindOf = (type: unknown): Argument['kind'] => {
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
};

const isFile = (schema: Schema): boolean =>
  alternativesOf(schema).some((one) => isBase64(one) || isFileObject(one));

const isBase64 = ({ type, format, contentEncoding }: Schema): boolean =>
  type === 'string' && (format === BASE64_OF_FILE || contentEncoding === 'base64');

const isFileObject = ({ properties }: Schema): boolean =>
  isBase64(objectIn(objectIn(properties)['data']));

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
  if (type === 'array') {
    const inner = wordsFor(objectIn(items));
    return inner === 'file' ? 'list of files' : `list of ${inner}`;
  }
  const all = alternativesOf(schema);
  if (isFile(schema)) {
    return all.some((one) => isText(one) && !isBase64(one)) ? 'text or file' : 'file';
  }
  if (all.length === 1) return member(NAMES, String(all[0]?.['type'])) ?? 'any value';
  return [...new Set(all.map(wordsFor))].join(' or ');
};

const objectIn = (value: unknown): Schema => (isObject(value) ? value : {});

export type Typed = Readonly<Record<string, string>>;

interface ReadArguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: Readonly<Record<string, string>>;
}

/** Stands for `null` among typed texts: nobody types this character. */
export const NOTHING = '\u0000';

export const readArguments = (all: readonly Argument[], typed: Typed): ReadArguments => {
  const values = new Map<string, unknown>();
  const faults = new Map<string, string>();
  for (const argument of all) {
    const { name, required } = argument;
    const text = member(typed, name) ?? '';
    if (text === '') {
      if (required) faults.set(name, 'It is required.');
      continue;
    }
    const { value, fault } = text === NOTHING ? { value: null } : readValue(argument, text);
    if (fault === undefined) values.set(name, value);
    else faults.set(name, fault);
  }
  return { values: Object.fromEntries(values), faults: Object.fromEntries(faults) };
};

interface ReadValue {
  readonly value?: unknown;
  readonly fault?: string | undefined;
}

const readValue = (argument: Argument, text: string): ReadValue => {
  switch (argument.kind) {
    case 'text':
      return { value: text };
    case 'number': {
      // Integers beyond 2^53 stay text, which the service accepts for them.
      const isKept = Number.isNaN(Number(text)) || !Number.isSafeInteger(Math.trunc(Number(text)));
      return { value: isKept ? text : Number(text) };
    }
    case 'boolean':
      return { value: text === 'true' };
    case 'choice':
      return { value: argument.choices.find((one) => String(one) === text) };
    case 'file':
      return { value: fileValue(argument, text) };
    case 'json': {
      const read = readJson(text);
      // Text that begins like JSON was meant as JSON, so its fault is shown.
      const isPlain = !['"', '{', '['].includes(text.trimStart().charAt(0));
      return read.fault !== undefined && argument.takesText && isPlain ? { value: text } : read;
    }
  }
};

export interface ChosenFile {
  /** Base64. */
  readonly data: string;
  readonly filename?: string;
  readonly contentType?: string;
}

/** Files in a typed text, which has chosen files as JSON. Other text, such as base64, has none. */
export const chosenIn = (text: string): readonly ChosenFile[] => {
  const { value } = readJson(text);
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.every((one) => typeof objectIn(one)['data'] === 'string')
    ? (all as readonly ChosenFile[])
    : [];
};

const fileValue = ({ isList, takesFileName }: Argument, text: string): unknown => {
  const chosen = chosenIn(text);
  if (chosen.length === 0) {
    const { value } = readJson(text);
    // Other JSON, such as a number, may be base64 or text.
    const isJson = typeof value === 'string' || (value !== null && Array.isArray(value) === isList);
    const typed = isJson && ['string', 'object'].includes(typeof value) ? value : text;
    return isList && typeof typed === 'string' ? [typed] : typed;
  }
  const sent = takesFileName ? chosen : chosen.map(({ data }) => data);
  return isList ? sent : sent[0];
};

/** Faults of a call, by argument. @param data - of the error `invalid_params`: JSON pointers and messages */
export const faultsOf = (data: unknown): Readonly<Record<string, string>> => {
  const { errors } = objectIn(data);
  const faults = new Map<string, string>();
  for (const one of Array.isArray(errors) ? errors : []) {
    const { path, message } = objectIn(one);
    if (typeof path !== 'string' || typeof message !== 'string') continue;
    const [name = '', ...inner] = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const text = inner.length === 0 ? `It ${message}.` : `${inner.join(', ')}: ${message}.`;
    const before = faults.get(name);
    faults.set(name, before === undefined ? text : `${before} ${text}`);
  }
  return Object.fromEntries(faults);
};

export const readJson = (text: string): ReadValue => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `This is no JSON: ${error instanceof Error ? error.message : 'unreadable'}` };
  }
};

/** Formats in words, with an example. Source: JSON Schema 2020-12, "Vocabularies for Semantic Content With format". */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'Date and time with time zone, such as 2026-11-24T10:00:00Z',
  date: 'Date, such as 2026-11-24',
  time: 'Time, such as 10:00:00Z',
  duration: 'Length of time, such as P1DT2H',
  email: 'E-mail address',
  hostname: 'Host name, such as api.example.com',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  uri: 'Address, such as https://example.com/a',
  uuid: 'UUID, such as 7f4df1a6-1c1f-4b5d-9f1b-2f0d3d1f6a10',
  byte: 'Base64',
  binary: 'Base64',
};

const hintsOf = (schema: Schema): string => {
  const format = schema['format'];
  const [example] = Array.isArray(schema['examples']) ? schema['examples'] : [schema['example']];
  const said = [
    typeof format === 'string' ? member(FORMATS, format) : undefined,
    rangeOf(numberIn(schema, 'minimum'), numberIn(schema, 'maximum')),
    moreThan(schema),
    withUnit(rangeOf(numberIn(schema, 'minLength'), numberIn(schema, 'maxLength')), 'characters'),
    withUnit(rangeOf(numberIn(schema, 'minItems'), numberIn(schema, 'maxItems')), 'entries'),
    typeof schema['pattern'] === 'string' ? `In the form ${schema['pattern']}` : undefined,
    membersOf(schema),
    example === undefined ? undefined : `For example ${shortText(example)}`,
    schema['default'] === undefined ? undefined : `${shortText(schema['default'])} if left empty`,
  ];
  return said
    .filter((one) => one !== undefined)
    .map((one) => `${one}.`)
    .join(' ');
};

const numberIn = (schema: Schema, name: string): number | undefined =>
  typeof schema[name] === 'number' ? schema[name] : undefined;

const rangeOf = (least: number | undefined, most: number | undefined): string | undefined => {
  if (least !== undefined && most !== undefined) {
    return least === most ? `Exactly ${least}` : `${least} to ${most}`;
  }
  if (least !== undefined) return least === 0 ? undefined : `At least ${least}`;
  return most === undefined ? undefined : `At most ${most}`;
};

const moreThan = (schema: Schema): string | undefined => {
  const above = numberIn(schema, 'exclusiveMinimum');
  const below = numberIn(schema, 'exclusiveMaximum');
  const step = numberIn(schema, 'multipleOf');
  const said = [
    above === undefined ? undefined : `More than ${above}`,
    below === undefined ? undefined : `Less than ${below}`,
    step === undefined ? undefined : `A multiple of ${step}`,
  ].filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.join('. ');
};

const withUnit = (range: string | undefined, unit: string): string | undefined =>
  range === undefined ? undefined : `${range} ${unit}`;

const MOST_MEMBERS = 8;

const membersOf = ({ properties, items, required }: Schema): string | undefined => {
  if (isObject(items)) return membersOf(items);
  if (!isObject(properties)) return undefined;
  const needed = Array.isArray(required) ? required : [];
  const names = Object.keys(properties);
  const shown = names
    .slice(0, MOST_MEMBERS)
    .map((name) => (needed.includes(name) ? `${name} (required)` : name));
  if (shown.length === 0) return undefined;
  return `Members: ${shown.join(', ')}${names.length > MOST_MEMBERS ? ' and more' : ''}`;
};

const MOST = 80;

const shortText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
};

import { patternWithin } from './bounded-pattern.ts';

const LONGEST_LIST = 500;

const NAMES_OF_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['null', 'null'],
  ['boolean', 'a boolean'],
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['string', 'a string'],
  ['array', 'an array'],
  ['object', 'an object'],
]);

export const mustBe = (types: readonly unknown[]): string =>
  `must be ${[...new Set(types)].map((type) => NAMES_OF_TYPES.get(type) ?? String(type)).join(' or ')}`;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a date and time with zone, such as 2030-01-31T12:00:00Z',
  date: 'a date, such as 2030-01-31',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  email: 'an e-mail address',
};

/**
 * What a value must be by the keyword that it breaks. Findings that only lead to others (`properties`,
 * `items`, `$ref` ...) have no words here.
 */
export const RULES: Readonly<Record<string, (rule: unknown) => string>> = {
  type: (rule) => mustBe([rule].flat()),
  const: (rule) => `must be ${listed([rule])}`,
  enum: (rule) => `must be one of ${listed([rule].flat())}`,
  not: () => 'is excluded by the schema',
  minLength: (rule) => `must have at least ${String(rule)} characters`,
  maxLength: (rule) => `must have at most ${String(rule)} characters`,
  pattern: (rule) => `must match the pattern ${shortened(patternWithin(String(rule)))}`,
  format: (rule) => `must be ${FORMATS[String(rule)] ?? String(rule)}`,
  minimum: (rule) => `must be at least ${String(rule)}`,
  maximum: (rule) => `must be at most ${String(rule)}`,
  exclusiveMinimum: (rule) => `must be greater than ${String(rule)}`,
  exclusiveMaximum: (rule) => `must be less than ${String(rule)}`,
  multipleOf: (rule) => `must be a multiple of ${String(rule)}`,
  minItems: (rule) => `must have at least ${String(rule)} items`,
  maxItems: (rule) => `must have at most ${String(rule)} items`,
  minContains: (rule) => `must have at least ${String(rule)} of the items required in it`,
  maxContains: (rule) => `must have at most ${String(rule)} of the items required in it`,
  minProperties: (rule) => `must have at least ${String(rule)} members`,
  maxProperties: (rule) => `must have at most ${String(rule)} members`,
  dependentRequired: () => 'lacks a member that goes with another one',
};

const listed = (values: readonly unknown[]): string =>
  shortened(values.map((value) => JSON.stringify(value)).join(', '));

export const shortened = (text: string): string =>
  text.length > LONGEST_LIST ? `${text.slice(0, LONGEST_LIST).toWellFormed()}…` : text;

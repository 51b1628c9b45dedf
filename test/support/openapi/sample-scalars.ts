import * as fc from 'fast-check';

export interface NumberRules {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly description?: string;
}

export interface TextRules {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly description?: string;
  readonly contentEncoding?: string;
}

/** What every file holds, in base64. */
export const FILE = 'aGVsbG8=';

/** The least whole number that obeys the rules, from 1 on where it may; `steps` further if it can be. */
export const sampleNumber = (rules: NumberRules, steps = 0): number => {
  const { minimum, exclusiveMinimum, multipleOf = 1, description = '' } = rules;
  // Some model APIs take no list of numbers, which then stands in the description.
  const listed = /\b(?:One of|Always) (-?\d+(?:\.\d+)?)/.exec(description)?.[1];
  if (listed !== undefined) return Number(listed);
  const highest = rules.maximum ?? (rules.exclusiveMaximum ?? Infinity) - multipleOf;
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const wanted = minimum === undefined ? Math.min(least, highest) : least;
  const first = Math.ceil(wanted / multipleOf) * multipleOf;
  const further = first + steps * multipleOf;
  return further <= highest ? further : first;
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  email: 'a@example.com',
  uri: 'https://example.com/a',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
};

/** A text that obeys the rules: this one, where there are none but its length. */
export const sampleText = (rules: TextRules, free: string): string => {
  const { pattern, description = '', minLength = 0, maxLength = Infinity } = rules;
  // What some model API refuses is told in words.
  const format = rules.format ?? /\bFormat: (uri)\./.exec(description)?.[1] ?? '';
  if (rules.contentEncoding === 'base64') return FILE;
  if (pattern !== undefined) return matching(pattern, Math.max(1, minLength), maxLength);
  // Lengths are counted in characters, not in halves of them.
  const characters = [...(FORMATS[format] ?? free)];
  const missing = Math.max(0, minLength - characters.length);
  return characters.slice(0, Math.max(1, maxLength)).join('') + 'x'.repeat(missing);
};

const found = new Map<string, string>();

const matching = (pattern: string, minLength: number, maxLength: number): string => {
  const known = found.get(pattern);
  if (known !== undefined && known.length >= minLength && known.length <= maxLength) return known;
  const texts = fc
    .stringMatching(new RegExp(pattern, 'u'))
    .filter(({ length }) => length >= minLength && length <= maxLength);
  const [sample = ''] = fc.sample(texts, { numRuns: 1, seed: 1 });
  found.set(pattern, sample);
  return sample;
};

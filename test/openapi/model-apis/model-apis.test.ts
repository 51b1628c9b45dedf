import { describe, expect, test } from '@jest/globals';
import type { ModelTool } from '../../../layers/openapi/model-apis/rules.ts';
import { MODEL_APIS, type ModelApi } from '../../../layers/openapi/model-apis/verdict.ts';

type Members = Readonly<Record<string, unknown>>;

const aTool = (over: Partial<ModelTool> = {}): ModelTool => ({
  name: 'list_pets',
  description: 'Lists pets.',
  inputSchema: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
  ...over,
});
const named = (name: string) => aTool({ name });
const described = (description: string) => aTool({ description });
const withRoot = (members: Members) =>
  aTool({ inputSchema: { type: 'object', properties: {}, ...members } });
/** With an argument, `value`, of this schema. */
const taking = (schema: Members, $defs: Members = {}) =>
  withRoot({ properties: { value: schema }, ...(Object.keys($defs).length > 0 && { $defs }) });

/** Definitions each of which cannot be without the next one, nor the last one without `end`. */
const chain = (length: number, end: string): Members =>
  Object.fromEntries([
    ...Array.from({ length }, (_, at) => {
      const next = at + 1 === length ? end : `D${at + 1}`;
      return [`D${at}`, holder(next, ['b'])] as const;
    }),
    ['End', { type: 'string' }],
  ]);

const complaintsOf = (api: ModelApi, tool: ModelTool) => MODEL_APIS[api](tool);
const ALL: readonly ModelApi[] = ['Claude', 'OpenAI', 'Gemini', 'Bedrock'];

test('every model API accepts a plain tool', () => {
  for (const api of ALL) expect(complaintsOf(api, aTool())).toEqual([]);
});

type Row = readonly [what: string, accepted: ModelTool, refused: ModelTool, complaint: RegExp];

const inAll: readonly Row[] = [
  ['a name of 64 characters', named('a'.repeat(64)), named('a'.repeat(65)), /^the name/],
  ['a name without blanks', named('list-pets_2'), named('list pets'), /^the name "list pets"/],
  [
    'an object at the root',
    withRoot({}),
    aTool({ inputSchema: { type: 'array', items: {} } }),
    /no object with properties/,
  ],
  [
    'properties at the root',
    withRoot({ properties: {} }),
    aTool({ inputSchema: { type: 'object' } }),
    /no object with properties/,
  ],
  [
    'references to what is there',
    taking({ $ref: '#/$defs/Pet' }, { Pet: { type: 'string' } }),
    taking({ $ref: '#/$defs/Dog' }, { Pet: { type: 'string' } }),
    /^\/properties\/value: the reference #\/\$defs\/Dog leads nowhere$/,
  ],
  [
    'references to definitions only',
    taking({ $ref: '#/$defs/Pet' }, { Pet: {} }),
    taking({ $ref: '#/properties/other' }),
    /leads nowhere/,
  ],
  [
    'known types',
    taking({ type: ['string', 'null'] }),
    taking({ type: 'int' }),
    /type has a value/,
  ],
  [
    'limits that are numbers',
    taking({ type: 'number', exclusiveMinimum: 1 }),
    taking({ type: 'number', minimum: 1, exclusiveMinimum: true }),
    /exclusiveMinimum has a value/,
  ],
  [
    'one schema for items',
    taking({ type: 'array', items: { type: 'string' } }),
    taking({ type: 'array', items: [{ type: 'string' }] }),
    /items/,
  ],
  [
    'required as a list',
    taking({ type: 'object', properties: { a: {} }, required: ['a'] }),
    taking({ type: 'object', properties: { a: {} }, required: true }),
    /required has a value/,
  ],
  [
    'patterns that compile',
    taking({ type: 'string', pattern: '^a+$' }),
    taking({ type: 'string', pattern: '(' }),
    /pattern has a value/,
  ],
];

const patternsOfAll: Row = [
  'patterns that Python and RE2 read as well',
  taking({ type: 'string', pattern: '^[a-z\\d_-]+$' }),
  taking({ type: 'string', pattern: '^[\\p{L}0-9_-]+$' }),
  /is none of Python and RE2/,
];

const own: Readonly<Record<ModelApi, readonly Row[]>> = {
  Claude: [
    ...['oneOf', 'anyOf', 'allOf'].map((keyword): Row => [
      `no ${keyword} at the root`,
      taking({ [keyword]: [{ type: 'string' }] }),
      withRoot({ [keyword]: [{ required: ['a'] }] }),
      /at the root/,
    ]),
    [
      'property names of letters, digits, _, . and -',
      withRoot({ properties: { 'filter.x-1_a': {} } }),
      withRoot({ properties: { 'filter[x]': {} } }),
      /property name "filter\[x\]"/,
    ],
    [
      'property names of 64 characters, inside too',
      taking({ properties: { ['p'.repeat(64)]: {} } }),
      taking({ properties: { ['p'.repeat(65)]: {} } }),
      /^\/properties\/value: the property name/,
    ],
  ],
  OpenAI: [
    ['a short description', described('x'.repeat(1024)), described('x'.repeat(1025)), /1025/],
    ...['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const'].map((keyword): Row => [
      `no ${keyword} at the root`,
      taking(keyword === 'not' ? { not: {} } : { [keyword]: [{ type: 'string' }] }),
      withRoot(keyword === 'not' ? { not: {} } : { [keyword]: [{ type: 'string' }] }),
      /at the root/,
    ]),
    [
      'arrays with items',
      taking({ type: 'array', items: {} }),
      taking({ type: ['array', 'null'] }),
      /array without items/,
    ],
    patternsOfAll,
    [
      'the same of names of properties',
      taking({ type: 'object', patternProperties: { '^x-': {} } }),
      taking({ type: 'object', patternProperties: { '^\\p{L}': {} } }),
      /is none of Python and RE2/,
    ],
  ],
  Gemini: [
    ['a name that begins with a letter', named('_1'), named('1_pet'), /^the name/],
    ['a description', described('Lists.'), described(' '), /^no description$/],
    [
      'arrays with items',
      taking({ type: 'array', items: {} }),
      taking({ type: 'array' }),
      /array without items/,
    ],
    [
      'references alone',
      taking({ description: 'A pet.', anyOf: [{ $ref: '#/$defs/Pet' }] }, { Pet: {} }),
      taking({ description: 'A pet.', $ref: '#/$defs/Pet' }, { Pet: {} }),
      /keywords beside \$ref/,
    ],
    [
      'required properties that are described',
      taking({ type: 'object', properties: { a: {} }, required: ['a'] }),
      taking({ type: 'object', properties: {}, required: ['a'] }),
      /required "a" is no property/,
    ],
    [
      'enums of texts',
      taking({ type: ['string', 'null'], enum: ['a'] }),
      taking({ type: 'integer', enum: [1] }),
      /an enum of something other than texts/,
    ],
    [
      'no empty text in an enum',
      taking({ enum: ['a'] }),
      taking({ type: 'string', enum: ['a', ''] }),
      /an enum with the empty text/,
    ],
    [
      'no null in an enum',
      taking({ enum: ['a'] }),
      taking({ type: ['string', 'null'], enum: ['a', null] }),
      /an enum of something other than texts/,
    ],
    patternsOfAll,
    [
      'formats that are known',
      taking({ type: 'string', format: 'date-time' }),
      taking({ type: 'string', format: 'rfc822' }),
      /format "rfc822"/,
    ],
    [
      'circles that can end',
      taking({ $ref: '#/$defs/Tree' }, { Tree: tree([]) }),
      taking({ $ref: '#/$defs/Tree' }, { Tree: tree(['children']) }),
      /^\/\$defs\/Tree: contains itself/,
    ],
    [
      'chains of thousands that end',
      taking({ $ref: '#/$defs/D0' }, chain(10_000, 'End')),
      taking({ $ref: '#/$defs/D0' }, chain(10_000, 'D9000')),
      /^\/\$defs\/D9000: contains itself/,
    ],
    [
      'circles through others that can end',
      taking({ $ref: '#/$defs/A' }, { A: holder('B', ['b']), B: holder('A', []) }),
      taking({ $ref: '#/$defs/A' }, { A: holder('B', ['b']), B: holder('A', ['b']) }),
      /^\/\$defs\/A: contains itself/,
    ],
  ],
  Bedrock: [
    ['a description', described('Lists.'), described(''), /^no description$/],
    [
      'nothing unusual at the root',
      withRoot({ $defs: {} }),
      withRoot({ additionalProperties: false }),
      /^additionalProperties at the root/,
    ],
    [
      'property names of letters, digits, _, . and -',
      withRoot({ properties: { 'a.b': {} } }),
      withRoot({ properties: { a$: {} } }),
      /property name/,
    ],
  ],
};

describe.each(ALL)('%s', (api) => {
  test.each([...inAll, ...own[api]])('requires %s', (_, accepted, refused, complaint) => {
    expect(complaintsOf(api, accepted)).toEqual([]);
    expect(complaintsOf(api, refused)).toEqual(
      expect.arrayContaining([expect.stringMatching(complaint)]),
    );
  });
});

test('at most 20 complaints of a kind are listed for a tool', () => {
  const properties = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`a b ${at}`, {}]));

  expect(complaintsOf('Claude', withRoot({ properties }))).toHaveLength(20);
});

function tree(required: readonly string[]): Members {
  const children = { type: 'array', items: { $ref: '#/$defs/Tree' } };
  return { type: 'object', properties: { children }, required };
}

function holder(of: string, required: readonly string[]): Members {
  return { type: 'object', properties: { b: { $ref: `#/$defs/${of}` } }, required };
}

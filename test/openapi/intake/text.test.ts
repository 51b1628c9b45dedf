import { describe, expect, test } from '@jest/globals';
import { readDescription } from '../../../layers/openapi/intake/read-description.ts';
import {
  aDescription,
  LIMITS,
  read,
  readText,
  refusalOf,
  refusedAs,
  warningsOf,
} from '../../support/openapi/intake.ts';

const JSON_TEXT = JSON.stringify(aDescription());

const YAML_TEXT = `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      responses:
        200: { description: fine }
`;

describe('reading the text of a description', () => {
  test.each([
    ['JSON', JSON_TEXT],
    ['JSON after blank lines', `\n\n ${JSON_TEXT}`],
    ['JSON with a byte order mark', `\uFEFF${JSON_TEXT}`],
    ['YAML', YAML_TEXT],
    ['YAML with a byte order mark', `\uFEFF${YAML_TEXT}`],
    ['YAML with Windows line ends', YAML_TEXT.replaceAll('\n', '\r\n')],
    ['YAML with document marks', `---\n${YAML_TEXT}...\n`],
    [
      'YAML in one line',
      '{openapi: 3.0.3, info: {title: Pets, version: "1"}, paths: {/pets: {get: {responses: {200: {description: fine}}}}}}',
    ],
  ])('gives the same for %s, as text and as bytes', (_, text) => {
    for (const sent of [text, new TextEncoder().encode(text)]) {
      expect(readText(sent).root).toEqual(aDescription());
    }
  });

  test('keeps what only looks like a date, a truth or a number to other YAML readers', () => {
    const { root } = readText(`${YAML_TEXT}x: [2020-01-01, yes, on, NO, 1_000, 12:30:45, 0o17]`);

    expect(root['x']).toEqual(['2020-01-01', 'yes', 'on', 'NO', '1_000', '12:30:45', 15]);
  });

  test.each([
    ['UTF-16LE with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16LE without', (text: string) => Buffer.from(text, 'utf16le')],
    [
      'UTF-16BE with a byte order mark',
      (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    ],
    ['UTF-16BE without', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])('gives the same for bytes of %s', (_, bytes) => {
    for (const text of [JSON_TEXT, YAML_TEXT]) {
      expect(readText(Uint8Array.from(bytes(text))).root).toEqual(aDescription());
    }
  });

  test.each([
    ['tabs between tokens', 'openapi:\t3.0.3\t# version'],
    ['keys in quotes', '"openapi": 3.0.3'],
    ['keys over several lines', '? openapi\n: 3.0.3'],
    ['texts over several lines', "x:\n  one\n  two\nopenapi: '3.0.3'"],
    ['tags of texts', 'openapi: !!str 3.0.3'],
    ['directives', '%YAML 1.1\n---\nopenapi: 3.0.3'],
    ['old line ends', 'openapi: 3.0.3\rx: 1'],
  ])('reads YAML with %s', (_, head) => {
    const rest = YAML_TEXT.slice(YAML_TEXT.indexOf('\n'));
    const text = head.includes('\r') ? `${head}${rest.replaceAll('\n', '\r')}` : head + rest;

    expect(readText(text).operations).toHaveLength(1);
  });

  const spelled = (style: (values: string) => string) =>
    `${YAML_TEXT}x:\n${style('[01, 1.0, 0x1F, +1, 1e3, True, 12345678901234567890, null, "a", b, 2020-01-01, 1\'\'s, 2 x]')}`;

  test.each([
    ['in a block', (values: string) => `  enum: ${values}\n  type: string\n  default: 1.10\n`],
    ['in braces', (values: string) => `  { type: string, enum: ${values}, default: 1.10 }\n`],
    [
      'that may be null',
      (values: string) => `  type: [string, 'null']\n  enum: ${values}\n  default: 1.10\n`,
    ],
    [
      'beside others',
      (values: string) =>
        `  not: {type: integer, enum: [01]}\n  type: string\n  enum: ${values}\n  default: 1.10\n`,
    ],
    [
      'with an anchor',
      (values: string) => `  enum: &a ${values}\n  type: string\n  default: 1.10\ny: *a\n`,
    ],
  ])('keeps the values of a schema of texts as they are written, %s', (_, style) => {
    const { root } = readText(spelled(style));

    expect(root['x']).toMatchObject({
      enum: [
        '01',
        '1.0',
        '0x1F',
        '+1',
        '1e3',
        'True',
        '12345678901234567890',
        null,
        'a',
        'b',
        '2020-01-01',
        "1''s",
        '2 x',
      ],
      default: '1.10',
    });
  });

  test('reads values of other schemas as the numbers that they are', () => {
    const { root } = readText(
      `${YAML_TEXT}x: [{type: integer, enum: [01], default: 1.0}, {type: [string, integer], default: 01}, {enum: [01]}]`,
    );

    expect(root['x']).toEqual([
      { type: 'integer', enum: [1], default: 1 },
      { type: ['string', 'integer'], default: 1 },
      { enum: [1] },
    ]);
  });

  test('makes texts of keys that are none', () => {
    const { root } = readText(`${YAML_TEXT}x: {404: a, null: b, true: c, 1.5: d, : e}`);

    expect(Object.keys(root['x'] as object).toSorted()).toEqual(['1.5', '404', 'null', 'true']);
  });

  test('reads lines within brackets that are indented too little, as most tools do, with a warning', () => {
    const source = `${YAML_TEXT}x:\n  a: {\n    "80/tcp": {}\n  }\n  b: [\n  1,\n  2 ]\n  c: 3\n`;
    const description = readText(source);

    expect(description.root['x']).toEqual({ a: { '80/tcp': {} }, b: [1, 2], c: 3 });
    expect(warningsOf(description)).toEqual([
      expect.stringMatching(/^line 11 \| this line is indented less than YAML 1.2 asks for/),
    ]);
  });

  test.each([
    ['{ b: "1\t2",\t"c\td":\t[1] }', { b: '1\t2', 'c\td': [1] }],
    ['[x\ty,\tz]', ['x\ty', 'z']],
    ["{ b: it's,\tc: 'it''s\t1' }", { b: "it's", c: "it's\t1" }],
    ['{ b: "1\\"2",\tc: 3 }', { b: '1"2', c: 3 }],
    ['{"b \tc":\t[1]}', { 'b \tc': [1] }],
  ])('reads %j, in which tabs part values, as most tools do, with a warning', (text, value) => {
    const description = readText(`${YAML_TEXT}x:\n  a: ${text}\n`);

    expect(description.root['x']).toEqual({ a: value });
    expect(warningsOf(description)).toEqual([
      'line 9 | this line has a tab between brackets and words; it was read as a space',
    ]);
  });

  test('moves a line as far to the right as it has to, behind empty lines too', () => {
    const { root } = readText(`${YAML_TEXT}x:\n      a: {\n        b: 1\n\n}\n`);

    expect(root['x']).toEqual({ a: { b: 1 } });
  });

  test('refuses, at its own place, a line that nothing mends', () => {
    const text = `${YAML_TEXT}x:\n      a: {\n"b": 1,\n!!\n`;

    expect(refusedAs(() => readText(text)).findings).toEqual([
      expect.stringMatching(/^line 1[1-3], column \d{1,2} \| /),
    ]);
  });

  test('does not read the same lines again without end', () => {
    const lines = Array.from({ length: 20_000 }, () => '  {\n  },').join('\n');

    expect(refusedAs(() => readText(`${YAML_TEXT}x:\n  a: [\n${lines}\n  ]\n`)).code).toBe(
      'description_not_parseable',
    );
  });

  test('merges what YAML merges', () => {
    const { root } = readText(`${YAML_TEXT}x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}`);

    expect(root['y']).toEqual({ a: 1, b: 3 });
  });

  test('puts null in the place of numbers that JSON does not know, and says so', () => {
    const description = readText(`${YAML_TEXT}x: [.inf, -.inf, .nan, 1e999, 9007199254740993]`);

    expect(description.root['x']).toEqual([null, null, null, '1e999', 9007199254740992]);
    expect(warningsOf(description)).toEqual([
      '/x/0 | Infinity is no number in JSON; null was put in its place',
      '/x/1 | -Infinity is no number in JSON; null was put in its place',
      '/x/2 | NaN is no number in JSON; null was put in its place',
    ]);
    const json = readText(JSON_TEXT.replace('{', '{"x":1e999,'));
    expect(json.root['x']).toBeNull();
    expect(warningsOf(json)).toHaveLength(1);
  });
});

describe('a text with slips', () => {
  test.each([
    ['YAML', `${YAML_TEXT}openapi: 3.0.3\n`, 'line 8, column 1'],
    ['JSON', JSON_TEXT.replace('{', '{"openapi":"3.1.0",\n'), 'line 2, column 2'],
    [
      'JSON with texts full of colons',
      JSON_TEXT.replace('{', '{"x":"\\\\\\":{:",\n"x":1,'),
      'line 2, column 2',
    ],
    [
      'JSON with texts that begin with colons',
      JSON_TEXT.replace('{', '{"x":":",\n"x":":",'),
      'line 2, column 2',
    ],
    [
      'JSON with blanks before a colon, and a text that makes up for it',
      JSON_TEXT.replace('{', '{"x" :":",\n"x":1,'),
      'line 2, column 2',
    ],
    [
      'JSON with a key that ends with a backslash',
      JSON_TEXT.replace('{', '{"x\\\\":":",\n"x\\\\":1,'),
      'line 2, column 2',
    ],
  ])('is read with the last of two equal keys, in %s', (_, text, where) => {
    const description = readText(text);

    expect(description.dialect).toBe('openapi-3.0');
    expect(description.warnings).toHaveLength(1);
    expect(description.warnings[0]).toMatchObject({
      where,
      what: expect.stringContaining('occurs twice'),
    });
  });

  test.each([
    ['texts that begin with colons', '":x"'],
    ['texts with quotes before colons', '"\\":\\":"'],
    ['texts that end with a backslash', '"\\\\"'],
  ])('has no equal keys because of %s', (_, json) => {
    expect(readText(JSON_TEXT.replace('{', `{"x-y" :${json},`)).warnings).toEqual([]);
    expect(readText(JSON_TEXT.replace('{', `{"x-y":${json},`)).warnings).toEqual([]);
  });

  test.each([
    ['a comma too many', JSON_TEXT.replace(/\}$/, ',}')],
    ['a comment of YAML', `${JSON_TEXT} # the end`],
    ['single quotes', JSON_TEXT.replaceAll('"3.0.3"', "'3.0.3'")],
  ])('is accepted as JSON with %s, and says so', (_, text) => {
    const description = readText(text);

    expect(description.root).toEqual(aDescription());
    expect(warningsOf(description)).toEqual([' | not strict JSON; it was read as YAML']);
  });

  test.each([
    ['nothing', '', '', 'the description is empty'],
    ['only comments', '# nothing\n', '', 'the description is empty'],
    [
      'JSON cut off',
      '{"openapi": "3.0.3",\n "info": {',
      'line 2, column 11',
      'unexpected end of the stream',
    ],
    ['JSON without a comma', '{"a": 1\n "b": 2}', 'line 2, column 5', 'missed comma'],
    [
      'JSON with a bare word',
      '{"a": 1,\n "b": tru}',
      'line 2, column 7',
      'a JSON value was expected',
    ],
    ['JSON without a value', '{"a": 1,\n "b": }', 'line 2, column 4', 'a JSON value was expected'],
    [
      'JSON with comments of JavaScript',
      '{"a": 1 /* one */}',
      'line 1, column 7',
      'a JSON value was expected',
    ],
    ['JSON twice', '{"a": 1}{"b": 2}', 'line 1, column 9', 'end of the stream'],
    ['bad indentation', 'a: 1\n  b: 2', 'line 2, column 4', 'bad indentation'],
    ['tabs', 'a:\n\tb: 1', 'line 2, column 1', 'tab characters'],
    ['an alias without anchor', 'a: 1\nb: *c', 'line 2, column 5', 'unidentified alias "c"'],
    ['a tag', 'a: !!python/object:os.system x', 'line 1, column 4', 'unknown scalar tag'],
    ['a list as key', '? [a]\n: 1', 'line 1, column 1', 'does not support complex keys'],
    ['control characters', 'a: \u0001', 'line 1, column 4', 'non-printable'],
    ['two documents', 'a: 1\n---\nb: 2\n---\nc: 3', 'line 3, column 1', '3 YAML documents in one'],
  ])('is refused if it is %s', (_, text, where, what) => {
    const refusal = refusalOf(() => readText(text));

    expect(refusal.code).toBe('description_not_parseable');
    expect(refusal.findings).toEqual([
      { where, what: expect.stringContaining(what), hint: expect.any(String) },
    ]);
  });

  test.each([
    '<!DOCTYPE html><html></html>',
    '\n<html><body>Sign in</body></html>',
    '<?xml version="1.0"?><a/>',
  ])('that is %j is refused with the advice to give the description itself', (page) => {
    const [finding] = refusalOf(() => readText(page)).findings;

    expect(finding?.what).toBe('found a page or XML instead of an object');
    expect(finding?.hint).toContain('Give the description itself');
  });

  test.each([
    ['nothing', '', 'Give the text'],
    ['two documents', 'a: 1\n---\nb: 2', 'Give one of them'],
  ])('that is %s is not said to be mended by a linter', (_, text, advice) => {
    expect(refusalOf(() => readText(text)).findings[0]?.hint).toContain(advice);
  });

  test('is refused where its bytes are not UTF-8', () => {
    const latin1 = Uint8Array.from(Buffer.from('openapi: 3.0.3 # é', 'latin1'));

    expect(refusedAs(() => readText(latin1))).toEqual({
      code: 'description_not_parseable',
      findings: [' | holds bytes that are not UTF-8'],
    });
  });

  test.each([
    ['value', { info: { title: 'a\uD800b', version: '1' } }, '/info/title'],
    ['key', { 'x\uDC00': 1 }, '/x\uFFFD'],
  ])('is refused where a %s holds half of a surrogate pair', (_, members, where) => {
    expect(refusedAs(() => read(aDescription(members)))).toEqual({
      code: 'description_not_parseable',
      findings: [`${where} | a text holds half of a surrogate pair`],
    });
  });

  test('is shown without its control characters, and not whole', () => {
    const { findings } = refusalOf(() => readText(`"\\e[31m${'a'.repeat(500)}": 1`));

    expect(findings[0]?.what).toMatch(/^[\x20-\x7E]*…$/);
    expect(findings[0]?.what).toHaveLength(401);
  });
});

describe('the size of a description', () => {
  const padded = (bytes: number) => {
    const text = JSON.stringify(aDescription({ 'x-é': '' }));
    return text.replace('""', `"${'a'.repeat(bytes - Buffer.byteLength(text))}"`);
  };

  test('may be 5 MB', () => {
    expect(readText(padded(5_242_880)).operations).toHaveLength(1);
  });

  test.each([
    ['a text', (text: string) => text],
    ['bytes', (text: string) => new TextEncoder().encode(text)],
  ])('is counted in bytes, and refused one byte later, for %s', (_, as) => {
    expect(refusedAs(() => readText(as(padded(5_242_881))))).toEqual({
      code: 'description_too_large',
      findings: [' | too large'],
    });
  });
});

describe('a text made to do harm', () => {
  test.each([
    ['YAML', 'openapi: 3.0.3\nx: { __proto__: { polluted: true } }', '/x/__proto__'],
    ['merged YAML', 'a: &a { "__proto__": 1 }\nb: { <<: *a }', '/a/__proto__'],
    ['JSON', '{"paths":{"/a/b":{"__proto__":{"polluted":true}}}}', '/paths/~1a~1b/__proto__'],
    ['escaped JSON', '{"x":[{"__pro\\u0074o__":1}]}', '/x/0/__proto__'],
  ])('is refused for the key __proto__ in %s', (_, text, where) => {
    expect(refusedAs(() => readText(text))).toEqual({
      code: 'forbidden_key',
      findings: [`${where} | the key \`__proto__\``],
    });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('may use other names of Object.prototype as data', () => {
    const properties = {
      constructor: { type: 'string' },
      prototype: {},
      toString: {},
      valueOf: {},
    };
    const { root } = read(aDescription({ components: { schemas: { Odd: { properties } } } }));

    expect(root).toMatchObject({ components: { schemas: { Odd: { properties } } } });
  });

  test.each([
    ['aliases that explode', `${explosion(40)}openapi: 3.0.3`, /^\/a1\d(\/\d)?$/],
    [
      'aliases of a long text',
      `t: &t ${'x'.repeat(100_000)}\nu: [${'*t, '.repeat(200)}]`,
      /^\/u\/10[0-9]$/,
    ],
    [
      'aliases of many short values',
      `t: &t [${'0, '.repeat(1000)}]\nu: [${'*t, '.repeat(600)}]`,
      /^\/u\/49\d$/,
    ],
    ['an alias in its own list', 'a: &a [1, *a]', /^\/a\/1$/],
    ['an alias in its own object', 'a: &a { b: { c: *a } }', /^\/a\/b\/c$/],
    ['merge keys that explode', merges(), /^line \d+, column 3$/],
  ])('is refused for %s', (_, text, where) => {
    const { code, findings } = refusalOf(() => readText(text));

    expect(code).toBe('alias_expansion');
    expect(findings).toEqual([
      { where: expect.stringMatching(where), what: expect.any(String), hint: expect.any(String) },
    ]);
  });

  test('may use aliases as long as they do not explode', () => {
    const { root } = readText(`${YAML_TEXT}x: &x { a: [1, 2] }\ny: [*x, *x, { z: *x }]`);

    expect(root['y']).toEqual([{ a: [1, 2] }, { a: [1, 2] }, { z: { a: [1, 2] } }]);
  });

  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test('may be nested 500 levels deep, in JSON and in YAML', () => {
    const deep = JSON.stringify(aDescription()).replace('{', `{"x-deep":${nested(499)},`);
    const yaml = `${YAML_TEXT}x-deep: ${nested(499)}`;

    expect(readText(deep).operations).toHaveLength(1);
    expect(readText(yaml).operations).toHaveLength(1);
  });

  test.each([
    ['JSON of 501 levels', `{"a":${nested(500)}}`],
    ['YAML of 501 levels', `a: ${nested(500)}`],
    ['YAML of 501 levels with a text in it', `a: ${'['.repeat(500)}b${']'.repeat(500)}`],
    ['JSON that is nothing but nesting', `{"a":${nested(2_600_000)}}`],
    ['JSON that never ends', `{"a":${'['.repeat(500_000)}`],
    ['objects that never end', '{"a":'.repeat(500_000)],
    ['a list that never ends', '['.repeat(500_000)],
    ['YAML that never ends', '- '.repeat(500_000)],
    ['YAML in steps', Array.from({ length: 600 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
    ['aliases on aliases', chain(600)],
  ])('is refused as too deep for %s', (_, text) => {
    const { code, findings } = refusalOf(() => readDescription(text, LIMITS));

    expect(code).toBe('description_too_deep');
    expect(findings).toEqual([
      {
        where: expect.stringMatching(/^(line \d+, column \d+|\/a.*)$/),
        what: 'nested more than 500 levels deep',
        hint: expect.any(String),
      },
    ]);
  });
});

describe('a text of more values than bytes can excuse', () => {
  const head = `${YAML_TEXT}x:`;
  const filled = (piece: string, begin = '', end = '') =>
    `${head}${begin}${piece.repeat(Math.floor((5_200_000 - head.length) / piece.length))}${end}`;

  test.each([
    ['empty keys', filled(' ?\n', '\n')],
    ['empty items', filled('-\n', '\n')],
    ['empty items in a row', filled('- ', '\n')],
    ['empty lists', filled('[],', ' [', ']')],
    ['empty objects', filled('{},', ' [', ']')],
    ['letters', filled('a,', ' [', ']')],
    ['old line ends', filled('-\r', '\r')],
    ['lists that never end', filled('[', ' ')],
  ])('is refused, and says where, for %s', (_, text) => {
    expect(refusedAs(() => readText(text))).toEqual({
      code: 'description_too_large',
      findings: [
        expect.stringMatching(
          /^(?:line \d+, column \d+|\/x\/\d+) \| more values, lists and objects than the 500000 that are accepted$/,
        ),
      ],
    });
  });

  test('is refused in JSON as well', () => {
    const json = (count: number) =>
      JSON.stringify(aDescription({ x: Array.from({ length: count }, () => 0) }));

    expect(readText(json(499_000)).operations).toHaveLength(1);
    expect(refusedAs(() => readText(json(500_001)))).toMatchObject({
      code: 'description_too_large',
      findings: [expect.stringMatching(/^\/x\/49\d+ \| more values/)],
    });
  });

  test('may have as many commas and line ends as a long text has', () => {
    const prose = 'Some words, and some more of them.\n    '.repeat(100_000);

    expect(readText(`${head}\n  y: |\n    ${prose}`).operations).toHaveLength(1);
  });
});

function explosion(levels: number): string {
  const lines = ['a0: &a0 [x, x]'];
  for (let n = 1; n < levels; n += 1)
    lines.push(`a${n}: &a${n} [*a${n - 1}, *a${n - 1}, *a${n - 1}]`);
  return `${lines.join('\n')}\n`;
}

function chain(length: number): string {
  const lines = ['a0: &a0 {}'];
  for (let n = 1; n < length; n += 1) lines.push(`a${n}: &a${n} { x: *a${n - 1} }`);
  return lines.join('\n');
}

function merges(): string {
  const keys = Array.from({ length: 1000 }, (_, n) => `  k${n}: 1`).join('\n');
  return `base: &base\n${keys}\nall:\n${'- <<: *base\n'.repeat(200)}`;
}

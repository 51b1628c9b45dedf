import { describe, expect, test } from '@jest/globals';
import { RpcRefusal } from '../../../layers/platform/rules/refusal/rpc-refusal.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { leastMs } from '../../support/growth.ts';
import { aBody, aParameter, aTool, aWholeBody, refusalOf } from '../../support/mcp/tools.ts';

/** A tool with one query parameter `x` of this schema. */
const taking = (schema: unknown, defs: unknown = {}) =>
  aTool({ parameters: [aParameter('query', 'x')] }, { properties: { x: schema }, $defs: defs });

const numbered = <One>(count: number, make: (at: number) => One): One[] =>
  Array.from({ length: count }, (_, at) => make(at));

const TREE = {
  type: 'object',
  properties: { size: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#/$defs/T' } } },
};

describe('what lists are not given', () => {
  const tool = aTool(
    {
      parameters: [aParameter('query', 'x'), aParameter('query', 'deep')],
      unlisted: {
        '/properties/x': { enum: [1, 2] },
        '/properties/deep/items': { pattern: '^\\p{L}+$' },
        '/properties/gone': { enum: ['a'] },
      },
    },
    {
      properties: {
        x: { type: 'integer', description: 'One of 1, 2.' },
        deep: { type: 'array', items: { type: 'string' } },
      },
    },
  );

  test('is checked all the same', () => {
    expect(readArguments(tool, { x: '2', deep: ['é'] })).toEqual({ x: 2, deep: ['é'] });
    expect(refusalOf(() => readArguments(tool, { x: 3, deep: ['1'] }))).toMatchObject({
      errors: [{ path: '/x' }, { path: '/deep/0' }],
    });
  });
});

describe('coercing arguments', () => {
  test.each([
    ['text to an integer', { type: 'integer' }, '12', 12],
    ['text to a negative integer', { type: 'integer' }, '-3', -3],
    [
      'long text to an integer, with all its digits',
      { type: 'integer' },
      '-9007199254740993',
      -9007199254740993n,
    ],
    ['text to a number', { type: 'number' }, '1.5e3', 1500],
    ['text to true', { type: 'boolean' }, 'true', true],
    ['text of Python to false', { type: 'boolean' }, 'False', false],
    ['text to null', { type: ['integer', 'null'] }, 'null', null],
    ['a number to text', { type: 'string' }, 7, '7'],
    ['a boolean to text', { type: 'string' }, false, 'false'],
    ['a number to text of an enum', { enum: ['1', '2'] }, 1, '1'],
    ['text to a number of an enum', { enum: [1, 2] }, '2', 2],
    ['JSON text to an object', { type: 'object' }, '{"a":1}', { a: 1 }],
    ['JSON text to an array', { type: 'array', items: {} }, ' [1,"2"]', [1, '2']],
    ['items', { type: 'array', items: { type: 'integer' } }, ['1', 2], [1, 2]],
    [
      'items by place',
      { prefixItems: [{}, { type: 'integer' }], type: 'array' },
      ['1', '2'],
      ['1', 2],
    ],
    ['members', { type: 'object', properties: { a: { type: 'integer' } } }, { a: '1' }, { a: 1 }],
    [
      'further members',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { b: '1' },
      { b: 1 },
    ],
    [
      'members by patterns of their names',
      {
        type: 'object',
        properties: { x_a: { type: 'boolean' } },
        patternProperties: { '^x_': {}, _n$: { type: 'integer' } },
        additionalProperties: { type: 'number' },
      },
      { x_a: 'true', b_n: '1', x_c: '1', d: '1.5' },
      { x_a: true, b_n: 1, x_c: '1', d: 1.5 },
    ],
    ['what JSON text holds', { type: 'array', items: { type: 'integer' } }, '["1"]', [1]],
    [
      'through allOf',
      { allOf: [{ type: 'object' }, { properties: { a: { type: 'integer' } } }] },
      { a: '1' },
      { a: 1 },
    ],
    ['to the one scalar of anyOf', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '5', 5],
  ])('turns %s', (_, schema, given, read) => {
    expect(readArguments(taking(schema), { x: given })).toEqual({ x: read });
  });

  test('follows references as deep as they go', () => {
    const tool = taking({ $ref: '#/$defs/T' }, { T: TREE });

    const read = readArguments(tool, { x: { size: '1', kids: [{ kids: [{ size: '2' }] }] } });

    expect(read).toEqual({ x: { size: 1, kids: [{ kids: [{ size: 2 }] }] } });
  });

  test.each([
    ['text where text may stand', { type: ['string', 'integer'] }, '12'],
    [
      'text where one alternative is text',
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      '12',
    ],
    [
      'JSON text where text may stand',
      { anyOf: [{ type: 'object' }, { type: 'string' }] },
      '{"a":1}',
    ],
    ['anything without a type', {}, '12'],
    ['a multiple of a fraction', { type: 'number', multipleOf: 0.1 }, 0.3],
    [
      'repeated items where another alternative allows them',
      {
        anyOf: [
          { type: 'array', uniqueItems: true },
          { type: 'array', maxItems: 2 },
        ],
      },
      [1, 1],
    ],
    ['a text of as many characters as may be, some of them pairs', { maxLength: 2 }, '😀😀'],
    [
      'what a condition is not about',
      JSON.parse('{"if":{"uniqueItems":true},"then":{"maxItems":1}}'),
      [1, 1],
    ],
    ['a whole float for an integer', { type: 'integer' }, 3.0],
  ])('leaves %s', (_, schema, given) => {
    expect(readArguments(taking(schema), { x: given })).toEqual({ x: given });
  });

  test('takes missing arguments for none', () => {
    expect(readArguments(taking({}), undefined)).toEqual({});
  });
});

describe('refusing arguments', () => {
  test.each([
    ['text for an integer', { type: 'integer' }, 'a', 'must be an integer'],
    ['a fraction for an integer', { type: 'integer' }, '1.5', 'must be an integer'],
    ['leading zeros', { type: 'integer' }, '007', 'must be an integer'],
    ['empty text for a number', { type: 'number' }, '', 'must be a number'],
    ['1 for a boolean', { type: 'boolean' }, 1, 'must be a boolean'],
    ['plain text for an array', { type: 'array', items: {} }, 'a', 'must be an array'],
    ['broken JSON text', { type: 'object' }, '{"a":', 'must be an object'],
    ['JSON text of another type', { type: 'object' }, '[1]', 'must be an object'],
    [
      'what none of two types fits',
      { type: ['integer', 'null'] },
      'a',
      'must be an integer or null',
    ],
    ['too small', { type: 'integer', minimum: 3 }, 2, 'must be at least 3'],
    ['too large', { type: 'integer', maximum: 3 }, 4, 'must be at most 3'],
    ['not above', { type: 'number', exclusiveMinimum: 3 }, 3, 'must be greater than 3'],
    ['not below', { type: 'number', exclusiveMaximum: 3 }, 3, 'must be less than 3'],
    ['no multiple', { type: 'number', multipleOf: 0.5 }, 0.7, 'must be a multiple of 0.5'],
    [
      'no multiple, with many digits',
      { type: 'integer', multipleOf: 5 },
      '9007199254740993',
      'must be a multiple of 5',
    ],
    ['too short', { type: 'string', minLength: 2 }, 'a', 'must have at least 2 characters'],
    ['too long', { type: 'string', maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    ['no match', { type: 'string', pattern: '^[a-z]+$' }, 'A', 'must match the pattern ^[a-z]+$'],
    [
      'no match of an ES5 pattern',
      { type: 'string', pattern: '^\\_[a\\-z]+$' },
      'A',
      'must match the pattern ^_[a\\-z]+$',
    ],
    ['not in the enum', { enum: ['a', 'b'] }, 'c', 'must be one of "a", "b"'],
    ['not the constant', { const: 'a' }, 'b', 'must be "a"'],
    ['no UUID', { type: 'string', format: 'uuid' }, 'x', 'must be a UUID'],
    [
      'no date',
      { type: 'string', format: 'date' },
      '2030-02-30',
      'must be a date, such as 2030-01-31',
    ],
    [
      'no time',
      { type: 'string', format: 'date-time' },
      '2030-01-31',
      'must be a date and time, such as 2030-01-31T12:00:00Z',
    ],
    ['too few items', { type: 'array', items: {}, minItems: 1 }, [], 'must have at least 1 items'],
    [
      'too many items',
      { type: 'array', items: {}, maxItems: 1 },
      [1, 2],
      'must have at most 1 items',
    ],
    [
      'an item twice',
      { type: 'array', items: {}, uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'must not hold the same item twice',
    ],
    [
      'no item that must be',
      { type: 'array', contains: { const: 1 } },
      [2],
      'lacks an item that is required in it',
    ],
    ['too few members', { type: 'object', minProperties: 1 }, {}, 'must have at least 1 members'],
    [
      'too few items of a kind',
      { type: 'array', contains: { const: 1 }, minContains: 2 },
      [1, 2],
      'must have at least 2 of the items required in it',
    ],
    [
      'too many items of a kind',
      { type: 'array', contains: { const: 1 }, maxContains: 1 },
      [1, 1],
      'must have at most 1 of the items required in it',
    ],
    ['what is excluded', { not: { type: 'string' } }, 'a', 'is excluded by the schema'],
    [
      'what is excluded elsewhere',
      { not: { $ref: '#/$defs/N' } },
      'a',
      'is excluded by the schema',
    ],
    [
      'no alternative by type',
      { anyOf: [{ type: 'object' }, { type: 'array' }] },
      1,
      'must be an object or an array',
    ],
    [
      'a rounded integer',
      { type: 'integer' },
      2 ** 53,
      'is beyond 2^53, where JSON numbers lose digits: send it as text',
    ],
    [
      'a rounded id for text',
      { type: 'string' },
      123456789012345680000,
      'is beyond 2^53, where JSON numbers lose digits: send it as text',
    ],
    [
      'an integer of too many digits',
      { type: 'integer' },
      '900719925474099300000',
      'must be an integer',
    ],
    [
      'half a character',
      { type: 'string' },
      'a\ud800',
      'is not valid Unicode (half of a surrogate pair)',
    ],
  ])('says what is wrong: %s', (_, schema, given, message) => {
    const tool = taking(schema, { N: { type: 'string' } });

    expect(refusalOf(() => readArguments(tool, { x: given }))).toMatchObject({
      code: 'invalid_params',
      errors: [{ path: '/x', message }],
    });
  });

  test.each([
    [
      'a member',
      { type: 'object', properties: { a: { type: 'integer' } } },
      { a: 'z' },
      '/x/a',
      'must be an integer',
    ],
    ['a missing member', { type: 'object', required: ['a'] }, {}, '/x/a', 'is required'],
    [
      'a further member',
      { type: 'object', properties: { a: {}, b: {} }, additionalProperties: false },
      { c: 1 },
      '/x/c',
      'is not allowed here, only a, b',
    ],
    [
      'an item',
      { type: 'array', items: { type: 'integer' } },
      [1, 'z'],
      '/x/1',
      'must be an integer',
    ],
    [
      'an awkward name',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { 'a/b~ü #%': 'z' },
      '/x/a~1b~0ü #%',
      'must be an integer',
    ],
    [
      'a name',
      { type: 'object', propertyNames: { maxLength: 1 } },
      { ab: 1 },
      '/x/ab',
      'has a name that is not allowed',
    ],
    [
      'the nearest of two forms',
      {
        oneOf: [
          { type: 'object', required: ['a', 'b'] },
          { type: 'object', properties: { c: { type: 'integer' } } },
        ],
      },
      { c: 'z' },
      '/x/c',
      'must be an integer',
    ],
    [
      'a referenced schema',
      { $ref: '#/$defs/T' },
      { kids: [{ size: 'z' }] },
      '/x/kids/0/size',
      'must be an integer',
    ],
    [
      'a condition that all values meet',
      JSON.parse('{"if":{"uniqueItems":false},"then":{"required":["b"]}}'),
      {},
      '/x/b',
      'is required',
    ],
    [
      'a condition',
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'),
      { a: 1 },
      '/x/b',
      'is required',
    ],
  ])('says where: %s', (_, schema, given, path, message) => {
    const tool = taking(schema, { T: TREE });

    expect(refusalOf(() => readArguments(tool, { x: given }))).toMatchObject({
      errors: [{ path, message }],
    });
  });

  test.each([
    ['a list', []],
    ['text', 'x=1'],
    ['a number', 3],
  ])('refuses %s in place of the arguments', (_, given) => {
    expect(refusalOf(() => readArguments(taking({}), given))).toMatchObject({
      code: 'invalid_params',
      errors: [{ path: '', message: 'must be an object' }],
    });
  });

  test('takes null for no arguments', () => {
    expect(readArguments(taking({}), null)).toEqual({});
  });

  test('names all faults in one sentence that a model can act on', () => {
    const tool = aTool(
      { parameters: [aParameter('path', 'id'), aParameter('query', 'limit')] },
      { properties: { id: { type: 'string' }, limit: { type: 'integer' } }, required: ['id'] },
    );

    const { description } = refusalOf(() => readArguments(tool, { limit: 'many' }));

    expect(description).toBe('Invalid arguments: /id is required; /limit must be an integer.');
  });

  test('names at most twenty', () => {
    const tool = taking({ type: 'array', items: { type: 'integer' } });

    const { errors, description } = refusalOf(() =>
      readArguments(tool, { x: Array.from({ length: 30 }, () => 'a') }),
    );

    expect(errors).toHaveLength(20);
    expect(description).toMatch(/There are more faults than these\.$/);
  });

  test('names as many of arguments with very many values', () => {
    const tool = taking({ type: 'array', items: { type: 'integer' } });
    const { errors } = refusalOf(() =>
      readArguments(tool, { x: Array.from({ length: 50_000 }, (_, at) => (at % 2 ? 'a' : at)) }),
    );

    expect(errors).toHaveLength(20);
    expect((errors as unknown[])[19]).toEqual({ path: '/x/39', message: 'must be an integer' });
  });

  test('never repeats a value, neither to the caller nor to the log', () => {
    const canary = 'canary-4711';
    const tool = taking({
      type: 'object',
      properties: {
        a: { type: 'integer' },
        b: { enum: ['x'] },
        c: { type: 'string', pattern: '^x$', maxLength: 2, format: 'uuid' },
        d: { anyOf: [{ const: 1 }, { type: 'array' }] },
        e: { type: 'number', maximum: 1 },
      },
    });

    const act = () =>
      readArguments(tool, { x: { a: canary, b: canary, c: canary, d: canary, e: 471147 } });

    const told = (() => {
      try {
        return act();
      } catch (error) {
        const { description, data, why, message } = error as RpcRefusal;
        return JSON.stringify({ description, data, why, message });
      }
    })();
    expect(told).toContain('/x/e must be at most 1');
    expect(told).not.toMatch(/4711/);
  });
});

describe('arguments that the tool does not have', () => {
  test.each(['colour', '__proto__', 'constructor', 'toString'])('are refused: %s', (name) => {
    const tool = aTool({ parameters: [aParameter('query', 'color'), aParameter('query', 'size')] });

    expect(
      refusalOf(() => readArguments(tool, JSON.parse(`{"${name}":{"polluted":true}}`))),
    ).toMatchObject({
      errors: [
        {
          path: `/${name}`,
          message: `is not an argument of this tool${name === 'colour' ? ' (did you mean color?)' : ''}, which takes color, size`,
        },
      ],
    });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  const OF_N8N = { toolCallId: 'call_1', sessionId: 's', action: 'sendMessage', chatInput: 'Hi' };

  test.each([
    OF_N8N,
    { action: 'sendMessage' },
    { _accept_language: 'en', _conn_id: 'c', _session_key: 's' },
  ])('are left out where a client adds them to every call: %j', (added) => {
    const tool = aTool({ parameters: [aParameter('query', 'color')] });

    expect(readArguments(tool, { color: 'red', ...added })).toEqual({ color: 'red' });
  });

  test.each(['toolCallID', 'tool_call_id', 'session', 'chat_input', '_other', 'tool'])(
    'are refused where a client adds others: %s',
    (name) => {
      const tool = aTool({ parameters: [aParameter('query', 'color')] });

      expect(refusalOf(() => readArguments(tool, { [name]: 'x' }))).toMatchObject({
        errors: [{ path: `/${name}` }],
      });
    },
  );

  test("are the tool's own where it has one of that name", () => {
    const tool = aTool({ parameters: [aParameter('query', 'action')] });

    expect(readArguments(tool, OF_N8N)).toEqual({ action: 'sendMessage' });
  });

  test('are left out of a body that takes further properties only where such a client sends them', () => {
    const source = { kind: 'properties', properties: [], additional: true } as const;
    const tool = aTool(
      { body: aBody('json', 'application/json', [], { source }) },
      { additionalProperties: true },
    );

    expect(readArguments(tool, { color: 'red', ...OF_N8N })).toEqual({ color: 'red' });
    expect(readArguments(tool, { action: 'paint', sessionId: 7 })).toEqual({
      action: 'paint',
      sessionId: 7,
    });
  });

  test('are refused even where the schema would let them pass', () => {
    expect(
      refusalOf(() => readArguments(aTool({}, { additionalProperties: true }), { a: 1 })),
    ).toMatchObject({
      errors: [{ path: '/a', message: 'is not an argument of this tool, which takes none' }],
    });
  });

  test('go into a body that takes further properties, under any name', () => {
    const source = { kind: 'properties', properties: [], additional: true } as const;
    const tool = aTool(
      { body: aBody('json', 'application/json', [], { source }) },
      { additionalProperties: { type: 'integer' } },
    );

    const read = readArguments(tool, JSON.parse('{"a":"1","__proto__":2,"constructor":3}'));

    expect(JSON.stringify(read)).toBe('{"a":1,"__proto__":2,"constructor":3}');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

describe('bounds on what arguments may cost', () => {
  const body = aTool(
    { body: aWholeBody('json', 'application/json') },
    { properties: { body: {} } },
  );
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { deeper: nested(levels - 1) });

  test('64 levels are read, 65 are refused', () => {
    expect(() => readArguments(body, { body: nested(63) })).not.toThrow();
    expect(refusalOf(() => readArguments(body, { body: nested(64) })).errors).toEqual([
      { path: '', message: 'are nested deeper than 64 levels' },
    ]);
  });

  test('JSON text within JSON text counts as depth', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const tool = taking({ type: 'array', items: { $ref: '#/$defs/L' } }, { L: { type: 'array' } });

    expect(refusalOf(() => readArguments(tool, { x: deep })).errors).toEqual([
      { path: '', message: 'are nested deeper than 64 levels' },
    ]);
  });

  test('100,000 values are read, one more is refused', () => {
    const values = (count: number) => ({ body: Array.from({ length: count }, () => 0) });

    expect(() => readArguments(body, values(99_998))).not.toThrow();
    expect(refusalOf(() => readArguments(body, values(99_999))).errors).toEqual([
      { path: '', message: 'hold more than 100000 values' },
    ]);
  });

  test('a schema that doubles the work at every level is given up', () => {
    const twice = [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }];
    const A = { type: 'object', required: ['no'], properties: { deeper: { anyOf: twice } } };

    expect(
      refusalOf(() => readArguments(taking({ $ref: '#/$defs/A' }, { A }), { x: nested(50) }))
        .errors,
    ).toEqual([{ path: '', message: 'are too large to be checked for this tool' }]);
  });

  test('a schema that refers to itself without end is given up', () => {
    const defs = { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } };

    expect(refusalOf(() => readArguments(taking({ $ref: '#/$defs/A' }, defs), { x: 1 })).code).toBe(
      'invalid_params',
    );
  });

  describe('by how many schemas may speak of each member', () => {
    const many = (count: number) => Object.fromEntries(numbered(count, (at) => [`k${at}y`, 1]));
    const alternatives = numbered(2000, (at) => ({ properties: { [`p${at}`]: {} } }));
    const patterned = numbered(200, (at) => ({
      patternProperties: Object.fromEntries(numbered(20, (one) => [`^x${at}_${one}`, {}])),
    }));

    test.each([
      ['alternatives', { anyOf: alternatives }, { x: many(90_000) }],
      ['alternatives of items', { anyOf: alternatives }, { x: Array(90_000).fill(1) }],
      ['patterns of names', { anyOf: patterned }, { x: many(5000) }],
      ['patterns of long names', { anyOf: patterned }, { x: { ['x'.repeat(200_000)]: 1 } }],
    ])('thousands of %s are not held against thousands of them', (_, schema, args) => {
      expect(refusalOf(() => readArguments(taking(schema), args)).errors).toEqual([
        { path: '', message: 'are too large for this tool' },
      ]);
    });

    test('a few members are held against all of them', () => {
      expect(readArguments(taking({ anyOf: alternatives }), { x: many(100) })).toBeDefined();
      expect(readArguments(taking({ anyOf: patterned }), { x: many(10) })).toBeDefined();
    });

    test('patterns that stand there again and again are given up', () => {
      const P = { patternProperties: { '^k.*y$': {} } };
      const again = taking({ allOf: numbered(1000, () => ({ $ref: '#/$defs/P' })) }, { P });

      expect(readArguments(again, { x: many(10) })).toBeDefined();
      expect(refusalOf(() => readArguments(again, { x: many(1000) })).errors).toEqual([
        { path: '', message: 'are too large to be checked for this tool' },
      ]);
    });

    test.each([
      ['items that must differ', { uniqueItems: true }, many(100), many(1500)],
      ['texts to be counted', { maxLength: 3_000_000 }, 'x', 'x'.repeat(2_000_000)],
    ])('%s are not looked through again and again', (_, P, few, much) => {
      const again = taking({ allOf: numbered(1000, () => ({ $ref: '#/$defs/P' })) }, { P });
      const given = (value: unknown) => ({
        x: typeof value === 'object' ? Object.keys(value ?? {}) : value,
      });

      expect(readArguments(again, given(few))).toEqual(given(few));
      expect(refusalOf(() => readArguments(again, given(much))).errors).toEqual([
        { path: '', message: 'are too large to be checked for this tool' },
      ]);
    });

    test('members that are not allowed are reported, but not a thousand times each', () => {
      const P = { properties: { a: {} }, additionalProperties: false };
      const again = taking({ allOf: numbered(1000, () => ({ $ref: '#/$defs/P' })) }, { P });

      expect(refusalOf(() => readArguments(again, { x: many(1) })).errors).toEqual([
        { path: '/x/k0y', message: 'is not allowed here, only a' },
      ]);
      expect(refusalOf(() => readArguments(again, { x: many(1000) })).errors).toEqual([
        { path: '', message: 'are too large to be checked for this tool' },
      ]);
    });

    test('references are followed through hundreds of others, not through any number', () => {
      const chain = (length: number) =>
        taking(
          { $ref: '#/$defs/D1' },
          Object.fromEntries(
            numbered(length, (at) => [
              `D${at + 1}`,
              at + 1 < length ? { $ref: `#/$defs/D${at + 2}` } : { type: 'integer' },
            ]),
          ),
        );

      expect(readArguments(chain(499), { x: '1' })).toEqual({ x: 1 });
      expect(refusalOf(() => readArguments(chain(500), { x: '1' })).errors).toEqual([
        { path: '', message: 'are too large to be checked for this tool' },
      ]);
    });

    test.each([
      ['compositions', 'allOf', 'is required'],
      ['alternatives', 'anyOf', 'are too large to be checked for this tool'],
    ])(
      'faults below hundreds of %s at each level leave the router standing',
      (_, keyword, message) => {
        const hops = numbered(
          200,
          (at) => [`D${at}`, { [keyword]: [{ $ref: `#/$defs/D${at + 1}` }] }] as const,
        );
        const last = { properties: { deeper: { $ref: '#/$defs/D0' } }, required: ['deeper'] };
        const tool = taking({ $ref: '#/$defs/D0' }, { ...Object.fromEntries(hops), D200: last });
        const levels = (count: number): object =>
          count === 0 ? {} : { deeper: levels(count - 1) };

        expect(refusalOf(() => readArguments(tool, { x: levels(0) })).errors).toEqual([
          { path: '/x/deeper', message: 'is required' },
        ]);
        expect(refusalOf(() => readArguments(tool, { x: levels(60) })).errors).toEqual([
          { path: expect.any(String), message },
        ]);
      },
    );

    const large = (last: number) => ({
      ...Object.fromEntries(numbered(100, (at) => [`k${at}`, 1])),
      last,
    });
    test.each<[string, object, unknown, unknown]>([
      [
        'objects that differ in their last member',
        { enum: numbered(300, large) },
        numbered(300, () => large(-1)),
        { last: -1 },
      ],
      [
        'names that go with others',
        { dependentRequired: Object.fromEntries(numbered(5000, (at) => [`k${at}`, ['z']])) },
        numbered(20_000, () => ({})),
        {},
      ],
      [
        'texts whose characters are counted',
        { allOf: numbered(2000, (at) => ({ minLength: 60_000 + at })) },
        ['é'.repeat(100_000)],
        'é',
      ],
    ])('%s count by their size', (_, items, many, one) => {
      const tool = taking({ type: 'array', items });
      const messageFor = (x: readonly unknown[]) => {
        try {
          readArguments(tool, { x });
          return 'accepted';
        } catch (error) {
          return JSON.stringify((error as { data: unknown }).data);
        }
      };

      expect(messageFor([one])).not.toMatch(/too large/);
      expect(messageFor(many as readonly unknown[])).toMatch(/too large to be checked/);
    });

    test('the members of an object are counted once, however many schemas ask for their number', () => {
      const asking = numbered(2000, (at) => [`k${at}`, { minProperties: 1 }]);
      const items = { dependentSchemas: Object.fromEntries(asking) };
      const many = Object.fromEntries(numbered(50_000, (at) => [`k${at}`, 1]));

      expect(() => readArguments(taking({ type: 'array', items }), { x: [many] })).not.toThrow();
    });

    test('a description is not read for each value', async () => {
      const checked = (characters: number) => {
        const tool = taking({ type: 'array', items: { description: 'x'.repeat(characters) } });
        const x = numbered(20_000, () => ({}));
        return leastMs(() => readArguments(tool, { x }));
      };

      expect((await checked(50_000)) / (await checked(50))).toBeLessThan(4);
    });

    test('long patterns and classes of many ranges count as several', () => {
      const patterns = numbered(
        400,
        (at) => [`p${at}`, { pattern: `^${'\\p{L}'.repeat(50)}${at}$` }] as const,
      );
      const tool = taking({ type: 'object', properties: Object.fromEntries(patterns) });

      expect(refusalOf(() => readArguments(tool, { x: { p0: 'b' } })).code).toBe('invalid_params');
      expect(readArguments(tool, { x: { p399: 'b' } })).toEqual({ x: { p399: 'b' } });
    });

    test('patterns of texts beyond the first thousands are not run', () => {
      const all = numbered(4001, (at) => [`p${at}`, { type: 'string', pattern: '^a$' }] as const);
      const tool = taking({ type: 'object', properties: Object.fromEntries(all) });

      expect(refusalOf(() => readArguments(tool, { x: { p3999: 'b' } })).code).toBe(
        'invalid_params',
      );
      expect(readArguments(tool, { x: { p4000: 'b' } })).toEqual({ x: { p4000: 'b' } });
    });
  });

  test('a pattern that backtracks without end is not run', () => {
    const tool = taking({ type: 'string', pattern: '^(a+)+$' });

    expect(readArguments(tool, { x: `${'a'.repeat(60)}!` })).toEqual({ x: `${'a'.repeat(60)}!` });
  });
});

describe('schemas that are not what they seem', () => {
  test.each([
    ['an unknown format', { type: 'string', format: 'int-or-so' }, 'x'],
    ['a pattern that is none', { type: 'string', pattern: '[' }, 'x'],
    ['a reference to nothing', { $ref: '#/$defs/Nowhere' }, 'x'],
    ['alternatives that overlap', { oneOf: [{ type: 'string' }, { maxLength: 9 }] }, 'x'],
    ['an id in a default', { type: 'string', default: { $id: 'http://[', id: '::' } }, 'x'],
    ["the library's own keywords", { type: 'string', __absolute_ref__: '#', $id: 'http://[' }, 'x'],
    [
      'names of Object.prototype',
      { type: 'object', properties: { constructor: { type: 'string' } } },
      {},
    ],
    [
      'a negation that leads to more schemas than are looked at',
      { not: { anyOf: numbered(1000, () => ({ type: 'string' })) } },
      'x',
    ],
    ['a negation that cannot be checked', { not: { pattern: '^(a+)+$' } }, 'x'],
    [
      'a condition that cannot be checked',
      JSON.parse('{"if":{"pattern":"("},"then":{"type":"integer"}}'),
      'x',
    ],
    [
      'name patterns that cannot be run',
      { type: 'object', patternProperties: { '^(a+)+$': {} }, additionalProperties: false },
      { b: 1 },
    ],
    [
      'more name patterns than are tried',
      {
        type: 'object',
        patternProperties: Object.fromEntries(
          Array.from({ length: 21 }, (_, n) => [`^x${n}$`, { type: 'integer' }]),
        ),
        additionalProperties: false,
      },
      { x1: 'a', b: '1' },
    ],
  ])('let pass what they cannot judge: %s', (_, schema, given) => {
    expect(readArguments(taking(schema), { x: given })).toEqual({ x: given });
  });
});

describe('text that holds JSON', () => {
  const filters = { type: 'string', description: 'A JSON encoded value of the filters.' };

  test.each([
    ['an object', filters, { label: ['a'] }, '{"label":["a"]}'],
    ['a list', filters, [1, 2], '[1,2]'],
    ['an object, by its format', { type: 'string', format: 'json' }, { a: 1 }, '{"a":1}'],
    ['text as it is', filters, '{"a": 1}', '{"a": 1}'],
    ['an object, with all digits of its numbers', filters, { a: 0.1 }, '{"a":0.1}'],
  ])('may be given as %s', (_, schema, given, sent) => {
    expect(readArguments(taking(schema), { x: given })).toEqual({ x: sent });
  });

  test.each([
    ['text of any other kind', { type: 'string', description: 'A name.' }],
    ['a file', { ...filters, contentEncoding: 'base64' }],
    ['text of which only some values are allowed', { ...filters, enum: ['json', 'xml'] }],
    ['text that is too long then', { ...filters, maxLength: 3 }],
  ])('and %s may not', (_, schema) => {
    expect(refusalOf(() => readArguments(taking(schema), { x: { data: 'abc' } }))).toMatchObject({
      code: 'invalid_params',
    });
  });

  test('is no way around the bounds of arguments', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);

    expect(refusalOf(() => readArguments(taking(filters), { x: deep }))).toMatchObject({
      errors: [{ path: '', message: 'are nested deeper than 64 levels' }],
    });
  });
});

describe('lenient checks', () => {
  const schema = {
    properties: {
      id: { type: 'object', properties: { a: {} }, required: ['a'] },
      q: { type: 'integer' },
      filter: { $ref: '#/$defs/F' },
    },
    required: ['id', 'q', 'filter'],
    $defs: {
      F: {
        type: 'object',
        properties: { name: { type: 'string' }, kind: { enum: ['x'] }, one: {}, two: {} },
        required: ['name'],
        dependentRequired: { one: ['two'] },
        anyOf: [{ required: ['kind'] }, { required: ['one'] }],
        not: { required: ['two', 'kind'] },
        ...JSON.parse('{"if":{"required":["kind"]},"then":{"required":["two"]}}'),
      },
    },
  };
  const tool = aTool(
    {
      parameters: [
        aParameter('path', 'id'),
        aParameter('query', 'q', { required: true }),
        aParameter('query', 'filter', { required: true }),
      ],
    },
    schema,
  );
  const lenient = (args: object) => readArguments(tool, args, { checks: 'lenient' });
  const id = { a: 1 };

  test.each([
    ['arguments', { id }],
    ['members', { id, filter: {} }],
    ['members that another one needs', { id, filter: { one: 1 } }],
    ['what a condition asks for', { id, filter: { kind: 'x' } }],
  ])('let missing %s pass, which strict ones do not', (_, args) => {
    expect(lenient(args)).toEqual(args);
    expect(refusalOf(() => readArguments(tool, args)).code).toBe('invalid_params');
  });

  test.each<[string, object, string]>([
    ['what the path needs', {}, '/id'],
    ['what a part of the path needs', { id: {} }, '/id/a'],
    ['a structure of another kind', { id: 'x' }, '/id'],
    ['a value that is not among those allowed', { id, filter: { kind: 'y' } }, '/filter/kind'],
    ['what is excluded', { id, filter: { two: 1, kind: 'x' } }, '/filter'],
    ['what the tool does not have', { id, extra: 1 }, '/extra'],
  ])('refuse %s', (_, args, path) => {
    expect(refusalOf(() => lenient(args)).errors).toEqual([expect.objectContaining({ path })]);
  });

  test.each<[string, object, boolean]>([
    ['a list for an object', { any: [1] }, true],
    ['an object for a list', { list: { a: 1 } }, true],
    ['a scalar for an object', { any: 'x' }, false],
    ['a list for an object of the query', { q: ['x'] }, false],
  ])('take %s: %s', (_, args, isTaken) => {
    const described = aTool(
      {
        method: 'POST',
        body: aBody('json', 'application/json', ['any', 'list']),
        parameters: [aParameter('query', 'q')],
      },
      {
        properties: { any: { type: 'object' }, list: { type: 'array' }, q: { type: 'object' } },
      },
    );
    const read = () => readArguments(described, args, { checks: 'lenient' });

    expect(isTaken ? read() : refusalOf(read).code).toEqual(isTaken ? args : 'invalid_params');
    expect(refusalOf(() => readArguments(described, args)).code).toBe('invalid_params');
  });

  test('leave choices of which one is needed to the API, and count as before', () => {
    const rules = [
      { kind: 'needs' as const, sets: [['a'], ['b']] },
      { kind: 'counts' as const, of: ['a', 'b'], most: 1 },
    ];
    const body = aBody('json', 'application/json', ['a', 'b']);
    const ruled = aTool({ method: 'POST', body, rules }, { properties: { a: {}, b: {} } });

    expect(readArguments(ruled, {}, { checks: 'lenient' })).toEqual({});
    expect(
      refusalOf(() => readArguments(ruled, { a: 1, b: 1 }, { checks: 'lenient' })).description,
    ).toContain('at most 1');
  });
});

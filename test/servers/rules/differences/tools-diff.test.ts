import { describe, expect, test } from '@jest/globals';
import {
  NO_DIFFERENCE,
  toolsDiff,
} from '../../../../layers/servers/rules/differences/tools-diff.ts';
import type { IndexedTool } from '../../../../layers/openapi/tool-index.ts';

const aTool = (
  name: string,
  schema: object = {},
  over: { description?: string; operation?: object; fixed?: object } = {},
): IndexedTool =>
  ({
    name,
    listed: JSON.stringify({
      name,
      description: over.description ?? 'Does it.',
      inputSchema: { type: 'object', ...schema },
    }),
    operation: {
      method: 'GET',
      path: `/${name}`,
      serverUrl: 'https://api.example.com',
      parameters: [],
      accept: [],
      ...over.operation,
    },
    ...(over.fixed && { fixed: over.fixed }),
  }) as IndexedTool;

const diff = (before: readonly IndexedTool[], after: readonly IndexedTool[]) =>
  toolsDiff({ format: 1, tools: before }, { format: 1, tools: after });

const withArgument = (schema: object, required = false, $defs?: object) => ({
  properties: { a: schema },
  ...(required && { required: ['a'] }),
  ...($defs && { $defs }),
});

const changes = (before: object, after: object) => {
  const [change] = diff([aTool('t', before)], [aTool('t', after)]).changed;
  return change && { breaking: change.breaking, changes: change.changes };
};

describe('the difference between two versions of a deployment', () => {
  test('is empty where nothing changed', () => {
    const tools = [aTool('one', withArgument({ type: 'string' })), aTool('two')];

    expect(diff(tools, tools)).toEqual({ added: [], removed: [], changed: [], breaking: false });
  });

  test('lists added tools as not breaking', () => {
    expect(diff([aTool('one')], [aTool('one'), aTool('two')])).toEqual({
      added: ['two'],
      removed: [],
      changed: [],
      breaking: false,
    });
  });

  test('lists removed tools as breaking', () => {
    expect(diff([aTool('one'), aTool('two')], [aTool('one')])).toMatchObject({
      removed: ['two'],
      breaking: true,
    });
  });

  test.each<[string, Parameters<typeof aTool>[2], string]>([
    ['a description', { description: 'Other.' }, 'the description changed'],
    [
      'a path',
      { operation: { path: '/other' } },
      'the request was GET https://api.example.com/t and is GET https://api.example.com/other',
    ],
    [
      'what is asked for',
      { operation: { accept: ['text/plain'] } },
      'answers are wanted as `text/plain`, and were as nothing in particular',
    ],
    [
      'what calls need',
      { operation: { security: [['bearer'], ['key', 'signature']] } },
      'calls need `bearer`, or `key` with `signature`, and needed no credential that is described',
    ],
    [
      'a header',
      { operation: { headers: { 'x-version': '2' } } },
      'header `x-version` is sent as "2"',
    ],
    [
      'a body',
      {
        operation: {
          body: {
            required: true,
            mediaType: 'application/json',
            form: 'json',
            source: { kind: 'whole', argument: 'body' },
          },
        },
      },
      'a body is sent, as application/json',
    ],
    ['a fixed argument', { fixed: { a: 1 } }, 'argument `a` is fixed to 1 now'],
  ])('lists a change of %s as not breaking', (_, over, text) => {
    expect(diff([aTool('t')], [aTool('t', {}, over)])).toEqual({
      added: [],
      removed: [],
      changed: [{ name: 't', breaking: false, changes: [text] }],
      breaking: false,
    });
  });

  test('holds lists against what they leave out, and calls are held against', () => {
    const withUnlisted = (values: readonly number[]) =>
      aTool('t', withArgument({ type: 'integer' }), {
        operation: { unlisted: { '/properties/a': { enum: values } } },
      });
    const { changed } = diff([withUnlisted([1, 2])], [withUnlisted([1])]);

    expect(changed).toEqual([
      { name: 't', breaking: true, changes: ['argument `a` no longer takes 2'] },
    ]);
    expect(diff([withUnlisted([1])], [withUnlisted([1, 2])]).breaking).toBe(false);
  });

  test.each([
    ['always', 'constants', 'dry_run'],
    ['where it is not given', 'defaults', '/properties/dry_run'],
  ])('breaks where another value is sent %s, and names one that is sent anew', (_, kind, key) => {
    const sending = (value?: boolean) =>
      aTool('t', {}, value === undefined ? {} : { operation: { [kind]: { [key]: value } } });

    expect(diff([sending(true)], [sending(false)]).changed).toEqual([
      {
        name: 't',
        breaking: true,
        changes: ['`dry_run` is sent as false in place of true'],
      },
    ]);
    expect(diff([sending()], [sending(true)]).changed).toEqual([
      {
        name: 't',
        breaking: false,
        changes: ['`dry_run` is sent as true where nobody gives it'],
      },
    ]);
  });

  test('is empty for a tool that is stored and read back, whatever made it', () => {
    const made = aTool('t', withArgument({ type: 'string', enum: ['a', 'b'] }, true), {
      operation: {
        accept: ['application/json'],
        security: [['bearer']],
        headers: undefined,
        constants: { zero: -0 },
      },
      fixed: { b: { one: 1, two: 2 } },
    });
    const { name, listed, fixed, operation } = made;
    const { security, ...others } = JSON.parse(JSON.stringify(operation));
    const back = {
      fixed: { b: { two: 2, one: 1 } },
      operation: { security, ...others },
      listed,
      name,
    };

    expect(fixed).toBeDefined();
    expect(diff([made], [back as IndexedTool])).toEqual(NO_DIFFERENCE);
    expect(diff([back as IndexedTool], [made])).toEqual(NO_DIFFERENCE);
  });

  test('is empty where lists that are sets have another order', () => {
    const tool = (required: readonly string[], values: readonly string[]) =>
      aTool('t', { properties: { a: { enum: values }, b: {} }, required });

    expect(diff([tool(['a', 'b'], ['x', 'y'])], [tool(['b', 'a'], ['y', 'x'])])).toEqual(
      NO_DIFFERENCE,
    );
  });

  test('names a tool of the same method and path as renamed, and what differs of it besides', () => {
    const before = aTool('getBook', {}, { operation: { path: '/books/{id}' } });
    const after = aTool('readBook', withArgument({}, true), {
      operation: { path: '/books/{bookId}' },
    });

    expect(diff([before, aTool('gone')], [after, aTool('new')])).toEqual({
      added: ['new'],
      removed: ['gone'],
      renamed: [{ before: 'getBook', after: 'readBook' }],
      changed: [
        {
          name: 'readBook',
          breaking: true,
          changes: [
            'argument `a` is new, and required',
            'the request was GET https://api.example.com/books/{id} and is GET https://api.example.com/books/{bookId}',
          ],
        },
      ],
      breaking: true,
    });
  });

  test('takes none of two tools of one request for the other under a new name', () => {
    const at = (name: string) => aTool(name, {}, { operation: { path: '/search' } });

    expect(diff([at('one'), at('two')], [at('three')])).toEqual({
      added: ['three'],
      removed: ['one', 'two'],
      changed: [],
      breaking: true,
    });
  });

  test('says once that the API is somewhere else', () => {
    const at = (serverUrl: string) => (name: string) =>
      aTool(name, {}, { operation: { serverUrl } });
    const [old, now] = ['https://api.example.com', 'https://new.example.com'];
    const names = ['one', 'two', 'three'];

    expect(diff(names.map(at(old)), names.map(at(now)))).toEqual({
      ...NO_DIFFERENCE,
      moved: [{ before: old, after: now }],
    });
    expect(diff(['one', 'two'].map(at(old)), [at(old)('one'), at(now)('two')])).toEqual({
      ...NO_DIFFERENCE,
      changed: [
        {
          name: 'two',
          breaking: false,
          changes: [`the request was GET ${old}/two and is GET ${now}/two`],
        },
      ],
    });
  });

  test('breaks where a rule of arguments comes, and not where one goes', () => {
    const ruled = aTool(
      't',
      {},
      {
        operation: { rules: [{ kind: 'needs', when: ['c'], sets: [['a'], ['a', 'b']] }] },
      },
    );

    expect(diff([aTool('t')], [ruled]).changed).toEqual([
      {
        name: 't',
        breaking: true,
        changes: ['`a`, or `a` with `b`, where `c` is given, has to be given now'],
      },
    ]);
    expect(diff([ruled], [aTool('t')]).breaking).toBe(false);
  });

  test.each<[string, object, object, readonly string[]]>([
    ['a new argument', {}, withArgument({}), ['argument `a` is new, and may be left out']],
    [
      'one that may be left out',
      withArgument({}, true),
      withArgument({}),
      ['argument `a` may be left out now'],
    ],
    [
      'values that come and go',
      withArgument({ enum: ['a', 'b'] }),
      withArgument({ enum: ['b', 'c'] }),
      ['argument `a` no longer takes "a"', 'argument `a` takes "c" as well'],
    ],
    [
      'a wider bound',
      withArgument({ maximum: 5 }),
      withArgument({ maximum: 6 }),
      ['argument `a` has `maximum` 6 in place of 5'],
    ],
    [
      'another text',
      withArgument({ description: 'One.' }),
      withArgument({ description: 'Two.' }),
      ['argument `a` is described differently'],
    ],
    [
      'another default',
      withArgument({ default: 1 }),
      withArgument({ default: 2 }),
      ['the default of argument `a` is 2, and was 1'],
    ],
  ])('says in words: %s', (_, before, after, texts) => {
    expect(changes(before, after)?.changes).toEqual(texts);
  });

  test('ignores a change of the operationId', () => {
    const renamed = aTool('t', {}, { operation: { operationId: 'other' } });

    expect(diff([aTool('t')], [renamed]).changed).toEqual([]);
  });

  test.each<[string, object, object]>([
    ['a new optional argument', {}, withArgument({ type: 'string' })],
    [
      'an argument that is no longer required',
      withArgument({ type: 'string' }, true),
      withArgument({ type: 'string' }),
    ],
    [
      'another description',
      withArgument({ type: 'string' }),
      withArgument({ type: 'string', description: 'x' }),
    ],
    ['another default', withArgument({ default: 1 }), withArgument({ default: 2 })],
    ['more types', withArgument({ type: 'string' }), withArgument({ type: ['string', 'null'] })],
    ['any type', withArgument({ type: 'string' }), withArgument({})],
    [
      'numbers in place of integers',
      withArgument({ type: 'integer' }),
      withArgument({ type: 'number' }),
    ],
    ['more values', withArgument({ enum: ['a'] }), withArgument({ enum: ['a', 'b'] })],
    ['any value', withArgument({ enum: ['a'] }), withArgument({ type: 'string' })],
    ['a wider bound', withArgument({ maximum: 5 }), withArgument({ maximum: 6 })],
    ['no bound', withArgument({ minLength: 5, pattern: '^a' }), withArgument({})],
    [
      'the same schema by reference',
      withArgument({ type: 'string' }),
      withArgument({ $ref: '#/$defs/A' }, false, { A: { type: 'string' } }),
    ],
  ])('lists %s as not breaking', (_, before, after) => {
    expect(changes(before, after)).toMatchObject({ breaking: false });
  });

  test.each<[string, object, object, string]>([
    [
      'a new required argument',
      {},
      withArgument({ type: 'string' }, true),
      'argument `a` is new, and required',
    ],
    [
      'an argument that becomes required',
      withArgument({}),
      withArgument({}, true),
      'argument `a` is required now',
    ],
    [
      'an argument that is removed',
      withArgument({ type: 'string' }),
      { properties: {} },
      'argument `a` is gone',
    ],
    [
      'another type',
      withArgument({ type: 'string' }),
      withArgument({ type: 'integer' }),
      'argument `a` takes integer now, and took string',
    ],
    [
      'a type where any type was accepted',
      withArgument({}),
      withArgument({ type: 'string' }),
      'argument `a` takes string now, and took anything',
    ],
    [
      'integers in place of numbers',
      withArgument({ type: 'number' }),
      withArgument({ type: 'integer' }),
      'argument `a` takes integer now, and took number',
    ],
    [
      'fewer values',
      withArgument({ enum: ['a', 'b'] }),
      withArgument({ enum: ['a'] }),
      'argument `a` no longer takes "b"',
    ],
    [
      'an enum where any value was accepted',
      withArgument({}),
      withArgument({ enum: ['a'] }),
      'argument `a` takes only "a" now',
    ],
    [
      'a const in place of an enum',
      withArgument({ enum: ['a', 'b'] }),
      withArgument({ const: 'a' }),
      'argument `a` no longer takes "b"',
    ],
    [
      'a tighter bound',
      withArgument({ maximum: 6 }),
      withArgument({ maximum: 5 }),
      'argument `a` has `maximum` 5 in place of 6',
    ],
    [
      'a new bound',
      withArgument({}),
      withArgument({ minLength: 1 }),
      'argument `a` has `minLength` 1 now',
    ],
    [
      'another pattern',
      withArgument({ pattern: '^a' }),
      withArgument({ pattern: '^b' }),
      'argument `a` has `pattern` "^b" in place of "^a"',
    ],
    [
      'an inner property that is removed',
      withArgument({ properties: { b: {} } }),
      withArgument({ properties: {} }),
      'argument `a.b` is gone',
    ],
    [
      'items of another type',
      withArgument({ items: { type: 'string' } }),
      withArgument({ items: { type: 'number' } }),
      'argument `a[]` takes number now, and took string',
    ],
    [
      'keywords that cannot be compared',
      withArgument({}),
      withArgument({ anyOf: [{}, {}] }),
      'argument `a` has other rules (`anyOf`)',
    ],
    [
      'a component that changed',
      withArgument({ $ref: '#/$defs/A' }, false, { A: {} }),
      withArgument({ $ref: '#/$defs/A' }, false, { A: { type: 'string' } }),
      'argument `a` takes string now, and took anything',
    ],
  ])('lists %s as breaking', (_, before, after, text) => {
    expect(changes(before, after)).toMatchObject({
      breaking: true,
      changes: expect.arrayContaining([text]),
    });
  });

  const withOutput = (schema: object | undefined): IndexedTool => ({
    ...aTool('t'),
    ...(schema && {
      output: {
        schema: JSON.stringify(schema),
        names: { note: '_note', answer: '_answer', parts: '_parts' },
        hasObjects: true,
      },
    }),
  });
  const answers = (before: object | undefined, after: object | undefined) => {
    const { changed, breaking } = diff([withOutput(before)], [withOutput(after)]);
    return [changed[0]?.changes, changed[0]?.breaking, breaking];
  };
  const answering = (name: object) => ({ type: 'object', properties: { name } });
  const TEXT = answering({ type: ['string', 'null'] });
  const OTHER = ['the output schema is another one'];

  test('reports structured results, which break clients that know another schema', () => {
    const anything = answering({});
    const list = answering({ type: ['array'], items: { type: ['string'] } });
    const ofNumbers = answering({ type: ['array'], items: { type: ['number'] } });
    const ofIntegers = answering({ type: ['array'], items: { type: ['integer'] } });

    expect(answers(TEXT, TEXT)).toEqual([undefined, undefined, false]);
    expect(answers(undefined, TEXT)).toEqual([['the results are structured'], false, false]);
    expect(answers(TEXT, undefined)).toEqual([
      ['the results are no longer structured'],
      true,
      true,
    ]);
    expect(answers(TEXT, answering({ type: ['integer'] }))).toEqual([OTHER, true, true]);
    expect(answers(TEXT, anything)).toEqual([OTHER, true, true]);
    expect(answers(list, ofNumbers)).toEqual([OTHER, true, true]);
    expect(answers(ofIntegers, ofNumbers)).toEqual([OTHER, true, true]);
    expect(answers(ofNumbers, ofIntegers)).toEqual([OTHER, false, false]);
    expect(answers(anything, TEXT)).toEqual([OTHER, false, false]);
    expect(answers(TEXT, { type: 'object', properties: { age: {} } })).toEqual([
      OTHER,
      false,
      false,
    ]);
  });

  test('is computed for recursive schemas', () => {
    const tree = (type: string) =>
      withArgument({ $ref: '#/$defs/Tree' }, false, {
        Tree: { properties: { value: { type }, child: { $ref: '#/$defs/Tree' } } },
      });

    expect(changes(tree('string'), tree('number'))).toMatchObject({ breaking: true });
    expect(changes(tree('string'), tree('string'))).toBeUndefined();
  });

  // Place by place there are more than a thousand million of these.
  test('is computed once for components that contain themselves at several places', () => {
    const expression = (type: string) =>
      withArgument({ $ref: '#/$defs/E' }, false, {
        E: {
          properties: {
            value: { type },
            ...Object.fromEntries(['and', 'or', 'not'].map((one) => [one, { $ref: '#/$defs/E' }])),
          },
        },
      });

    expect(changes(expression('string'), expression('number'))).toEqual({
      breaking: true,
      changes: ['argument `a.value` takes number now, and took string'],
    });
  });

  test('ends for arguments of which every component refers to every other', () => {
    const mesh = (count: number, type: string) => {
      const properties = Object.fromEntries(
        Array.from({ length: count }, (_, to) => [`p${to}`, { $ref: `#/$defs/D${to}` }]),
      );
      const names = Array.from({ length: count }, (_, at) => `D${at}`);
      const all = names.map((name) => [name, { properties: { ...properties, own: { type } } }]);
      return withArgument({ $ref: '#/$defs/D0' }, false, Object.fromEntries(all));
    };
    const found = changes(mesh(400, 'string'), mesh(399, 'string'));

    expect(found?.breaking).toBe(true);
    expect(found?.changes).toContain('argument `a.p399` is gone');
  });

  test('shortens what it names', () => {
    const deep = withArgument({ properties: { ['b'.repeat(1000)]: {} } });
    const [gone = ''] = changes(deep, withArgument({ properties: {} }))?.changes ?? [];

    expect(gone.length).toBeLessThan(250);
  });
});

test('values and patterns count each time that a reference leads to them', () => {
  // Two circles of components whose lengths have no divisor in common: every pair of them meets.
  const circle = (count: number, schemaOf: (at: number) => object) => ({
    properties: { a: { $ref: '#/$defs/A0' } },
    $defs: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `A${at}`,
        { ...schemaOf(at), properties: { next: { $ref: `#/$defs/A${(at + 1) % count}` } } },
      ]),
    ),
  });
  const long = 'x'.repeat(400);
  for (const schemaOf of [
    () => ({ enum: [long] }),
    () => ({ pattern: long }),
    (): object => ({ allOf: [{ pattern: long }] }),
  ]) {
    expect(changes(circle(199, schemaOf), circle(200, schemaOf))).toEqual({
      breaking: true,
      changes: ['the arguments are too large to be compared further'],
    });
  }
  const titled = () => ({ title: long });
  expect(changes(circle(199, titled), circle(200, titled))?.breaking).toBe(false);
});

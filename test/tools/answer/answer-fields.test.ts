import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chosenMembers } from '../../../layers/tools/answer/answer-fields.ts';
import { runs } from '../../support/generated/runs.ts';
import { leastMs } from '../../support/growth.ts';

const ANSWER = {
  data: [
    { id: 1, name: 'Rex', owner: { name: 'Ada', mail: 'a@example.com' }, tags: ['a', 'b'] },
    { id: 2, name: 'Tom', owner: null, tags: [] },
  ],
  meta: { total: 2, 'a/b~c': 'x' },
};

const chosen = (answer: unknown, ...pointers: string[]) => {
  const { text, ...rest } = chosenMembers(JSON.stringify(answer), pointers) ?? { text: 'null' };
  return { value: JSON.parse(text), ...rest };
};

describe('the chosen members of an answer', () => {
  test.each<[readonly string[], unknown]>([
    [['/data/*/id'], { data: [{ id: 1 }, { id: 2 }] }],
    [['/data/*/owner/name'], { data: [{ owner: { name: 'Ada' } }, {}] }],
    [['/data/1'], { data: [ANSWER.data[1]] }],
    [
      ['/data/*/tags/0', '/meta/total'],
      { data: [{ tags: ['a'] }, { tags: [] }], meta: { total: 2 } },
    ],
    [['/meta/a~1b~0c'], { meta: { 'a/b~c': 'x' } }],
    [['/*/total'], { data: [], meta: { total: 2 } }],
    [['/data', '/data/*/id'], { data: ANSWER.data }],
    [['/data/*/*/name'], { data: [{ owner: { name: 'Ada' }, tags: [] }, { tags: [] }] }],
  ])('of %j are those that it has, and what leads to them', (pointers, value) => {
    expect(chosen(ANSWER, ...pointers)).toEqual({ value, missing: [], isEmpty: false });
  });

  test('stay as they were sent: digits, escapes, and members that come twice', () => {
    const text = ' { "n" : 12345678901234567890.10 ,"s":"\\u00e9\\/", "n":1e400 , "x":1 } ';

    expect(chosenMembers(text, ['/n', '/s'])?.text).toBe(
      '{"n" : 12345678901234567890.10,"s":"\\u00e9\\/","n":1e400}',
    );
  });

  test('are found by what a name means, however it is escaped', () => {
    expect(chosenMembers('{"\\u0069d":1,"a\\"b":2,"x":3}', ['/id', '/a"b'])?.text).toBe(
      '{"\\u0069d":1,"a\\"b":2}',
    );
  });

  test('are named where the answer has nothing for them', () => {
    expect(chosen(ANSWER, '/data/*/id', '/data/*/breed', '/data/9/id')).toMatchObject({
      missing: ['/data/*/breed', '/data/9/id'],
      isEmpty: false,
    });
  });

  test.each([
    [{ a: { b: 1 } }, {}],
    [[{ b: 1 }], []],
  ])('of %j are none where it has none', (answer, value) => {
    expect(chosen(answer, '/a/c', '/0/c')).toEqual({
      value,
      missing: ['/a/c', '/0/c'],
      isEmpty: true,
    });
  });

  test.each([
    '5',
    '"text"',
    'null',
    '',
    '   ',
    '{"a":1',
    '[1,2',
    '{"a":1}}',
    '{"a" 1}',
    '{a:1}',
    '[1 2]',
    '<a/>',
  ])('do not exist of %j, which is no list or object in JSON', (text) => {
    expect(chosenMembers(text, ['/a', '/0', '/1'])).toBeUndefined();
  });

  test.each([
    '/__proto__',
    '/constructor/prototype',
    '/__proto__/polluted',
    '/toString',
    '/*/__proto__',
  ])('of the hostile pointer %s are only members that are there', (pointer) => {
    expect(chosen({ a: 1 }, pointer)).toMatchObject({ value: {}, isEmpty: true });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const own = JSON.stringify({ x: 1 }).replace('"x"', '"__proto__"');
    expect(chosenMembers(`{"a":2,${own.slice(1)}`, ['/__proto__'])?.text).toBe(own);
  });

  test('of 100 pointers of 32 steps in 4 MB take seconds at most', () => {
    const deep = (depth: number): object =>
      depth === 0 ? { end: 1 } : { a: deep(depth - 1), b: [1] };
    const text = JSON.stringify(Array.from({ length: 12_000 }, () => deep(30)));
    const pointers = Array.from(
      { length: 100 },
      (_, index) => `/*${'/*'.repeat(30)}/end${index || ''}`,
    );
    const before = process.cpuUsage();

    expect(chosenMembers(text, pointers)?.missing).toHaveLength(99);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });

  test('take no longer where many pointers lead to each element', async () => {
    // Six levels, at each of which a pointer says a name or a `*`.
    const many = Array.from(
      { length: 64 },
      (_, at) =>
        `/${Array.from({ length: 6 }, (__, bit) => ((at >> bit) & 1 ? 'a' : '*')).join('/')}/*/b`,
    );
    const elements = Array.from({ length: 100_000 }, () => '{"b":1}').join(',');
    const text = `${'{"a":'.repeat(6)}[${elements}]${'}'.repeat(6)}`;
    const one = await leastMs(() => chosenMembers(text, many.slice(0, 1)));
    const all = await leastMs(() => chosenMembers(text, many));

    expect(chosenMembers(text, many)).toEqual({ text, missing: [], isEmpty: false });
    expect(all / one).toBeLessThan(2);
  });

  test('of any JSON are JSON, and all of it where everything is chosen', () => {
    const pointer = fc.array(fc.constantFrom('*', '0', 'a', '', '__proto__'), { minLength: 1 });
    fc.assert(
      fc.property(fc.json(), fc.array(pointer, { minLength: 1 }), (json, some) => {
        const pointers = some.map((keys) => `/${keys.join('/')}`);
        const found = chosenMembers(json, pointers);
        const value: unknown = JSON.parse(json);
        if (typeof value !== 'object' || value === null) return expect(found).toBeUndefined();
        expect(() => JSON.parse(found?.text ?? '')).not.toThrow();
        expect(JSON.parse(chosenMembers(json, ['/*'])?.text ?? '')).toEqual(value);
      }),
      { numRuns: runs(1000) },
    );
  });
});

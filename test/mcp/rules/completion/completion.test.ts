import { describe, expect, test } from '@jest/globals';
import { checkValues } from '../../../../layers/contents/rules/check-values.ts';
import { completion, readCompletionRequest } from '../../../../layers/mcp/rules/completion.ts';

const completed = (values: readonly string[], typed: string) =>
  completion(values, typed).completion;
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`);

describe('the completion of what somebody types', () => {
  const CITIES = ['New York', 'York', 'Prague', 'yorkshire', 'Zürich'];

  test.each([
    ['', CITIES],
    ['york', ['York', 'yorkshire', 'New York']],
    ['YORK', ['York', 'yorkshire', 'New York']],
    ['ü', ['Zürich']],
    ['ZÜ', ['Zürich']],
    ['Paris', []],
    ['.*', []],
  ])('begins for %j with what begins so: %j', (typed, values) => {
    expect(completed(CITIES, typed)).toEqual({ values, total: values.length, hasMore: false });
  });

  test.each([
    [99, 99, false],
    [100, 100, false],
    [101, 100, true],
    [1000, 100, true],
  ])('of %d values shows %d', (count, shown, hasMore) => {
    const all = numbered(count);

    expect(completed(all, 'V')).toEqual({ values: all.slice(0, shown), total: count, hasMore });
  });

  test('of no values is none', () => {
    expect(completed([], 'a')).toEqual({ values: [], total: 0, hasMore: false });
  });
});

describe('a request for a completion', () => {
  const argument = { name: 'city', value: 'Pra' };
  const prompt = { type: 'ref/prompt', name: 'ask' };
  const pathOf = (params: Readonly<Record<string, unknown>>): unknown => {
    try {
      readCompletionRequest(params);
      return undefined;
    } catch (error) {
      const { code, data } = error as { code: string; data: { errors: { path: string }[] } };
      return `${code} ${data.errors.map(({ path }) => path).join()}`;
    }
  };

  test.each([
    [prompt, { kind: 'prompt', name: 'ask' }],
    [
      { type: 'ref/resource', uri: 'docs://{a}' },
      { kind: 'resource', uri: 'docs://{a}' },
    ],
  ])('names %j', (ref, of) => {
    const context = { arguments: { country: 'CZ' } };

    expect(readCompletionRequest({ ref, argument, context })).toEqual({
      of,
      argument: 'city',
      typed: 'Pra',
    });
  });

  test.each<[Readonly<Record<string, unknown>>, string]>([
    [{ argument }, '/ref'],
    [{ ref: 'ask', argument }, '/ref'],
    [{ ref: {}, argument }, '/ref/type'],
    [{ ref: { type: 'ref/tool', name: 'ask' }, argument }, '/ref/type'],
    [{ ref: { type: 'ref/prompt' }, argument }, '/ref/name'],
    [{ ref: { type: 'ref/resource', name: 'x' }, argument }, '/ref/uri'],
    [{ ref: prompt }, '/argument'],
    [{ ref: prompt, argument: [] }, '/argument'],
    [{ ref: prompt, argument: { value: 'a' } }, '/argument/name'],
    [{ ref: prompt, argument: { name: 'a' } }, '/argument/value'],
    [{ ref: prompt, argument: { name: 'a', value: 1 } }, '/argument/value'],
    [{ ref: prompt, argument, context: null }, '/context'],
    [{ ref: prompt, argument, context: { arguments: 'a' } }, '/context/arguments'],
  ])('is refused as %j', (params, path) => {
    expect(pathOf(params)).toBe(`invalid_params ${path}`);
  });
});

describe('the values that an owner gives', () => {
  const LIMITS = { completion_values_per_argument: 3, completion_values_max_bytes: 8 };
  const checking = (...lists: readonly (readonly string[])[]) => {
    checkValues(
      lists.map((values, index) => ({ at: ['arguments', index, 'values'], values })),
      LIMITS,
    );
  };

  test('may be as many and as large as the limits say', () => {
    expect(() => checking(['a', 'b', 'c'], ['defgh'])).not.toThrow();
  });

  test.each<[readonly (readonly string[])[], object]>([
    [
      [['a', 'b', 'c', 'd']],
      { code: 'limit_reached', details: { limit: 'completion_values_per_argument' } },
    ],
    [
      [['abcd'], ['efghi']],
      { code: 'limit_reached', details: { limit: 'completion_values_max_bytes' } },
    ],
    [[['ééééé']], { code: 'limit_reached' }],
    [
      [['a'], ['b', 'c', 'b']],
      { code: 'invalid_request', findings: [{ where: '/arguments/1/values/2' }] },
    ],
  ])('are refused as %j', (lists, refusal) => {
    let refused: unknown;
    try {
      checking(...lists);
    } catch (error) {
      refused = error;
    }

    expect(refused).toMatchObject(refusal);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { estimateTokens } from '../../../layers/openapi/model-apis/token-estimate.ts';
import { answerExcerpt, cutJson } from '../../../layers/tools/answer/answer-excerpt.ts';
import { narrowingArguments } from '../../../layers/tools/answer/continuation-note.ts';
import { runs } from '../../support/generated/runs.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    name: `Row ${id}`,
    text: 'some words '.repeat(20),
  }));

const excerptOf = (text: string, budget: number) => {
  const excerpt = answerExcerpt(text, budget);
  if (!excerpt) throw new Error('it is within its budget');
  return excerpt;
};

/** What a JSON Pointer names. Source: RFC 6901. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((inside: unknown, token) => Reflect.get(inside as object, token), value);

describe('a long answer', () => {
  test.each<[string, object, string]>([
    ['a list', rows(200), '25 of 200 elements'],
    [
      'a list in an object',
      { data: rows(200), meta: { total: 200 } },
      '26 of 200 elements of "/data"',
    ],
    ['a list further inside', { a: { 'b/c': rows(200) } }, '25 of 200 elements of "/a/b~1c"'],
    ['an object', Object.fromEntries(rows(200).map((row) => [row.name, row])), '25 of 200 members'],
  ])('that is %s is cut at whole elements, and stays JSON', (_, answer, howMuch) => {
    const { shown, isJson, ...excerpt } = excerptOf(JSON.stringify(answer), 1500);

    expect(excerpt.howMuch).toBe(howMuch);
    expect(isJson).toBe(true);
    expect(() => JSON.parse(shown)).not.toThrow();
    expect(estimateTokens(shown)).toBeLessThanOrEqual(1500);
  });

  test('shows the small members of an object whose large ones do not fit', () => {
    const answer = { one: rows(100), total: 7, other: rows(90), next: '/page/2' };
    const { shown, howMuch } = excerptOf(JSON.stringify(answer), 1500);

    expect(JSON.parse(shown)).toEqual({ total: 7, next: '/page/2' });
    expect(howMuch).toBe('2 of 4 members');
  });

  test('of one long text is cut within it', () => {
    const { shown, howMuch } = excerptOf(JSON.stringify({ html: '"é😀\\n'.repeat(5000) }), 1500);

    expect(Object.keys(JSON.parse(shown))).toEqual(['html']);
    expect(howMuch).toMatch(/^\d+ of 30000 characters of "\/html"$/);
  });

  test('that is no JSON is cut at whole lines', () => {
    const text = Array.from({ length: 2000 }, (_, line) => `line ${line}, a,b,c`).join('\n');
    const { shown, isJson, pieces } = excerptOf(text, 1500);

    expect(isJson).toBe(false);
    expect(shown).toMatch(/a,b,c\n$/);
    expect([shown, ...pieces()].join('')).toBe(text);
  });

  test('says so where not one element fits', () => {
    expect(excerptOf(JSON.stringify([rows(100), rows(100)]), 1500)).toMatchObject({
      isEmpty: true,
      howMuch: '0 of 2 elements',
    });
  });

  test('is not cut within its budget', () => {
    expect(answerExcerpt(JSON.stringify(rows(200)), 100_000)).toBeUndefined();
    expect(answerExcerpt('', 1)).toBeUndefined();
  });
});

describe('the shown part and the pieces of any JSON', () => {
  test('are JSON each, and together the whole', () => {
    let cuts = 0;
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5 }),
        fc.integer({ min: 4, max: 200 }),
        fc.boolean(),
        (json, most, isSpaced) => {
          const text = isSpaced ? JSON.stringify(JSON.parse(json), null, 2) : json;
          const cut = text.length > most ? cutJson(text, most) : undefined;
          if (!cut) return;
          cuts += 1;
          const shown = at(JSON.parse(cut.shown), cut.pointer);
          const pieces = cut.pieces(40).map((piece): unknown => JSON.parse(piece));
          expect(joined([shown, ...pieces])).toEqual(joined([at(JSON.parse(text), cut.pointer)]));
        },
      ),
      { numRuns: runs(3000) },
    );
    expect(cuts).toBeGreaterThan(runs(500));
  });

  const joined = (values: readonly unknown[]): unknown => {
    if (values.every((value) => typeof value === 'string')) return values.join('');
    if (values.every(Array.isArray)) return values.flat();
    return values.flatMap((value) => Object.entries(value as object)).toSorted(byName);
  };
  const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
    one < other ? -1 : 1;
});

describe('arguments that ask for less', () => {
  test('are found by their names and by what is said of them', () => {
    const properties = {
      'filter[name]': { type: 'string' },
      limit: { type: 'integer' },
      Fields: { type: 'array' },
      page_size: {},
      n: { type: 'integer', description: 'Maximum number of results.' },
      name: { type: 'string', description: 'The name.' },
    };

    expect(narrowingArguments({ properties })).toEqual(['limit', 'Fields', 'page_size', 'n']);
    expect(narrowingArguments({})).toEqual([]);
  });
});

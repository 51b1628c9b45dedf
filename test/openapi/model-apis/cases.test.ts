import { describe, expect, test } from '@jest/globals';
import {
  type Case,
  changedSince,
  dollarsFor,
  evaluate,
  type NoAnswer,
} from '../../../layers/openapi/model-apis/cases.ts';
import type { ModelChoice } from '../../../layers/openapi/model-apis/protocols.ts';

const TOOLS = [{ name: 'list' }, { name: 'get' }];

const choice = (tool?: string, args: unknown = {}): ModelChoice => ({
  calls:
    tool === undefined
      ? []
      : [{ id: '', tool, arguments: args as Readonly<Record<string, unknown>> }],
  text: '',
  inputTokens: 10,
  outputTokens: 1,
  said: {},
});
const faultOf = async (one: Omit<Case, 'wish'>, answer: ModelChoice | NoAnswer) => {
  const { results } = await evaluate([{ wish: 'x', ...one }], TOOLS, async () => answer);
  return results[0]?.fault;
};

describe('a choice of a model', () => {
  test.each<[string, unknown, unknown]>([
    ['members in another order', { a: { x: 1, y: [1, 2] } }, { a: { y: [1, 2], x: 1 } }],
    ['others besides', { a: null }, { a: null, b: 1 }],
    ['none that were asked for', {}, { b: 1 }],
    ['an argument of its own name', JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
  ])('is right with %s', async (_, wanted, given) => {
    const one = { tool: 'list', arguments: wanted as Readonly<Record<string, unknown>> };
    expect(await faultOf(one, choice('list', given))).toBeUndefined();
  });

  test.each<[string, unknown, unknown, string]>([
    ['another value', { a: 1 }, { a: '1' }, 'a is "1"'],
    ['one that is missing', { a: 1 }, {}, 'a is missing'],
    ['one that every object has', { constructor: {} }, {}, 'constructor is missing'],
    ['elements in another order', { a: [1, 2] }, { a: [2, 1] }, 'a is [2,1]'],
    ['one element more', { a: [1] }, { a: [1, 2] }, 'a is [1,2]'],
    ['one member less', { a: { x: 1, y: 2 } }, { a: { x: 1 } }, 'a is {"x":1}'],
    ['one member more', { a: { x: 1 } }, { a: { x: 1, y: 2 } }, 'a is {"x":1,"y":2}'],
    ['a list for an object', { a: {} }, { a: [] }, 'a is []'],
    ['null for an object', { a: {} }, { a: null }, 'a is null'],
  ])('is wrong with %s', async (_, wanted, given, fault) => {
    const one = { tool: 'list', arguments: wanted as Readonly<Record<string, unknown>> };
    expect(await faultOf(one, choice('list', given))).toBe(fault);
  });

  test.each<[string | null, string | undefined, string | undefined]>([
    [null, undefined, undefined],
    [null, 'get', 'called get, and should call nothing'],
    ['list', undefined, 'called nothing'],
    ['list', 'get', 'called get'],
    ['list', 'toString', 'called toString, which there is not'],
    ['fly', 'fly', 'was not asked: there is no such tool'],
  ])('where %j is wanted and %j is called is told', async (tool, called, fault) => {
    expect(await faultOf({ tool }, choice(called))).toBe(fault);
  });
});

describe('asking all cases', () => {
  const cases: readonly Case[] = ['a', 'b', 'c', 'd', 'e', 'f'].map((wish) => ({
    wish,
    tool: 'list',
  }));

  test('keeps their order, whichever is answered first, and tells each as it comes', async () => {
    const come: string[] = [];
    const { results, isAnswered, ended } = await evaluate(
      cases,
      TOOLS,
      async (wish) => {
        if (wish === 'a') await new Promise((resolve) => setTimeout(resolve, 20));
        return choice('list');
      },
      ({ wish }) => come.push(wish),
    );
    expect(results.map(({ wish }) => wish).join('')).toBe('abcdef');
    expect(come.join('')).toBe('bcdefa');
    expect([isAnswered, ended]).toEqual([true, undefined]);
  });

  test('goes on where one has no answer', async () => {
    const { results, ended } = await evaluate(cases, TOOLS, async (wish) =>
      wish === 'b' ? { why: 'Nonsense.', ends: false } : choice('list'),
    );
    expect(results.filter(({ right }) => !right)).toEqual([
      expect.objectContaining({ wish: 'b', fault: 'gave no answer: Nonsense', chosen: null }),
    ]);
    expect([results.length, ended]).toEqual([6, undefined]);
  });

  test('ends where nobody would get an answer, with what came until then', async () => {
    const asked: string[] = [];
    const evaluation = await evaluate(cases, TOOLS, async (wish) => {
      asked.push(wish);
      return wish === 'c' ? { why: 'No key.', ends: true } : choice('list');
    });
    expect(evaluation.ended).toBe('No key.');
    expect(evaluation.results.map(({ wish }) => wish)).toEqual(
      asked.filter((wish) => wish !== 'c'),
    );
    expect(asked).not.toContain('f');
  });

  test('says that none was answered', async () => {
    const { isAnswered } = await evaluate(cases, TOOLS, async () => ({ why: 'x', ends: false }));
    expect(isAnswered).toBe(false);
  });
});

describe('results of before', () => {
  test('count where the wish was there then', () => {
    const now = [
      { wish: 'a', right: true },
      { wish: 'b', right: false },
      { wish: 'c', right: true },
    ];
    const before = [
      { wish: 'a', right: false },
      { wish: 'b', right: false },
    ];
    expect(changedSince(now, before)).toEqual([{ wish: 'a', right: true }]);
  });
});

describe('a price', () => {
  test.each([
    ['3/15', 0.0033],
    [' 0.5/2 ', 0.00054],
    ['3', undefined],
    ['a/b', undefined],
    ['-3/15', undefined],
    ['3/15/1', undefined],
  ])('%j makes %j dollars of 1,000 and 20 tokens', (price, dollars) => {
    const found = dollarsFor(price, 1000, 20);
    if (dollars === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(dollars, 8);
  });
});

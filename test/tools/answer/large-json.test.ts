import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answerContent } from '../../../layers/tools/answer/answer-content.ts';
import { maskingOf } from '../../../layers/tools/masking/mask-secrets.ts';
import { MOST_RESULT_BYTES } from '../../../layers/tools/answer/result-continuation.ts';
import { runs } from '../../support/generated/runs.ts';

const MIB = 1024 * 1024;

/** Values that are made again from the same number. Source: "mulberry32". */
const randomFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

type Random = ReturnType<typeof randomFrom>;

const TEXTS = [
  '',
  'plain words',
  '"quoted" \\ and\n\t\u0001',
  '[{,]}:',
  'Žluťoučký 馬 🐎',
  '\ud83d',
  '\\"\\\\',
];
const NAMES = ['id', 'name', 'data', 'a/b', 'c~d', '', '__proto__', 'items', 'quote"s', '7'];

const anyValue = (random: Random, depth: number): unknown => {
  switch (random(depth > 0 ? 8 : 6)) {
    case 0:
      return random(2) === 0;
    case 1:
      return null;
    case 2:
      return random(1_000_000) / 7;
    case 3:
      return TEXTS[random(TEXTS.length)]?.repeat(random(12));
    case 4:
      return random(10_000_000) - 5_000_000;
    case 5:
      return random(2) === 0 ? [] : {};
    case 6:
      return Array.from({ length: random(6) }, () => anyValue(random, depth - 1));
    default:
      return anObject(random, depth);
  }
};

const anObject = (random: Random, depth: number): object =>
  Object.fromEntries(
    Array.from({ length: random(6) }, () => [
      NAMES[random(NAMES.length)] ?? '',
      anyValue(random, depth - 1),
    ]),
  );

/** Answers of about so many characters: lists, objects or texts at some depth, of small or of large elements. */
const anAnswer = (random: Random, size: number, isSpaced: boolean): string => {
  const most = random(2) === 0 ? 1 : 1 + random(Math.max(1, size >> 2));
  const elements: unknown[] = [];
  for (let left = size; left > 0;) {
    const element = most === 1 ? anyValue(random, 2) : aLarge(random, Math.min(most, left));
    elements.push(element);
    left -= 1 + (JSON.stringify(element)?.length ?? 4);
  }
  const kind = random(4);
  let answer: unknown = elements;
  if (kind === 1)
    answer = Object.fromEntries(elements.map((each, index) => [`${index} "k"`, each]));
  if (kind === 2) answer = JSON.stringify(elements);
  for (let depth = random(4); depth > 0; depth -= 1) {
    answer = random(2) === 0 ? [anyValue(random, 1), answer] : { 'a/b~': answer, more: null };
  }
  return JSON.stringify(answer, null, isSpaced ? 2 : 0);
};

const aLarge = (random: Random, size: number): unknown => {
  const text = TEXTS[1 + random(TEXTS.length - 1)] ?? '';
  const long = text.repeat(Math.ceil(size / JSON.stringify(text).length));
  return random(2) === 0 ? long : { long, id: random(9) };
};

const JSON_TYPE = { 'content-type': 'application/json' };

/** The shown part, the pointer of its note, and the parts, with those joined that came as texts. */
const readOn = (text: string, budget: number) => {
  const answer = { status: 200, headers: JSON_TYPE, body: Buffer.from(text) };
  const { result, rest, held } = answerContent(answer, {
    masking: maskingOf([], {}),
    method: 'GET',
    maxBytes: 20 * MIB,
    maxWireBytes: MOST_RESULT_BYTES,
    budget: { budget, narrowing: [] },
  });
  if (held.kind !== 'excerpt') return undefined;
  const [shown, note] = result.content.map((item) => (item.type === 'text' ? item.text : ''));
  const values = (rest?.parts() ?? []).map((part): unknown => {
    if (part.form !== 'text') throw new Error('a part is no text');
    expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(4 * MIB);
    return JSON.parse(part.text);
  });
  const [, of = '', pointer = '""'] =
    /\d+ of \d+ (elements|members|characters)(?: of (".*?[^\\]"))? are shown/.exec(note ?? '') ??
    [];
  const isText = of === 'characters';
  return { shown: JSON.parse(shown ?? ''), pointer: JSON.parse(pointer), values, isText };
};

/** The answer as who reads all of it has it. */
const whole = ({ shown, pointer, values, isText }: NonNullable<ReturnType<typeof readOn>>) => {
  const tokens = (pointer as string).split('/').slice(1);
  const names = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const root = { '': shown };
  let [holder, name]: [object, string] = [root, ''];
  for (const next of names) [holder, name] = [Reflect.get(holder, name) as object, next];
  const cut: unknown = Reflect.get(holder, name);
  Reflect.set(holder, name, isText ? [cut, ...values].join('') : joined(cut, joinedTexts(values)));
  return root[''];
};

const joinedTexts = (values: readonly unknown[]): unknown[] => {
  const pieces: unknown[] = [];
  let text = '';
  for (const value of values) {
    if (typeof value !== 'string') {
      pieces.push(value);
      continue;
    }
    text += value;
    const piece = parsed(text);
    if (piece === undefined) continue;
    pieces.push(piece);
    text = '';
  }
  expect(text).toBe('');
  return pieces;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const joined = (cut: unknown, pieces: readonly unknown[]): unknown => {
  if (Array.isArray(cut)) return cut.concat(...(pieces as unknown[][]));
  const entries = [cut, ...pieces].flatMap((piece) => Object.entries(piece as object));
  return Object.fromEntries(entries);
};

/** @returns whether the answer was cut */
const checked = (text: string, budget: number): boolean => {
  const read = readOn(text, budget);
  if (!read) return false;
  // Not `toEqual`, which takes minutes to compare megabytes.
  expect(isDeepStrictEqual(whole(read), JSON.parse(text))).toBe(true);
  return true;
};

describe('the shown part and the parts of any JSON are JSON each, and together the answer', () => {
  test.each([
    ['many small ones', 2000, runs(300)],
    ['some of 100 KB', 100_000, runs(40)],
    ['a few of 2 MB', 2_000_000, runs(6)],
    ['some of 20 MB', 20_000_000, runs(3)],
  ])('%s', (_, size, numRuns) => {
    let cuts = 0;
    const most = Math.min(200_000, size / 10);
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 20, max: most }),
        fc.boolean(),
        (seed, budget, isSpaced) => {
          if (checked(anAnswer(randomFrom(seed), size, isSpaced), budget)) cuts += 1;
        },
      ),
      { numRuns },
    );
    expect(cuts).toBeGreaterThan(numRuns * 0.6);
  });

  test.each([
    ['a list', [['five', 'x'.repeat(5 * MIB)], ['six', '"\\\n€🐎'.repeat(MIB)], 'last']],
    ['an object', { one: { a: 'x'.repeat(5 * MIB) }, two: { b: 'y'.repeat(6 * MIB) }, three: 3 }],
  ])('also where elements of %s are larger than a part can be', (_, answer) => {
    expect(checked(JSON.stringify(answer), 20_000)).toBe(true);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answerExcerpt } from '../../../layers/tools/answer/answer-excerpt.ts';
import { cutForm, elementEnds, streamForm } from '../../../layers/target/rules/stream-elements.ts';

describe('the elements of a stream', () => {
  test.each([
    ['text/event-stream', 'events'],
    ['Text/Event-Stream; charset=utf-8', 'events'],
    ['application/x-ndjson', 'lines'],
    ['application/jsonl;charset=utf-8', 'lines'],
    ['application/json-seq', 'lines'],
    ['application/json', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of the type %j are %j', (type, form) => {
    expect(streamForm(type)).toBe(form);
  });

  test.each([
    ['events', 'data: 1\n\ndata: 2\n\ndata: 3\n', ['data: 1\n\n', 'data: 2\n\n']],
    ['events', 'data: 1\r\n\r\ndata: 2\r\n', ['data: 1\r\n\r\n']],
    ['events', 'data: 1\r\rdata: 2\r', ['data: 1\r\r']],
    ['events', '\n\n: ping\n\n', ['\n\n: ping\n\n']],
    ['lines', '{"a":1}\r\n\n{"a":2}\n{"a"', ['{"a":1}\r\n', '\n{"a":2}\n']],
    ['lines', '\u001e{"a":1}\n\u001e{"a"', ['\u001e{"a":1}\n']],
    ['lines', '{"a"', []],
    ['events', '', []],
  ] as const)('%s of %j are %j', (form, text, elements) => {
    const ends = elementEnds(text, form);

    expect(ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end))).toEqual(elements);
  });

  test('are found in a time that grows with the text', () => {
    const time = (size: number): number => {
      const texts = ['\n', '\r', '\r\n', 'x\n', ' ', 'data: 1\n\n'].map((one) => one.repeat(size));
      const began = process.cpuUsage().user;
      for (const text of texts) elementEnds(text, 'events');
      return process.cpuUsage().user - began;
    };
    time(10_000);

    expect(time(800_000)).toBeLessThan(2_000_000);
  });

  test('are shown and read on without a gap, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.json(), { minLength: 40, maxLength: 80 }),
        fc.constantFrom('events' as const, 'lines' as const),
        fc.integer({ min: 60, max: 300 }),
        (values, form, budget) => {
          const text = values
            .map((value) => (form === 'lines' ? `${value}\n` : `data: ${value}\n\n`))
            .join('');
          const excerpt = answerExcerpt(text, budget, form);
          if (!excerpt) return;
          expect([excerpt.shown, ...excerpt.pieces()].join('')).toBe(text);
          if (excerpt.howMuch.includes('characters')) return;
          for (const one of [excerpt.shown, ...excerpt.pieces()]) expect(one).toMatch(/\n$/);
        },
      ),
    );
  });
});

describe('an answer that was cut', () => {
  const formOf = (type: string, text: string, cut: object | null = { by: 'time' }) =>
    cutForm({ headers: { 'content-type': type }, body: Buffer.from(text), ...(cut && { cut }) });

  test.each(['application/json', 'application/JSON; charset=utf-8', 'application/problem+json'])(
    'is lines where its first one is a whole object or list: %s',
    (type) => {
      expect(formOf(type, '{"a":1}\n{"a"')).toBe('lines');
      expect(formOf(type, '[1]\n')).toBe('lines');
    },
  );

  test.each([
    ['its first line goes on', 'application/json', '{\n "a": 1,'],
    ['its first line is no whole value', 'application/json', '{"a":\n'],
    ['its first line is a mere number', 'application/json', '1\n2'],
    ['no line has ended', 'application/json', '{"a":1}'],
    ['it is called text', 'text/plain', '{"a":1}\n{"a"'],
  ])('is no stream where %s', (_, type, text) => {
    expect(formOf(type, text)).toBeUndefined();
  });

  test('is called what it is by its type, and a whole one by that alone', () => {
    expect(formOf('text/event-stream', '{"a":1}\n')).toBe('events');
    expect(formOf('application/json', '{"a":1}\n{"a":2}\n', null)).toBeUndefined();
  });
});

import { describe, expect, test } from '@jest/globals';
import { plain, plainJson, plainLines } from '../../cli/text/plain.ts';
import { paintFor } from '../../cli/output.ts';
import { cell, facts, table } from '../../cli/text/table.ts';
import { duration, localTime, moment, momentInUtc, secondsOf } from '../../cli/text/time.ts';
import { here } from '../support/cli/command-line.ts';
import { PassThrough } from 'node:stream';

/** What could command a terminal, or show text in another order than it has. */
const COMMANDS = [
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '\u0000',
  '\u0008',
  '\u007f',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u2028',
  '\ufeff',
];

describe('text of a stranger', () => {
  test.each(COMMANDS)('commands no terminal: %j', (command) => {
    const [first = ''] = command;
    const shown = [plain, plainLines, plainJson].map((show) => show(`a${command}b`));

    expect(shown.filter((text) => text.includes(first))).toEqual([]);
    expect(JSON.parse(plainJson(`a${command}b`))).toBe(`a${command}b`);
  });

  test('keeps its lines where it has many, and its words in any script', () => {
    expect(plain('one\r\n\ttwo\nthree')).toBe('one two three');
    expect(plainLines('one\r\ntwo\n\tthree\rfour')).toBe('one\ntwo\n\tthree\ufffdfour');
    expect(plainLines('žluťoučký 馬 🐎 مرحبا')).toBe('žluťoučký 馬 🐎 مرحبا');
    expect(plain('half a pair: \ud83d')).toBe('half a pair: \ufffd');
  });
});

describe('a table', () => {
  const rows = [
    { slug: 'books', about: 'a shop' },
    { slug: 'a-long-name', about: 'something\u001b[31m else' },
  ];
  const columns = {
    slug: (row: (typeof rows)[number]) => row.slug,
    about: (row: (typeof rows)[number]) => row.about,
  };

  test('is as wide as its widest cells', () => {
    expect(table(rows, columns)).toEqual([
      'SLUG         ABOUT',
      'books        a shop',
      'a-long-name  something\ufffd[31m else',
    ]);
  });

  test('shows any value in one line', () => {
    const values = [undefined, null, '', [], ['a', 'b'], { mode: 'owner' }, 0, false, 'x\ny'];

    expect(values.map(cell)).toEqual([
      '-',
      '-',
      '-',
      '-',
      'a, b',
      '{"mode":"owner"}',
      '0',
      'false',
      'x y',
    ]);
    expect(facts({ Slug: 'books', Plan: undefined, Version: 2 })).toEqual([
      'Slug     books',
      'Version  2',
    ]);
  });
});

describe('colours', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });

  test('are for terminals', () => {
    expect(paintFor(terminal, {})('red', 'no')).toBe('\u001b[31mno\u001b[39m');
    expect(paintFor(new PassThrough(), {})('red', 'no')).toBe('no');
  });

  test.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('are off with %j', (environment) => {
    expect(paintFor(terminal, environment)('red', 'no')).toBe('no');
  });
});

describe('times', () => {
  test.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['12h', 43_200],
    ['7d', 604_800],
    ['2w', 1_209_600],
    ['', undefined],
    ['h', undefined],
    ['1.5h', undefined],
    ['-1h', undefined],
    ['1y', undefined],
  ])('%j are %s seconds', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
  });

  test.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3599, '60 min'],
    [3600, '1 h'],
    [86_400, '24 h'],
  ])('%s seconds are %s', (seconds, words) => {
    expect(duration(seconds)).toBe(words);
  });

  test("are shown by the machine's clock, of operators in UTC", () => {
    expect(moment(1_800_000_000)).toBe(here('2027-01-15T08:00:00Z'));
    expect(momentInUtc(1_800_000_000)).toBe('2027-01-15 08:00:00Z');
  });

  test.each([[undefined], [null], [7], ['2027-01-15'], ['not a Time'], ['']])(
    'that are none, %j, stay as they are',
    (sent) => {
      expect(localTime(sent)).toBe(sent);
    },
  );

  test('of the service are shown by the same clock', () => {
    expect(localTime('2027-01-15T08:00:00.000Z')).toBe(here('2027-01-15T08:00:00Z'));
  });
});

import { describe, expect, test } from '@jest/globals';
import { faultsOf, known } from './check.ts';
import { patternsIn, patternsOfTheService } from './sources.ts';

const NOTHING_KNOWN = { linear: [], literals: [], putTogether: [] };

const faultsIn = (source: string, more: Partial<Parameters<typeof faultsOf>[1]> = {}) =>
  faultsOf(patternsIn('a.ts', source), { ...NOTHING_KNOWN, ...more });

describe('the gate for regular expressions', () => {
  test('passes the sources as they are', () => {
    expect(faultsOf(patternsOfTheService(), known())).toEqual([]);
  });

  test.each([
    ['a literal', 'const a = b.split(/\\s*;\\s*/);', String.raw`/\s*;\s*/`],
    ['one in a template', 'const a = `${b.replace(/x{2,}$/, "")}`;', '/x{2,}$/'],
    ['one that is put together', 'const a = new RegExp(`${b}+`);', 'new RegExp(`${b}+`)'],
    ['one that a call makes', 'const a = RegExp(b);', 'RegExp(b)'],
  ])('refuses %s that nobody has proved', (_, source, text) => {
    expect(faultsIn(source)).toEqual([expect.stringContaining(`a.ts:1: ${text} is `)]);
  });

  test('takes what repeats nothing, what is proved and what is exempt', () => {
    const source = 'a(/b?c/, /d+/, /e+$/, new RegExp(f))';
    const exempt = (text: string) => [{ text, why: 'bounded' }];

    expect(
      faultsIn(source, {
        linear: ['/d+/'],
        literals: exempt('/e+$/'),
        putTogether: exempt('new RegExp(f)'),
      }),
    ).toEqual([]);
  });

  test('wants no record and no exemption of what is gone', () => {
    const gone = { linear: ['/d+/'], literals: [{ text: '/e+$/', why: 'bounded' }] };

    expect(faultsIn('', gone)).toEqual([
      expect.stringContaining('/d+/ is in no source any more'),
      expect.stringContaining('/e+$/ is in no source any more'),
    ]);
  });

  test('takes no text and no comment for a pattern', () => {
    expect(faultsIn('const a = "/b+$/"; // /c+$/')).toEqual([]);
  });
});

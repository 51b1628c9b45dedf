import { describe, expect, test } from '@jest/globals';
import { shownName, shownServerName } from '../../../layers/platform/rules/shown-name.ts';

describe('a name that others are shown', () => {
  test.each([
    ['without special characters', 'Claude Desktop', 'Claude Desktop'],
    ['in other scripts', 'Помощник 助手 مساعد', 'Помощник 助手 مساعد'],
    ['with combining marks', 'Zoe\u0308', 'Zoe\u0308'],
    ['with a right-to-left override', 'moc.live\u202Eevil.com', 'moc.liveevil.com'],
    ['with bidirectional isolates', '\u2066a\u2069\u200F\u061C', 'a'],
    ['with invisible characters', 'Cla\u200Bude\u200D\u00AD\u3164\u2800', 'Claude'],
    ['with Unicode tag characters', `a\u{E0041}\u{E007F}b`, 'ab'],
    ['with control characters', 'a\u0000b\u001b[31m', 'ab[31m'],
    ['in several lines', ' a\r\nb\u2028c\u00a0\t d ', 'a b c d'],
    ['with forty combining marks on a letter', `a${'\u0300'.repeat(40)}b`, 'a\u0300\u0300b'],
    ['with half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['that is empty', '', 'An application without a name'],
    ['of invisible characters only', '\u200B \u3164\u2800', 'An application without a name'],
  ])('makes a name %s safe to show', (_, name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  test('cuts a name of more than 80 characters', () => {
    expect(shownName('x'.repeat(80))).toBe('x'.repeat(80));
    expect(shownName('🦊'.repeat(81))).toBe(`${'🦊'.repeat(79)}…`);
  });
});

describe('the name of a server that others are shown', () => {
  test.each([
    ['Or\u202Eders', 'Orders'],
    ['\u200B\u3164', 'orders'],
  ])('is safe to show, or else its slug: %j', (name, shown) => {
    expect(shownServerName({ name, slug: 'orders' })).toBe(shown);
  });
});

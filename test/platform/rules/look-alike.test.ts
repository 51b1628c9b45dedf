import { describe, expect, test } from '@jest/globals';
import { lookAlikeFault, lookAlikeFindings } from '../../../layers/platform/rules/look-alike.ts';

const hostOf = (written: string): string => URL.parse(`https://${written}`)?.hostname ?? '';

describe('a host name that somebody could take for another', () => {
  test.each([
    ['a Cyrillic letter among Latin ones', 'gm\u0430il.com'],
    ['a Greek letter among Latin ones', 'g\u03bfogle.com'],
    ['an Armenian letter among Latin ones', 'p\u0561ypal.com'],
    ['a Latin letter among Cyrillic ones', 'почtа.example'],
    ['Cyrillic and Greek letters', 'аω.example'],
    ['Han and Cyrillic letters', '例а.example'],
    ['letters of Cherokee', 'ꭺꭱ.example'],
    ['a mixed label below a good one', 'mail.gm\u0430il.com'],
  ])('is refused in both forms: %s', (_, written) => {
    const ascii = hostOf(written);

    expect(ascii).toContain('xn--');
    expect(lookAlikeFault(ascii, written)).toContain('in one script');
    expect(lookAlikeFault(ascii, ascii)).toContain('in one script');
  });

  test.each([
    ['Cyrillic alone', 'аррӏе.com', 'xn--80ak6aa92e.com'],
    ['Greek alone', 'οικο.example', 'xn--mxaf0ad.example'],
    ['Armenian alone', 'սոհ.example', 'xn--kbbe1b.example'],
    ['a phonetic letter', 'gm\u0251il.com', 'xn--gmil-hod.com'],
  ])('is refused as it is read, and taken in ASCII: %s', (_, written) => {
    const ascii = hostOf(written);

    expect(lookAlikeFault(ascii, written)).toBe(
      `Its letters look like those of another name: if they are meant, write ${ascii}.`,
    );
    expect(lookAlikeFault(ascii, ascii)).toBeUndefined();
  });

  test.each([
    'example.com',
    'münchen.example',
    'diz-1.example',
    'd\u0131z.example',
    'почта.рф',
    'ελλάδα.example',
    'abc例えテスト.example',
    '한국abc.example',
    'ㄅ中a.example',
    'مثال.example',
    'उदाहरण.example',
    'ไทย.example',
    'bücher2.почта.example',
    'xn--mnchen-3ya.example',
    '127.0.0.1',
    'localhost',
  ])('is not %s', (written) => {
    expect(lookAlikeFault(hostOf(written), written)).toBeUndefined();
  });

  test('is found in a URL, at the member that has it', () => {
    expect(lookAlikeFindings('/issuer', 'https://login.gm\u0430il.com/a')).toEqual([
      expect.objectContaining({ where: '/issuer', what: 'a host that reads as another one' }),
    ]);
    expect(lookAlikeFindings('/issuer', 'https://login.example.com/\u0430')).toEqual([]);
    expect(lookAlikeFindings('/issuer', 'no URL')).toEqual([]);
  });
});

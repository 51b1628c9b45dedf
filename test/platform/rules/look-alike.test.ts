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
    ['a small capital', '\u0262oogle.com', 'xn--oogle-wmc.com'],
    ['a click for an exclamation mark', 'yahoo\u01c3.com', 'xn--yahoo-sub.com'],
    ['a tone for a letter', 'githu\u0185.com', 'xn--githu-5jb.com'],
    ['a fraction slash', 'github.com\u2044login.example', 'github.xn--comlogin-g03d.example'],
    ['a division slash', 'github.com\u2215login.example', 'github.xn--comlogin-0f7d.example'],
    ['a hyphenation point', 'github\u2027com.example', 'xn--githubcom-lf0e.example'],
    ['a dot that is not between two l', 'github\u00b7com.example', 'xn--githubcom-5pa.example'],
    ['a letter that is a dot', 'github\ua78fcom.example', 'xn--githubcom-le36a.example'],
    ['a colon', 'https\ua789login.example', 'xn--httpslogin-l879a.example'],
    ['a stroke for a slash', 'github.com\u4e3flogin.example', 'github.xn--comlogin-9h0m.example'],
    ['a kana for a slash', 'github.com\u30cea.example', 'github.xn--coma-xq4c.example'],
    ['a repeat mark for a slash', 'github.com\u3033a.example', 'github.xn--coma-s33c.example'],
    ['a zero of Chinese for a letter', 'g\u3007ogle.com', 'xn--gogle-2u3d.com'],
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
    'col\u00b7labora.example',
    'pcノート.example',
    'ソニーabc.example',
    'カフェ・ノワール.example',
    '一丁目2.example',
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

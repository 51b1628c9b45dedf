import { describe, expect, test } from '@jest/globals';
import {
  accessWarnings,
  readDomain,
  readEmail,
} from '../../../../layers/deployments/rules/access/allow-list.ts';

describe('an e-mail address of an allow-list', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada.L+list@Example.COM', 'ada.l+list@example.com'],
    ["o'neil@mail.example.co.uk", "o'neil@mail.example.co.uk"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['owner@localhost', 'owner@localhost'],
  ])('is %p, compared as %p', (text, entry) => {
    expect(readEmail(text)).toEqual({ entry });
  });

  test.each([
    ['a name beside it', 'Bob Smith <bob@gmail.com>', 'without name, spaces and brackets'],
    ['brackets', '<bob@gmail.com>', 'without name, spaces and brackets'],
    ['a wildcard', '*@example.org', 'for everybody there write the domain'],
    ['no domain of the internet', 'bob@gmail', 'is no domain'],
    ['two dots', 'bob@example..org', 'is no domain'],
    ['two dots before the @', 'b..ob@example.org', 'without name, spaces and brackets'],
    ['a Kelvin sign', '\u212Aim@example.org', 'without name, spaces and brackets'],
    ['a Kelvin sign in its domain', 'kim@\u212Aorp.example', 'write "korp.example"'],
    ['a letter of full width', 'ad\uFF41@example.org', 'without name, spaces and brackets'],
    ['quotes', '"a@b"@example.org', 'without name, spaces and brackets'],
    ['a dot at its end', 'bob@example.org.', 'leave out the dot at its end'],
    ['spaces', ' bob@example.org', 'without name, spaces and brackets'],
    ['no @', 'bob', 'is no e-mail address'],
    ['65 characters before the @', `${'a'.repeat(65)}@example.org`, 'is no e-mail address'],
  ])('is not one with %s', (_, text, fault) => {
    expect(readEmail(text)).toEqual({ fault: expect.stringContaining(fault) });
  });
});

describe('a domain of an allow-list', () => {
  test.each([
    ['Example.ORG', 'example.org'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['d\u0131z.example', 'xn--dz-hpa.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['localhost', 'localhost'],
  ])('is %p, compared as %p', (text, entry) => {
    expect(readDomain(text)).toEqual({ entry });
  });

  test.each([
    ['Bob', 'write it as example.com'],
    ['address!!', 'write it as example.com'],
    ['example..org', 'write it as example.com'],
    ['*.example.org', 'write it as example.com'],
    ['-a.example', 'write it as example.com'],
    ['127.0.0.1', 'write it as example.com'],
    ['example.org.', 'leave out the dot at its end'],
    ['\u212Aorp.example', 'write "korp.example"'],
    ['\uFF45xample.org', 'write "example.org"'],
    ['MÜNCHEN.example', 'write "münchen.example"'],
    ['exam\u00ADple.org', 'write it as example.com'],
    ['example\u3002org', 'write it as example.com'],
    ['example.org/path', 'write it as example.com'],
    ['bob example.org', 'write it as example.com'],
    ['', 'write it as example.com'],
    [`${'a'.repeat(64)}.example`, 'write it as example.com'],
  ])('is not %p', (text, hint) => {
    expect(readDomain(text)).toEqual({ fault: expect.stringContaining(hint) });
  });

  test('is warned of where everybody can have an address there', () => {
    const list = (domains: readonly string[]) =>
      accessWarnings({ mode: 'allow_list', emails: [], domains });

    expect(list(['example.org', 'gmail.com']).map(({ where }) => where)).toEqual([
      '/access/domains/1',
    ]);
    expect(list(['mail.gmail.com'])).toEqual([]);
    expect(accessWarnings({ mode: 'any_user' })).toEqual([]);
  });
});

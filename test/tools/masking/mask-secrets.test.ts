import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maskingOf } from '../../../layers/tools/masking/mask-secrets.ts';
import type { CarriedCredential } from '../../../layers/target/rules/credential.ts';
import { growth, MOST_GROWTH } from '../../support/growth.ts';
import { SECRET_SHAPES } from '../../support/spelling/secret-shapes.ts';
import { ENCODERS, spelledAtRandom } from '../../support/spelling/spellings.ts';
import { runs } from '../../support/generated/runs.ts';

const SECRET = 's3cr+t/ "<ü>';
const bearer: CarriedCredential = { type: 'bearer', token: SECRET };
const key = (value: string): CarriedCredential => ({
  type: 'api_key',
  in: 'query',
  name: 'key',
  prefix: '',
  secret: value,
});

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const mask = (text: string, credential: CarriedCredential | undefined, sent?: unknown) =>
  maskingOf(credential ? [credential] : [], sent).text(text);

describe('a secret that the target echoes', () => {
  test('is masked in every spelling, each of its characters in another one', () => {
    const spelled = fc
      .tuple(
        fc.constantFrom(...SECRET_SHAPES.map(({ secret }) => secret)),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        fc.array(fc.constantFrom(...ENCODERS), { maxLength: 3 }),
      )
      .map(([secret, random, around]) => {
        const next = () => random.next().value as number;
        const alone = spelledAtRandom(secret, next);
        return [secret, around.reduce((text, { encode }) => encode(text), alone)] as const;
      });

    fc.assert(
      fc.property(spelled, ([secret, text]) => {
        expect(mask(`{"a":"before ${text} after"}`, key(secret))).toBe(
          '{"a":"before [masked] after"}',
        );
      }),
      { numRuns: runs(2000) },
    );
  });

  test.each(['', 'a', 'ab', 'abc'])('is masked within base64 of more, after %j', (before) => {
    const masked = mask(base64(`${before}sk_live_12345678 more`), key('sk_live_12345678'));

    expect(masked).toContain('[masked]');
    expect(Buffer.from(masked.replace('[masked]', ''), 'base64').toString()).not.toContain(
      'sk_live',
    );
  });

  test('is masked as a pair, where it is one', () => {
    const basic: CarriedCredential = { type: 'basic', username: 'admin', password: 'hunter22' };

    expect(mask(`admin hunter22 ${base64('admin:hunter22')}`, basic)).toBe(
      'admin [masked] [masked]',
    );
  });

  test('is the user name where there is no password', () => {
    expect(mask('sk_live_1', { type: 'basic', username: 'sk_live_1', password: '' })).toBe(
      '[masked]',
    );
  });

  test.each([
    ['abcd', 'abcd', '[masked]'],
    ['abcde', 'x abcde, xabcde abcdex abcde', 'x [masked], xabcde abcdex [masked]'],
    ['a+*b', '(a+*b)', '([masked])'],
    ['abcdef', 'xabcdefx', 'x[masked]x'],
    ['abc', 'abc', 'abc'],
    ['', 'abc', 'abc'],
  ])('is masked by its length: %j in %j', (token, text, masked) => {
    expect(mask(text, { type: 'bearer', token })).toBe(masked);
  });

  test.each([
    ['behind a percent sign that makes an escape of it', 'ab12cd34ef', '%ab12cd34ef', '%[masked]'],
    ['behind a backslash', 'u0041bcdef', String.raw`{"a":"\u0041bcdef"}`, '{"a":"[masked]"}'],
    ['with a backslash at its end', 'abcdef\\', String.raw`{"a":"abcdef\\"}`, '{"a":"[masked]"}'],
    ['behind an end of line', 'nsecret1', String.raw`{"a":"\nsecret1"}`, '{"a":"[masked]"}'],
  ])('is masked %s, and JSON stays JSON', (_, secret, text, masked) => {
    expect(mask(text, key(secret))).toBe(masked);
  });

  test.each([
    ['3F2504E0-4F89-11D3-9A0C-0305E82C3301', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '3F2504E04F8911D39A0C0305E82C3301'],
    ['3f2504e04f8911d39a0c0305e82c3301', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
    ['0123456789ABCDEF', '0123456789abcdef'],
  ])('is masked as servers write the same number or id: %s', (token, written) => {
    const { text } = maskingOf([{ type: 'bearer', token }], undefined);

    expect(text(`{"key": "${written}"}`)).not.toContain(written);
  });

  test('leaves other text alone, and all text without a credential', () => {
    const text = String.raw`{"a": "\u00fc \"%20\" &#8217; &amp; \\n", "b":1.0}`;
    expect(mask(text, bearer)).toBe(text);
    expect(mask(SECRET, undefined)).toBe(SECRET);
  });
});

describe('what the caller has sent', () => {
  const basic: CarriedCredential = { type: 'basic', username: 'admin', password: 'sunshine4711' };

  test.each([
    ['once more', '{"name":"sunshine4711"}'],
    ['twice', '{"name":"sunshine4711","title":"sunshine4711"}'],
    ['in another spelling', String.raw`{"url":"/?q=%73unshine4711","html":"s\u0075nshine4711"}`],
    ['as base64', `{"content":"${base64('sunshine4711')}"}`],
  ])('stays as it is where the answer has it %s', (_, answer) => {
    expect(mask(answer, basic, { name: 'sunshine4711' })).toBe(answer);
  });

  test.each([
    ['spelled otherwise', { name: 's%75nshine4711' }],
    ['within more', { name: 'sunshine4710, sunshine4711, sunshine4712' }],
    ['as base64', { content: base64('sunshine4711') }],
    ['as a name', { sunshine4711: 1 }],
  ])('is known %s', (_, sent) => {
    expect(mask('you said sunshine4711', basic, sent)).toBe('you said sunshine4711');
  });

  test.each<[string, CarriedCredential, string, string]>([
    ['a token', { type: 'bearer', token: 'guess-4711' }, '"Authorization": "Bearer ', 'guess-4711'],
    ['a key', key('guess-4711'), '"next":"https://a.example/?page=2&key=', 'guess-4711'],
    ['a password', basic, '"user":"admin","password":"', 'sunshine4711'],
    ['a password in an address', basic, '"url":"https://admin:', 'sunshine4711'],
  ])('is masked where it stands as the credential does: %s', (_, credential, before, guess) => {
    expect(mask(`{"q":"${guess}",${before}${guess}"}`, credential, { q: guess })).toBe(
      `{"q":"${guess}",${before}[masked]"}`,
    );
  });

  test.each(['sunshine4711', 'sunshine4712'])(
    'is masked as a pair for any password: %s',
    (password) => {
      const pair = base64(`admin:${password}`);
      expect(mask(`{"q":"${pair}","h":"Basic ${pair}"}`, basic, { q: pair })).toBe(
        '{"q":"[masked]","h":"Basic [masked]"}',
      );
    },
  );
});

describe('an answer that echoes a secret', () => {
  const { headers, bytes } = maskingOf([bearer], undefined);

  test('is masked in headers', () => {
    expect(headers({ location: `/?t=${SECRET}`, [`x-${SECRET}`]: '1', etag: '"1"' })).toEqual({
      location: '/?t=[masked]',
      'x-[masked]': '1',
      etag: '"1"',
    });
  });

  test.each([
    ['little', Buffer.from(`\0x${SECRET}x`, 'utf16le')],
    ['big', Buffer.from(`\0x${SECRET}x`, 'utf16le').swap16()],
  ])('is masked in bytes of UTF-16, %s end first', (_, body) => {
    expect(Buffer.from(bytes(body)).toString('latin1')).toContain('[masked]');
  });

  test('keeps all other bytes', () => {
    const every = Array.from({ length: 256 }, (_, byte) => byte);

    const masked = bytes(Uint8Array.from([...every, ...Buffer.from(SECRET), ...every]));

    expect([...masked]).toEqual([...every, ...Buffer.from('[masked]'), ...every]);
  });
});

describe('a short secret', () => {
  const short: CarriedCredential = { type: 'bearer', token: 'abcd' };

  test.each([
    ['abcd', '[masked]'],
    ['abcdabcd', '[masked][masked]'],
    ['abcd-abcd', '[masked]-[masked]'],
    ['"abcd",xabcd', '"[masked]",xabcd'],
    ['abcdx abcd', 'abcdx [masked]'],
    [String.raw`one\nabcd`, String.raw`one\n[masked]`],
  ])('is masked where it stands alone: %j becomes %j', (text, expected) => {
    expect(mask(text, short)).toBe(expected);
  });
});

describe('masking takes linear time', () => {
  const long = `${'a'.repeat(8000)}b`;

  test.each<[string, string, string]>([
    ['of a short secret that is everywhere', 'abcd', 'abcd '],
    ['of a long secret that nearly is', long, 'a'],
    ['of one that is there again and again', 'aaaaaaaa', 'a'],
    ['of backslashes', 'abcdefgh', '\\'],
    ['of percent signs', 'abcdefgh', '%25'],
    ['of references that never end', 'abcdefgh', '&#00000000065'],
    ['of ends of references', 'abcdefgh', ';&#65'],
    ['of escapes of its characters', 'abcdefgh', String.raw`\u0061`],
    ['of UTF-8 read as Latin-1', 'äöüäöü', '\u00c3'],
    ['of base64 in lines', 'ab?>ab?>', `${'A'.repeat(47)}\n`],
  ])('%s', async (_, secret, text) => {
    const run = (size: number) => mask(text.repeat(size / text.length), key(secret));

    expect(await growth(run, 100_000)).toBeLessThan(MOST_GROWTH);
  });

  test('of beginnings of the pair of user and password', async () => {
    const basic: CarriedCredential = { type: 'basic', username: 'admin', password: 'sunshine4711' };
    const run = (size: number) => mask('YWRtaW46'.repeat(size / 8), basic);

    expect(await growth(run, 100_000)).toBeLessThan(MOST_GROWTH);
  });

  test('where the caller has sent it often', async () => {
    const run = (size: number) =>
      mask('abcdefgh '.repeat(size / 9), key('abcdefgh'), { q: 'abcdefgh '.repeat(size / 9) });

    expect(await growth(run, 100_000)).toBeLessThan(MOST_GROWTH);
  });
});

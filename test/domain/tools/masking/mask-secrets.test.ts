import { describe, expect, test } from '@jest/globals';
import { maskAnswer, maskSecrets } from '../../../../layers/core/domain/tools/index.ts';
import type { Credential } from '../../../../layers/core/domain/target/target.ts';
import { growth, MOST_GROWTH } from '../../../support/growth.ts';

const SECRET = 's3cr+t/ "<ü>';
const bearer: Credential = { type: 'bearer', token: SECRET };

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

describe('a secret that the target echoes', () => {
  test.each([
    ['as it is', SECRET],
    ['percent-encoded', encodeURIComponent(SECRET)],
    [
      'percent-encoded in lower case',
      encodeURIComponent(SECRET).replace(/%../g, (t) => t.toLowerCase()),
    ],
    ['as a form', encodeURIComponent(SECRET).replaceAll('%20', '+')],
    ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['as JSON of PHP', 's3cr+t\\/ \\"<ü>'],
    ['as JSON of ASCII and no HTML', 's3cr\\u002bt/ \\"\\u003c\\u00fc\\u003e'],
    ['as JSON in capitals', 's3cr\\u002Bt/ \\"\\u003C\\u00FC\\u003E'],
    ['as HTML', 's3cr+t/ &quot;&lt;ü&gt;'],
    ['as base64', base64(SECRET)],
    ['as URL-safe base64', Buffer.from(SECRET).toString('base64url')],
  ])('is masked %s', (_, echoed) => {
    const masked = maskSecrets(`before ${echoed} after ${echoed}`, bearer);

    expect(masked).toMatch(/^before \[masked\].{0,3} after \[masked\].{0,3}$/);
  });

  test.each(['', 'a', 'ab', 'abc'])('is masked within base64 of more, after %j', (before) => {
    const masked = maskSecrets(base64(`${before}sk_live_12345678 more`), {
      type: 'api_key',
      in: 'query',
      name: 'key',
      value: 'sk_live_12345678',
    });

    expect(masked).toContain('[masked]');
    expect(Buffer.from(masked.replace('[masked]', ''), 'base64').toString()).not.toContain(
      'sk_live',
    );
  });

  test('is masked as a pair, where it is one', () => {
    const basic: Credential = { type: 'basic', username: 'admin', password: 'hunter22' };

    expect(maskSecrets(`admin hunter22 ${base64('admin:hunter22')}`, basic)).toMatch(
      /^admin \[masked\] .*\[masked\].*$/,
    );
    expect(maskSecrets(base64('admin:hunter22'), basic)).toBe('[masked]');
  });

  test('is the user name where there is no password', () => {
    expect(maskSecrets('sk_live_1', { type: 'basic', username: 'sk_live_1', password: '' })).toBe(
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
    expect(maskSecrets(text, { type: 'bearer', token })).toBe(masked);
  });

  test('leaves other text alone, and all text without a credential', () => {
    expect(maskSecrets('nothing here', bearer)).toBe('nothing here');
    expect(maskSecrets(SECRET, undefined)).toBe(SECRET);
  });
});

describe('an answer that echoes a secret', () => {
  const masked = (body: Uint8Array, cut?: object) =>
    maskAnswer(
      { status: 200, headers: { location: `/?t=${SECRET}` }, body, ...(cut && { cut }) },
      bearer,
    );

  test('is masked in headers and body', () => {
    const { headers, body } = masked(Buffer.from(`{"a":"${SECRET}"}`));

    expect(headers).toEqual({ location: '/?t=[masked]' });
    expect(Buffer.from(body).toString()).toBe('{"a":"[masked]"}');
  });

  test.each([
    ['little', Buffer.from(`x${SECRET}x`, 'utf16le')],
    ['big', Buffer.from(`x${SECRET}x`, 'utf16le').swap16()],
  ])('is masked in UTF-16, %s end first', (_, body) => {
    expect(Buffer.from(masked(body).body).toString('latin1')).toContain('[masked]');
  });

  test('keeps all other bytes', () => {
    const every = Array.from({ length: 256 }, (_, byte) => byte);

    const { body } = masked(Uint8Array.from([...every, ...Buffer.from(SECRET), ...every]));

    expect([...body]).toEqual([...every, ...Buffer.from('[masked]'), ...every]);
  });

  test('loses the beginning of a secret at a cut, and only there', () => {
    const half = Buffer.from(`text ${SECRET.slice(0, 7)}`);

    expect(Buffer.from(masked(half, {}).body).toString()).toBe('text ');
    expect(Buffer.from(masked(half).body).toString()).toBe(half.toString());
    expect(Buffer.from(masked(Buffer.from('text s3c'), {}).body).toString()).toBe('text s3c');
  });
});

describe('a short secret', () => {
  const short: Credential = { type: 'bearer', token: 'abcd' };

  test.each([
    ['abcd', '[masked]'],
    ['abcdabcd', '[masked][masked]'],
    ['abcd-abcd', '[masked]-[masked]'],
    ['"abcd",xabcd', '"[masked]",xabcd'],
    ['abcdx abcd', 'abcdx [masked]'],
  ])('is masked where it stands alone: %j becomes %j', (text, expected) => {
    expect(maskSecrets(text, short)).toBe(expected);
  });

  test('is masked in linear time, however often an answer has it', async () => {
    const run = (size: number) => maskSecrets('abcd '.repeat(size), short);

    expect(await growth(run, 20_000)).toBeLessThan(MOST_GROWTH);
  });
});

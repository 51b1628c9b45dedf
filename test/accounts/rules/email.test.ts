import { describe, expect, test } from '@jest/globals';
import { canonicalEmail, isEmail, isMailable } from '../../../layers/accounts/rules/email.ts';

describe('an email address', () => {
  test.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com\n', 'ada@example.com'],
    // The lower case of the Kelvin sign is the letter k of somebody else.
    ['\u212Aim@corp.example', '\u212Aim@corp.example'],
  ])('%p is stored as %p', (typed, known) => {
    expect(canonicalEmail(typed)).toBe(known);
  });

  test.each([
    'ada@example.com',
    "o'neil+tag@sub.example.co.uk",
    'owner@localhost',
    'a@b',
    `${'a'.repeat(64)}@example.com`,
    'ada@xn--bcher-kva.example',
  ])('%p can have an account', (email) => {
    expect(isEmail(email)).toBe(true);
  });

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'ada@exa mple.com',
    'ada lovelace@example.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example.com.',
    'ada@example.com\nbcc:eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com,eve@example.com',
    '"ada"@example.com',
    '\u212Aim@corp.example',
    'ada@bücher.example',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.example`,
    `ada@${'abc.'.repeat(63)}example`,
  ])('%p cannot have an account', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  test.each(['ada@example.com', 'a.d.a@example.com', 'owner@localhost'])(
    '%p can be written to',
    (email) => {
      expect(isMailable(email, 'hosted-mcp@localhost')).toBe(true);
    },
  );

  test.each(['.ada@example.com', 'ada.@example.com', 'a..da@example.com', 'ada@example'])(
    '%p, which SES refuses, cannot be written to',
    (email) => {
      expect(isEmail(email)).toBe(true);
      expect(isMailable(email, 'no-reply@mcp.example.com')).toBe(false);
    },
  );
});

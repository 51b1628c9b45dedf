import { describe, expect, test } from '@jest/globals';
import { passwordFault } from '../../../layers/core/domain/accounts/password-rules.ts';

const EMAIL = 'ada.lovelace@analytical.example';
const fault = (password: string) => passwordFault(password, EMAIL)?.what;

describe('D28 the length of a password', () => {
  test.each([
    ['eleven', 'vT9#kLm2$xQ', 'too short'],
    ['twelve', 'vT9#kLm2$xQp', undefined],
    ['none', '', 'too short'],
    ['128', 'vT9#kLm2'.repeat(15) + 'abcdefgZ', undefined],
    ['129', 'vT9#kLm2'.repeat(15) + 'abcdefgZ!', 'too long'],
    ['eleven outside of the first plane', '🦀🐳🦊🐙🦉🐝🦋🐢🦎🐌🦔', 'too short'],
    ['twelve outside of the first plane', '🦀🐳🦊🐙🦉🐝🦋🐢🦎🐌🦔🐞', undefined],
  ])('is counted in characters, not bytes: %s', (_, password, what) => {
    expect(fault(password)).toBe(what);
  });
});

describe('D28 a password that anyone would try', () => {
  test.each([
    'password1234',
    'Password123!',
    'P@ssw0rd1234',
    'Pa$$w0rd2024!',
    'Welcome@1234',
    'Admin@123456',
    'qwerty123456',
    'qwertyuiop12',
    '123456789012',
    '987654321098',
    '111111111111',
    '123123123123',
    'abcabcabcabc',
    'abcdefghijkl',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    'zxcvbnm12345',
    'iloveyou1234',
    'letmein12345',
    'changeme1234',
    'unbelievable',
    'administrator',
    'christopher1',
    'passwordpassword',
    'manchesterunited',
    'Summer2024!!',
    'liverpool2005',
    'trustno1trustno1',
    'correcthorsebatterystaple',
    '            ',
    'ada.lovelace@analytical.example',
    'Ada.Lovelace1',
    'analytical2024',
  ])('is refused: %p', (password) => {
    expect(fault(password)).toBe('too easy to guess');
  });

  test.each([
    'kestrel umbrella fog',
    'tidy lamp quartz seven',
    'a quiet place by the sea',
    'vT9#kLm2$xQp',
    'Xkcd-936-Randall',
    'üñîçødé-pässwörd',
    'パスワードではない合言葉です',
  ])('is not %p', (password) => {
    expect(fault(password)).toBeUndefined();
  });

  test('takes little time to recognize, whatever it is', () => {
    const hostile = ['1a'.repeat(64), 'pass'.repeat(31), 'to'.repeat(63) + 'x', 'abcd1'.repeat(25)];

    expect(hostile.map((one) => typeof fault(one))).toHaveLength(4);
  });
});

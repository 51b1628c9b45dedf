import { describe, expect, test } from '@jest/globals';
import { leakedPasswords } from '../../../layers/accounts/store/common-passwords.ts';

describe('a common password', () => {
  test.each(['unbelievable', 'administrator', 'qwerty123456', '1Q2W3E4R5T6Y', '112233445566'])(
    '%p is known, in whatever case',
    async (password) => {
      expect(await leakedPasswords().has(password)).toBe(true);
    },
  );

  test.each(['kestrel umbrella fog', 'unbelievable!', ' unbelievable', '__proto__', ''])(
    '%p is none',
    async (password) => {
      expect(await leakedPasswords().has(password)).toBe(false);
    },
  );
});

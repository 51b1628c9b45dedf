import { scryptSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { scryptPasswords } from '../../../layers/accounts/store/passwords.ts';
import { MAY_CHECK, MAY_SET } from '../../support/oauth/people.ts';

const PASSWORD = 'correct horse battery staple';

/** As another implementation would, and with parameters of its own. */
const hashed = (password: string, N = 2 ** 17, r = 8, p = 1) => {
  const salt = Buffer.from('a salt of its own');
  const hash = scryptSync(password, salt, 32, { N, r, p, maxmem: 2 ** 29 });
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
};

/** An eighth of the real cost, where a test is not about that one. */
const CHEAPER = { N: 2 ** 14, r: 8, p: 1 };

describe('a password', () => {
  test('is verified by its own hash only', async () => {
    const { hash, verify } = scryptPasswords(CHEAPER);
    const stored = await hash(MAY_SET, PASSWORD);

    expect(await verify(MAY_CHECK, PASSWORD, stored)).toBe(true);
    expect(await verify(MAY_CHECK, `${PASSWORD} `, stored)).toBe(false);
  });

  test.each([`${PASSWORD} `, PASSWORD.toUpperCase(), PASSWORD.slice(1), ''])(
    'does not match %j',
    async (wrong) => {
      expect(await scryptPasswords().verify(MAY_CHECK, wrong, hashed(PASSWORD, 2 ** 10))).toBe(
        false,
      );
    },
  );

  test('is hashed with scrypt, the configured cost and its own salt', async () => {
    const { hash } = scryptPasswords();
    const one = await hash(MAY_SET, PASSWORD);

    expect(one).toMatch(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await hash(MAY_SET, PASSWORD)).not.toBe(one);
  });

  test.each([
    ['of another implementation', hashed(PASSWORD)],
    ['with another cost', hashed(PASSWORD, 2 ** 14)],
    ['with another block size and parallelization', hashed(PASSWORD, 2 ** 10, 4, 2)],
  ])('is verified by a hash %s', async (_, stored) => {
    const { verify } = scryptPasswords();

    expect(await verify(MAY_CHECK, PASSWORD, stored)).toBe(true);
    expect(await verify(MAY_CHECK, 'wrong password', stored)).toBe(false);
  });

  test('is independent of the Unicode composition of its characters', async () => {
    const stored = hashed('caf\u00e9 caf\u00e9', 2 ** 10);

    expect(await scryptPasswords().verify(MAY_CHECK, 'cafe\u0301 cafe\u0301', stored)).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['of zeros', '\u0000'.repeat(12)],
    ['of half surrogate pairs', '\ud83d'.repeat(12)],
    ['long', 'x'.repeat(100_000)],
  ])('may be any text: %s', async (_, password) => {
    expect(await scryptPasswords().verify(MAY_CHECK, password, hashed(password, 2 ** 10))).toBe(
      true,
    );
  });
});

describe('a missing password hash', () => {
  test('matches no password', async () => {
    expect(await scryptPasswords().verify(MAY_CHECK, PASSWORD, undefined)).toBe(false);
  });

  test('costs as much time as a wrong password', async () => {
    const { verify } = scryptPasswords(CHEAPER);
    const stored = hashed(PASSWORD, CHEAPER.N);
    /** The least of three: whatever else the process does meanwhile only adds to it. */
    const processorTime = async (against: string | undefined) => {
      const times: number[] = [];
      for (let count = 0; count < 3; count += 1) {
        const before = process.cpuUsage();
        await verify(MAY_CHECK, 'wrong password', against);
        times.push(process.cpuUsage(before).user);
      }
      return Math.min(...times);
    };

    // Far apart from nothing at all: both do the whole work.
    expect(await processorTime(undefined)).toBeGreaterThan((await processorTime(stored)) / 3);
  });
});

describe('hashing passwords', () => {
  test('is done one at a time in the order of the calls', async () => {
    const { hash, verify } = scryptPasswords(CHEAPER);
    const cheap = hashed(PASSWORD, 2 ** 7);
    const done: string[] = [];
    await Promise.all([
      hash(MAY_SET, PASSWORD).then(() => done.push('expensive')),
      verify(MAY_CHECK, PASSWORD, cheap).then(() => done.push('cheap')),
      verify(MAY_CHECK, PASSWORD, undefined).then(() => done.push('nobody')),
      verify(MAY_CHECK, PASSWORD, cheap).then(() => done.push('cheap again')),
    ]);

    // Two at once would let the cheap ones, 128 times faster, overtake the others.
    expect(done).toEqual(['expensive', 'cheap', 'nobody', 'cheap again']);
  });

  test('continues after a failure', async () => {
    const { verify } = scryptPasswords();
    const tooExpensive = hashed(PASSWORD, 2 ** 10).replace('$1024$', '$268435456$');

    await expect(verify(MAY_CHECK, PASSWORD, tooExpensive)).rejects.toThrow();
    expect(await verify(MAY_CHECK, PASSWORD, hashed(PASSWORD, 2 ** 10))).toBe(true);
  });
});

describe('a malformed password hash', () => {
  test.each([
    ['empty', ''],
    ['plain text', PASSWORD],
    ['of another scheme', hashed(PASSWORD, 2 ** 10).replace('scrypt', 'bcrypt')],
    ['without its hash', hashed(PASSWORD, 2 ** 10).replace(/[^$]+$/, '')],
    ['with a shorter hash', hashed(PASSWORD, 2 ** 10).slice(0, -3)],
    ['with trailing text', `${hashed(PASSWORD, 2 ** 10)}$`],
    ['with a cost of zero', hashed(PASSWORD, 2 ** 10).replace('$1024$', '$0$')],
  ])('is an error that does not quote it: %s', async (_, stored) => {
    const failing = scryptPasswords().verify(MAY_CHECK, PASSWORD, stored);

    await expect(failing).rejects.toThrow();
    await expect(failing).rejects.not.toThrow(PASSWORD);
  });
});

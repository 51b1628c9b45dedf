import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { PasswordPermit } from '../rules/password-terms.ts';

/** Parameters of scrypt. Source: RFC 7914 §2. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

interface Hashed {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** One hash takes 128 MiB and a few tenths of a second. Source: docs/decisions/accounts.md, "Passwords". */
const COST: PasswordCost = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Suffices for stored hashes of twice the cost; scrypt refuses to use more. */
const MAX_MEMORY_BYTES = 2 * 128 * COST.N * COST.r + 2 ** 20;

const FORM = /^scrypt\$([1-9]\d{0,8})\$([1-9]\d?)\$([1-9]\d?)\$([\w-]{16,})\$([\w-]{43})$/;

/**
 * Hashes passwords with scrypt, stored with the parameters: `scrypt$N$r$p$salt$hash`, the last two base64url. Runs one
 * at a time, since each needs as much memory as many requests. Source: docs/decisions/accounts.md, "Passwords".
 * @param cost - for new hashes, and for the dummy check where there is no account
 */
export const scryptPasswords = (cost: PasswordCost = COST): Passwords => {
  const nobody: Hashed = {
    cost,
    salt: randomBytes(SALT_BYTES),
    hash: randomBytes(HASH_BYTES),
  };

  let last: Promise<unknown> = Promise.resolve();
  const afterTheOthers = <Value>(run: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    hash: async (_, password) => {
      const salt = randomBytes(SALT_BYTES);
      return written({
        cost,
        salt,
        hash: await afterTheOthers(() => derive(password, salt, cost)),
      });
    },

    unusable: () => written({ cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) }),

    verify: async (_, password, stored) => {
      const known = stored === undefined ? nobody : read(stored);
      const derived = await afterTheOthers(() => derive(password, known.salt, known.cost));
      return timingSafeEqual(derived, known.hash) && stored !== undefined;
    },
  };
};

/** NFC, since keyboards encode the same character differently. Source: RFC 8265 §4.2.2. */
const derive = (password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFC'),
      salt,
      HASH_BYTES,
      { ...cost, maxmem: MAX_MEMORY_BYTES },
      (error, derived) => (error ? reject(error) : resolve(derived)),
    );
  });

const written = ({ cost: { N, r, p }, salt, hash }: Hashed): string =>
  ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');

/** @throws Error that does not quote the hash */
const read = (stored: string): Hashed => {
  const [, N, r, p, salt, hash] = FORM.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('a password hash is not readable');
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
};

export interface Passwords {
  hash(permit: PasswordPermit<'set'>, password: string): Promise<string>;
  /** Hash that no password matches, for accounts without a password. */
  unusable(): string;
  /** Takes as long for a missing hash as for a wrong password. */
  verify(
    permit: PasswordPermit<'check'>,
    password: string,
    hash: string | undefined,
  ): Promise<boolean>;
}

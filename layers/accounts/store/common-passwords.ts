import { MIN_PASSWORD_CHARACTERS } from '../rules/password-length.ts';
import type { CommonPasswords } from '../../ports.ts';

/**
 * The passwords that leaked most often, of those that are long enough to be chosen. They are loaded when
 * the first password is chosen, so that no other request's cold start pays for them.
 *
 * Source: NIST SP 800-63B §3.1.1.2.
 */
export const leakedPasswords = (): CommonPasswords => {
  let loading: Promise<ReadonlySet<string>> | undefined;
  return {
    has: async (password) => (await (loading ??= load())).has(password.toLowerCase()),
  };
};

const load = async (): Promise<ReadonlySet<string>> => {
  const { default: ranked } = await import('@zxcvbn-ts/language-common/dist/passwords.json.mjs');
  return new Set(ranked.filter(({ length }) => length >= MIN_PASSWORD_CHARACTERS));
};

import { MIN_PASSWORD_CHARACTERS } from '../../platform/rules/password-length.ts';

/**
 * The most frequently leaked passwords that satisfy the minimum length. Loaded when the first password is chosen, to
 * keep the list out of other cold starts.
 * Source: NIST SP 800-63B §3.1.1.2.
 */
export const leakedPasswords = () => {
  let loading: Promise<ReadonlySet<string>> | undefined;
  return {
    /** Ignores case. */
    has: async (password: string): Promise<boolean> =>
      (await (loading ??= load())).has(password.toLowerCase()),
  };
};

export type CommonPasswords = ReturnType<typeof leakedPasswords>;

const load = async (): Promise<ReadonlySet<string>> => {
  const { default: ranked } = await import('@zxcvbn-ts/language-common/dist/passwords.json.mjs');
  return new Set(ranked.filter(({ length }) => length >= MIN_PASSWORD_CHARACTERS));
};

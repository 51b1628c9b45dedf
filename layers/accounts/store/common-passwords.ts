import { MIN_PASSWORD_CHARACTERS } from '../../platform/rules/password-length.ts';

/**
 * The passwords that leaked most often, of those that are long enough to be chosen. They are loaded when
 * the first password is chosen, so that no other request's cold start pays for them.
 *
 * Source: NIST SP 800-63B §3.1.1.2.
 */
export const leakedPasswords = () => {
  let loading: Promise<ReadonlySet<string>> | undefined;
  return {
    /** Whether it is among those that are tried first, in whatever case. */
    has: async (password: string): Promise<boolean> =>
      (await (loading ??= load())).has(password.toLowerCase()),
  };
};

export type CommonPasswords = ReturnType<typeof leakedPasswords>;

const load = async (): Promise<ReadonlySet<string>> => {
  const { default: ranked } = await import('@zxcvbn-ts/language-common/dist/passwords.json.mjs');
  return new Set(ranked.filter(({ length }) => length >= MIN_PASSWORD_CHARACTERS));
};

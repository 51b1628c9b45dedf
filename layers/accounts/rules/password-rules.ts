import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../platform/rules/password-length.ts';

/** What is wrong with a password that somebody chose, and what to do about it. */
export interface PasswordFault {
  readonly what: string;
  readonly hint: string;
}

/** What everyone knows of an account. */
export interface KnownNames {
  /** Canonical. */
  readonly email: string;
  /** Of the service: host and port. */
  readonly host: string;
}

/**
 * What can be said of a password by itself: its length, and whether it is as a whole a name that everyone
 * knows. Characters are Unicode's, not bytes or UTF-16 units. Whether it is common, a list says.
 *
 * Source: NIST SP 800-63B §3.1.1.2; docs/decisions/accounts.md, "Passwords".
 */
export const passwordFault = (
  password: string,
  { email, host }: KnownNames,
): PasswordFault | undefined => {
  const characters = [...password].length;
  if (characters < MIN_PASSWORD_CHARACTERS) {
    return { what: 'too short', hint: `Use at least ${MIN_PASSWORD_CHARACTERS} characters.` };
  }
  if (characters > MAX_PASSWORD_CHARACTERS) {
    return { what: 'too long', hint: `Use at most ${MAX_PASSWORD_CHARACTERS} characters.` };
  }
  const known = [email, ...email.split('@'), ...email.split(/[@.]/), host];
  return known.includes(password.trim().toLowerCase()) ? TOO_EASY : undefined;
};

export const TOO_EASY: PasswordFault = {
  what: 'too easy to guess',
  hint: 'Use something less common: four or more words that have nothing to do with each other.',
};

import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../platform/rules/password-length.ts';

export interface PasswordFault {
  readonly what: string;
  readonly hint: string;
}

/** Public names that must not be used as a password. */
export interface KnownNames {
  /** Canonical e-mail address. */
  readonly email: string;
  /** Host and port of the service. */
  readonly host: string;
}

/**
 * Checks that need no list: a password's length in Unicode characters (not bytes or UTF-16 units), and that it is not
 * one of the known names. Common passwords are checked elsewhere, by a list.
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

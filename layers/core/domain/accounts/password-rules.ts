import { isCommonPassword } from './common-passwords.ts';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 128;

/** What is wrong with a password that somebody chose, and what to do about it. */
export interface PasswordFault {
  readonly what: string;
  readonly mend: string;
}

/**
 * Whether an account may have a password. Characters are Unicode's, not bytes or UTF-16 units.
 *
 *
 * Source: D28.
 */
export const passwordFault = (password: string, email: string): PasswordFault | undefined => {
  const characters = [...password].length;
  if (characters < MIN_CHARACTERS) {
    return { what: 'too short', mend: `Use at least ${MIN_CHARACTERS} characters.` };
  }
  if (characters > MAX_CHARACTERS) {
    return { what: 'too long', mend: `Use at most ${MAX_CHARACTERS} characters.` };
  }
  if (isCommonPassword(password, [email, ...email.split(/[@.]/)])) {
    return {
      what: 'too easy to guess',
      mend: 'Use something less common: four or more words that have nothing to do with each other.',
    };
  }
  return undefined;
};

import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Credential } from '../../target/rules/credential.ts';

const STRONG_CHARACTERS = 16;
/** What stands in the place of a password where the user name is the key: nothing, or a letter. */
const MOST_PLACEHOLDER_CHARACTERS = 5;

/**
 * The password that a person may have chosen, of a credential that has one.
 *
 * @returns undefined for keys and tokens, which machines make
 */
export const chosenPassword = (credential: Credential): string | undefined => {
  if (credential.type !== 'basic') return undefined;
  const { username, password } = credential;
  const isPlaceholder =
    password.length <= MOST_PLACEHOLDER_CHARACTERS && username.length >= STRONG_CHARACTERS;
  return password === '' || isPlaceholder ? undefined : password;
};

/**
 * Says that a password can be guessed by whoever may call the tools.
 *
 * @param isCommon - it leaked often
 *
 * Source: docs/decisions/credentials.md, "Masking tells nothing".
 */
export const weakPassword = (password: string, isCommon: boolean): readonly Finding[] => {
  if (!isCommon && password.length >= STRONG_CHARACTERS) return [];
  const what = isCommon
    ? 'this password is one of those that are tried first'
    : `this password has ${password.length} characters`;
  const hint = `Whoever may call the tools can try guesses at it. Let the API give you one of ${STRONG_CHARACTERS} or more random characters, and set that.`;
  return [{ where: '/password', what, hint }];
};

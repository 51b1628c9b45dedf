import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { finding } from '../../platform/rules/refusal/finding.ts';
import type { Credential, StoredCredential } from '../../target/rules/credential.ts';
import { isHeaderName } from '../../target/rules/protected-headers.ts';
import { readOrigins } from './credential-origins.ts';
import { oauthClientFindings } from './check-oauth-client.ts';
import { hmacFindings } from './hmac-recipe.ts';
import { certificateFindings } from './client-certificate.ts';
import { sessionFindings } from './session-login.ts';
import { awsRoleFindings } from './aws-role.ts';
import { HEADER_VALUE, isForbiddenHeader } from './forbidden-headers.ts';

/** Bytes of UTF-8. Most servers accept no more in all headers together. */
const MAX_SECRET_BYTES = 8192;
const MAX_NAME_CHARACTERS = 256;

/**
 * Checks that a credential can be sent to a target unchanged, and that its origins are valid.
 *
 * @param origins - undefined where none were given
 * @throws ApiRefusal invalid_request with findings, which never repeat a secret
 * Source: RFC 6750 §2.1; RFC 7617 §2; RFC 9110 §5.6.2; OpenAPI 3.1.1, Security Scheme Object; RFC 6454 §4.
 */
export const checkCredential = (
  credential: Credential,
  origins?: readonly string[] | undefined,
): void => {
  const wrongOrigins = origins === undefined ? [] : readOrigins(origins).findings;
  const findings = [...findingsOf(credential), ...wrongOrigins];
  if (findings.length === 0) return;
  throw new ApiRefusal('invalid_request', 'This credential cannot be used.', findings);
};

/** @throws ApiRefusal as `checkCredential` does */
export const withOrigins = (
  credential: Credential,
  origins: readonly string[],
): StoredCredential => {
  checkCredential(credential, origins);
  return { ...credential, origins: readOrigins(origins).origins };
};

const findingsOf = (credential: Credential): readonly Finding[] => {
  switch (credential.type) {
    case 'bearer':
      return secret('/token', credential.token, VISIBLE, 'Give the token alone, in one piece.');
    case 'basic':
      return basicFindings(credential);
    case 'api_key':
      return [...nameFindings(credential), ...keyFindings(credential)];
    case 'oauth_client':
      return oauthClientFindings(credential);
    case 'aws':
      return awsRoleFindings(credential);
    case 'hmac':
      return hmacFindings(credential);
    case 'mutual_tls':
      return certificateFindings(credential);
    case 'session':
      return sessionFindings(credential);
  }
};

type Basic = Extract<Credential, { type: 'basic' }>;
type ApiKey = Extract<Credential, { type: 'api_key' }>;

const VISIBLE = /^[\x21-\x7e]+$/;
/** No control characters and no Unicode line separators. */
const PLAIN = /^[^\p{Cc}\u2028\u2029]*$/u;

const basicFindings = ({ username, password }: Basic): readonly Finding[] => {
  if (username === '' && password === '') {
    return [finding('/password', 'empty', 'Give a user name, a password, or both.')];
  }
  const findings = [
    ...text('/username', username, PLAIN, 'Leave control characters out.'),
    ...text('/password', password, PLAIN, 'Leave control characters out.'),
  ];
  return username.includes(':')
    ? [...findings, finding('/username', 'has a colon', 'Basic credentials cannot carry it.')]
    : findings;
};

const nameFindings = ({ name, in: place }: ApiKey): readonly Finding[] => {
  const where = '/name';
  if (name === '') return [finding(where, 'empty', 'Give the name that the target expects.')];
  if (name.length > MAX_NAME_CHARACTERS) {
    return [finding(where, 'too long', `Give at most ${MAX_NAME_CHARACTERS} characters.`)];
  }
  if (place === 'query') return text(where, name, PLAIN, 'Leave control characters out.');
  if (!isHeaderName(name)) {
    return [finding(where, `not the name of a ${place}`, 'Use letters, digits and hyphens.')];
  }
  if (place === 'header' && isForbiddenHeader(name)) {
    const hint =
      name.toLowerCase() === 'cookie'
        ? 'Send it as a cookie: `in` is `cookie`, and `name` the name of the cookie.'
        : 'This header decides about the connection or the message: choose another one.';
    return [finding(where, 'a header that credentials may not set', hint)];
  }
  return [];
};

const keyFindings = ({ value, in: place }: ApiKey): readonly Finding[] =>
  place === 'header'
    ? secret('/value', value, HEADER_VALUE, 'Give what a header can hold, without line breaks.')
    : secret('/value', value, PLAIN, 'Leave control characters out.');

const secret = (where: string, value: string, form: RegExp, hint: string): readonly Finding[] =>
  value === '' ? [finding(where, 'empty', 'Give the secret.')] : text(where, value, form, hint);

const text = (where: string, value: string, form: RegExp, hint: string): readonly Finding[] => {
  if (Buffer.byteLength(value) > MAX_SECRET_BYTES) {
    return [finding(where, 'too long', `Give at most ${MAX_SECRET_BYTES} bytes.`)];
  }
  if (!value.isWellFormed() || !form.test(value)) {
    return [finding(where, 'has characters that cannot be sent', hint)];
  }
  return [];
};

const STRONG_CHARACTERS = 16;
/** Placeholder passwords are empty or short: then the user name is the key. */
const MOST_PLACEHOLDER_CHARACTERS = 5;

/** Password that a person may have chosen. @returns undefined for keys and tokens, which machines generate */
export const chosenPassword = (credential: Credential): string | undefined => {
  if (credential.type !== 'basic') return undefined;
  const { username, password } = credential;
  const isPlaceholder =
    password.length <= MOST_PLACEHOLDER_CHARACTERS && username.length >= STRONG_CHARACTERS;
  return password === '' || isPlaceholder ? undefined : password;
};

/**
 * Warns of a password that callers of the tools could guess.
 *
 * @param isCommon - found in lists of leaked passwords
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

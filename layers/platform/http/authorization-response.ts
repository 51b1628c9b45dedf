import type { ReturnTo } from '../rules/refusal/oauth-refusal.ts';

/**
 * Redirect URI with the answer to an authorization request. The URI's own query and `state` stay unchanged, byte by
 * byte.
 * @param answer - `{code}`, or `{error, error_description}`
 * Source: RFC 6749 §4.1.2; RFC 9207 §2.
 */
export const authorizationResponse = (
  { redirectUri, state, issuer }: ReturnTo,
  answer: Readonly<Record<string, string>>,
): string => {
  const query = Object.entries({ ...answer, iss: issuer }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  if (state !== undefined) query.push(`state=${state}`);
  return `${redirectUri}${joint(redirectUri)}${query.join('&')}`;
};

const joint = (uri: string): string => {
  if (!uri.includes('?')) return '?';
  return /[?&]$/.test(uri) ? '' : '&';
};

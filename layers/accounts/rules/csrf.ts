import { timingSafeEqual } from 'node:crypto';
import { fingerprint } from '../../platform/rules/fingerprint.ts';

/**
 * Token in a page's form that prevents CSRF: only pages shown to this session, for this request, contain it.
 * @param session - the secret that the browser's cookie carries, never its fingerprint
 * @param request - identifies the request: its ticket, or its challenge
 */
export const csrfToken = (session: string, request: string): string =>
  fingerprint(`csrf ${session} ${request}`);

export const isCsrfToken = (sent: string, session: string, request: string): boolean => {
  const expected = Buffer.from(csrfToken(session, request));
  const actual = Buffer.from(sent);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

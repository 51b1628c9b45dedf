import { timingSafeEqual } from 'node:crypto';
import { fingerprint } from '../../platform/rules/fingerprint.ts';

/**
 * What a page proves its origin with: only a page that was shown to the holder of this very session, for this very
 * request, carries it.
 *
 * @param session - the secret that the browser's cookie carries, never its fingerprint
 * @param request - what names the request: its ticket, or its challenge
 */
export const csrfToken = (session: string, request: string): string =>
  fingerprint(`csrf ${session} ${request}`);

export const isCsrfToken = (sent: string, session: string, request: string): boolean => {
  const expected = Buffer.from(csrfToken(session, request));
  const actual = Buffer.from(sent);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

import { timingSafeEqual } from 'node:crypto';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';

/**
 * What a consent page proves its origin with: only a page that was shown to the holder of this very
 * session, for this very ticket, carries it.
 *
 * @param session - the secret that the browser's cookie carries, never its fingerprint
 */
export const csrfToken = (session: string, ticket: string): string =>
  fingerprint(`csrf ${session} ${ticket}`);

export const isCsrfToken = (sent: string, session: string, ticket: string): boolean => {
  const expected = Buffer.from(csrfToken(session, ticket));
  const actual = Buffer.from(sent);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

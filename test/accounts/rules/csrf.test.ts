import { expect, test } from '@jest/globals';
import { csrfToken, isCsrfToken } from '../../../layers/accounts/rules/csrf.ts';

test('a CSRF token is valid only for its own session and request', () => {
  const token = csrfToken('session-1', 'ticket-1');

  expect(isCsrfToken(token, 'session-1', 'ticket-1')).toBe(true);
  expect(isCsrfToken(token, 'session-2', 'ticket-1')).toBe(false);
  expect(isCsrfToken(token, 'session-1', 'ticket-2')).toBe(false);
  expect(isCsrfToken('', 'session-1', 'ticket-1')).toBe(false);
  expect(isCsrfToken(`${token}0`, 'session-1', 'ticket-1')).toBe(false);
});

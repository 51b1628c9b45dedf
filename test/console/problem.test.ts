import { describe, expect, test } from '@jest/globals';
import { isPage, problemIn } from '../../console/src/api/problem.ts';

const json = { 'content-type': 'application/json' };

describe('an answer that the service has not written', () => {
  // Source: the answers of API Gateway and of Lambda beyond their limits.
  test.each([
    [429, '{"message":"Too Many Requests"}', 'Wait a few seconds'],
    [503, '{"message":"Service Unavailable"}', 'try again in a moment'],
    [413, '{"message":"Request Too Long"}', 'Leave out what is not needed'],
    [403, '{"message":"Forbidden"}', 'ask its operator'],
    [502, '<html>Bad Gateway</html>', 'try again in a moment'],
  ])('of status %d says what to do next', async (status, body, advice) => {
    const problem = await problemIn(new Response(body, { status, headers: json }));

    expect(problem.detail).toContain(advice);
    expect(problem.detail).not.toContain('message');
  });

  test('but is a page of a network is known as that, though its status is 200', async () => {
    const html = { 'content-type': 'text/html; charset=utf-8' };
    const answer = new Response('<html>Sign in to the network</html>', { headers: html });

    expect(isPage(answer)).toBe(true);
    expect((await problemIn(answer)).detail).toContain('Load this page again.');
    expect(isPage(new Response('{}', { headers: json }))).toBe(false);
  });
});

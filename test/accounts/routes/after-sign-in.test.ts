import { describe, expect, test } from '@jest/globals';
import {
  afterSignInOf,
  consoleAddress,
  notedWanted,
  noteWanted,
} from '../../../layers/accounts/routes/after-sign-in.ts';
import { siteOf } from '../../../layers/accounts/routes/site.ts';
import { done } from '../../../layers/platform/http/reply.ts';
import { anEvent } from '../../support/mcp/router-events.ts';

const site = siteOf('https://mcp.example.com/v1');
const START = '/v1/console/servers';

describe('where somebody goes on in the console', () => {
  test.each([
    '/v1/console/servers/weather/activity',
    '/v1/console/servers/weather?tab=tools&q=a%20b',
    '/v1/console/servers#weather',
    '/v1/mcp-router/weather/docs',
  ])('is the path %s', (wanted) => {
    expect(consoleAddress(site, wanted)).toBe(wanted);
  });

  test('is what a path with dots leads to, as long as that is in the console', () => {
    expect(consoleAddress(site, '/v1/console/a/../b')).toBe('/v1/console/b');
  });

  test.each([
    ['nothing', ''],
    ['what no route leads to', '/v1/console/'],
    ['another site', 'https://evil.example/v1/console/'],
    ['another site without a scheme', '//evil.example/v1/console/'],
    ['a backslash, which browsers take for a slash', '/\\evil.example/v1/console/'],
    ['a tab, which browsers drop', '/\t/evil.example/v1/console/'],
    ['a line break', '/v1/console/\r\nSet-Cookie: a=b'],
    ['a script', 'javascript:alert(1)//v1/console/'],
    ['a relative path', 'v1/console/'],
    ['another path of the service', '/v1/mcp-oauth-server/authorize?ticket=x'],
    ['a path that begins alike', '/v1/console-evil'],
    ['another page of a server', '/v1/mcp-router/weather/messages'],
    ['the page of what is no server', '/v1/mcp-router/a%2Fb/docs'],
    ['dots that lead out of its page', '/v1/mcp-router/weather/docs/../messages'],
    ['dots that lead out', '/v1/console/../mcp-oauth-server/logout'],
    ['encoded dots that lead out', '/v1/console/%2e%2e/mcp-oauth-server/logout'],
    ['a letter that is none of ASCII', '/v1/console/é'],
    ['our own origin, spelled out', 'https://mcp.example.com/v1/console/a'],
    ['a name and a password', '//mcp.example.com@evil.example/v1/console/'],
    ['more than 500 characters', `/v1/console/${'a'.repeat(500)}`],
  ])('is the start for %s', (_, wanted) => {
    expect(consoleAddress(site, wanted)).toBe(START);
  });

  test('is a page of a server without a query, which it has none of', () => {
    const page = '/v1/mcp-router/weather/docs';
    expect(consoleAddress(site, `${page}?next=//evil.example#x`)).toBe(page);
  });

  test('passes from page to page as the parameter return_to', () => {
    expect(afterSignInOf(site, { returnTo: '/v1/console/a?b=c' })).toEqual({
      name: 'return_to',
      value: '/v1/console/a?b=c',
      encoded: '%2Fv1%2Fconsole%2Fa%3Fb%3Dc',
      signIn: '/v1/mcp-oauth-server/sign-in?return_to=%2Fv1%2Fconsole%2Fa%3Fb%3Dc',
    });
  });

  test('is the request of an application where both are named, and nowhere where neither is', () => {
    const ticket = 'a'.repeat(43);

    expect(afterSignInOf(site, { ticket, returnTo: START })).toMatchObject({ value: ticket });
    expect(afterSignInOf(site, { ticket: 'no ticket' })).toBeUndefined();
  });
});

describe('where somebody goes on who opens the link of a mail', () => {
  const TICKET = 'a'.repeat(43);
  const opened = async (wanted: { ticket?: string; returnTo?: string }, open = true) => {
    const noted = noteWanted(site, done(), afterSignInOf(site, wanted));
    const cookies = noted.cookies?.map((cookie) => cookie.split(';')[0] ?? '') ?? [];
    const event = { ...anEvent('GET', '/v1/mcp-oauth-server/verify'), cookies };
    return notedWanted({ isOpenTicket: async () => open }, site, event);
  };

  test('is the page of the console that was wanted, and no other site', async () => {
    expect(await opened({ returnTo: '/v1/console/servers/a?b=c' })).toBe(
      '/v1/console/servers/a?b=c',
    );
    expect(await opened({ returnTo: 'https://evil.example/v1/console/' })).toBe(START);
  });

  test('is the request of an application while it is open', async () => {
    expect(await opened({ ticket: TICKET })).toBe(site.resumeAt(TICKET));
    expect(await opened({ ticket: TICKET }, false)).toBeUndefined();
  });

  test('is nowhere else where nothing was wanted', async () => {
    expect(await opened({})).toBeUndefined();
  });
});

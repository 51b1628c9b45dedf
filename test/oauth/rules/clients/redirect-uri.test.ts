import { describe, expect, test } from '@jest/globals';
import {
  isRedirectUri,
  matchesRedirectUri,
} from '../../../../layers/oauth/rules/clients/redirect-uri.ts';

const rules = { maxLength: 500, allowed: ['cursor://anysphere.cursor/oauth/callback'] };

describe('registering a redirect URI', () => {
  test.each([
    ['https', 'https://app.example.com/callback'],
    ['https with a port', 'https://app.example.com:8443/callback'],
    ['https with a query', 'https://app.example.com/callback?from=mcp&x=1'],
    ['https without a path', 'https://app.example.com'],
    ['a scheme in capitals', 'HTTPS://app.example.com/callback'],
    ['an @ in the path', 'https://app.example.com/@me/callback'],
    ['http on localhost', 'http://localhost:6277/callback'],
    ['http on localhost without a port', 'http://localhost/callback'],
    ['http on 127.0.0.1', 'http://127.0.0.1:6279/callback'],
    ['http on ::1', 'http://[::1]:33418/'],
    ['a private scheme that the operator allows', 'cursor://anysphere.cursor/oauth/callback'],
    ['500 characters', `https://app.example.com/${'a'.repeat(476)}`],
  ])('accepts %s', (_, uri) => {
    expect(isRedirectUri(uri, rules)).toBe(true);
  });

  test.each([
    ['an empty text', ''],
    ['501 characters', `https://app.example.com/${'a'.repeat(477)}`],
    ['http on another host', 'http://app.example.com/callback'],
    ['a host that begins like localhost', 'http://localhost.evil.com/callback'],
    ['a host that begins like 127.0.0.1', 'http://127.0.0.1.evil.com/callback'],
    ['another spelling of 127.0.0.1', 'http://127.1/callback'],
    ['another loopback address', 'http://127.0.0.2/callback'],
    ['localhost with a dot', 'http://localhost./callback'],
    ['a user name', 'https://user@app.example.com/callback'],
    ['a user name that looks like a host', 'http://localhost:80@evil.com/callback'],
    ['a password', 'https://user:password@app.example.com/'],
    ['a fragment', 'https://app.example.com/callback#here'],
    ['an empty fragment', 'https://app.example.com/callback#'],
    ['a wildcard host', 'https://*.example.com/callback'],
    ['a wildcard path', 'https://app.example.com/*'],
    ['javascript', 'javascript:alert(1)'],
    ['javascript in capitals', 'JAVASCRIPT://%0aalert(1)'],
    ['data', 'data:text/html,hello'],
    ['a file', 'file:///etc/passwd'],
    ['a private scheme', 'com.example.app:/callback'],
    ['nearly what the operator allows', 'cursor://anysphere.cursor/oauth/callback/'],
    ['no scheme', '//app.example.com/callback'],
    ['a relative URI', '/callback'],
    ['no host', 'https:///callback'],
    ['no slashes', 'https:app.example.com/callback'],
    ['a backslash', 'https://app.example.com\\@evil.com/'],
    ['a space', 'https://app.example.com/call back'],
    ['a space before', ' https://app.example.com/callback'],
    ['a line break', 'https://app.example.com/callback\n'],
    ['a tab', 'https://app.exa\tmple.com/callback'],
    ['a NUL', 'https://app.example.com/\0'],
    ['a letter beyond ASCII', 'https://exämple.com/callback'],
    ['a port out of range', 'https://app.example.com:99999/'],
    ['quotes', 'https://app.example.com/"onclick="'],
  ])('refuses %s', (_, uri) => {
    expect(isRedirectUri(uri, rules)).toBe(false);
  });
});

describe('the redirect URI of an authorization request', () => {
  const registered = ['https://app.example.com/callback', 'http://127.0.0.1:6277/callback'];

  test.each([
    'https://app.example.com/callback',
    'http://127.0.0.1:6277/callback',
    'http://127.0.0.1:49152/callback',
    'http://127.0.0.1/callback',
  ])('%s matches a registered one', (given) => {
    expect(matchesRedirectUri(registered, given)).toBe(true);
  });

  test('may have any port on localhost and ::1', () => {
    expect(matchesRedirectUri(['http://localhost/cb'], 'http://localhost:3000/cb')).toBe(true);
    expect(matchesRedirectUri(['http://[::1]:1/cb'], 'http://[::1]:2/cb')).toBe(true);
  });

  test.each([
    'https://app.example.com/callback/',
    'https://app.example.com/Callback',
    'https://app.example.com:8443/callback',
    'https://app.example.com:443/callback',
    'https://app.example.com/callback?x=1',
    'https://APP.example.com/callback',
    'http://app.example.com/callback',
    'http://127.0.0.1:6277/other',
    'http://127.0.0.1:6277/callback?x=1',
    'https://127.0.0.1:6277/callback',
    'http://localhost:6277/callback',
    'http://127.0.0.1:6277@evil.com/callback',
    'http://127.0.0.1:627700/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1.evil.com/callback',
    '',
  ])('%s matches no registered one', (given) => {
    expect(matchesRedirectUri(registered, given)).toBe(false);
  });
});

import { describe, expect, test } from '@jest/globals';
import { checkLocalOrigin, checkOrigin } from '../../../layers/platform/rules/origin.ts';

const ALLOWED = ['https://app.example.com', 'http://localhost:3000'];

describe('the Origin header of a request', () => {
  test.each([
    undefined,
    'null',
    'https://example.com',
    'HTTPS://Example.com',
    'http://localhost:8080',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'vscode-webview://0abc',
    'chrome-extension://abcdefgh',
  ])('may be %p where no origins are listed', (origin) => {
    expect(() => checkOrigin(origin, [])).not.toThrow();
  });

  test.each([
    '',
    'example.com',
    'https://',
    'https://example.com/',
    'https://example.com/path',
    'https://user@example.com',
    'https://example.com:port',
    'https://example.com:123456',
    'https://example.com, https://evil.example',
    'https://exa mple.com',
    'javascript:alert(1)',
    'https://example.com?x=1',
    '*',
  ])('is refused as malformed where it is %p', (origin) => {
    expect(() => checkOrigin(origin, [])).toThrow('malformed Origin');
  });

  test.each([
    undefined,
    'https://app.example.com',
    'HTTPS://APP.example.com',
    'http://localhost:3000',
  ])('may be %p where that origin is listed', (origin) => {
    expect(() => checkOrigin(origin, ALLOWED)).not.toThrow();
  });

  test.each([
    'null',
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.example',
    'http://localhost:3001',
  ])('is refused where only other origins are listed: %p', (origin) => {
    expect(() => checkOrigin(origin, ALLOWED)).toThrow('Origin not allowed');
  });
});

describe('the Origin header of a request to a local deployment without tokens', () => {
  test.each([
    undefined,
    'http://localhost',
    'https://localhost:8443',
    'HTTP://LOCALHOST:3000',
    'http://127.0.0.1:6274',
    'https://[::1]:3000',
    'https://app.example.com',
  ])('may be %p', (origin) => {
    expect(() => checkLocalOrigin(origin, ['https://app.example.com'])).not.toThrow();
  });

  test.each([
    'null',
    'https://evil.example',
    'http://localhost.evil.example',
    'http://localhost.',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.2',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:127.0.0.1]',
    'http://evil.example:80',
    'vscode-webview://localhost',
    'file://',
    'http://localhost/',
    'http://localhost:3000 https://evil.example',
    'http://app.example.com',
  ])('is refused where it is %p', (origin) => {
    expect(() => checkLocalOrigin(origin, ['https://app.example.com'])).toThrow(/Origin/);
  });
});

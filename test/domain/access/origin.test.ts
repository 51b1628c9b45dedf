import { describe, expect, test } from '@jest/globals';
import { checkOrigin } from '../../../layers/core/domain/access/origin.ts';

const ALLOWED = ['https://app.example.com', 'http://localhost:3000'];

describe('T7 the origin of a request', () => {
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
  ])('may be %p where none are listed', (origin) => {
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
  ])('is refused as malformed: %p', (origin) => {
    expect(() => checkOrigin(origin, [])).toThrow('malformed Origin');
  });

  test.each([
    undefined,
    'https://app.example.com',
    'HTTPS://APP.example.com',
    'http://localhost:3000',
  ])('may be %p where it is listed', (origin) => {
    expect(() => checkOrigin(origin, ALLOWED)).not.toThrow();
  });

  test.each([
    'null',
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.example',
    'http://localhost:3001',
  ])('is refused where others are listed: %p', (origin) => {
    expect(() => checkOrigin(origin, ALLOWED)).toThrow('Origin not allowed');
  });
});

import { describe, expect, test } from '@jest/globals';
import { readPrivateUseUris } from '../../../../layers/oauth/rules/clients/private-use-uris.ts';

describe('the private-use redirect URIs that an operator allows', () => {
  test.each([
    'com.example.app:/callback',
    'cursor://anysphere.cursor-retrieval/oauth/user-x/callback?a=b',
    'app:cb',
  ])('may contain %s', (uri) => {
    expect(readPrivateUseUris(JSON.stringify([uri]))).toEqual([uri]);
  });

  test.each([
    'https://example.com/cb',
    'HTTP://example.com/cb',
    'javascript:alert(1)',
    'JavaScript:alert(1)//',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'about:blank',
    'ws://example.com',
    'mailto:a@example.com',
    'app:/cb#fragment',
    'app:/cb"quote',
    'app:/cb<tag>',
    'app:/cb\\back',
    'app:/c b',
    'app:/cb\r\nset-cookie: a=b',
    'app:',
    'no scheme',
  ])('cannot contain %j', (uri) => {
    expect(() => readPrivateUseUris(JSON.stringify(['app:/cb', uri]))).toThrow(
      '1: write a URI with a scheme of an app of its own',
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import {
  readClientDocumentHosts,
  takesDocumentOf,
} from '../../../../layers/oauth/rules/clients/client-document-hosts.ts';

describe('the hosts of client metadata documents', () => {
  test.each([undefined, '', ' '])('are all as long as nothing is said: %j', (text) => {
    expect(readClientDocumentHosts(text)).toBe('all');
    expect(takesDocumentOf('all', 'https://example.com/a.json')).toBe(true);
  });

  test.each([
    ['{"allow":["example.com","*.example.org"]}', { allow: ['example.com', '*.example.org'] }],
    ['{"deny":["xn--bcher-kva.example"]}', { deny: ['xn--bcher-kva.example'] }],
    ['{"allow":[]}', { allow: [] }],
  ])('are read: %s', (text, hosts) => {
    expect(readClientDocumentHosts(text)).toEqual(hosts);
  });

  test.each([
    '{',
    '[]',
    '{}',
    'null',
    '"all"',
    '{"allow":"example.com"}',
    '{"allow":["example.com"],"deny":["example.org"]}',
    '{"allow":["Example.com"]}',
    '{"allow":["https://example.com"]}',
    '{"allow":["example.com/"]}',
    '{"allow":["*"]}',
    '{"allow":["a.*.example.com"]}',
    '{"deny":["bücher.example"]}',
    '{"others":["example.com"]}',
  ])('are refused: %s', (text) => {
    expect(() => readClientDocumentHosts(text)).toThrow('it must be {"allow"');
  });

  test.each<[string, string, boolean]>([
    ['example.com', 'https://example.com/a.json', true],
    ['example.com', 'https://example.com:8443/a.json', true],
    ['example.com', 'https://example.com./a.json', true],
    ['example.com', 'https://www.example.com/a.json', false],
    ['example.com', 'https://example.com.evil.org/a.json', false],
    ['example.com', 'https://evil-example.com/a.json', false],
    ['*.example.com', 'https://www.example.com/a.json', true],
    ['*.example.com', 'https://a.b.example.com/a.json', true],
    ['*.example.com', 'https://a.example.com./a.json', true],
    ['*.example.com', 'https://example.com/a.json', false],
    ['*.example.com', 'https://evilexample.com/a.json', false],
  ])('%s are those of %s: %s', (pattern, url, isAmong) => {
    expect(takesDocumentOf({ allow: [pattern] }, url)).toBe(isAmong);
    expect(takesDocumentOf({ deny: [pattern] }, url)).toBe(!isAmong);
  });
});

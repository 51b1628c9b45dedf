import { describe, expect, test } from '@jest/globals';
import {
  readLocalModelHosts,
  readModelHosts,
} from '../../../layers/openapi/model-apis/model-hosts.ts';
import { protocolOfHost } from '../../../layers/openapi/model-apis/protocols.ts';

const withUrl = (url: unknown) => JSON.stringify([{ name: 'ours', url }]);
const withName = (name: unknown) => JSON.stringify([{ name, url: 'https://llm.example.com' }]);

describe('hosts of models that an operator lists', () => {
  test.each([undefined, '', '  ', '[]'])('are none where nothing is said: %j', (text) => {
    expect(readModelHosts(text)).toEqual([]);
  });

  test.each([
    ['https://llm.example.com', 'https://llm.example.com/v1'],
    ['https://llm.example.com/', 'https://llm.example.com/v1'],
    ['https://llm.example.com/v1', 'https://llm.example.com/v1'],
    ['https://llm.example.com/openai/v1/', 'https://llm.example.com/openai/v1'],
    ['https://llm-2.example.com:8443/a_b/~c.d', 'https://llm-2.example.com:8443/a_b/~c.d'],
    ['https://xn--bcher-kva.example/v1', 'https://xn--bcher-kva.example/v1'],
    ['https://llm/v1', 'https://llm/v1'],
  ])('have an address: %s', (url, read) => {
    expect(readModelHosts(withUrl(url))).toEqual([{ name: 'ours', url: read }]);
  });

  test('are spoken to as OpenAI is, where they say', () => {
    const protocol = protocolOfHost({ name: 'ours', url: 'https://llm.example.com/openai/v1' });
    const terms = { model: 'm', key: 'k', turns: [], tools: [], instructions: undefined };

    expect(protocol).toMatchObject({ name: 'ours', url: 'https://llm.example.com/openai/v1' });
    expect(protocol.request(terms)).toMatchObject({
      path: '/chat/completions',
      headers: { authorization: 'Bearer k' },
    });
  });

  test.each([
    'http://llm.example.com/v1',
    'http://127.0.0.1:11434/v1',
    'http://localhost/v1',
    'wss://llm.example.com',
    'javascript:alert(1)',
    'llm.example.com',
    '//llm.example.com',
    '',
    'https://',
    'https://ann@llm.example.com',
    'https://ann:secret@llm.example.com/v1',
    'https://llm.example.com/v1?x=1',
    'https://llm.example.com/v1?',
    'https://llm.example.com/v1#x',
    'https://llm.example.com/a/../v1',
    'https://llm.example.com/..',
    'https://llm.example.com/./v1',
    'https://llm.example.com/%2e%2e/v1',
    'https://llm.example.com//v1',
    'https://llm.example.com/v1//',
    "https://llm.example.com/';script-src",
    "https://llm.example.com;script-src 'unsafe-inline'",
    'https://llm.example.com/v1;x',
    'https://llm.example.com, https://evil.example',
    'https://llm.example.com https://evil.example',
    'https://llm.example.com/"v1"',
    'https://*.example.com/v1',
    'https://*/v1',
    'https://LLM.example.com/v1',
    'https://llm.example.com.',
    'https://llm..example.com',
    'https://-llm.example.com',
    'https://llm_1.example.com',
    'https://bücher.example',
    'https://llm.example.com:443/v1',
    'https://llm.example.com:0x1bb/v1',
    'https://llm.example.com\\v1',
    ' https://llm.example.com',
    'https://llm.example.com\n',
    'https://llm.exam\tple.com',
    'https://10.0.0.1/v1',
    'https://0x7f.1/v1',
    'https://[::1]/v1',
    `https://${'a'.repeat(64)}.example`,
    `https://llm.example.com/${'a'.repeat(200)}`,
  ])('cannot be at %j', (url) => {
    expect(() => readModelHosts(withUrl(url))).toThrow('the url of "ours" must be https');
  });

  test.each(['a', 'our-models-2', 'a'.repeat(31)])('may be called %s', (name) => {
    expect(readModelHosts(withName(name))).toMatchObject([{ name }]);
  });

  test.each(['', 'Ours', '1st', '-a', 'a b', 'a/b', '..', 'ours;', 'a\n', 'a'.repeat(32)])(
    'cannot be called %j',
    (name) => {
      expect(() => readModelHosts(withName(name))).toThrow(
        'a name is up to 31 lower-case letters, digits and hyphens, a letter first',
      );
    },
  );

  test.each(['anthropic', 'openai', 'google'])('are not called %s', (name) => {
    expect(() => readModelHosts(withName(name))).toThrow(`"${name}" is offered in any case`);
  });

  test('have names of their own', () => {
    const one = { name: 'ours', url: 'https://llm.example.com' };

    expect(() => readModelHosts(JSON.stringify([one, one]))).toThrow(
      'the name "ours" is there twice',
    );
  });

  test('are twenty at most', () => {
    const hosts = Array.from({ length: 21 }, (_, at) => ({
      name: `h${at}`,
      url: 'https://llm.example.com',
    }));

    expect(readModelHosts(JSON.stringify(hosts.slice(1)))).toHaveLength(20);
    expect(() => readModelHosts(JSON.stringify(hosts))).toThrow('there may be 20 hosts at most');
  });

  test.each([
    'nonsense',
    '{}',
    'null',
    '"ours"',
    '[null]',
    '["https://llm.example.com"]',
    '[{"name":"ours"}]',
    '[{"url":"https://llm.example.com"}]',
    '[{"name":"ours","url":1}]',
    '[{"name":["ours"],"url":"https://llm.example.com"}]',
    '[{"name":"ours","url":"https://llm.example.com","key":"k"}]',
  ])('are a list of names and addresses, not %s', (text) => {
    expect(() => readModelHosts(text)).toThrow('it must be a list such as [{"name": "ours"');
  });

  test.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:11434/v1',
    'https://llm.example.com/v1',
  ])('may be at %s for somebody on their own machine', (url) => {
    expect(readLocalModelHosts(withUrl(url))).toEqual([{ name: 'ours', url }]);
  });

  test.each([
    'http://llm.example.com/v1',
    'http://localhost.example.com/v1',
    'http://127.0.0.2/v1',
    'http://[::1]/v1',
    'ftp://localhost/v1',
  ])('may not be at %s even there', (url) => {
    expect(() => readLocalModelHosts(withUrl(url))).toThrow('must be https');
  });
});

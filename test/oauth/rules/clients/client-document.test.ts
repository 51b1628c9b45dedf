import { describe, expect, test } from '@jest/globals';
import {
  documentCacheSeconds,
  isDocumentUrl,
  readClientDocument,
} from '../../../../layers/oauth/rules/clients/clients.ts';

const URL = 'https://app.example.com/client.json';
const NOON = 1_795_176_000;
const rules = { maxLength: 500, maxRedirectUris: 10, allowed: [] };
const document = {
  client_id: URL,
  client_name: 'An app',
  redirect_uris: ['http://127.0.0.1:33418/', 'https://app.example.com/callback'],
};

const KEY = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
const JWKS_URI = 'https://app.example.com/keys.json';
const KEYS = { jwks_uri: JWKS_URI };
const KEYS_AT = { keys: { uri: JWKS_URI } };
const SIGNS_WITH = { token_endpoint_auth_method: 'private_key_jwt' };
const SIGNS = { ...SIGNS_WITH, ...KEYS };
const ALSO_NONE = { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] };
const ALSO_SIGNS = { token_endpoint_auth_methods_supported: ['private_key_jwt'] };
const ONLY_SECRETS = { token_endpoint_auth_method: 'client_secret_jwt' };

/** The store takes 32 levels. */
const nested = (levels: number): object => (levels === 0 ? {} : { in: nested(levels - 1) });

const answer = (body: string | Uint8Array, over: { status?: number; type?: string } = {}) => ({
  status: over.status ?? 200,
  headers: { 'content-type': over.type ?? 'application/json' },
  body: Buffer.from(body),
});

const read = (over: object) =>
  readClientDocument(URL, answer(JSON.stringify({ ...document, ...over })), rules, NOON);

describe('a client id that is a URL', () => {
  test.each([
    URL,
    'https://app.example.com:8443/oauth/client.json',
    'https://app.example.com/client.json?v=1',
    'https://app.example.com/clients/',
    'http://localhost:3000/client.json',
    'http://127.0.0.1/client.json',
    'http://[::1]:3000/client.json',
    `https://app.example.com/${'a'.repeat(476)}`,
  ])('%s may name a client id metadata document', (id) => {
    expect(isDocumentUrl(id)).toBe(true);
  });

  test.each([
    'https://app.example.com',
    'https://app.example.com/',
    'https://APP.example.com/client.json',
    'HTTPS://app.example.com/client.json',
    'https://app.example.com:443/client.json',
    'https://app.example.com/a/../client.json',
    'https://app.example.com/./client.json',
    'https://app.example.com/%2e%2e/client.json',
    'https://app.example.com/client.json#x',
    'https://app.example.com/client.json#',
    'https://user@app.example.com/client.json',
    'https://user:password@app.example.com/client.json',
    'https://app.example.com\\client.json',
    'https://app.example.com/cli\0ent.json',
    ' https://app.example.com/client.json',
    'http://app.example.com/client.json',
    'http://localhost.evil.com/client.json',
    'http://127.0.0.1@evil.com/client.json',
    'ftp://app.example.com/client.json',
    'https:app.example.com/client.json',
    'mcp_6f1a7b3c',
    '',
    `https://app.example.com/${'a'.repeat(477)}`,
  ])('%s cannot name a client id metadata document', (id) => {
    expect(isDocumentUrl(id)).toBe(false);
  });
});

describe('a client id metadata document', () => {
  test('describes a public client', () => {
    expect(read({ scope: 'email', token_endpoint_auth_method: 'none' })).toEqual({
      id: URL,
      source: 'metadata_document',
      name: 'An app',
      redirectUris: document.redirect_uris,
      authMethod: 'none',
      scopes: ['email'],
      createdAt: NOON,
      expiresAt: NOON + 3600,
    });
  });

  test.each<[string, object, object]>([
    [
      'one that names none among others',
      { ...SIGNS, ...ALSO_NONE },
      { authMethod: 'none', ...KEYS_AT },
    ],
    [
      'one that names none, whatever its keys',
      { ...ALSO_NONE, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 7 },
      { authMethod: 'none' },
    ],
    ['one that must sign', SIGNS, { authMethod: 'private_key_jwt', ...KEYS_AT }],
    [
      'one that must sign, with keys of its own',
      { ...SIGNS_WITH, jwks: { keys: [KEY] } },
      { authMethod: 'private_key_jwt', keys: { list: [KEY] } },
    ],
    [
      'one that must sign, with a key that holds more than a key',
      { ...SIGNS_WITH, jwks: { keys: [{ ...KEY, x5c: ['x'], more: nested(100) }] } },
      { authMethod: 'private_key_jwt', keys: { list: [KEY] } },
    ],
    [
      'one that names signatures among others',
      { ...KEYS, token_endpoint_auth_method: 'client_secret_post', ...ALSO_SIGNS },
      { authMethod: 'private_key_jwt', ...KEYS_AT },
    ],
  ])('describes a client with keys: %s', (_, over, expected) => {
    const { authMethod, keys } = read(over);

    expect({ authMethod, ...(keys && { keys }) }).toEqual(expected);
  });

  test('without a name names the client after the host of its URL', () => {
    expect(read({ client_name: undefined }).name).toBe('app.example.com');
  });

  test('may list grant types that only other authorization servers support', () => {
    const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code';

    expect(read({ grant_types: ['authorization_code', 'refresh_token', deviceCode] }).id).toBe(URL);
  });

  test('may be served with a media type that ends in +json', () => {
    const sent = answer(JSON.stringify(document), {
      type: 'application/oauth+json; charset=utf-8',
    });

    expect(readClientDocument(URL, sent, rules, NOON).id).toBe(URL);
  });

  test.each([
    ['another id', { client_id: `${URL}?x` }],
    ['no id', { client_id: undefined }],
    ['a client secret', { client_secret: 'secret_x' }],
    ['a method with a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['signatures alone, but no keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['signatures alone, but two places of keys', { ...SIGNS, jwks: { keys: [KEY] } }],
    ['signatures alone, but keys over http', { ...SIGNS, jwks_uri: 'http://app.example.com/keys' }],
    ['signatures alone, but no key among its keys', { ...SIGNS_WITH, jwks: { keys: [] } }],
    ['signatures alone, but private keys', { ...SIGNS_WITH, jwks: { keys: [{ ...KEY, d: 'x' }] } }],
    ['signatures alone, but a key of objects', { ...SIGNS_WITH, jwks: { keys: [{ kty: {} }] } }],
    ['signatures alone, but shared keys', { ...SIGNS_WITH, jwks: { keys: [{ k: 'x' }] } }],
    ['methods of which all have a secret', { ...SIGNS_WITH, ...ONLY_SECRETS }],
    ['a grant type of another flow only', { grant_types: ['client_credentials'] }],
    ['another response type', { response_types: ['token'] }],
    ['no redirect URI', { redirect_uris: [] }],
    ['an http redirect URI that is not loopback', { redirect_uris: ['http://evil.com/'] }],
    ['eleven redirect URIs', { redirect_uris: Array(11).fill('https://app.example.com/') }],
    ['a name with bidirectional control characters', { client_name: '\u202eppa nA' }],
  ])('is refused with %s', (_, over) => {
    expect(() => read(over)).toThrow(expect.objectContaining({ code: 'invalid_client' }));
  });

  test.each([
    ['an error status', answer('{}', { status: 404 })],
    ['a redirect', answer('', { status: 302 })],
    ['a success without content', answer('', { status: 204 })],
    ['HTML', answer(JSON.stringify(document), { type: 'text/html' })],
    ['no content type', answer(JSON.stringify(document), { type: '' })],
    ['text with JSON in a parameter', answer('{}', { type: 'text/plain; x=application/json' })],
    ['a body that is not JSON', answer('<html>')],
    [
      'a body that is not UTF-8',
      answer(Buffer.from(JSON.stringify({ ...document, client_name: 'caf\xe9' }), 'latin1')),
    ],
    ['a JSON array', answer(JSON.stringify([document]))],
    ['null', answer('null')],
  ])('is refused where its server answers %s', (_, sent) => {
    expect(() => readClientDocument(URL, sent, rules, NOON)).toThrow(
      expect.objectContaining({ code: 'invalid_client' }),
    );
  });

  test.each([
    ['missing', undefined, 3600],
    ['one minute', 'max-age=60', 300],
    ['five minutes', 'max-age=300', 300],
    ['ten minutes', 'public, max-age=600', 600],
    ['a day', 'max-age=86400', 86_400],
    ['a year', 'Max-Age="31536000", immutable', 86_400],
    ['no-store', 'no-store', 300],
    ['no-cache and one hour', 'max-age=3600, no-cache', 300],
    ['a lifetime that is not a number', 'max-age=soon', 3600],
    ['a number of 400 digits', `max-age=${'9'.repeat(400)}`, 86_400],
  ])('is cached for 5 minutes to a day where Cache-Control is %s', (_, control, seconds) => {
    const headers = control === undefined ? {} : { 'cache-control': control };

    expect(documentCacheSeconds({ ...answer(''), headers: { ...headers } })).toBe(seconds);
  });
});

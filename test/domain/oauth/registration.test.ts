import { describe, expect, test } from '@jest/globals';
import { readRegistration } from '../../../layers/core/domain/oauth/registration.ts';

const rules = { maxLength: 500, maxRedirectUris: 10, allowed: [] };
const redirect_uris = ['https://app.example.com/callback'];
const read = (metadata: object) => readRegistration({ redirect_uris, ...metadata }, rules);

describe('the metadata of a client that registers', () => {
  test('may be its redirect URIs alone (R1)', () => {
    expect(read({})).toEqual({
      name: 'MCP client',
      redirectUris: redirect_uris,
      authMethod: 'client_secret_post',
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: [],
    });
  });

  test('says all there is to say', () => {
    const sent = {
      client_name: 'Claude',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'mcp.tools.read email',
    };

    expect(read(sent)).toEqual({
      name: 'Claude',
      redirectUris: redirect_uris,
      authMethod: 'none',
      grantTypes: ['authorization_code'],
      scopes: ['email', 'mcp.tools.read'],
    });
  });

  test('names scopes of other servers in vain', () => {
    expect(read({ scope: 'offline_access  email repo' }).scopes).toEqual(['email']);
  });

  test('has members that mean nothing here (R4)', () => {
    const sent = { client_id: 'mcp_mine', client_secret: 'x', logo_uri: 1 };

    expect(read(sent)).toEqual(read({}));
  });

  test('has members that say nothing', () => {
    const sent = { client_name: null, scope: null, grant_types: null, response_types: null };

    expect(read({ ...sent, token_endpoint_auth_method: null })).toEqual(read({}));
  });

  test('takes ten redirect URIs, and not eleven (R3)', () => {
    const uris = (count: number) =>
      Array.from({ length: count }, (_, number) => `https://app.example.com/${number}`);

    expect(read({ redirect_uris: uris(10) }).redirectUris).toHaveLength(10);
    expect(() => read({ redirect_uris: uris(11) })).toThrow(
      expect.objectContaining({ code: 'invalid_redirect_uri' }),
    );
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['empty', []],
    ['a text', 'https://app.example.com/callback'],
    ['an object', { 0: 'https://app.example.com/callback' }],
    ['numbers', [1]],
    ['nested', [['https://app.example.com/callback']]],
    ['not all right', ['https://app.example.com/callback', 'http://evil.com/']],
  ])('is refused where redirect_uris are %s (R3)', (_, uris) => {
    expect(() => read({ redirect_uris: uris })).toThrow(
      expect.objectContaining({ code: 'invalid_redirect_uri' }),
    );
  });

  test.each([
    ['an unknown method', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['a method in other case', { token_endpoint_auth_method: 'None' }],
    ['a method that is no text', { token_endpoint_auth_method: ['none'] }],
    ['an unknown grant type', { grant_types: ['authorization_code', 'password'] }],
    ['refreshing alone', { grant_types: ['refresh_token'] }],
    ['no grant type', { grant_types: [] }],
    ['a grant type that is no list', { grant_types: 'authorization_code' }],
    ['a grant type that is no text', { grant_types: [null] }],
    ['an unknown response type', { response_types: ['token'] }],
    ['another response type beside', { response_types: ['code', 'id_token'] }],
    ['no response type', { response_types: [] }],
    ['a name that is no text', { client_name: { en: 'Claude' } }],
    ['a name of 201 characters', { client_name: 'a'.repeat(201) }],
    ['a name of two lines', { client_name: 'Claude\nby Anthropic' }],
    ['a name with a NUL', { client_name: 'Claude\0' }],
    ['a name that runs the other way', { client_name: '\u202eedualC' }],
    ['a name with half a character', { client_name: 'Claude \ud83d' }],
    ['a scope that is no text', { scope: ['email'] }],
  ])('is refused for %s (R2)', (_, metadata) => {
    expect(() => read(metadata)).toThrow(
      expect.objectContaining({ code: 'invalid_client_metadata' }),
    );
  });

  test('may have a name of 200 characters in any script', () => {
    const name = 'クライアント 🦀'.padEnd(200, '-');

    expect(read({ client_name: name }).name).toBe(name);
  });

  test.each([[undefined], [null], [[]], [['x']], ['text'], [1], [true]])(
    'is refused where it is %j (R4)',
    (body) => {
      expect(() => readRegistration(body, rules)).toThrow(
        expect.objectContaining({ code: 'invalid_client_metadata' }),
      );
    },
  );
});

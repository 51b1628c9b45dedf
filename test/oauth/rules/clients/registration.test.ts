import { describe, expect, test } from '@jest/globals';
import { readRegistration } from '../../../../layers/oauth/rules/clients/registration.ts';

const rules = { maxLength: 500, maxRedirectUris: 10, allowed: [] };
const redirect_uris = ['https://app.example.com/callback'];
const read = (metadata: object) => readRegistration({ redirect_uris, ...metadata }, rules);

describe('the metadata of a client registration', () => {
  test('may consist of redirect URIs alone, and the rest takes defaults', () => {
    expect(read({})).toEqual({
      name: 'MCP client',
      redirectUris: redirect_uris,
      authMethod: 'client_secret_post',
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: [],
      offlineAccess: true,
    });
  });

  test('is stored as sent where everything is stated', () => {
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
      offlineAccess: false,
    });
  });

  test('loses scopes that this server does not have', () => {
    expect(read({ scope: 'offline_access  email repo' }).scopes).toEqual(['email']);
  });

  test('loses members that this server does not use', () => {
    const sent = { client_id: 'mcp_mine', client_secret: 'x', logo_uri: 1 };

    expect(read(sent)).toEqual(read({}));
  });

  test('takes the defaults for members that are null', () => {
    const sent = { client_name: null, scope: null, grant_types: null, response_types: null };

    expect(read({ ...sent, token_endpoint_auth_method: null })).toEqual(read({}));
  });

  test('is told which redirect URI cannot be taken, and who could allow it', () => {
    const redirect_uris = [
      'http://localhost:8787/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ];

    expect(() => read({ redirect_uris })).toThrow(
      expect.objectContaining({
        code: 'invalid_redirect_uri',
        description: expect.stringMatching(/^redirect_uris\[1\] .*operator of this service/),
      }),
    );
  });

  test('may contain ten redirect URIs but not eleven', () => {
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
    ['a string', 'https://app.example.com/callback'],
    ['an object', { 0: 'https://app.example.com/callback' }],
    ['numbers', [1]],
    ['nested', [['https://app.example.com/callback']]],
    ['partly invalid', ['https://app.example.com/callback', 'http://evil.com/']],
  ])('is refused where redirect_uris are %s', (_, uris) => {
    expect(() => read({ redirect_uris: uris })).toThrow(
      expect.objectContaining({ code: 'invalid_redirect_uri' }),
    );
  });

  test.each([
    ['an unknown authentication method', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['an authentication method in other case', { token_endpoint_auth_method: 'None' }],
    ['an authentication method that is not a string', { token_endpoint_auth_method: ['none'] }],
    ['an unknown grant type', { grant_types: ['authorization_code', 'password'] }],
    ['only the refresh grant type', { grant_types: ['refresh_token'] }],
    ['no grant type', { grant_types: [] }],
    ['a grant type that is not a list', { grant_types: 'authorization_code' }],
    ['a grant type that is not a string', { grant_types: [null] }],
    ['an unknown response type', { response_types: ['token'] }],
    ['a second response type', { response_types: ['code', 'id_token'] }],
    ['no response type', { response_types: [] }],
    ['a name that is not a string', { client_name: { en: 'Claude' } }],
    ['a name of 201 characters', { client_name: 'a'.repeat(201) }],
    ['a name of two lines', { client_name: 'Claude\nby Anthropic' }],
    ['a name with a NUL', { client_name: 'Claude\0' }],
    ['a name with bidirectional control characters', { client_name: '\u202eedualC' }],
    ['a name with half a surrogate pair', { client_name: 'Claude \ud83d' }],
    ['a scope that is not a string', { scope: ['email'] }],
  ])('is refused for %s', (_, metadata) => {
    expect(() => read(metadata)).toThrow(
      expect.objectContaining({ code: 'invalid_client_metadata' }),
    );
  });

  test('may name the grant of identity providers only where there are any', () => {
    const grant_types = [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ];
    const readAt = (takesAssertions: boolean) =>
      readRegistration({ redirect_uris, grant_types }, { ...rules, takesAssertions }).grantTypes;

    expect(readAt(true)).toEqual(grant_types);
    expect(() => readAt(false)).toThrow(
      expect.objectContaining({ code: 'invalid_client_metadata' }),
    );
  });

  test('may contain a client name of 200 characters in any script', () => {
    const name = 'クライアント 🦀'.padEnd(200, '-');

    expect(read({ client_name: name }).name).toBe(name);
  });

  test.each([[undefined], [null], [[]], [['x']], ['text'], [1], [true]])(
    'is refused where the request body is %j',
    (body) => {
      expect(() => readRegistration(body, rules)).toThrow(
        expect.objectContaining({ code: 'invalid_client_metadata' }),
      );
    },
  );
});

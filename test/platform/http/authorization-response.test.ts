import { describe, expect, test } from '@jest/globals';
import { authorizationResponse } from '../../../layers/platform/http/authorization-response.ts';

const issuer = 'https://mcp.example.com/v1/mcp-oauth-server';
const ISS = 'iss=https%3A%2F%2Fmcp.example.com%2Fv1%2Fmcp-oauth-server';
const answer = { code: 'c' };

describe('the redirect that carries an authorization response', () => {
  test.each([
    ['https://app.example/cb', `https://app.example/cb?code=c&${ISS}`],
    ['https://app.example/cb?a=%2F+b', `https://app.example/cb?a=%2F+b&code=c&${ISS}`],
    ['https://app.example/cb?', `https://app.example/cb?code=c&${ISS}`],
    ['http://127.0.0.1:6277', `http://127.0.0.1:6277?code=c&${ISS}`],
    ['cursor://app/callback', `cursor://app/callback?code=c&${ISS}`],
    ['com.example.app:/cb', `com.example.app:/cb?code=c&${ISS}`],
  ])('appends the parameters to the redirect URI %s', (redirectUri, address) => {
    expect(authorizationResponse({ redirectUri, issuer }, answer)).toBe(address);
  });

  test('returns the state exactly as the client encoded it', () => {
    const state = '%ff%20a%2Bb';

    expect(
      authorizationResponse({ redirectUri: 'https://a.example/', issuer, state }, answer),
    ).toBe(`https://a.example/?code=c&${ISS}&state=%ff%20a%2Bb`);
  });
});

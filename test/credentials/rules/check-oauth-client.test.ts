import { describe, expect, test } from '@jest/globals';
import { oauthClientFindings } from '../../../layers/credentials/rules/check-oauth-client.ts';
import type { Credential } from '../../../layers/target/rules/credential.ts';

type OAuthClient = Extract<Credential, { type: 'oauth_client' }>;

const findings = (over: Partial<OAuthClient>) =>
  oauthClientFindings({
    type: 'oauth_client',
    tokenUrl: 'https://login.example.com/token',
    clientId: 'hosted-mcp',
    clientSecret: 'CANARY-secret',
    ...over,
  });

const long = (characters: number): string => 'a'.repeat(characters);
const longUrl = (characters: number): string => 'https://a.example/'.padEnd(characters, 'a');

describe('the client of an authorization server', () => {
  test.each<[string, (characters: number) => Partial<OAuthClient>, string]>([
    ['a client id', (most) => ({ clientId: long(most) }), '/client_id'],
    ['an audience', (most) => ({ audience: long(most) }), '/audience'],
    ['a scope', (most) => ({ scopes: ['read', long(most)] }), '/scopes/1'],
    ['a resource', (most) => ({ resource: longUrl(most) }), '/resource'],
    ['a token endpoint', (most) => ({ tokenUrl: longUrl(most) }), '/token_url'],
    ['a field', (most) => ({ extra: { tenant: long(most) } }), '/extra/tenant'],
  ])('may have %s of 2,048 characters, and no longer one', (_, of, where) => {
    expect(findings(of(2048))).toEqual([]);
    expect(findings(of(2049))).toMatchObject([{ where }]);
  });

  test('has at most 50 scopes', () => {
    const scopes = Array.from({ length: 51 }, (_, index) => `scope-${index}`);

    expect(findings({ scopes: scopes.slice(1) })).toEqual([]);
    expect(findings({ scopes })).toMatchObject([{ where: '/scopes' }]);
  });
});

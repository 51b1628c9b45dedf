import { describe, expect, test } from '@jest/globals';
import { readIdentityProviders } from '../../../../layers/oauth/rules/tokens/identity-providers.ts';

const ACME = {
  issuer: 'https://idp.acme.example',
  jwks_uri: 'https://idp.acme.example/keys',
  deployments: ['crm', 'wiki'],
  email_domains: ['acme.example'],
};
const read = (...providers: readonly unknown[]) => readIdentityProviders(JSON.stringify(providers));

describe('the list of identity providers', () => {
  test.each([undefined, '', ' ', '[]'])('is empty as long as nothing is said: %j', (text) => {
    expect(readIdentityProviders(text)).toEqual([]);
  });

  test('trusts a provider in nothing that is not said', () => {
    expect(read(ACME)).toEqual([
      {
        issuer: 'https://idp.acme.example',
        jwksUri: 'https://idp.acme.example/keys',
        deployments: ['crm', 'wiki'],
        emailDomains: ['acme.example'],
        emailsAreVerified: false,
        publicClients: false,
      },
    ]);
  });

  test('takes all that can be said', () => {
    const more = { emails_are_verified: true, public_clients: true, tenant: 't1' };
    expect(read({ ...ACME, ...more, deployments: 'all' })).toMatchObject([
      { deployments: 'all', emailsAreVerified: true, publicClients: true, tenant: 't1' },
    ]);
  });

  test.each<[string, unknown, string]>([
    ['no object', 'acme', 'each identity provider must be an object'],
    ['a misspelt setting', { ...ACME, email_domain: 'x' }, 'email_domain is no setting of one'],
    ['no issuer', { ...ACME, issuer: undefined }, 'issuer must be an https address'],
    ['an issuer over http', { ...ACME, issuer: 'http://a.example' }, 'issuer must be an https'],
    ['keys over http', { ...ACME, jwks_uri: 'http://a.example/k' }, 'jwks_uri must be an https'],
    ['keys in a file', { ...ACME, jwks_uri: 'file:///keys' }, 'jwks_uri must be an https'],
    [
      'a domain that reads as another one',
      { ...ACME, email_domains: ['xn--gmil-63d.com'] },
      'of which none looks like another',
    ],
    ['no deployments', { ...ACME, deployments: [] }, 'deployments must be a list of slugs'],
    ['a slug that is none', { ...ACME, deployments: ['X'] }, 'deployments must be a list of slugs'],
    ['no domains', { ...ACME, email_domains: undefined }, 'email_domains must be a list of'],
    ['an address for a domain', { ...ACME, email_domains: ['a@b.c'] }, 'email_domains must be a'],
    ['a domain in capitals', { ...ACME, email_domains: ['A.example'] }, 'email_domains must be a'],
    ['a word for a switch', { ...ACME, public_clients: 'yes' }, 'public_clients must be true or'],
    ['an empty tenant', { ...ACME, tenant: '' }, 'tenant must be a text'],
  ])('is refused with %s', (_, provider, why) => {
    expect(() => read(provider)).toThrow(why);
  });

  test('is refused if it is no list, or names an issuer twice', () => {
    expect(() => readIdentityProviders('{')).toThrow('it must be a JSON list');
    expect(() => readIdentityProviders('{}')).toThrow('it must be a JSON list');
    expect(() => read(ACME, { ...ACME, tenant: 't2' })).toThrow('an issuer is there twice');
  });
});

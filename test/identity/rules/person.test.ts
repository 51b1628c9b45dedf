import { describe, expect, test } from '@jest/globals';
import { identityBody, personInWords } from '../../../layers/identity/rules/person.ts';
import type { IdentityProvider } from '../../../layers/identity/rules/providers.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { aUser } from '../../support/oauth/oauth-fixtures.ts';

const ACME: IdentityProvider = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://idp.acme.example',
  jwks_uri: 'https://idp.acme.example/keys',
  subject_claim: 'sub',
  email_domains: ['acme.example'],
  email_rule: 'verified',
  create_accounts: true,
  deployments: 'all',
  sign_in: { client_id: 'mcp', client_auth: 'basic', scopes: ['openid'] },
  endpoints: {
    authorization_endpoint: 'https://idp.acme.example/authorize',
    token_endpoint: 'https://idp.acme.example/token',
    authorization_response_iss_parameter_supported: false,
  },
};
const email = 'ada@acme.example';
const identity = {
  issuer: ACME.issuer,
  subject: fingerprint('a subject'),
  signedIn: true,
} as const;
const ada = aUser({ email });

const said = (over: Partial<Parameters<typeof personInWords>[0]>): string =>
  personInWords({ email, user: ada, isOperator: false, providers: [ACME], ...over }).join(' ');

describe('why somebody does not get in', () => {
  test.each([
    ['an address of no provider', { email: 'ada@other.example' }, 'No provider signs in people of'],
    ['no account yet', { user: undefined }, 'the first sign-in makes one'],
    [
      'no account, where none is made',
      { user: undefined, providers: [{ ...ACME, create_accounts: false }] },
      'makes none (create_accounts)',
    ],
    ["an operator's account", { isOperator: true }, 'a password opens it, and no provider does'],
    ['an account that was not seen with it', {}, 'has not been seen with this account'],
    [
      'an account of a subject',
      { user: { ...ada, identities: [identity] } },
      'Another subject of it is refused',
    ],
    [
      'an account of another claim of it',
      { user: { ...ada, identities: [{ ...identity, claim: 'oid' }] } },
      'has not been seen with this account',
    ],
    [
      'a provider that is gone',
      { user: { ...ada, identities: [{ ...identity, issuer: 'https://gone.example' }] } },
      'known by https://gone.example, which is not on the list any more',
    ],
  ] as const)('tells %s', (_, over, sentence) => {
    expect(said(over)).toContain(sentence);
  });

  test('tells no subject, and moments as people read them', () => {
    const body = identityBody({ ...identity, checkedAt: 1_800_000_000 } as never, [ACME]);

    expect(JSON.stringify(body)).not.toContain(identity.subject);
    expect(body).toEqual({
      provider: 'acme',
      issuer: ACME.issuer,
      signedIn: true,
      checkedAt: '2027-01-15T08:00:00.000Z',
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import type { User } from '../../../layers/accounts/rules/user.ts';
import { outlookOf } from '../../../layers/identity/rules/outlook.ts';
import type { Believed } from '../../../layers/identity/rules/password-terms.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { anIdentityProviderOf } from '../../support/oauth/identity-provider.ts';
import { aUser } from '../../support/oauth/oauth.ts';

const baseUrl = 'https://mcp.example.com/v1';
const ISSUER = 'https://idp.acme.example';

const acme = anIdentityProviderOf({
  issuer: ISSUER,
  email_domains: ['acme.example'],
  sign_in: { client_id: 'mcp', client_auth: 'basic', scopes: ['openid'] },
  endpoints: {
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    authorization_response_iss_parameter_supported: false,
  },
});

const believed = (over: Partial<Believed> = {}): Believed => ({
  providers: [acme],
  passwords: 'on',
  breakGlass: [],
  ...over,
});

const REFUSING = believed({
  providers: [{ ...acme, passwords: 'refused', exceptions: ['ci@acme.example'] }],
});
const OFF = believed({ passwords: 'off', breakGlass: ['kept'] });
const GONE = believed({ providers: [] });

const SIGNED_IN: Partial<User> = {
  identities: [{ issuer: ISSUER, subject: fingerprint('ada'), signedIn: true }],
};
const LINKED: Partial<User> = {
  identities: [
    { issuer: ISSUER, subject: fingerprint('ada'), signedIn: true, opensOperator: true },
  ],
};
const ASSERTED: Partial<User> = {
  identities: [{ issuer: ISSUER, subject: fingerprint('ada') }],
};

describe('what an operator hears of an account before they apply something', () => {
  test.each<[string, Believed, Partial<User>, boolean, string | undefined]>([
    ['a password that is refused', REFUSING, {}, false, 'password_lost'],
    ['one of an operator', REFUSING, {}, true, 'operator_locked_out'],
    ['somebody whom the company has signed in', REFUSING, SIGNED_IN, false, undefined],
    ['an operator whom it had signed in', REFUSING, SIGNED_IN, true, 'operator_locked_out'],
    ['an operator whose account it opens', REFUSING, LINKED, true, undefined],
    ['somebody of whom assertions came alone', REFUSING, ASSERTED, false, 'password_lost'],
    ['an exception', REFUSING, { email: 'ci@acme.example' }, true, undefined],
    ['an address elsewhere', REFUSING, { email: 'bob@elsewhere.example' }, true, undefined],
    ['passwords off', OFF, { email: 'bob@elsewhere.example' }, true, 'operator_locked_out'],
    ['an account for emergencies', OFF, { id: 'kept', email: 'k@ops.example' }, true, undefined],
    ['a provider that goes', GONE, SIGNED_IN, false, 'ended'],
    ['one that goes, of nobody', GONE, {}, false, undefined],
  ])('%s', (_, next, over, isOperator, outlook) => {
    const user = aUser({ email: 'ada@acme.example', ...over });
    expect(outlookOf({ before: believed(), next, baseUrl }, user, isOperator)).toBe(outlook);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { IdentityProvider } from '../../../layers/identity/rules/providers.ts';
import { vouchedEmail } from '../../../layers/identity/rules/vouched-email.ts';
import { anIdentityProviderOf } from '../../support/oauth/identity-provider.ts';

type Rule = IdentityProvider['email_rule'];

const read = (rule: Rule, claims: object) =>
  vouchedEmail(
    { email: 'Ada@acme.example', ...claims },
    anIdentityProviderOf({ email_rule: rule }),
  );

describe('an address that a provider names', () => {
  test.each<[Rule, object]>([
    ['verified', { email_verified: true }],
    ['verified', { email_verified: 'true' }],
    ['edov', { xms_edov: true }],
    ['edov', { xms_edov: 1 }],
    ['edov', { xms_edov: '1' }],
    ['hosted_domain', { email_verified: true, hd: 'acme.example' }],
    ['trusted', {}],
    ['trusted', { email_verified: true }],
  ])('counts by the rule %s with %j', (rule, claims) => {
    expect(read(rule, claims)).toEqual({ email: 'ada@acme.example' });
  });

  test.each<[Rule, object]>([
    ['verified', {}],
    ['verified', { email_verified: false }],
    ['verified', { email_verified: 'yes' }],
    ['verified', { xms_edov: true }],
    ['edov', { email_verified: true }],
    ['edov', { xms_edov: false }],
    ['edov', { xms_edov: 0 }],
    ['hosted_domain', { email_verified: true }],
    ['hosted_domain', { hd: 'acme.example' }],
    ['hosted_domain', { email_verified: true, hd: 'other.example' }],
    ['trusted', { email_verified: false }],
    ['never', { email_verified: true, xms_edov: true, hd: 'acme.example' }],
  ])('does not count by the rule %s with %j', (rule, claims) => {
    expect(read(rule, claims)).toEqual({ why: expect.any(String) });
  });

  test.each<[string, unknown, string]>([
    ['no text', 7, 'names no address'],
    ['of another domain', 'ada@other.example', 'other.example is no domain of Acme here'],
    ['of a subdomain', 'ada@it.acme.example', 'it.acme.example is no domain of Acme here'],
    ['beyond ASCII', 'adä@acme.example', 'has characters that accounts do not have'],
    ['of two domains', 'ada@acme.example@acme.example', 'has characters'],
    ['in the form of a name', 'Ada <ada@acme.example>', 'has characters'],
  ])('does not count if it is %s', (_, email, why) => {
    expect(read('trusted', { email }).why).toContain(why);
  });
});

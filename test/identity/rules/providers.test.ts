import { describe, expect, test } from '@jest/globals';
import { readWrittenProviders } from '../../../layers/identity/rules/providers.ts';

const ACME = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://idp.acme.example',
  deployments: ['crm', 'wiki'],
  email_domains: ['acme.example'],
};
const OTHER = { ...ACME, id: 'other', issuer: 'https://idp.other.example' };

const faultsOf = (providers: unknown) => readWrittenProviders(providers).faults ?? [];

describe('a list of identity providers', () => {
  test('trusts a provider in nothing that is not said', () => {
    expect(readWrittenProviders([ACME])).toEqual({
      providers: [
        { ...ACME, subject_claim: 'sub', email_rule: 'verified', create_accounts: false },
      ],
    });
  });

  test('takes all that can be said', () => {
    const whole = {
      ...ACME,
      jwks_uri: 'https://keys.acme.example/all?appid=1',
      subject_claim: 'oid',
      email_rule: 'edov',
      create_accounts: true,
      plan: 'pro',
      deployments: 'all',
      assertions: { issuer: 'https://org.acme.example', tenant: 't1', public_clients: true },
    };
    expect(readWrittenProviders([whole, OTHER])).toMatchObject({ providers: [whole, OTHER] });
  });

  test('may be empty', () => {
    expect(readWrittenProviders([])).toEqual({ providers: [] });
  });

  test.each<[string, string, string, object]>([
    ['no id', '/0/id', 'write a short name', { id: undefined }],
    ['an id in capitals', '/0/id', 'lower case', { id: 'Acme' }],
    ['the id of the issuers of owners', '/0/id', 'not "issuer"', { id: 'issuer' }],
    ['the id that is a page beside it', '/0/id', '"command-line"', { id: 'command-line' }],
    ['no name', '/0/name', 'a text of 1 to 100 characters', { name: '' }],
    ['an issuer over http', '/0/issuer', 'an https address', { issuer: 'http://a.example' }],
    ['an issuer with a query', '/0/issuer', 'an https address', { issuer: 'https://a.example?x' }],
    [
      'the issuer of every company',
      '/0/issuer',
      'signs for every company',
      { issuer: 'https://login.microsoftonline.com/common/v2.0' },
    ],
    [
      'the same for assertions',
      '/0/assertions/issuer',
      'signs for every company',
      { assertions: { issuer: 'https://login.microsoftonline.us/organizations/v2.0' } },
    ],
    ['keys in a file', '/0/jwks_uri', 'an https address', { jwks_uri: 'file:///keys' }],
    ['no domains', '/0/email_domains', 'a list of 1 to 100 domains', { email_domains: [] }],
    ['an address for a domain', '/0/email_domains/0', 'acme.example', { email_domains: ['a@b.c'] }],
    ['a domain in capitals', '/0/email_domains/0', 'lower case', { email_domains: ['A.example'] }],
    [
      'a domain that reads as another one',
      '/0/email_domains/0',
      'looks like no other',
      { email_domains: ['xn--gmil-63d.com'] },
    ],
    [
      'a domain where everybody can have an address',
      '/0/email_domains/1',
      'everybody can have an address there',
      { email_domains: ['acme.example', 'gmail.com'] },
    ],
    ['an unknown rule', '/0/email_rule', 'verified, edov', { email_rule: 'always' }],
    ['an unknown plan', '/0/plan', 'free, pro', { plan: 'gold' }],
    ['no servers', '/0/deployments', '"all", or a list', { deployments: undefined }],
    ['a sign-in without client', '/0/sign_in/client_id', 'a text', { sign_in: {} }],
    [
      'another way to show a secret',
      '/0/sign_in/client_auth',
      'basic, post, none',
      { sign_in: { client_id: 'c', client_auth: 'jwt' } },
    ],
    [
      'no secret at a provider elsewhere',
      '/0/sign_in/client_auth',
      'write basic or post',
      { sign_in: { client_id: 'c', client_auth: 'none' } },
    ],
    [
      'scopes of OAuth alone',
      '/0/sign_in/scopes',
      'openid has to be',
      { sign_in: { client_id: 'c', scopes: ['email'] } },
    ],
    [
      'two scopes in one',
      '/0/sign_in/scopes/1',
      'write one scope',
      { sign_in: { client_id: 'c', scopes: ['openid', 'email profile'] } },
    ],
    [
      'a parameter that each request has',
      '/0/sign_in/authorize',
      'leave out what each request sets',
      { sign_in: { client_id: 'c', authorize: { redirect_uri: 'https://evil.example' } } },
    ],
    [
      'an age',
      '/0/sign_in/authorize',
      'leave out',
      { sign_in: { client_id: 'c', authorize: { max_age: '1' } } },
    ],
    [
      'a prompt that shows nothing',
      '/0/sign_in/authorize',
      'prompt may be consent',
      { sign_in: { client_id: 'c', authorize: { prompt: 'none' } } },
    ],
    [
      'six parameters',
      '/0/sign_in/authorize',
      'at most 5',
      {
        sign_in: { client_id: 'c', authorize: { a: 'x', b: 'x', c: 'x', d: 'x', e: 'x', f: 'x' } },
      },
    ],
    [
      'a parameter in capitals',
      '/0/sign_in/authorize',
      'lower case',
      { sign_in: { client_id: 'c', authorize: { Nonce: 'x' } } },
    ],
    [
      'checks at each request',
      '/0/sign_in/recheck_seconds',
      'from 300 to 86400',
      { sign_in: { client_id: 'c', recheck_seconds: 60 } },
    ],
    [
      'a grace without end',
      '/0/sign_in/grace_seconds',
      'from 0 to 86400',
      { sign_in: { client_id: 'c', grace_seconds: 86_401 } },
    ],
    [
      'a broker whose people stay for days',
      '/0/sign_in/reauthenticate_hours',
      'at most 24 for a broker',
      { sign_in: { client_id: 'c', broker: true, reauthenticate_hours: 25 } },
    ],
    [
      'a day that is none',
      '/0/sign_in/secret_ends',
      'write a day',
      { sign_in: { client_id: 'c', secret_ends: '2027-02-30' } },
    ],
    [
      'a member that nobody knows',
      '/0/sign_in',
      'client_secret',
      { sign_in: { client_id: 'c', client_secret: 'never in a file' } },
    ],
    ['a word for a switch', '/0/create_accounts', 'true or false', { create_accounts: 'yes' }],
    ['a word for assertions', '/0/assertions', 'an object', { assertions: true }],
    ['an empty tenant', '/0/assertions/tenant', '1 to 256', { assertions: { tenant: '' } }],
    [
      'a tenant of assertions where people sign in',
      '/0/assertions/tenant',
      'write the issuer of your tenant',
      { assertions: { tenant: 't1' }, sign_in: { client_id: 'c' } },
    ],
    [
      'keys with a fragment',
      '/0/jwks_uri',
      'an https address',
      { jwks_uri: 'https://keys.acme.example/all#1' },
    ],
    [
      'a misspelt member',
      '/0',
      'there is no member "email_domain": write an object with id, name',
      { email_domain: 'x' },
    ],
    ['a name of a prototype', '/0', 'no member "constructor"', { constructor: 1 }],
  ])('is refused with %s', (_, where, what, over) => {
    expect(faultsOf([{ ...ACME, ...over }])).toEqual([
      { where, what: expect.stringContaining(what), hint: '' },
    ]);
  });

  test('is refused with all that is wrong, each with its place', () => {
    const faults = faultsOf([{ ...ACME, id: '', plan: 'x' }, OTHER, { ...OTHER, name: 3 }]);
    expect(faults.map(({ where }) => where)).toEqual(['/0/id', '/0/plan', '/2/name']);
  });

  test.each<[string, unknown, string]>([
    ['is none', { acme: ACME }, 'write a list of providers'],
    [
      'is too long',
      Array.from({ length: 21 }, (_, number) => ({ ...ACME, id: `p${number}` })),
      'at most 20 providers',
    ],
    ['is too large', [{ ...ACME, name: 'x'.repeat(65_536) }], 'at most 64 KB'],
  ])('is refused where it %s', (_, list, what) => {
    expect(faultsOf(list)).toEqual([{ where: '', what: expect.stringContaining(what), hint: '' }]);
  });

  test.each<[string, string, object]>([
    ['an id', '/1/id', { ...OTHER, id: 'acme' }],
    ['an issuer', '/1/issuer', { ...OTHER, issuer: ACME.issuer }],
    ['an issuer of assertions', '/1/issuer', { ...OTHER, assertions: { issuer: ACME.issuer } }],
  ])('names %s once', (_, where, other) => {
    expect(faultsOf([ACME, other]).map((fault) => fault.where)).toEqual([where]);
  });

  test('has no provider speak in the name of another, whichever of its issuers that is', () => {
    const org = { issuer: 'https://org.acme.example' };
    expect(
      faultsOf([
        { ...ACME, assertions: org },
        { ...OTHER, ...org },
      ]),
    ).toMatchObject([{ where: '/1/issuer' }]);
    expect(faultsOf([{ ...ACME, assertions: org }, OTHER])).toEqual([]);
  });

  test('lets people of a domain sign in with one provider', () => {
    const way = { sign_in: { client_id: 'c' } };
    expect(
      faultsOf([
        { ...ACME, ...way },
        { ...OTHER, ...way },
      ]),
    ).toMatchObject([
      { where: '/1/email_domains/0', what: expect.stringContaining('leave the domain to one') },
    ]);
    expect(faultsOf([{ ...ACME, ...way }, OTHER])).toEqual([]);
  });

  test('says of a sign-in what is not written', () => {
    expect(readWrittenProviders([{ ...ACME, sign_in: { client_id: 'c' } }])).toMatchObject({
      providers: [
        { sign_in: { client_id: 'c', client_auth: 'basic', scopes: ['openid', 'email'] } },
      ],
    });
    const local = { ...ACME, issuer: 'http://127.0.0.1:9999' };
    expect(faultsOf([{ ...local, sign_in: { client_id: 'c', client_auth: 'none' } }])).toEqual([]);
  });
});

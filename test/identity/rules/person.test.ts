import { describe, expect, test } from '@jest/globals';
import { identityBody, personInWords } from '../../../layers/identity/rules/person.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import type { Believed } from '../../../layers/identity/rules/password-terms.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { aUser } from '../../support/oauth/oauth-fixtures.ts';
import { ACME_SIGN_IN as ACME } from '../../support/oauth/identity-provider.ts';

const email = 'ada@acme.example';
const identity = {
  issuer: ACME.issuer,
  subject: fingerprint('a subject'),
  signedIn: true,
} as const;
const ada = aUser({ email });

const NOW = 1_800_000_000;
const believing = (over: Partial<Believed> = {}): Believed => ({
  providers: [ACME],
  passwords: 'on',
  breakGlass: [],
  ...over,
});
const REFUSING: Partial<Believed> = {
  providers: [{ ...ACME, passwords: 'refused', exceptions: ['ci@acme.example'] }],
};
const withIdentity = (more: object): User => ({
  ...ada,
  identities: [
    { ...identity, checkedAt: NOW - 60, lastSignIn: NOW - 60, checkable: true, ...more },
  ],
});

const said = (over: Partial<Parameters<typeof personInWords>[0]>): string =>
  personInWords({
    email,
    user: ada,
    isOperator: false,
    believed: believing(),
    baseUrl: 'https://mcp.example.com/v1',
    now: NOW,
    ...over,
  }).join(' ');

describe('why somebody does not get in', () => {
  test.each([
    ['an address of no provider', { email: 'ada@other.example' }, 'No provider signs in people of'],
    ['the provider of an address', {}, 'leads people of acme.example to acme.'],
    ['no account yet', { user: undefined }, 'the first sign-in makes one'],
    [
      'no account, where none is made',
      {
        user: undefined,
        believed: believing({ providers: [{ ...ACME, create_accounts: false }] }),
      },
      'makes none (create_accounts)',
    ],
    ['an account that was not seen with it', {}, 'has not been seen with this account'],
    ['an account of a subject', { user: withIdentity({}) }, 'Another subject of it is refused'],
    [
      'an account of another claim of it',
      { user: withIdentity({ claim: 'oid' }) },
      'has not been seen with this account',
    ],
    [
      'a provider that is gone',
      { user: withIdentity({ issuer: 'https://gone.example' }) },
      'known by https://gone.example, which is not on the list any more',
    ],
    ['a password that is taken', {}, 'A password opens the account, if it has one.'],
    [
      'a password that is refused for the address',
      { believed: believing(REFUSING) },
      'A password of this address is refused (Acme).',
    ],
    [
      'an exception of that',
      { email: 'ci@acme.example', believed: believing(REFUSING) },
      'among the exceptions',
    ],
    [
      'a password that is refused for the account, of whatever address',
      { email: 'ada@other.example', user: withIdentity({}), believed: believing(REFUSING) },
      'No password opens the account',
    ],
    [
      'passwords that are off',
      { email: 'ada@other.example', believed: believing({ passwords: 'off' }) },
      'Passwords are off: none opens the account.',
    ],
    [
      'passwords that are off, where there is no account',
      { email: 'ada@other.example', user: undefined, believed: believing({ passwords: 'off' }) },
      'Passwords are off: nobody chooses one.',
    ],
    [
      'an account for emergencies',
      {
        email: 'ada@other.example',
        believed: believing({ passwords: 'off', breakGlass: [ada.id] }),
      },
      'kept for emergencies',
    ],
    [
      "an operator's account that no company opens",
      { isOperator: true },
      'admin link EMAIL acme lets it, within 15 minutes',
    ],
    [
      "an operator's account that a company may open soon",
      { isOperator: true, user: { ...ada, mayLink: { issuer: ACME.issuer, until: NOW + 60 } } },
      'the next sign-in with acme opens it for good, until 2027-01-15T08:01:00.000Z',
    ],
    [
      "an operator's account that it might have opened until a moment ago",
      { isOperator: true, user: { ...ada, mayLink: { issuer: ACME.issuer, until: NOW } } },
      'acme does not open it',
    ],
    [
      "an operator's account that a company opens",
      { isOperator: true, user: withIdentity({ opensOperator: true }) },
      "The account is an operator's, and acme opens it.",
    ],
    [
      'somebody whom the company has ended',
      { user: withIdentity({ endedAt: NOW - 30 }) },
      'Every door is refused: their company vouches for them no more.',
    ],
    [
      'somebody whom it has ended by another claim of subjects',
      { user: withIdentity({ endedAt: NOW - 30, claim: 'oid' }) },
      'by another claim (subject_claim): where they are back, hosted-mcp admin forget-identity',
    ],
    [
      'somebody who has left',
      { user: withIdentity({ endedAt: NOW - 90_000, leftAt: NOW }) },
      'They have left: a day later their company said it again (2027-01-15T08:00:00.000Z)',
    ],
    [
      'somebody of a company that signs nobody in any more',
      { user: withIdentity({}), believed: believing({ providers: [] }) },
      'Every door is refused: their company is believed no more.',
    ],
    [
      'somebody who has to come to its page again',
      { user: withIdentity({ lastSignIn: NOW - 700_000 }) },
      'refused until they sign in with Acme again',
    ],
    [
      'somebody whom it is asked about next',
      { user: withIdentity({ checkedAt: NOW - 3600 }) },
      'Acme is asked about them',
    ],
  ] as const)('tells %s', (_, over, sentence) => {
    expect(said(over)).toContain(sentence);
  });

  test('says nothing of endings where nobody has ended anybody', () => {
    expect(said({ user: withIdentity({}) })).not.toMatch(/refused:|again|asked/);
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

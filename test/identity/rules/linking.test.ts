import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { User } from '../../../layers/accounts/rules/user.ts';
import {
  accountFor,
  type Decision,
  identityOf,
  type Subject,
  subjectOf,
} from '../../../layers/identity/rules/linking.ts';
import { anIdentityProviderOf } from '../../support/oauth/identity-provider.ts';

const ISSUERS = ['https://idp.acme.example', 'https://idp.other.example'] as const;
const CLAIMS = ['sub', 'oid'] as const;

const aSubject = (value: string, issuer: string = ISSUERS[0], claim: string = 'sub'): Subject =>
  subjectOf({ issuer, tenant: undefined, claim }, value);

const aUser = (id: string, over: Partial<User> = {}): User => ({
  id,
  email: `${id}@acme.example`,
  plan: 'free',
  passwordHash: '',
  signedOutAt: 0,
  createdAt: 0,
  revision: 1,
  ...over,
});

describe('a subject', () => {
  test('is another one for another issuer, tenant, claim or value, however they are cut', () => {
    const parts = [
      [ISSUERS[0], undefined, 'sub', 'a'],
      [ISSUERS[1], undefined, 'sub', 'a'],
      [ISSUERS[0], 'a', 'sub', 'a'],
      [ISSUERS[0], undefined, 'oid', 'a'],
      [ISSUERS[0], undefined, 'sub', 'b'],
      [ISSUERS[0], 'null', 'sub', 'a'],
      [ISSUERS[0], undefined, 'sub', 'a","oid'],
    ] as const;
    const all = parts.map(
      ([issuer, tenant, claim, value]) => subjectOf({ issuer, tenant, claim }, value).subject,
    );
    expect(new Set(all).size).toBe(parts.length);
  });
});

describe('the account of a person', () => {
  const provider = anIdentityProviderOf({ create_accounts: true });
  const decided = (
    subject: Subject,
    email: string | undefined,
    found: { known?: User; holder?: User },
    creates = true,
  ): Decision =>
    accountFor(
      subject,
      email === undefined ? { why: 'not vouched for' } : { email },
      { known: found.known, holder: found.holder },
      { ...provider, create_accounts: creates },
    );

  test('is the one of a known subject, whatever the provider says of its address', () => {
    const known = aUser('ada');
    expect(decided(aSubject('1'), undefined, { known })).toEqual({ as: 'known', user: known });
    expect(decided(aSubject('1'), known.email, { known, holder: known }).as).toBe('known');
    expect(decided(aSubject('1'), 'ben@acme.example', { known, holder: aUser('ben') }).as).toBe(
      'known',
    );
  });

  test('gets an address that nobody has', () => {
    const known = aUser('ada');
    expect(decided(aSubject('1'), 'new@acme.example', { known })).toEqual({
      as: 'moved',
      user: known,
      email: 'new@acme.example',
    });
  });

  test('is the one of its address, unless that has another subject of this issuer and claim', () => {
    const subject = aSubject('1');
    const holder = aUser('ada');
    const of = (one: Subject) => ({ holder: aUser('ada', { identities: [identityOf(one)] }) });

    expect(decided(subject, holder.email, { holder }).as).toBe('linked');
    expect(decided(subject, holder.email, of(aSubject('2', ISSUERS[1]))).as).toBe('linked');
    expect(decided(subject, holder.email, of(aSubject('2', ISSUERS[0], 'oid'))).as).toBe('linked');
    expect(decided(subject, holder.email, of(aSubject('2')))).toMatchObject({ as: 'refused' });
    expect(decided(subject, holder.email, of(subject)).as).toBe('known');
  });

  test('is made for an address that counts, where the provider makes accounts', () => {
    const email = 'ada@acme.example';
    expect(decided(aSubject('1'), email, {})).toEqual({ as: 'made', email });
    expect(decided(aSubject('1'), email, {}, false)).toMatchObject({ as: 'refused' });
    expect(decided(aSubject('1'), undefined, {})).toEqual({
      as: 'refused',
      why: 'not vouched for',
    });
  });

  // People come in any order through any provider, with addresses that change, that are given to others, and that
  // nobody vouches for.
  test('is reached by one subject of each issuer and claim, and by no address that nobody vouches for', () => {
    const visit = fc.record({
      person: fc.integer({ min: 0, max: 4 }),
      issuer: fc.constantFrom(...ISSUERS),
      claim: fc.constantFrom(...CLAIMS),
      address: fc.integer({ min: 0, max: 3 }),
      vouched: fc.boolean(),
      creates: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 40 }), (visits) => {
        const users = new Map<string, User>([['owner', aUser('owner', { email: '0@a.example' })]]);
        const reached = new Map<string, Set<string>>();
        for (const [number, one] of visits.entries()) {
          const subject = aSubject(String(one.person), one.issuer, one.claim);
          const email = one.vouched ? `${one.address}@a.example` : undefined;
          const all = [...users.values()];
          const known = all.find(({ identities = [] }) =>
            identities.some((its) => its.subject === subject.subject),
          );
          const holder = all.find((user) => email !== undefined && user.email === email);
          const decision = accountFor(
            subject,
            email === undefined ? { why: 'no' } : { email },
            { known, holder },
            { name: 'Acme', create_accounts: one.creates },
          );
          if (decision.as === 'refused') continue;
          const before = decision.as === 'made' ? aUser(`made-${number}`) : decision.user;
          // Nobody comes to an account for the first time but by an address that is vouched for.
          if (!known) expect(before.email === email || decision.as === 'made').toBe(true);
          if (!known) expect(one.vouched).toBe(true);
          const identities = before.identities ?? [];
          const isNew = decision.as === 'made' || decision.as === 'linked';
          const moves = decision.as === 'made' || decision.as === 'moved';
          const after = {
            ...before,
            ...(moves && { email: decision.email }),
            identities: isNew ? [...identities, identityOf(subject)] : identities,
          };
          users.set(after.id, after);
          const place = `${after.id} ${one.issuer} ${one.claim}`;
          reached.set(place, (reached.get(place) ?? new Set()).add(subject.subject));
        }
        for (const subjects of reached.values()) expect(subjects.size).toBe(1);
        const emails = [...users.values()].map((user) => user.email);
        expect(new Set(emails).size).toBe(emails.length);
      }),
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { awsName } from '../../../layers/connections/rules/aws-name.ts';

/** Source: AWS STS API, "AssumeRole", the patterns of `RoleSessionName`, `SourceIdentity` and `Tag`. */
const SESSION_NAME = /^[\w+=,.@-]{2,64}$/;
const TAG_VALUE = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u;

describe('what somebody is called at AWS', () => {
  test.each(['alice', 'alice@example.com', 'a1', 'a+b=c.d-e', 'x'.repeat(64), '192.0.2.1'])(
    'is their own name where STS takes it: %s',
    (name) => {
      expect(awsName(name)).toBe(name);
    },
  );

  test.each([
    ['al:ice', /^al_ice=[\da-f]{32}$/],
    ['cn=alice,ou=sales', /^cn=alice_ou=sales=[\da-f]{32}$/],
    ['(alice)', /^_alice_=[\da-f]{32}$/],
    ['böb', /^b_b=[\da-f]{32}$/],
    ['a', /^a=[\da-f]{32}$/],
    ['', /^=[\da-f]{32}$/],
    ['x'.repeat(65), /^x{31}=[\da-f]{32}$/],
  ])('begins with it and ends with a hash where STS does not: %j', (name, form) => {
    expect(awsName(name)).toMatch(form);
  });

  test('is not that of somebody else, whoever is called as another one has become', () => {
    const names = [
      'alice',
      'al:ice',
      '(alice)',
      'a',
      'a_',
      '_',
      '',
      'böb',
      'bb',
      'b_b',
      'y'.repeat(64),
    ];
    const all = [
      ...names,
      ...names.map(awsName),
      ...names.map(awsName).map(awsName),
      'y'.repeat(70),
    ];
    const people = new Set(all);
    expect(new Set([...people].map(awsName)).size).toBe(people.size);
  });

  test('is one that AWS takes, and differs for any two texts', () => {
    const near = fc.stringMatching(/^[a-cA-C:(),=_ öé]{0,4}(?:=[\da-f]{32})?$/);
    const long = fc
      .tuple(fc.string({ unit: fc.constantFrom('a', 'b', ':'), minLength: 60, maxLength: 70 }))
      .map(([one]) => one);
    const name = fc.oneof(near, long, fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 30 }), (names) => {
        const taken = names.map(awsName);
        expect(new Set(taken).size).toBe(names.length);
        for (const one of taken) {
          expect(one).toMatch(SESSION_NAME);
          expect(one).toMatch(TAG_VALUE);
        }
      }),
    );
  });
});

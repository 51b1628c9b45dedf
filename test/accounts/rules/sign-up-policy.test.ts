import { describe, expect, test } from '@jest/globals';
import { checkMaySignUp, readSignUpPolicy } from '../../../layers/accounts/rules/sign-up-policy.ts';

describe('who may sign up', () => {
  test.each([
    ['open', 'open'],
    ['closed', 'closed'],
    ['{"domains":["example.com","b"]}', { domains: ['example.com', 'b'] }],
  ])('is read from %p', (text, policy) => {
    expect(readSignUpPolicy(text)).toEqual(policy);
  });

  test.each([
    undefined,
    '',
    'OPEN',
    '{}',
    'null',
    '{"domains":[]}',
    '{"domains":["A.com"]}',
    '[1]',
  ])('cannot be read from %p', (text) => {
    expect(() => readSignUpPolicy(text)).toThrow('it must be open, closed or');
  });

  test('are all, none, or the addresses of some domains', () => {
    const some = { domains: ['example.com'] };

    expect(() => checkMaySignUp('open', 'a@b.c')).not.toThrow();
    expect(() => checkMaySignUp(some, 'a@example.com')).not.toThrow();
    expect(() => checkMaySignUp(some, 'a@b.example.com')).toThrow('sign_up_closed');
    expect(() => checkMaySignUp('closed', 'a@example.com')).toThrow('sign_up_closed');
  });
});

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

  const FORMS = 'write "open", "closed" or {"domains": ["company.example"]}';
  test.each([
    [undefined, FORMS],
    ['', FORMS],
    ['OPEN', FORMS],
    ['{}', FORMS],
    ['null', FORMS],
    ['{"domains":[]}', 'domains: write at least one'],
    ['{"domains":["A.com"]}', 'domains.0: write a domain in lower case'],
    ['[1]', FORMS],
  ])('cannot be read from %p', (text, sentence) => {
    expect(() => readSignUpPolicy(text)).toThrow(sentence);
  });

  test('are all, none, or the addresses of some domains', () => {
    const some = { domains: ['example.com'] };

    expect(() => checkMaySignUp('open', 'a@b.c')).not.toThrow();
    expect(() => checkMaySignUp(some, 'a@example.com')).not.toThrow();
    expect(() => checkMaySignUp(some, 'a@b.example.com')).toThrow('sign_up_closed');
    expect(() => checkMaySignUp('closed', 'a@example.com')).toThrow('sign_up_closed');
  });
});

import { describe, expect, test } from '@jest/globals';
import { apart, written } from '../../../layers/target/rules/credential.ts';

const origins = ['https://api.example.com'];

describe('a key', () => {
  test.each([
    ['a scheme in Authorization', 'header', 'Authorization', 'Token abc', 'Token ', 'abc'],
    ['a scheme in lower case', 'header', 'authorization', 'Token abc', 'Token ', 'abc'],
    ['none in another header, where a blank is part of it', 'header', 'x-key', 'a bc', '', 'a bc'],
    ['none in a query of that name', 'query', 'authorization', 'Token abc', '', 'Token abc'],
    ['none without a blank', 'header', 'Authorization', 'abc', '', 'abc'],
    ['none before nothing', 'header', 'Authorization', 'Token ', '', 'Token '],
  ] as const)('has %s', (_, place, name, value, prefix, secret) => {
    const key = { type: 'api_key', in: place, name, value, origins } as const;

    expect(apart(key)).toEqual({ type: 'api_key', in: place, name, prefix, secret, origins });
    expect(written(apart(key))).toMatchObject({ value });
  });

  test('has the prefix that it was given with, where it begins with that', () => {
    const key = { type: 'api_key', in: 'header', name: 'x-key', origins } as const;

    expect(apart({ ...key, prefix: 'id:', value: 'id:abc' })).toMatchObject({ secret: 'abc' });
    expect(apart({ ...key, prefix: 'id:', value: 'abc' })).toMatchObject({
      prefix: '',
      secret: 'abc',
    });
  });
});

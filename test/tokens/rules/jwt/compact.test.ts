import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidToken } from '../../../../layers/tokens/rules/authorization.ts';
import { readJwt } from '../../../../layers/tokens/rules/jwt.ts';
import { runs } from '../../../support/generated/runs.ts';

const encoded = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const aJwt = (header: unknown, claims: unknown = {}) =>
  `${encoded(header)}.${encoded(claims)}.c2ln`;

describe('reading a JWT', () => {
  test('yields its header and its claims', () => {
    const header = { alg: 'ES256', typ: 'at+jwt', kid: 'k-1', jku: 'https://evil.example' };

    expect(readJwt(aJwt(header, { iss: 'issuer', größe: '✓' }))).toEqual({
      algorithm: 'ES256',
      type: 'at+jwt',
      keyId: 'k-1',
      claims: { iss: 'issuer', größe: '✓' },
    });
  });

  test('does not require a type or a key id', () => {
    expect(readJwt(aJwt({ alg: 'RS256' }))).toMatchObject({ type: undefined, keyId: undefined });
  });

  test.each([
    ['nothing', ''],
    ['an access token', 'mcp_access_0e0c3a5e-6d1c-4d8e-9f0a-0b1c2d3e4f50'],
    ['two parts', 'e30.e30'],
    ['four parts', `${aJwt({ alg: 'ES256' })}.e30`],
    ['five parts, encrypted', 'e30.e30.e30.e30.e30'],
    ['no signature', `${encoded({ alg: 'none' })}.e30.`],
    ['an empty header', '.e30.c2ln'],
    ['empty claims', `${encoded({ alg: 'ES256' })}..c2ln`],
    ['padding', `${encoded({ alg: 'ES256' })}.e30=.c2ln`],
    ['plain base64', `${encoded({ alg: 'ES256' })}.e3+/.c2ln`],
    ['a line break', `${aJwt({ alg: 'ES256' })}\n`],
    ['a header that is not JSON', aJwt('{')],
    ['a header that is not an object', aJwt([])],
    ['a header that is null', aJwt('null')],
    ['claims that are not JSON', aJwt({ alg: 'ES256' }, '{')],
    ['claims that are a string', aJwt({ alg: 'ES256' }, '"a"')],
    ['claims that are a list', aJwt({ alg: 'ES256' }, [])],
    ['claims that are not UTF-8', `${encoded({ alg: 'ES256' })}.ew_f_30.c2ln`],
    ['no algorithm', aJwt({ typ: 'JWT' })],
    ['an algorithm that is not a string', aJwt({ alg: ['ES256'] })],
    ['a type that is not a string', aJwt({ alg: 'ES256', typ: 1 })],
    ['a key id that is not a string', aJwt({ alg: 'ES256', kid: {} })],
    ['a critical extension', aJwt({ alg: 'ES256', crit: ['exp'], exp: 1 })],
    ['an unencoded payload', aJwt({ alg: 'ES256', crit: ['b64'], b64: false })],
    ['an empty list of extensions', aJwt({ alg: 'ES256', crit: [] })],
  ])('refuses %s', (_, token) => {
    expect(() => readJwt(token)).toThrow(new InvalidToken('not a signed JWT'));
  });

  test('refuses any malformed text with the same error', () => {
    const part = fc.oneof(fc.string(), fc.jsonValue().map(encoded), fc.base64String());
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          readJwt(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidToken);
        }
      }),
      { seed: 20_261_120, numRuns: runs(500) },
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodedState } from '../../../layers/platform/http/event.ts';

describe('the state of an authorization request', () => {
  test.each([
    ['an empty query', '', undefined],
    ['a query without a state', 'a=b', undefined],
    ['an empty state', 'state=', undefined],
    ['a state without an equals sign', 'state', undefined],
    ['two states', 'state=a&state=b', undefined],
    ['two states, one with an encoded name', 'state=a&st%61te=b', undefined],
    ['a plain state', 'a=b&state=xyz&c=d', 'xyz'],
    ['a state with an encoded name', 'st%61te=xyz', 'xyz'],
    ['a state with an equals sign', 'state=a=b=', 'a%3Db%3D'],
    ['an encoded state', 'state=a%2Fb%3f', 'a%2Fb%3f'],
    ['a plus sign, which is a space', 'state=a+b%2Bc', 'a%20b%2Bc'],
    ['bytes that are no UTF-8', 'state=%ff%FE%00', '%ff%FE%00'],
    ['a lone percent sign', 'state=100%', '100%25'],
    ['a percent sign before what is no hex', 'state=%zz%4', '%25zz%254'],
    ['characters that were not encoded', 'state=ä"<>\r\n', '%C3%A4%22%3C%3E%0D%0A'],
    ['half a surrogate pair', 'state=\ud800', '%EF%BF%BD'],
  ])('is read in its encoded form from %s', (_, query, state) => {
    expect(encodedState(query)).toBe(state);
  });

  test('returns to the client as the same text for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (state) => {
        const query = new URLSearchParams({ state });
        const back = new URLSearchParams(`state=${encodedState(`a=1&${query}`)}`);
        expect(back.get('state')).toBe(query.get('state'));
      }),
    );
  });
});

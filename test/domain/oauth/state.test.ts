import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodedState } from '../../../layers/core/domain/oauth/index.ts';

describe('A2 the state of a query', () => {
  test.each([
    ['nothing', '', undefined],
    ['no state', 'a=b', undefined],
    ['an empty one', 'state=', undefined],
    ['one without a value', 'state', undefined],
    ['two', 'state=a&state=b', undefined],
    ['two, one of them encoded', 'state=a&st%61te=b', undefined],
    ['plain', 'a=b&state=xyz&c=d', 'xyz'],
    ['with an encoded name', 'st%61te=xyz', 'xyz'],
    ['with an equals sign', 'state=a=b=', 'a%3Db%3D'],
    ['encoded', 'state=a%2Fb%3f', 'a%2Fb%3f'],
    ['a plus, which is a space', 'state=a+b%2Bc', 'a%20b%2Bc'],
    ['bytes that are no UTF-8', 'state=%ff%FE%00', '%ff%FE%00'],
    ['a lone percent sign', 'state=100%', '100%25'],
    ['a percent sign before what is no hex', 'state=%zz%4', '%25zz%254'],
    ['what was not encoded', 'state=ä"<>\r\n', '%C3%A4%22%3C%3E%0D%0A'],
    ['half of a character', 'state=\ud800', '%EF%BF%BD'],
  ])('%s', (_, query, state) => {
    expect(encodedState(query)).toBe(state);
  });

  test('comes back as the text it was, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (state) => {
        const query = new URLSearchParams({ state });
        const back = new URLSearchParams(`state=${encodedState(`a=1&${query}`)}`);
        expect(back.get('state')).toBe(query.get('state'));
      }),
    );
  });
});

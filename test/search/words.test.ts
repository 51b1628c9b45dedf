import { describe, expect, test } from '@jest/globals';
import { presentOf } from '../../layers/search/irregular-words.ts';
import { wordsAndNamesOf, wordsOf } from '../../layers/search/words.ts';

describe('the search words of a text', () => {
  test.each([
    ['listIssueComments', ['list', 'issu', 'comment']],
    ['issue_comments', ['issu', 'comment']],
    ['GetHTTPCode-v2', ['get', 'http', 'cod', 'v', '2']],
    ['conversations.list', ['conversat', 'list']],
    ['Création d’un café', ['creat', 'd', 'un', 'caf']],
    ['turn it off, not on', ['turn', 'it', 'off', 'not', 'on']],
    ['検索 API', ['検', '索', 'api']],
    ['', []],
    ['?! --', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each([
    ['refund', 'refunds', 'refunded', 'refunding'],
    ['company', 'companies'],
    ['box', 'boxes'],
    ['address', 'addresses'],
    ['status', 'status'],
    ['create', 'created', 'creating', 'creation'],
    ['moderate', 'moderation', 'moderations'],
    ['submit', 'submitted', 'submitting'],
    ['bill', 'billing'],
  ])('have one stem for the forms of "%s"', (first, ...others) => {
    for (const other of others) expect(wordsOf(other)).toEqual(wordsOf(first));
  });

  test.each([
    ['sing', 'ring'],
    ['version', 'verse'],
    ['speed', 'spe'],
  ])('have different stems for %s and %s', (one, other) => {
    expect(wordsOf(one)).not.toEqual(wordsOf(other));
  });

  test('include a compound name as a whole', () => {
    expect(wordsAndNamesOf('listPets')).toEqual(['list', 'pet', 'listpets']);
    expect(wordsAndNamesOf('list pets')).toEqual(['list', 'pet']);
  });

  test('are cut to 40 characters', () => {
    expect(wordsOf('x'.repeat(100_000))).toEqual(['x'.repeat(40)]);
  });
});

describe('a form of a word that has another stem', () => {
  test.each([
    ['paid', 'pay'],
    ['written', 'writ'],
    ['children', 'child'],
    ['saw', 'see'],
    ['aid', undefined],
    ['pay', undefined],
    ['paid:pay', undefined],
    ['', undefined],
  ])('%j: %j', (form, stem) => {
    expect(presentOf(form)).toBe(stem);
  });
});

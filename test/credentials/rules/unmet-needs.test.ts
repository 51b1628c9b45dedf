import { describe, expect, test } from '@jest/globals';
import type { CredentialNeed, CredentialWay } from '../../../layers/openapi/credential-needs.ts';
import { unmetNeeds, unmetNeedsFindings } from '../../../layers/credentials/rules/unmet-needs.ts';

const need = (...ways: readonly CredentialWay[]): CredentialNeed => ({
  operations: 2,
  example: 'GET /pets',
  ways,
  others: ways.length > 0 ? [] : ['mutualTLS'],
});
const KEY = { type: 'api_key', name: 'X-Key', in: 'header' } as const;
const AUTHORIZATION = { type: 'api_key', name: 'authorization', in: 'header' } as const;

const listOf = <Of>(one: Of | undefined): readonly Of[] => (one ? [one] : []);

describe('what operations ask for', () => {
  test.each<[string, CredentialWay, Parameters<typeof unmetNeeds>[1][number] | undefined]>([
    ['a bearer token', { type: 'bearer' }, { type: 'bearer' }],
    ['a password', { type: 'basic' }, { type: 'basic' }],
    ['a key in a header of any case', KEY, { ...KEY, name: 'x-key' }],
    ['a key in the query', { ...KEY, in: 'query' }, { ...KEY, in: 'query' }],
    [
      'a token that its owner writes with its own word before it',
      { type: 'bearer' },
      AUTHORIZATION,
    ],
    ['a header that carries tokens', AUTHORIZATION, { type: 'bearer' }],
  ])('is met by %s', (_, way, credential) => {
    expect(unmetNeeds([need(way)], listOf(credential))).toEqual([]);
    expect(unmetNeeds([need({ type: 'basic' }, KEY, way)], listOf(credential))).toEqual([]);
  });

  test.each<
    [string, CredentialWay | undefined, Parameters<typeof unmetNeeds>[1][number] | undefined]
  >([
    ['none', { type: 'bearer' }, undefined],
    ['a password for a token', { type: 'bearer' }, { type: 'basic' }],
    ['a token for a key', KEY, { type: 'bearer' }],
    ['a key for a token', { type: 'bearer' }, KEY],
    ['a key of another name', KEY, { ...KEY, name: 'X-Other' }],
    ['a key elsewhere', KEY, { ...KEY, in: 'query' }],
    [
      'a key of another case in the query',
      { ...KEY, in: 'query' },
      { ...KEY, in: 'query', name: 'x-key' },
    ],
    ['any, where none can be it', undefined, { type: 'bearer' }],
  ])('is not met by %s', (_, way, credential) => {
    const wanted = way ? need(way) : need();

    expect(unmetNeeds([wanted], listOf(credential))).toEqual([wanted]);
  });

  test('is said of a credential that is set', () => {
    const needs = [need(KEY, { type: 'basic' }), { ...need({ type: 'bearer' }), operations: 1 }];

    expect(unmetNeedsFindings(needs, [{ type: 'bearer' }])).toMatchObject([
      {
        what:
          '2 operations (such as GET /pets) want an API key in the header X-Key or a user name and a password, ' +
          'which the credential that is set is not',
      },
    ]);
    expect(unmetNeedsFindings(needs, [])).toEqual([]);
    expect(unmetNeedsFindings([need()], [{ type: 'bearer' }])).toEqual([]);
  });

  test('is met together by credentials of their own, and by no single one of them', () => {
    const ID = { ...KEY, name: 'X-Id' };
    const both = { ...need(), together: [[KEY, ID]], others: [] };

    expect(unmetNeeds([both], [KEY, ID])).toEqual([]);
    expect(unmetNeeds([both], [KEY])).toEqual([both]);
    expect(unmetNeedsFindings([both], [KEY])).toMatchObject([
      { what: expect.stringContaining('X-Key together with an API key in the header X-Id') },
    ]);
  });
});

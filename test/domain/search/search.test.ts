import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openSearch, resultsText } from '../../../layers/core/domain/search/index.ts';
import { aBigDescription } from '../../support/big-description.ts';
import { aDescription, anOperation } from '../../support/intake.ts';
import { searchIndexOf } from '../../support/searching.ts';

const SHOP = searchIndexOf(
  JSON.stringify(
    aDescription({
      paths: {
        '/orders': {
          get: anOperation({ operationId: 'listOrders', tags: ['Orders'], summary: 'All orders' }),
          post: anOperation({ operationId: 'placeOrder', tags: ['Orders'], summary: 'Buy books' }),
        },
        '/orders/{id}': {
          get: anOperation({ operationId: 'getOrder', tags: ['Orders'] }),
          delete: anOperation({ operationId: 'dropOrder', tags: ['Orders'] }),
        },
        '/books/{isbn}/cover': {
          get: anOperation({
            operationId: 'cover',
            tags: ['Books', 'Pictures'],
            description: 'The picture on the front.\nAs PNG.',
            parameters: [{ name: 'widthInPixels', in: 'query', schema: { type: 'integer' } }],
          }),
        },
        '/constructor': { get: anOperation({ operationId: '__proto__' }) },
      },
    }),
  ),
);
const search = openSearch(SHOP);
const names = (query: Parameters<typeof search>[0]) => search(query).map(({ name }) => name);

describe('a search', () => {
  test.each([
    ['a summary', 'buy books', 'placeOrder'],
    ['a name', 'getOrder', 'getOrder'],
    ['a name in one word', 'getorder', 'getOrder'],
    ['a path', '/orders/{id}', 'getOrder'],
    ['a method', 'DELETE', 'dropOrder'],
    ['what a method means', 'remove an order', 'dropOrder'],
    ['a description', 'front picture', 'cover'],
    ['an argument', 'width in pixels', 'cover'],
    ['a tag', 'pictures', 'cover'],
    ['how a word begins', 'pict', 'cover'],
    ['a near spelling', 'pikture', 'cover'],
    ['a name that objects inherit', 'constructor', 'proto'],
  ])('finds by %s', (_, text, name) => {
    expect(names({ text })[0]).toBe(name);
  });

  test('keeps to a tag and to a method, in any case', () => {
    expect(names({ text: 'orders', method: 'post' })).toEqual(['placeOrder']);
    expect(names({ text: 'order', area: 'books' })).toEqual([]);
    expect(names({ text: 'cover', area: 'pictures' })).toEqual(['cover']);
  });

  test('without words lists what tag and method leave, as the description has it', () => {
    expect(names({ text: '', area: 'Orders', method: 'GET' })).toEqual(['listOrders', 'getOrder']);
    expect(names({ text: 'how do I' })).toHaveLength(SHOP.operations.length);
  });

  test('finds nothing for words that are nowhere', () => {
    expect(names({ text: 'zzyzx quux' })).toEqual([]);
  });

  test('leaves out what is far behind the best', () => {
    const all = openSearch(searchIndexOf(JSON.stringify(aBigDescription())));

    expect(all({ text: 'archive an invoice' }).length).toBeLessThan(300);
  });

  test('answers the same every time, in whichever process the index was opened', () => {
    const text = JSON.stringify(aBigDescription());
    const [one, other] = [searchIndexOf(text), searchIndexOf(text)];
    const found = [one, other, JSON.parse(JSON.stringify(one))].map((index) =>
      openSearch(index)({ text: 'reminder for a customer' }),
    );

    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
  });

  test('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, area) => {
        const query = { text, area };
        const shown = resultsText(query, search(query), SHOP.operations, 10);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  test('reads no more than 500 characters and 24 words of a question', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `word${at}`).join(' ');

    expect(names({ text: `${many} cover` })).toEqual([]);
    expect(names({ text: `cover ${many}` })[0]).toBe('cover');
  });
});

describe('the areas of operations', () => {
  test('are their tags', () => {
    expect(SHOP.operations.find(({ name }) => name === 'cover')?.areas).toEqual([
      'Books',
      'Pictures',
    ]);
  });

  test('are where their paths begin if nothing is tagged', () => {
    const { operations } = searchIndexOf(
      JSON.stringify(
        aDescription({
          paths: {
            '/api/v2/pets/{id}/toys': { get: anOperation() },
            '/{owner}/things': { get: anOperation() },
            '/{any}': { get: anOperation() },
          },
        }),
      ),
    );

    expect(operations.map(({ areas }) => areas)).toEqual([['pets'], ['things'], []]);
  });

  test('are short lines, and few', () => {
    const tags = ['a\nb\u0000c', '  ', 'x'.repeat(100), 'd', 'e', 'f', 'g'];
    const { operations } = searchIndexOf(
      JSON.stringify(aDescription({ paths: { '/a': { get: anOperation({ tags }) } } })),
    );

    expect(operations[0]?.areas).toEqual(['a b c', 'x'.repeat(60), 'd', 'e', 'f']);
  });
});

describe('the line on an operation', () => {
  test.each([
    ['its summary', { summary: 'Lists pets' }, 'Lists pets'],
    ['the first sentence otherwise', { description: 'Lists pets. Slowly.' }, 'Lists pets.'],
    ['the first line', { description: 'Lists\npets' }, 'Lists'],
    ['cut', { description: 'many '.repeat(100) }, `${'many '.repeat(24).slice(0, 119)}…`],
  ])('is %s', (_, operation, summary) => {
    const text = JSON.stringify(aDescription({ paths: { '/a': { get: anOperation(operation) } } }));

    expect(searchIndexOf(text).operations[0]?.summary).toBe(summary);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSearchIndex } from '../../layers/search/build-index.ts';
import { openSearch } from '../../layers/search/search.ts';
import { fullSpelling, similarWords } from '../../layers/search/similar-words.ts';
import { resultsText } from '../../layers/search/results.ts';
import { aBigDescription } from '../support/openapi/big-description.ts';
import { compiled } from '../support/openapi/compile.ts';
import { aDescription, anOperation } from '../support/openapi/intake.ts';
import { searchIndexOf } from '../support/mcp/searching.ts';

const NOWHERE = { rarity: 1, ids: [], strengths: [] };

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

describe('searching operations', () => {
  test.each([
    ['a summary', 'buy books', 'placeOrder'],
    ['a name', 'getOrder', 'getOrder'],
    ['a name in lower case', 'getorder', 'getOrder'],
    ['a path', '/orders/{id}', 'getOrder'],
    ['a method', 'DELETE', 'dropOrder'],
    ['the meaning of a method', 'remove an order', 'dropOrder'],
    ['a description', 'front picture', 'cover'],
    ['an argument', 'width in pixels', 'cover'],
    ['a tag', 'pictures', 'cover'],
    ['the beginning of a word', 'pict', 'cover'],
    ['a misspelled word', 'pikture', 'cover'],
    ['a name of Object.prototype', 'constructor', 'proto'],
  ])('finds an operation by %s', (_, text, name) => {
    expect(names({ text })[0]).toBe(name);
  });

  test('filters by tag and by method in any case', () => {
    expect(names({ text: 'orders', method: 'post' })).toEqual(['placeOrder']);
    expect(names({ text: 'order', area: 'books' })).toEqual([]);
    expect(names({ text: 'cover', area: 'pictures' })).toEqual(['cover']);
  });

  test('lists all operations of a tag and method where the query has no words', () => {
    expect(names({ text: '', area: 'Orders', method: 'GET' })).toEqual(['listOrders', 'getOrder']);
    expect(names({ text: 'how do I' })).toHaveLength(SHOP.operations.length);
  });

  test('finds nothing for unknown words', () => {
    expect(names({ text: 'zzyzx quux' })).toEqual([]);
  });

  test('omits results far behind the best', () => {
    const all = openSearch(searchIndexOf(JSON.stringify(aBigDescription())));

    expect(all({ text: 'archive an invoice' }).length).toBeLessThan(300);
  });

  test('gives the same results in every process', () => {
    const text = JSON.stringify(aBigDescription());
    const [one, other] = [searchIndexOf(text), searchIndexOf(text)];
    const found = [one, other, JSON.parse(JSON.stringify(one))].map((index) =>
      openSearch(index)({ text: 'reminder for a customer' }),
    );

    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
  });

  test('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, area) => {
        const query = { text, area };
        const shown = resultsText(query, search(query), SHOP.operations, 10);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  test('reads at most 500 characters and 24 words of a query', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `word${at}`).join(' ');

    expect(names({ text: `${many} cover` })).toEqual([]);
    expect(names({ text: `cover ${many}` })[0]).toBe('cover');
  });
});

describe('what a wish means', () => {
  const operation = (operationId: string) => anOperation({ operationId });
  const FLAGS = openSearch(
    searchIndexOf(
      JSON.stringify(
        aDescription({
          paths: {
            '/features': { get: operation('getFeatures'), post: operation('postFeature') },
            '/features/{id}': { put: operation('putFeature'), delete: operation('dropFeature') },
            '/features/{id}/environments/{env}/on': { post: operation('toggleOn') },
            '/features/{id}/environments/{env}/off': { post: operation('toggleOff') },
            '/issues': { get: operation('getIssues') },
            '/zones/{zone}': {
              patch: anOperation({
                operationId: 'patchZone',
                parameters: [
                  { name: 'kind', in: 'query', schema: { type: 'string', enum: ['rrset'] } },
                ],
              }),
            },
          },
        }),
      ),
    ),
  );

  test.each([
    ['turn on a flag in production', 'toggleOn'],
    ['turn a flag off', 'toggleOff'],
    ['which flags are there', 'getFeatures'],
    ['list all toggles', 'getFeatures'],
    ['add a flag', 'postFeature'],
    ['rename a flag', 'putFeature'],
    ['get rid of a flag', 'dropFeature'],
    ['open bugs', 'getIssues'],
    ['RRSET', 'patchZone'],
    ['DÉLÈTE á flåg', 'dropFeature'],
  ])('is read from "%s"', (text, name) => {
    expect(FLAGS({ text })[0]?.name).toBe(name);
  });

  test.each(['quelles factures sont en retard', 'какие счета', '未払いの請求書', '🙂', 'not'])(
    'is nothing at worst, in "%s"',
    (text) => {
      expect(() => FLAGS({ text })).not.toThrow();
    },
  );
});

describe('keywords of an owner', () => {
  const withKeywords = (keywords: readonly string[]) => {
    const { tools } = aTools();
    return openSearch(buildSearchIndex(tools.map((tool) => ({ tool, tags: [], keywords }))));
  };
  const aTools = () => compiled(aDescription({ paths: { '/zones': { patch: anOperation() } } }));

  test('find a tool whose description does not have the word', () => {
    expect(withKeywords([])({ text: 'nameserver entry' })).toEqual([]);
    expect(withKeywords(['nameserver entry'])({ text: 'nameserver entry' })).toHaveLength(1);
  });
});

test('an index of before, which has neither keywords nor enums, is searched as well', () => {
  const { ranked, ...others } = SHOP;
  const stored = JSON.parse(ranked);
  const gone = ['keywords', 'values'].map((name) => String(stored.fieldIds[name]));
  for (const [, fields] of stored.index) for (const id of gone) delete fields[id];
  for (const name of ['keywords', 'values']) delete stored.fieldIds[name];
  const before = openSearch({ ...others, ranked: JSON.stringify(stored) });

  expect(before({ text: 'buy books' })[0]?.name).toBe('placeOrder');
});

describe('the areas of operations', () => {
  test('are the tags of each operation', () => {
    expect(SHOP.operations.find(({ name }) => name === 'cover')?.areas).toEqual([
      'Books',
      'Pictures',
    ]);
  });

  test('are the first segments of the paths where nothing is tagged', () => {
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

  test('are at most five short lines', () => {
    const tags = ['a\nb\u0000c', '  ', 'x'.repeat(100), 'd', 'e', 'f', 'g'];
    const { operations } = searchIndexOf(
      JSON.stringify(aDescription({ paths: { '/a': { get: anOperation({ tags }) } } })),
    );

    expect(operations[0]?.areas).toEqual(['a b c', 'x'.repeat(60), 'd', 'e', 'f']);
  });
});

describe('the summary line of an operation', () => {
  test.each([
    ['the summary of the operation', { summary: 'Lists pets' }, 'Lists pets'],
    ['the first sentence instead', { description: 'Lists pets. Slowly.' }, 'Lists pets.'],
    ['the first line of the description', { description: 'Lists\npets' }, 'Lists'],
    ['cut if long', { description: 'many '.repeat(100) }, `${'many '.repeat(24).slice(0, 119)}…`],
  ])('is %s', (_, operation, summary) => {
    const text = JSON.stringify(aDescription({ paths: { '/a': { get: anOperation(operation) } } }));

    expect(searchIndexOf(text).operations[0]?.summary).toBe(summary);
  });
});

test('of one query so many words are compared with those of an index that are spelled like them', () => {
  const words = new Map<string, typeof NOWHERE>(
    Array.from({ length: 50_000 }, (_, at) => [`word${at}`, NOWHERE]),
  );
  words.set('lastwords', NOWHERE);
  const spelling = fullSpelling();
  const found = Array.from({ length: 24 }, () => similarWords('lastwrods', words, spelling).length);

  expect(found.slice(0, 3)).toEqual([1, 1, 1]);
  expect(found.at(-1)).toBe(0);
});

import { describe, expect, test } from '@jest/globals';
import { resultsText } from '../../layers/search/results.ts';
import { searchTools } from '../../layers/search/search-tools.ts';
import type { SearchIndex } from '../../layers/search/search-index.ts';
import { aBigDescription } from '../support/openapi/big-description.ts';
import { aDescription, anOperation } from '../support/openapi/intake.ts';
import { strictly } from '../support/openapi/json-schema.ts';
import { MODEL_APIS } from '../../layers/openapi/model-apis/verdict.ts';
import { searchIndexOf } from '../support/mcp/searching.ts';

const THOUSAND = searchIndexOf(JSON.stringify(aBigDescription(1000)));

const listed = (index: SearchIndex, title = 'Company Suite') =>
  searchTools(title, index).map((tool) => JSON.parse(tool.listed));

const withMethods = (...methods: readonly string[]) =>
  searchIndexOf(
    JSON.stringify(
      aDescription({
        paths: { '/a': Object.fromEntries(methods.map((method) => [method, anOperation()])) },
      }),
    ),
  );

/** What tells a model how many tokens a text is; it errs on the side of more. */
const BYTES_PER_TOKEN = 4;

describe('the three tools of a deployment with searchable operations', () => {
  test('cost a client less than a thousand tokens for a thousand operations', () => {
    expect(THOUSAND.operations).toHaveLength(1000);
    const bytes = Buffer.byteLength(JSON.stringify({ tools: listed(THOUSAND) }));

    expect(bytes / BYTES_PER_TOKEN).toBeLessThan(1000);
  });

  test('do not cost more with a title and tags of the maximum length', () => {
    const long = Array.from({ length: 500 }, (_, at) => `${'x'.repeat(50)}${at}`);
    const operations = THOUSAND.operations.map((one) => ({ ...one, areas: long.slice(0, 5) }));
    const tools = listed({ ...THOUSAND, operations }, 'T'.repeat(200));

    expect(JSON.stringify({ tools }).length / BYTES_PER_TOKEN).toBeLessThan(1000);
  });

  test.each(Object.entries(MODEL_APIS))('are accepted by %s', (_, complaintsOf) => {
    for (const tool of listed(THOUSAND)) expect(complaintsOf(tool)).toEqual([]);
  });

  test('have schemas that compile in strict JSON Schema 2020-12', () => {
    for (const { inputSchema } of listed(THOUSAND))
      expect(() => strictly(inputSchema)).not.toThrow();
  });

  test('describe how many operations there are and their areas', () => {
    const [{ description }] = listed(THOUSAND);

    expect(description).toContain('the 1000 operations');
    expect(description).toContain('Company Suite');
    expect(description).toContain('customers (100), invoices (100)');
  });

  test('have a title, where clients of every version look for it', () => {
    for (const { title, annotations } of listed(THOUSAND)) {
      expect(title).toMatch(/^Company Suite: .* operations?$/);
      expect(annotations).toMatchObject({ title });
    }
  });

  test('are there from the start for clients that defer tools', () => {
    for (const tool of listed(THOUSAND)) {
      expect(tool).toMatchObject({ _meta: { 'anthropic/alwaysLoad': true } });
    }
  });

  test('are marked as destructive only where an operation can destroy', () => {
    const hintsOf = (index: SearchIndex) => listed(index).map(({ annotations }) => annotations);

    expect(hintsOf(withMethods('get', 'post'))).toMatchObject([
      { readOnlyHint: true, openWorldHint: false },
      { readOnlyHint: true, openWorldHint: false },
      { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    ]);
    expect(hintsOf(withMethods('get'))[2]).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
    });
  });
});

describe('the text of search results', () => {
  const [first, second] = THOUSAND.operations;
  const all = THOUSAND.operations;

  test('has a line for each operation and says how to continue', () => {
    expect(resultsText({ text: 'customer' }, [first!, second!], all, 10)).toBe(
      [
        '2 operations match:',
        '',
        'listCustomer  GET /customers  List every customer',
        'createCustomer  POST /customers  Create a customer',
        '',
        'Next: describe_operation, then call_operation.',
      ].join('\n'),
    );
  });

  test('says how many more operations match', () => {
    const text = resultsText({ text: 'customer' }, all, all, 10);

    expect(text).toContain('1000 operations match, the best 10 first:');
    expect(text).toContain('a larger limit (at most 50)');
    expect(resultsText({ text: 'customer' }, all, all, 50)).not.toContain('larger limit');
  });

  test.each([
    ['the query is empty', { text: ' ' }, 'There are 1000 operations.'],
    ['no operation matches', { text: 'zzyzx' }, 'No operation matches "zzyzx".'],
    [
      'tag and method exclude all',
      { text: '', area: 'nothings', method: 'PUT' },
      'No operation matches tag "nothings", method PUT.',
    ],
  ])('lists the areas where %s', (_, query, opening) => {
    const text = resultsText(query, [], all, 10);

    expect(text.startsWith(opening)).toBe(true);
    expect(text).toContain('customers (100), invoices (100)');
  });

  test('repeats at most a hundred characters of the query', () => {
    expect(resultsText({ text: 'z'.repeat(1000) }, [], all, 10)).toContain(`${'z'.repeat(100)}…"`);
  });
});

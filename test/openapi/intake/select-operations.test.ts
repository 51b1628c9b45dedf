import { describe, expect, test } from '@jest/globals';
import { selectOperations } from '../../../layers/openapi/intake/select-operations.ts';
import {
  aDescription,
  anOperation,
  read,
  refusalOf,
  refusedAs,
} from '../../support/openapi/intake.ts';

const PETS = read(
  aDescription({
    paths: {
      '/pets': {
        get: anOperation({ operationId: 'listPets', tags: ['pets', 'read'] }),
        post: anOperation({ operationId: 'add pet', tags: ['pets'] }),
      },
      '/pets/{id}': { get: anOperation({ operationId: 'GET /pets/{id}', tags: ['read'] }) },
      '/pets/{id}/toys': { get: anOperation({ tags: ['toys'] }), delete: anOperation() },
      '/a*b': { get: anOperation({ operationId: 'constructor' }) },
    },
  }),
);

const selected = (
  include: readonly string[],
  exclude: readonly string[] = [],
  max = 50,
  searchable = 0,
) =>
  selectOperations(
    PETS,
    { include, exclude },
    { max, limit: 'endpoints_per_deployment', searchable },
  ).operations.map(({ method, path }) => `${method} ${path}`);

const ALL = [
  'GET /pets',
  'POST /pets',
  'GET /pets/{id}',
  'GET /pets/{id}/toys',
  'DELETE /pets/{id}/toys',
  'GET /a*b',
];

describe('selecting operations', () => {
  test('takes all where nothing is requested', () => {
    expect(selected([])).toEqual(ALL);
  });

  test.each([
    ['tag:pets', ['GET /pets', 'POST /pets']],
    ['listPets', ['GET /pets']],
    ['add pet', ['POST /pets']],
    ['constructor', ['GET /a*b']],
    ['GET /pets', ['GET /pets']],
    ['get   /pets', ['GET /pets']],
    [' GET /pets/{id} ', ['GET /pets/{id}']],
    ['* /pets', ['GET /pets', 'POST /pets']],
    ['DELETE *', ['DELETE /pets/{id}/toys']],
    ['GET /pets/*', ['GET /pets/{id}', 'GET /pets/{id}/toys']],
    ['* /pets/*/toys', ['GET /pets/{id}/toys', 'DELETE /pets/{id}/toys']],
    ['* /p*s', ['GET /pets', 'POST /pets', 'GET /pets/{id}/toys', 'DELETE /pets/{id}/toys']],
    ['GET */*{*}*', ['GET /pets/{id}', 'GET /pets/{id}/toys']],
    ['GET /a*b', ['GET /a*b']],
    ['* *', ALL],
  ])('takes for %j what it names', (entry, operations) => {
    expect(selected([entry])).toEqual(operations);
  });

  test('takes each operation once, in document order', () => {
    expect(selected(['tag:read', 'GET /pets', 'tag:pets'])).toEqual(ALL.slice(0, 3));
  });

  test('leaves out what is excluded, included or not', () => {
    expect(selected([], ['tag:read', 'GET /a*b'])).toEqual([ALL[1], ALL[3], ALL[4]]);
    expect(selected(['tag:pets'], ['POST *', 'DELETE *'])).toEqual(['GET /pets']);
  });

  test.each([
    'tag:cats',
    'tag:',
    'pets',
    'listpets',
    'PUT /pets',
    'GET /pet',
    'GET /pets/',
    'GET /p*s*s*s*s',
    'GET /aab*b',
    'toString',
    'tag:constructor',
    '/pets',
    '',
  ])('refuses %j, which names nothing', (entry) => {
    expect(refusedAs(() => selected(['* *', entry]))).toEqual({
      code: 'invalid_request',
      findings: [
        `/operations/include/1 | ${JSON.stringify(entry)} names no operation of the description`,
      ],
    });
  });

  test('names every entry that names nothing', () => {
    expect(refusedAs(() => selected(['tag:cats'], ['tag:pets', 'tag:dogs'])).findings).toEqual([
      '/operations/include/0 | "tag:cats" names no operation of the description',
      '/operations/exclude/1 | "tag:dogs" names no operation of the description',
    ]);
  });

  describe('of a version whose former selection named more', () => {
    const since = (
      selection: { readonly include: readonly string[]; readonly exclude: readonly string[] },
      former: typeof selection,
    ) => {
      const limit = { max: 50, limit: 'endpoints_per_deployment', searchable: 0 };
      const { operations, warnings } = selectOperations(PETS, selection, limit, former);
      return {
        operations: operations.map(({ method, path }) => `${method} ${path}`),
        warnings: warnings.map(({ where, what }) => `${where} | ${what}`),
      };
    };

    test('warns of the names that are gone, and takes the others', () => {
      const selection = {
        include: ['tag:pets', 'tag:cats', 'addCat'],
        exclude: ['POST *', 'DELETE /cats'],
      };
      expect(since(selection, selection)).toEqual({
        operations: ['GET /pets'],
        warnings: [
          '/operations/include/1 | "tag:cats" names no operation of this version any more',
          '/operations/include/2 | "addCat" names no operation of this version any more',
          '/operations/exclude/1 | "DELETE /cats" names no operation of this version any more',
        ],
      });
    });

    test.each([
      ['is new', { include: ['tag:pets'], exclude: [] }],
      ['stood in the other list', { include: [], exclude: ['tag:cats'] }],
    ])('refuses an entry without an operation that %s', (_case, former) => {
      const wanted = { include: ['tag:pets', 'tag:cats'], exclude: [] };
      expect(refusedAs(() => since(wanted, former)).findings).toEqual([
        '/operations/include/1 | "tag:cats" names no operation of the description',
      ]);
    });

    test('refuses a version that has nothing of what was chosen', () => {
      const selection = { include: ['tag:cats'], exclude: ['tag:dogs'] };
      expect(refusedAs(() => since(selection, selection))).toEqual({
        code: 'no_operations',
        findings: ['/operations | nothing that it includes is in this version'],
      });
    });
  });

  test('refuses to leave nothing', () => {
    expect(refusedAs(() => selected(['tag:pets'], ['* *']))).toEqual({
      code: 'no_operations',
      findings: ['/operations | everything that is included is excluded again'],
    });
  });

  test('allows as many operations as the plan does', () => {
    expect(selected([], [], 6)).toHaveLength(6);
  });

  test('refuses one more, with the count and how to choose', () => {
    const refusal = refusalOf(() => selected([], [], 5));

    expect(refusal.code).toBe('too_many_operations');
    expect(refusal.details).toEqual({ limit: 'endpoints_per_deployment' });
    expect(refusal.description).toBe('The description has 6 operations, at most 5 are allowed.');
    expect(refusal.findings).toEqual([
      {
        where: '/operations',
        what: '6 operations, at most 5 are allowed',
        hint:
          'Choose with `operations.include` or `operations.exclude`. ' +
          'Name operations with `tag:NAME`, `METHOD /path` (`*` in either) or an operationId.',
      },
      ...['pets` has 2', 'read` has 2', 'toys` has 1'].map((tag) => ({
        where: '/operations',
        what: `\`tag:${tag} of them`,
        hint: 'Include or exclude it.',
      })),
    ]);
  });

  test.each([
    ['names the search mode where all would fit', 6, true],
    ['does not name it where they would not', 5, false],
    ['does not name it where the plan forbids it', 0, false],
  ])('%s', (_, searchable, isNamed) => {
    const [first] = refusalOf(() => selected([], [], 5, searchable)).findings;

    expect(first?.hint.includes('tool_mode: "search"')).toBe(isNamed);
  });

  test('counts after the selection', () => {
    expect(selected(['tag:pets'], [], 2)).toHaveLength(2);
  });

  // A thousand such entries of a thousand characters would go on for minutes.
  test('refuses entries that take too long to be found, and says what to use instead', () => {
    const paths = Array.from({ length: 2000 }, (_, at) => [
      `/${'a'.repeat(400)}${at}`,
      { get: {} },
    ]);
    const many = read(aDescription({ paths: Object.fromEntries(paths) }));
    const limit = { max: 50, limit: 'endpoints_per_deployment', searchable: 0 };
    const select = (include: readonly string[]) =>
      selectOperations(many, { include, exclude: [] }, { ...limit, max: 5000 });

    expect(
      select(Array.from({ length: 500 }, (_, at) => `GET /aaa*${at}`)).operations,
    ).toHaveLength(2000);
    expect(refusedAs(() => select(Array(100).fill(`* /${'*a'.repeat(390)}*`)))).toEqual({
      code: 'invalid_request',
      findings: [
        '/operations | its entries with `*` are compared with the paths of 2000 operations more than 20000000 times',
      ],
    });
  });

  test('counts what stands before and behind the `*` as well', () => {
    const path = `/${'a'.repeat(400)}`;
    const paths = Array.from({ length: 2000 }, (_, at) => [`${path}${at}`, { get: anOperation() }]);
    const many = read(aDescription({ paths: Object.fromEntries(paths) }));
    const limit = { max: 5000, limit: 'endpoints_per_deployment', searchable: 0 };
    const select = (entry: string) =>
      selectOperations(many, { include: Array(1000).fill(entry), exclude: [] }, limit);

    expect(select('GET /aaa*').operations).toHaveLength(2000);
    for (const entry of [`GET ${path}*`, `GET /*${path.slice(1)}`]) {
      expect(refusedAs(() => select(entry)).findings).toEqual([
        expect.stringContaining('compared with the paths of 2000 operations more than'),
      ]);
    }
  });

  test('refuses more than 1,000 entries', () => {
    const entries = (length: number) => Array.from({ length }, () => '* *');

    expect(selected(entries(1000))).toEqual(ALL);
    expect(refusedAs(() => selected([], entries(1001)))).toEqual({
      code: 'invalid_request',
      findings: ['/operations/exclude | more than 1000 entries'],
    });
  });
});

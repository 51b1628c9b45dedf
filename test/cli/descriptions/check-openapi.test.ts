import { describe, expect, test } from '@jest/globals';
import { checkOpenApi } from '../../../cli/descriptions/check-openapi.ts';

const ANSWERS = { responses: { 200: { description: 'fine' } } };
const aDescription = (members: object) => ({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: ANSWERS } },
  ...members,
});

/** Each of 500 objects merges the one before, and has a key more. */
const MERGES = `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths: {}
x-merges:
  a0: &a0 { k0: 0 }
${Array.from({ length: 500 }, (_, n) => `  a${n + 1}: &a${n + 1} { <<: *a${n}, k${n + 1}: 0 }`).join('\n')}
`;

/** Three schemas in each of thirty. */
const EXPLOSION = `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths: {}
components:
  schemas:
    A0: &a0 { type: object }
${Array.from({ length: 30 }, (_, n) => `    A${n + 1}: &a${n + 1} { allOf: [*a${n}, *a${n}, *a${n}] }`).join('\n')}
`;

const said = async (description: object | string) => {
  const text = typeof description === 'string' ? description : JSON.stringify(description);
  const { findings } = await checkOpenApi(text);
  return findings.map(({ where, what }) => `${where} | ${what}`);
};

describe('checking a description against the OpenAPI specification', () => {
  test.each([
    ['OpenAPI 3.0', aDescription({})],
    ['OpenAPI 3.1', aDescription({ openapi: '3.1.0' })],
    ['OpenAPI 2.0', { swagger: '2.0', ...aDescription({ openapi: undefined }) }],
    ['YAML', `openapi: 3.0.3\ninfo: { title: Pets, version: '1' }\npaths: {}\n`],
    [
      'merge keys',
      `openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      responses: { 200: { description: fine }, <<: [*errors, { 200: { nothing: here } }] }
`.replace('*errors', '&errors { 404: { description: gone } }'),
    ],
    [
      'references to other files, which are not read',
      aDescription({ paths: { '/pets': { $ref: 'gone.json' } } }),
    ],
    [
      'circles',
      aDescription({
        components: {
          schemas: { Node: { properties: { next: { $ref: '#/components/schemas/Node' } } } },
        },
      }),
    ],
  ])('finds nothing in what keeps to it: %s', async (_, description) => {
    expect(await said(description)).toEqual([]);
  });

  test.each([
    [
      'a field that there is not',
      { sumary: 'x' },
      ' | must NOT have additional properties (sumary)',
    ],
    [
      'a parameter without a place',
      { parameters: [{ name: 'id', schema: {} }] },
      "/parameters/0 | must have required property 'in'",
    ],
    ['no answers', { responses: {} }, '/responses | must NOT have fewer than 1 properties'],
  ])('tells the place of %s', async (_, members, expected) => {
    const description = aDescription({ paths: { '/pets': { get: { ...ANSWERS, ...members } } } });

    expect(await said(description)).toEqual([
      expect.stringContaining(`/paths/~1pets/get${expected}`),
    ]);
  });

  test('names all places', async () => {
    const get = { ...ANSWERS, sumary: 'x', operationId: 7 };
    const paths = { '/pets': { get }, '/cats': { get: {} } };

    expect(await said(aDescription({ openapi: '3.1.0', paths }))).toEqual([
      '/paths/~1pets/get/operationId | must be string',
      '/paths/~1pets/get | must NOT have unevaluated properties (sumary)',
    ]);
    expect(await said(aDescription({ paths }))).toHaveLength(3);
  });

  test('reports references that lead nowhere', async () => {
    const paths = {
      '/pets': { get: { responses: { 200: { $ref: '#/a' }, 400: { $ref: '#/b' } } } },
    };

    expect(await said(aDescription({ paths }))).toEqual([
      '/paths/~1pets/get/responses/200 | Missing $ref pointer "#/a". Token "a" does not exist.',
      '/paths/~1pets/get/responses/400 | Missing $ref pointer "#/b". Token "b" does not exist.',
    ]);
  });

  test('says where the version is that is no text', async () => {
    const [found] = await said(aDescription({ info: { title: 'Pets', version: 1 } }));
    expect(found).toMatch(/^\/info\/version \| /);
  });

  test('knows the rules of OpenAPI 2.0 that no schema expresses', async () => {
    const paths = { '/pets/{id}': { get: ANSWERS } };

    expect(await said({ swagger: '2.0', info: { title: 'Pets', version: '1' }, paths })).toEqual([
      '/paths/pets/{id}/get | /paths/pets/{id}/get is missing path parameter(s) for {id}',
    ]);
  });

  test.each([
    ['no version', { paths: {} }],
    ['a number for a version', aDescription({ openapi: 3.1 })],
    ['no paths', { openapi: '3.0.3', info: { title: 'Pets', version: '1' } }],
  ])('finds fault with %s', async (_, description) => {
    expect(await said(description)).toHaveLength(1);
  });

  test.each([
    ['broken JSON', '{"openapi": ', 'cannot read it'],
    ['broken YAML', 'a: [', 'cannot read it'],
    ['endless nesting', '['.repeat(100_000), 'cannot read it'],
    ['aliases of aliases', EXPLOSION, 'its YAML aliases explode'],
    ['merges of merges', MERGES, 'its YAML merge keys explode'],
    [
      'OpenAPI 3.2',
      JSON.stringify(aDescription({ openapi: '3.2.0' })),
      'does not know OpenAPI 3.2',
    ],
  ])('says that nothing was checked of %s', async (_, text, why) => {
    expect(await checkOpenApi(text)).toEqual({
      findings: [],
      unchecked: expect.stringContaining(why),
    });
  });
});

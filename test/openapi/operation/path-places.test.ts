import { afterAll, describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { compiled, onlyOf, propertiesOf, readTool } from '../../support/openapi/compile.ts';
import { aDescription, anOperation, read } from '../../support/openapi/intake.ts';
import { anEcho } from '../../support/target/echo.ts';

const echo = await anEcho();

afterAll(async () => {
  await echo[Symbol.asyncDispose]();
});

const string = { type: 'string' };

const aParameter = (place: string, name: string, rest: Record<string, Json> = {}) => ({
  name,
  in: place,
  schema: string,
  ...(place === 'path' && { required: true }),
  ...rest,
});

const described = (path: string, parameters: readonly Json[], members = {}) =>
  aDescription({ paths: { [path]: { post: anOperation({ parameters }) } }, ...members });

describe('a place in the query of a path', () => {
  test.each<[string, string, readonly Json[], Record<string, string>, string]>([
    [
      'is filled by the query parameter of its name',
      '/upload?id={id}',
      [aParameter('query', 'id', { required: true })],
      { id: 'a&b' },
      '/upload?id=a%26b',
    ],
    [
      'beside others',
      '/upload?kind=file&id={id}&ref={ref}',
      [aParameter('query', 'id'), aParameter('query', 'ref')],
      { id: '1' },
      '/upload?kind=file&id=1',
    ],
    [
      'of another name than the query has',
      '/things?sort={order}',
      [aParameter('query', 'order')],
      { sort: 'name' },
      '/things?sort=name',
    ],
    [
      'whose name in the query is that of the parameter',
      '/things?sort={order}',
      [aParameter('query', 'sort')],
      { sort: 'name' },
      '/things?sort=name',
    ],
    [
      'with a name in brackets',
      '/things?filter%5Bname%5D={name}',
      [aParameter('query', 'filter[name]')],
      { filter_name: 'a' },
      '/things?filter%5Bname%5D=a',
    ],
    [
      'that is a part of a value',
      '/things?filter=name:{name}',
      [aParameter('query', 'name')],
      { name: 'a' },
      '/things?filter=name:a',
    ],
    [
      'is filled by the path parameter of its name',
      '/things/{id}?view={view}',
      [aParameter('path', 'id'), aParameter('path', 'view')],
      { id: '1', view: 'all' },
      '/things/1?view=all',
    ],
    ['is an argument that nobody declares', '/things?q={q}', [], { q: 'a' }, '/things?q=a'],
  ])('%s, once', async (_, path, parameters, args, target) => {
    const description = described(path, parameters);
    const tool = readTool(onlyOf(compiled(description).tools));

    expect(Object.keys(propertiesOf(tool)).toSorted()).toEqual(
      expect.arrayContaining(Object.keys(args).toSorted()),
    );
    expect(Object.keys(propertiesOf(tool))).toHaveLength(new Set(parameters).size || 1);
    expect((await echo.call(description, args)).start).toBe(`POST ${target}`);
  });

  test('may stay empty where its parameter may be left out', async () => {
    const description = described('/upload?id={id}', [aParameter('query', 'id')]);

    expect((await echo.call(description, {})).start).toBe('POST /upload');
  });

  test('gets no warning where a parameter says what fills it', () => {
    const description = described('/upload?id={id}', [aParameter('query', 'id')]);

    expect(compiled(description).warnings).toEqual([]);
    expect(read({ ...description, servers: [{ url: 'https://a.example' }] }).warnings).toEqual([]);
  });

  test('is no argument where it is the credential', () => {
    const { tools } = compiled(
      described('/things?api_key={api_key}', [aParameter('query', 'api_key')], {
        components: {
          securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } },
        },
      }),
    );

    expect(onlyOf(tools).operation).toMatchObject({ path: '/things', parameters: [] });
  });
});

describe('a value in the query of a path', () => {
  const description = described('/things?Action=Get', [aParameter('query', 'Action')]);

  test('is sent once, and no argument', async () => {
    expect(propertiesOf(readTool(onlyOf(compiled(description).tools)))).toEqual({});
    expect((await echo.call(description, {})).start).toBe('POST /things?Action=Get');
  });

  test('is told at publication, with what makes it an argument', () => {
    expect(compiled(description).warnings).toMatchObject([
      {
        what: 'the path has Action=Get in its query, which is sent with every call; parameter "Action" is no argument',
        hint: 'Take it out of the path, if callers are to choose it.',
      },
    ]);
  });
});

describe('a place of a path that only a query parameter has the name of', () => {
  const description = described('/things/{id}', [aParameter('query', 'id')]);

  test('is filled by that', async () => {
    expect(Object.keys(propertiesOf(readTool(onlyOf(compiled(description).tools))))).toEqual([
      'id',
    ]);
    expect((await echo.call(description, { id: '1' })).start).toBe('POST /things/1');
  });

  test('is told at publication', () => {
    expect(compiled(description).warnings.map(({ what }) => what)).toEqual([
      'parameter "id" is `in: query`, and the path has a place {id}; it fills that',
    ]);
  });
});

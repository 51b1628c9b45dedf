import { afterAll, describe, expect, test } from '@jest/globals';
import type { Json } from '../../layers/platform/rules/json/json.ts';
import { anEcho, type WireRequest } from '../support/target/echo.ts';
import { aDescription, anOperation } from '../support/openapi/intake.ts';

const echo = await anEcho();

afterAll(async () => {
  await echo[Symbol.asyncDispose]();
});

type Object = Readonly<Record<string, Json>>;

const text = { type: 'string' };

/** The four columns of the table: a value, and the schema that a description gives it. */
const VALUES = {
  empty: { value: '', schema: text },
  string: { value: 'blue', schema: text },
  array: { value: ['blue', 'black', 'brown'], schema: { type: 'array', items: text } },
  object: {
    value: { R: 100, G: 200, B: 150 },
    schema: {
      type: 'object',
      properties: { R: { type: 'integer' }, G: { type: 'integer' }, B: { type: 'integer' } },
    },
  },
} as const;
type Column = keyof typeof VALUES;

/** What a call of an operation with one parameter, `color`, puts on the wire. */
const sent = async (
  parameter: Object,
  value: unknown,
  members: Object = {},
): Promise<WireRequest> => {
  const path = parameter['in'] === 'path' ? '/x{color}' : '/x';
  const parameters = [{ name: 'color', ...parameter }];
  return echo.call(
    aDescription({
      openapi: '3.2.0',
      ...members,
      paths: { [path]: { get: anOperation({ parameters }) } },
    }),
    { color: value },
  );
};

/** What is told of an argument that cannot be sent. */
const wrong = (path: string, message: string) => ({
  code: 'invalid_params',
  data: { errors: [{ path, message }] },
});

const cell = (place: string, style: string, explode: boolean, column: Column) => {
  const { value, schema } = VALUES[column];
  const required = place === 'path';
  return sent({ in: place, required, style, explode, schema }, value);
};

/**
 * Source: OpenAPI 3.2.0, "Style Examples". What the table marks as not defined is marked here with a
 * star: it is sent as the style `form` does, which is what servers read where nothing was agreed.
 */
describe('a path parameter in the style table of OpenAPI', () => {
  test.each<[string, boolean, Column, string]>([
    ['matrix', false, 'empty', ';color'],
    ['matrix', false, 'string', ';color=blue'],
    ['matrix', false, 'array', ';color=blue,black,brown'],
    ['matrix', false, 'object', ';color=R,100,G,200,B,150'],
    ['matrix', true, 'empty', ';color'],
    ['matrix', true, 'string', ';color=blue'],
    ['matrix', true, 'array', ';color=blue;color=black;color=brown'],
    ['matrix', true, 'object', ';R=100;G=200;B=150'],
    ['label', false, 'empty', '.'],
    ['label', false, 'string', '.blue'],
    ['label', false, 'array', '.blue,black,brown'],
    ['label', false, 'object', '.R,100,G,200,B,150'],
    ['label', true, 'empty', '.'],
    ['label', true, 'string', '.blue'],
    ['label', true, 'array', '.blue.black.brown'],
    ['label', true, 'object', '.R=100.G=200.B=150'],
    ['simple', false, 'string', 'blue'],
    ['simple', false, 'array', 'blue,black,brown'],
    ['simple', false, 'object', 'R,100,G,200,B,150'],
    ['simple', true, 'string', 'blue'],
    ['simple', true, 'array', 'blue,black,brown'],
    ['simple', true, 'object', 'R=100,G=200,B=150'],
  ])('in style %s, explode %s, writes %s as %s', async (style, explode, column, expected) => {
    const { start } = await cell('path', style, explode, column);

    expect(start).toBe(`GET /x${expected}`);
  });

  test.each([false, true])(
    'in style simple, explode %s, is refused if empty, as the path would change',
    (explode) =>
      expect(cell('path', 'simple', explode, 'empty')).rejects.toMatchObject(
        wrong('/color', 'must not be empty, it is part of the path'),
      ),
  );
});

describe('a query parameter in the style table of OpenAPI', () => {
  test.each<[string, boolean, Column, string]>([
    ['form', false, 'empty', 'color='],
    ['form', false, 'string', 'color=blue'],
    ['form', false, 'array', 'color=blue,black,brown'],
    ['form', false, 'object', 'color=R,100,G,200,B,150'],
    ['form', true, 'empty', 'color='],
    ['form', true, 'string', 'color=blue'],
    ['form', true, 'array', 'color=blue&color=black&color=brown'],
    ['form', true, 'object', 'R=100&G=200&B=150'],
    ['spaceDelimited', false, 'empty', 'color='], // *
    ['spaceDelimited', false, 'string', 'color=blue'], // *
    ['spaceDelimited', false, 'array', 'color=blue%20black%20brown'],
    ['spaceDelimited', false, 'object', 'color=R%20100%20G%20200%20B%20150'],
    ['spaceDelimited', true, 'empty', 'color='], // *
    ['spaceDelimited', true, 'string', 'color=blue'], // *
    ['spaceDelimited', true, 'array', 'color=blue&color=black&color=brown'], // *
    ['spaceDelimited', true, 'object', 'R=100&G=200&B=150'], // *
    ['pipeDelimited', false, 'empty', 'color='], // *
    ['pipeDelimited', false, 'string', 'color=blue'], // *
    ['pipeDelimited', false, 'array', 'color=blue%7Cblack%7Cbrown'],
    ['pipeDelimited', false, 'object', 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['pipeDelimited', true, 'empty', 'color='], // *
    ['pipeDelimited', true, 'string', 'color=blue'], // *
    ['pipeDelimited', true, 'array', 'color=blue&color=black&color=brown'], // *
    ['pipeDelimited', true, 'object', 'R=100&G=200&B=150'], // *
    ['deepObject', false, 'empty', 'color='], // *
    ['deepObject', false, 'string', 'color=blue'], // *
    ['deepObject', false, 'array', 'color%5B%5D=blue&color%5B%5D=black&color%5B%5D=brown'], // *
    ['deepObject', false, 'object', 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'], // *
    ['deepObject', true, 'empty', 'color='], // *
    ['deepObject', true, 'string', 'color=blue'], // *
    ['deepObject', true, 'array', 'color%5B%5D=blue&color%5B%5D=black&color%5B%5D=brown'], // *
    ['deepObject', true, 'object', 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ])('in style %s, explode %s, writes %s as %s', async (style, explode, column, expected) => {
    const { start } = await cell('query', style, explode, column);

    expect(start).toBe(`GET /x?${expected}`);
  });
});

describe('a header parameter in the style table of OpenAPI', () => {
  test.each<[boolean, Column, string]>([
    [false, 'empty', ''],
    [false, 'string', 'blue'],
    [false, 'array', 'blue,black,brown'],
    [false, 'object', 'R,100,G,200,B,150'],
    [true, 'empty', ''],
    [true, 'string', 'blue'],
    [true, 'array', 'blue,black,brown'],
    [true, 'object', 'R=100,G=200,B=150'],
  ])('in style simple, explode %s, writes %s as %s', async (explode, column, expected) => {
    const { headers } = await cell('header', 'simple', explode, column);

    expect(headers['color']).toBe(expected);
  });
});

describe('a cookie parameter in the style table of OpenAPI', () => {
  test.each<[string, boolean, Column, string]>([
    ['form', false, 'empty', 'color='],
    ['form', false, 'string', 'color=blue'],
    ['form', false, 'array', 'color=blue,black,brown'],
    ['form', false, 'object', 'color=R,100,G,200,B,150'],
    ['form', true, 'empty', 'color='],
    ['form', true, 'string', 'color=blue'],
    ['form', true, 'array', 'color=blue; color=black; color=brown'],
    ['form', true, 'object', 'R=100; G=200; B=150'],
    ['cookie', false, 'empty', 'color='],
    ['cookie', false, 'string', 'color=blue'],
    ['cookie', false, 'array', 'color=blue,black,brown'],
    ['cookie', false, 'object', 'color=R,100,G,200,B,150'],
    ['cookie', true, 'empty', 'color='],
    ['cookie', true, 'string', 'color=blue'],
    ['cookie', true, 'array', 'color=blue; color=black; color=brown'],
    ['cookie', true, 'object', 'R=100; G=200; B=150'],
  ])('in style %s, explode %s, writes %s as %s', async (style, explode, column, expected) => {
    const { headers } = await cell('cookie', style, explode, column);

    expect(headers['cookie']).toBe(expected);
  });

  test('encodes delimiters of cookies in style form and refuses them in style cookie', async () => {
    const schema = text;

    expect((await sent({ in: 'cookie', schema }, 'a/b c;d=ü')).headers['cookie']).toBe(
      'color=a%2Fb%20c%3Bd%3D%C3%BC',
    );
    expect(
      (await sent({ in: 'cookie', style: 'cookie', schema }, 'a/b=%20!')).headers['cookie'],
    ).toBe('color=a/b=%20!');
    await expect(sent({ in: 'cookie', style: 'cookie', schema }, 'a; b=c')).rejects.toMatchObject(
      wrong('/color', 'has characters that no cookie can hold'),
    );
  });
});

describe('an array parameter of Swagger 2.0', () => {
  const swagger = (parameter: Object, value: unknown) => {
    const path = parameter['in'] === 'path' ? '/x/{color}' : '/x';
    const parameters = [
      {
        name: 'color',
        type: 'array',
        items: text,
        required: parameter['in'] === 'path',
        ...parameter,
      },
    ];
    return echo.call(
      {
        swagger: '2.0',
        info: { title: 'Colors', version: '1' },
        paths: { [path]: { post: anOperation({ parameters }) } },
      },
      { color: value },
    );
  };

  test.each<[string, string | undefined, string]>([
    ['query', undefined, 'POST /x?color=blue,black,brown'],
    ['query', 'csv', 'POST /x?color=blue,black,brown'],
    ['query', 'ssv', 'POST /x?color=blue%20black%20brown'],
    ['query', 'tsv', 'POST /x?color=blue%09black%09brown'],
    ['query', 'pipes', 'POST /x?color=blue%7Cblack%7Cbrown'],
    ['query', 'multi', 'POST /x?color=blue&color=black&color=brown'],
    ['path', undefined, 'POST /x/blue,black,brown'],
    ['path', 'csv', 'POST /x/blue,black,brown'],
    ['path', 'ssv', 'POST /x/blue%20black%20brown'],
    ['path', 'tsv', 'POST /x/blue%09black%09brown'],
    ['path', 'pipes', 'POST /x/blue%7Cblack%7Cbrown'],
  ])('in a %s, collectionFormat %s, is %s', async (place, collectionFormat, expected) => {
    const format = collectionFormat === undefined ? {} : { collectionFormat };
    const { start } = await swagger({ in: place, ...format }, VALUES.array.value);

    expect(start).toBe(expected);
  });

  test.each<[string | undefined, string]>([
    [undefined, 'blue,black,brown'],
    ['csv', 'blue,black,brown'],
    ['ssv', 'blue black brown'],
    ['tsv', 'blue\tblack\tbrown'],
    ['pipes', 'blue|black|brown'],
  ])('in a header, collectionFormat %s, is %s', async (collectionFormat, expected) => {
    const format = collectionFormat === undefined ? {} : { collectionFormat };
    const { headers } = await swagger({ in: 'header', ...format }, VALUES.array.value);

    expect(headers['color']).toBe(expected);
  });

  test.each<[string | undefined, string]>([
    [undefined, 'color=blue,black,brown'],
    ['csv', 'color=blue,black,brown'],
    ['ssv', 'color=blue+black+brown'],
    ['tsv', 'color=blue%09black%09brown'],
    ['pipes', 'color=blue%7Cblack%7Cbrown'],
    ['multi', 'color=blue&color=black&color=brown'],
  ])('in a form, collectionFormat %s, is %s', async (collectionFormat, expected) => {
    const format = collectionFormat === undefined ? {} : { collectionFormat };
    const { body } = await swagger({ in: 'formData', ...format }, VALUES.array.value);

    expect(body.toString('latin1')).toBe(expected);
  });
});

describe('a querystring parameter of OpenAPI 3.2', () => {
  const querystring = (mediaType: string, media: Object, args: Object) =>
    echo.call(
      aDescription({
        openapi: '3.2.0',
        paths: {
          '/x': {
            get: anOperation({
              parameters: [{ name: 'q', in: 'querystring', content: { [mediaType]: media } }],
            }),
          },
        },
      }),
      args,
    );

  test.each<[string, string, Object, Object, string]>([
    [
      'a form of described properties',
      'application/x-www-form-urlencoded',
      {
        schema: {
          type: 'object',
          properties: {
            a: text,
            list: { type: 'array', items: text },
            point: { type: 'object', properties: { x: { type: 'integer' } } },
            ids: { type: 'array', items: text },
          },
        },
        encoding: { ids: { style: 'pipeDelimited', explode: false } },
      },
      { a: 'b c&d', list: ['1', '2'], point: { x: 1 }, ids: ['3', '4'] },
      'a=b%20c%26d&list=1&list=2&point=%7B%22x%22%3A1%7D&ids=3%7C4',
    ],
    [
      'a form of additional properties',
      'application/x-www-form-urlencoded',
      { schema: { type: 'object', additionalProperties: text } },
      { q: { a: 'b c&d', e: 'f' } },
      'a=b%20c%26d&e=f',
    ],
    [
      'JSON, encoded as a whole',
      'application/json',
      { schema: { type: 'object' } },
      { q: { a: [1], b: 'c d' } },
      '%7B%22a%22%3A%5B1%5D%2C%22b%22%3A%22c%20d%22%7D',
    ],
    [
      'plain text, encoded as a whole',
      'text/plain',
      { schema: text },
      { q: '$.a[?@.b==1]&' },
      '%24.a%5B%3F%40.b%3D%3D1%5D%26',
    ],
  ])('is written as %s', async (_, mediaType, media, args, expected) => {
    const { start } = await querystring(mediaType, media, args);

    expect(start).toBe(`GET /x?${expected}`);
  });
});

describe('the encoding of reserved characters', () => {
  const every = "a :/?#[]@!$&'()*+,;=%-._~ü";

  test.each<[string, Object, string]>([
    [
      'in a path',
      { in: 'path', required: true },
      '/xa%20%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25-._~%C3%BC',
    ],
    [
      'in a path that allows them',
      { in: 'path', required: true, allowReserved: true },
      // Slashes stay: the value may be several segments. Source: OpenAPI 3.2.0, "Parameter Object", `allowReserved`.
      "/xa%20:/%3F%23%5B%5D@!$&'()*+,;=%25-._~%C3%BC",
    ],
    [
      'in a query',
      { in: 'query' },
      '/x?color=a%20%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25-._~%C3%BC',
    ],
    [
      'in a query that allows them',
      { in: 'query', allowReserved: true },
      // An apostrophe is always encoded in the query of an http URL. Source: WHATWG URL.
      '/x?color=a%20:/?%23%5B%5D@!$%26%27()*%2B,%3B=%25-._~%C3%BC',
    ],
  ])('is correct %s', async (_, parameter, expected) => {
    const { start } = await sent({ schema: text, ...parameter }, every);

    expect(start).toBe(`GET ${expected}`);
  });

  test.each<[string, boolean, string]>([
    ['form', false, 'color=a%2Cb,c%7Cd,e%20f'],
    ['pipeDelimited', false, 'color=a%2Cb%7Cc%7Cd%7Ce%20f'],
    ['spaceDelimited', false, 'color=a%2Cb%20c%7Cd%20e%20f'],
  ])('is correct for a delimiter in an item of the style %s', async (style, explode, expected) => {
    const { start } = await sent({ in: 'query', style, explode, schema: VALUES.array.schema }, [
      'a,b',
      'c|d',
      'e f',
    ]);

    expect(start).toBe(`GET /x?${expected}`);
  });
});

describe('a nested object in the style deepObject', () => {
  test.each<[string, unknown, string]>([
    ['objects', { a: { b: { c: 1 } } }, 'color[a][b][c]=1'],
    ['arrays', { a: [1, 2] }, 'color[a][]=1&color[a][]=2'],
    [
      'objects in arrays',
      { a: [{ b: 1 }, { b: 2, c: 3 }] },
      'color[a][0][b]=1&color[a][1][b]=2&color[a][1][c]=3',
    ],
    ['arrays in arrays', { a: [[1], [2]] }, 'color[a][0][]=1&color[a][1][]=2'],
    ['booleans', { a: true, b: false }, 'color[a]=true&color[b]=false'],
    ['empty strings', { a: '' }, 'color[a]='],
    ['null and empty values', { a: null, b: [], c: {}, d: 1 }, 'color[d]=1'],
    ['brackets in names', { 'a]b': 1 }, 'color[a]b]=1'],
  ])('is written as common servers read it: %s', async (_, value, expected) => {
    const { start } = await sent(
      { in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
      value,
    );

    expect(decodeURIComponent(start)).toBe(`GET /x?${expected}`);
  });
});

describe('a parameter with content', () => {
  const json = { 'application/json': { schema: { type: 'object' } } };
  const value = { a: 'b/ü' };

  test.each<[string, (request: WireRequest) => string | undefined, string]>([
    ['path', ({ start }) => start, 'GET /x%7B%22a%22%3A%22b%2F%C3%BC%22%7D'],
    ['query', ({ start }) => start, 'GET /x?color=%7B%22a%22%3A%22b%2F%C3%BC%22%7D'],
    ['header', ({ headers }) => headers['color'], '{"a":"b/\\u00fc"}'],
    ['cookie', ({ headers }) => headers['cookie'], 'color=%7B%22a%22%3A%22b%2F%C3%BC%22%7D'],
  ])('is written as JSON in a %s', async (place, part, expected) => {
    const request = await sent({ in: place, required: place === 'path', content: json }, value);

    expect(part(request)).toBe(expected);
  });
});

describe('a header with characters beyond ASCII', () => {
  const header = { in: 'header', schema: text };
  const withBody = (value: unknown) =>
    echo.call(
      aDescription({
        paths: {
          '/x': {
            post: anOperation({
              parameters: [{ name: 'color', ...header }],
              requestBody: { content: { 'application/json': { schema: { type: 'array' } } } },
            }),
          },
        },
      }),
      { color: value, body: ['ü€'] },
    );

  test('is sent in Latin-1 with and without a body', async () => {
    const plain = await sent(header, 'grün');
    const posted = await withBody('grün');

    expect(plain.headers['color']).toBe('gr\xfcn');
    expect(posted.headers['color']).toBe('gr\xfcn');
    expect(posted.body.toString()).toBe('["ü€"]');
    expect(posted.headers['content-length']).toBe(String(Buffer.byteLength('["ü€"]')));
  });

  test.each(['€', 'Ł', '日本', '😀'])('is refused beyond Latin-1: %s', async (value) => {
    await expect(sent(header, value)).rejects.toMatchObject(
      wrong(
        '/color',
        'has characters that no header can hold: control characters, or any beyond Latin-1',
      ),
    );
  });
});

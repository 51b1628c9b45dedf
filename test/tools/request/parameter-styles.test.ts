import { describe, expect, test } from '@jest/globals';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import type { OperationParameter } from '../../../layers/openapi/tool-index.ts';
import { aParameter, aTool, refusalOf } from '../../support/mcp/tools.ts';

const EMPTY = '';
const STRING = 'blue';
const ARRAY = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

const SERVER = 'https://api.example.com/v1';

/** The request that a single parameter makes. */
const sent = (parameter: OperationParameter, value: unknown) =>
  buildRequest(
    aTool({
      parameters: [parameter],
      path: parameter.in === 'path' ? '/colors/{color}/tints' : '/colors',
    }),
    { [parameter.argument]: value },
  );

const color = (
  place: OperationParameter['in'],
  style: OperationParameter['style'],
  explode: boolean,
) => aParameter(place, 'color', { style, explode });

describe('the style table of OpenAPI, in a path', () => {
  test.each([
    ['simple', false, STRING, 'blue'],
    ['simple', false, ARRAY, 'blue,black,brown'],
    ['simple', false, OBJECT, 'R,100,G,200,B,150'],
    ['simple', true, STRING, 'blue'],
    ['simple', true, ARRAY, 'blue,black,brown'],
    ['simple', true, OBJECT, 'R=100,G=200,B=150'],
    ['label', false, STRING, '.blue'],
    ['label', false, ARRAY, '.blue,black,brown'],
    ['label', false, OBJECT, '.R,100,G,200,B,150'],
    ['label', true, STRING, '.blue'],
    ['label', true, ARRAY, '.blue.black.brown'],
    ['label', true, OBJECT, '.R=100.G=200.B=150'],
    ['matrix', false, EMPTY, ';color'],
    ['matrix', false, STRING, ';color=blue'],
    ['matrix', false, ARRAY, ';color=blue,black,brown'],
    ['matrix', false, OBJECT, ';color=R,100,G,200,B,150'],
    ['matrix', true, EMPTY, ';color'],
    ['matrix', true, STRING, ';color=blue'],
    ['matrix', true, ARRAY, ';color=blue;color=black;color=brown'],
    ['matrix', true, OBJECT, ';R=100;G=200;B=150'],
  ] as const)('%s, explode %s, %j: %s', (style, explode, value, text) => {
    expect(sent(color('path', style, explode), value).url).toBe(`${SERVER}/colors/${text}/tints`);
  });

  test('an empty label is beside another one', () => {
    const tool = aTool({ path: '/x{color}', parameters: [color('path', 'label', false)] });

    expect(buildRequest(tool, { color: EMPTY }).url).toBe(`${SERVER}/x.`);
  });

  test.each([
    ['simple', EMPTY, 'must not be empty, it is part of the path'],
    ['simple', [], 'must not be empty, it is part of the path'],
    ['simple', {}, 'must not be empty, it is part of the path'],
    ['simple', null, 'must not be empty, it is part of the path'],
    ['matrix', [], 'must not be empty, it is part of the path'],
    ['label', [null], 'must not be empty, it is part of the path'],
    ['label', EMPTY, 'must not lead to another path ("." or ".." as a segment)'],
  ] as const)('%s has no place for %j', (style, value, message) => {
    expect(refusalOf(() => sent(color('path', style, false), value))).toMatchObject({
      code: 'invalid_params',
      errors: [{ path: '/color', message }],
    });
  });
});

describe('the style table of OpenAPI, in a query', () => {
  test.each([
    ['form', false, EMPTY, '?color='],
    ['form', false, STRING, '?color=blue'],
    ['form', false, ARRAY, '?color=blue,black,brown'],
    ['form', false, OBJECT, '?color=R,100,G,200,B,150'],
    ['form', true, EMPTY, '?color='],
    ['form', true, STRING, '?color=blue'],
    ['form', true, ARRAY, '?color=blue&color=black&color=brown'],
    ['form', true, OBJECT, '?R=100&G=200&B=150'],
    ['spaceDelimited', false, ARRAY, '?color=blue%20black%20brown'],
    ['spaceDelimited', false, OBJECT, '?color=R%20100%20G%20200%20B%20150'],
    ['spaceDelimited', true, ARRAY, '?color=blue&color=black&color=brown'],
    ['pipeDelimited', false, ARRAY, '?color=blue%7Cblack%7Cbrown'],
    ['pipeDelimited', false, OBJECT, '?color=R%7C100%7CG%7C200%7CB%7C150'],
    ['pipeDelimited', true, ARRAY, '?color=blue&color=black&color=brown'],
    ['tabDelimited', false, ARRAY, '?color=blue%09black%09brown'],
    ['deepObject', true, OBJECT, '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['deepObject', false, OBJECT, '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['deepObject', true, STRING, '?color=blue'],
  ] as const)('%s, explode %s, %j: %s', (style, explode, value, query) => {
    expect(sent(color('query', style, explode), value).url).toBe(`${SERVER}/colors${query}`);
  });

  test.each([
    ['members of members', { a: { b: { c: 1 } } }, 'color[a][b][c]=1'],
    ['plain lists', { a: [1, 2] }, 'color[a][]=1&color[a][]=2'],
    ['lists of objects', { a: [{ b: 1 }, { b: 2 }] }, 'color[a][0][b]=1&color[a][1][b]=2'],
    ['lists of lists', { a: [[1], [2]] }, 'color[a][0][]=1&color[a][1][]=2'],
    ['a list by itself', [1, 2], 'color[]=1&color[]=2'],
    ['null beside a value', { a: null, b: 1 }, 'color[b]=1'],
  ])('deepObject nests as common servers read it: %s', (_, value, query) => {
    const { url } = sent(color('query', 'deepObject', true), value);

    expect(decodeURIComponent(new URL(url).search)).toBe(`?${query}`);
  });

  test.each([
    ['form', true, null],
    ['form', true, []],
    ['form', true, {}],
    ['form', false, [null]],
    ['form', false, { a: null }],
    ['deepObject', true, {}],
    ['pipeDelimited', false, []],
  ] as const)('%s, explode %s, sends nothing for %j', (style, explode, value) => {
    expect(sent(color('query', style, explode), value).url).toBe(`${SERVER}/colors`);
  });

  test.each([
    ['a list of an object', true, { a: [1, 2], b: 'x' }, '?a=1&a=2&b=x'],
    ['an object of a list', true, [{ a: 1 }], '?color=%7B%22a%22%3A1%7D'],
    ['an object of an object', false, { a: { b: 1 } }, '?color=a,%7B%22b%22%3A1%7D'],
  ])('form says what it can of %s', (_, explode, value, query) => {
    expect(sent(color('query', 'form', explode), value).url).toBe(`${SERVER}/colors${query}`);
  });
});

describe('the style table of OpenAPI, in a header', () => {
  test.each([
    [false, EMPTY, ''],
    [false, STRING, 'blue'],
    [false, ARRAY, 'blue,black,brown'],
    [false, OBJECT, 'R,100,G,200,B,150'],
    [true, STRING, 'blue'],
    [true, ARRAY, 'blue,black,brown'],
    [true, OBJECT, 'R=100,G=200,B=150'],
    [false, 'a b/ü%', 'a b/ü%'],
  ])('simple, explode %s, %j: %s', (explode, value, text) => {
    const header = aParameter('header', 'X-Color', { argument: 'color', explode });

    expect(sent(header, value).headers).toMatchObject({ 'x-color': text });
  });

  test.each([[null], [[]], [{}], [[null]]])('sends nothing for %j', (value) => {
    expect(sent(aParameter('header', 'X-Color'), value).headers).not.toHaveProperty('x-color');
  });
});

describe('the style table of OpenAPI, in a cookie', () => {
  test.each([
    [false, EMPTY, 'color='],
    [false, STRING, 'color=blue'],
    [false, ARRAY, 'color=blue,black,brown'],
    [false, OBJECT, 'color=R,100,G,200,B,150'],
    [true, STRING, 'color=blue'],
    [true, ARRAY, 'color=blue; color=black; color=brown'],
    [true, OBJECT, 'R=100; G=200; B=150'],
    [true, 'a;b c=d', 'color=a%3Bb%20c%3Dd'],
  ])('form, explode %s, %j: %s', (explode, value, cookie) => {
    expect(sent(color('cookie', 'form', explode), value).headers['cookie']).toBe(cookie);
  });

  test('no cookie is sent for nothing', () => {
    expect(sent(color('cookie', 'form', true), []).headers).not.toHaveProperty('cookie');
  });
});

describe('reserved characters', () => {
  const every = "a :/?#[]@!$&'()*+,;=%-._~ü";

  test('are all encoded without allowReserved', () => {
    expect(sent(aParameter('query', 'q'), every).url).toBe(
      `${SERVER}/colors?q=a%20%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25-._~%C3%BC`,
    );
  });

  test('stay with allowReserved, but for those that would change the query', () => {
    const q = aParameter('query', 'q', { allowReserved: true });

    expect(sent(q, every).url).toBe(
      `${SERVER}/colors?q=a%20:/?%23%5B%5D@!$%26'()*%2B,%3B=%25-._~%C3%BC`,
    );
    expect(sent(q, '%41%zz').url).toBe(`${SERVER}/colors?q=%41%25zz`);
  });

  test('stay in a path with allowReserved, but for those that would end the segment', () => {
    const parameter = aParameter('path', 'color', { allowReserved: true });

    expect(sent(parameter, every).url).toBe(
      `${SERVER}/colors/a%20:%2F%3F%23%5B%5D@!$&'()*+,;=%25-._~%C3%BC/tints`,
    );
  });

  test.each([['ſ'], ['K']])('%s is no ASCII letter, whatever the case', (letter) => {
    const q = aParameter('query', 'q', { allowReserved: true });

    expect(sent(q, letter).url).toBe(`${SERVER}/colors?q=${encodeURIComponent(letter)}`);
  });

  test('in names are encoded too', () => {
    expect(sent(aParameter('query', 'filter[a&b]', { argument: 'q' }), 1).url).toBe(
      `${SERVER}/colors?filter%5Ba%26b%5D=1`,
    );
  });
});

describe('content parameters', () => {
  const json = { mediaType: 'application/json' };

  test.each([
    [{ a: [1, 'ü'] }, '?q=%7B%22a%22%3A%5B1%2C%22%C3%BC%22%5D%7D'],
    ['text', '?q=%22text%22'],
    [null, '?q=null'],
  ])('of JSON are JSON in the query: %j', (value, query) => {
    expect(sent(aParameter('query', 'q', json), value).url).toBe(`${SERVER}/colors${query}`);
  });

  test('of another media type are text', () => {
    const q = aParameter('query', 'q', { mediaType: 'text/plain' });

    expect(sent(q, 'a b').url).toBe(`${SERVER}/colors?q=a%20b`);
  });

  test('of JSON are JSON in path, header and cookie', () => {
    const path = sent(aParameter('path', 'color', json), { a: 'b/c' });
    const header = sent(aParameter('header', 'X-Q', { ...json, argument: 'q' }), { a: 'ü€😀' });
    const cookie = sent(aParameter('cookie', 'q', json), { a: 1 });

    expect(path.url).toBe(`${SERVER}/colors/%7B%22a%22%3A%22b%2Fc%22%7D/tints`);
    expect(header.headers['x-q']).toBe('{"a":"\\u00fc\\u20ac\\ud83d\\ude00"}');
    expect(cookie.headers['cookie']).toBe('q=%7B%22a%22%3A1%7D');
  });
});

describe('objects within an exploded one', () => {
  const filter = aParameter('query', 'filter');
  const value = {
    $sort: { email: 1 },
    email: { $in: ['a', 'b'] },
    $select: ['x', 'y'],
    $or: [{ a: 1 }, { b: 2 }],
    at: null,
  };

  test('are JSON text', () => {
    expect(decodeURIComponent(sent(filter, value).url)).toContain(
      '$sort={"email":1}&email={"$in":',
    );
  });

  test('have brackets where the framework of the API reads these', () => {
    expect(decodeURIComponent(sent({ ...filter, brackets: true }, value).url)).toBe(
      `${SERVER}/colors?$sort[email]=1&email[$in][]=a&email[$in][]=b&$select=x&$select=y&$or[0][a]=1&$or[1][b]=2`,
    );
  });

  test('have dots where Spring binds them', () => {
    const bean = { city: { name: 'a', tags: ['x', 'y'] }, items: [{ id: 1 }, { id: 2 }], n: 3 };

    expect(decodeURIComponent(sent({ ...filter, dots: true }, bean).url)).toBe(
      `${SERVER}/colors?city.name=a&city.tags=x&city.tags=y&items[0].id=1&items[1].id=2&n=3`,
    );
  });
});

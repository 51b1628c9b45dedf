import { describe, expect, test } from '@jest/globals';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { aParameter, aTool, refusalOf } from '../../support/mcp/tools.ts';

const id = aParameter('path', 'id');

const urlOf = (
  path: string,
  args = {},
  parameters = [id],
  serverUrl = 'https://api.example.com/v1',
) => buildRequest(aTool({ path, parameters, serverUrl }), args).url;

describe('the address of a request', () => {
  test.each([
    ['the base path', '/a', 'https://h.example/base/v2', 'https://h.example/base/v2/a'],
    ['a server without a path', '/a', 'https://h.example', 'https://h.example/a'],
    ['a port', '/a', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/a'],
    ['the root path', '/', 'https://h.example/v1', 'https://h.example/v1/'],
    ["the server's query", '/a', 'https://h.example/v1?k=v', 'https://h.example/v1/a?k=v'],
    ["the path's query", '/a?x=y&z', 'https://h.example', 'https://h.example/a?x=y&z'],
    ['both queries', '/a?x=y', 'https://h.example?k=v', 'https://h.example/a?k=v&x=y'],
    [
      'what no URL may hold',
      '/a b|ü%zz',
      'https://h.example',
      'https://h.example/a%20b%7C%C3%BC%25zz',
    ],
    ['escapes of the description', '/a%2Fb', 'https://h.example', 'https://h.example/a%2Fb'],
    ['a path without a slash', 'a', 'https://h.example', 'https://h.example/a'],
    ['all but a fragment', '/#X-Target=Do', 'https://h.example', 'https://h.example/'],
  ])('keeps %s', (_, path, server, url) => {
    expect(urlOf(path, {}, [], server)).toBe(url);
  });

  // Looked for from each of them, the end would be found after minutes.
  test('is soon refused where the path of a server has a million slashes', () => {
    const server = `https://h.example/${'/'.repeat(1_000_000)}x`;

    expect(() => urlOf('/a', {}, [], server)).toThrow('break the rules of the tool');
  });

  test('joins the query of the path with parameters', () => {
    const q = aParameter('query', 'q');

    expect(urlOf('/a?x=y', { q: 1 }, [q])).toBe('https://api.example.com/v1/a?x=y&q=1');
  });

  test('fills every place, in a segment and in the query', () => {
    expect(urlOf('/a/{id}-{id}.json?again={id}', { id: 'x y' })).toBe(
      'https://api.example.com/v1/a/x%20y-x%20y.json?again=x%20y',
    );
  });

  test('may end with an empty place where it may be empty, and nowhere else', () => {
    const path = aParameter('path', 'path', { mayBeEmpty: true });
    const shown = (template: string) => urlOf(template, { path: '', id: '' }, [path, id]);

    expect(shown('/files/{path}')).toBe('https://api.example.com/v1/files/');
    expect(() => shown('/files/{id}')).toThrow('break the rules of the tool');
    expect(() => urlOf('/files/{path}', { path: [] }, [path])).toThrow('break the rules');
  });

  test('doubles quotes within a text of OData', () => {
    expect(urlOf("/Orders('{id}')/Items", { id: "O'Neil" })).toBe(
      "https://api.example.com/v1/Orders('O%27%27Neil')/Items",
    );
    expect(urlOf("/Orders(Key='{id}')", { id: "'" })).toBe(
      "https://api.example.com/v1/Orders(Key='%27%27')",
    );
    expect(urlOf('/orders({id})', { id: "O'Neil" })).toBe(
      'https://api.example.com/v1/orders(O%27Neil)',
    );
  });

  test('leaves out what is not given, defaults too', () => {
    const tool = aTool(
      { parameters: [aParameter('query', 'limit')] },
      { properties: { limit: { type: 'integer', default: 20 } } },
    );

    expect(buildRequest(tool, {}).url).toBe('https://api.example.com/v1/things');
  });

  test.each([
    ['/', '%2F'],
    ['../secret', undefined],
    ['a/../../secret', undefined],
    ['a\\..\\b', undefined],
    ['.', undefined],
    ['..', undefined],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['a..b', 'a..b'],
    ['?x=y', '%3Fx%3Dy'],
    ['#x', '%23x'],
    ['\u0000\r\n\t', '%00%0D%0A%09'],
    ['\\', '%5C'],
    [';x', '%3Bx'],
    ['@evil.example', '%40evil.example'],
    ['//evil.example/', '%2F%2Fevil.example%2F'],
    ['😀', '%F0%9F%98%80'],
  ])('holds an argument in its segment: %j', (value, segment) => {
    const act = () => urlOf('/a/{id}/b', { id: value });

    if (segment === undefined) {
      expect(refusalOf(act)).toMatchObject({
        code: 'invalid_params',
        errors: [
          { path: '/id', message: 'must not lead to another path ("." or ".." as a segment)' },
        ],
      });
    } else {
      expect(new URL(act()).pathname).toBe(`/v1/a/${segment}/b`);
    }
  });

  test.each([
    ['/a/.{id}', '.'],
    ['/a/%2e{id}', '.'],
    ['/a/{id}{id}', '.'],
    ['/a/{id}', '.;x'],
  ])('holds it also together with %s', (path, value) => {
    const parameters = [aParameter('path', 'id', { allowReserved: true })];

    expect(refusalOf(() => urlOf(path, { id: value }, parameters)).code).toBe('invalid_params');
  });

  test.each(['%2e%2e', '.%2E', '..%2fx', '%2e%2E%5cx', '..;x', '..%3bx'])(
    'holds it with allowReserved, which lets escapes pass: %s',
    (value) => {
      const parameters = [aParameter('path', 'id', { allowReserved: true })];

      expect(refusalOf(() => urlOf('/a/{id}', { id: value }, parameters)).code).toBe(
        'invalid_params',
      );
    },
  );

  test('is not left by what a proxy may decode', () => {
    expect(refusalOf(() => urlOf('/a/{id}/keys', { id: '..;x' })).code).toBe('invalid_params');
  });

  test('cannot be built while a place is open', () => {
    expect(refusalOf(() => urlOf('/a/{id}'))).toMatchObject({
      errors: [{ path: '/id', message: 'is required' }],
    });
    expect(refusalOf(() => urlOf('/a/{other}', { id: 1 }))).toMatchObject({
      code: 'server_error',
      description: 'The path has a place that nothing fills: {other}.',
    });
  });

  test.each([['nonsense'], ['']])('cannot be built on a server that is none: %j', (server) => {
    expect(refusalOf(() => urlOf('/a', {}, [], server))).toMatchObject({
      code: 'server_error',
      description: 'No address can be built for this tool.',
    });
  });

  test('cannot leave the server by a path of the description', () => {
    expect(refusalOf(() => urlOf('/../admin', {})).code).toBe('server_error');
  });
});

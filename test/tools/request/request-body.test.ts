import { describe, expect, test } from '@jest/globals';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import type { OperationBody } from '../../../layers/openapi/tool-index.ts';
import { aBody, aParameter, aTool, aWholeBody, refusalOf } from '../../support/mcp/tools.ts';

const posted = (body: OperationBody, args: object, inputSchema = {}) => {
  const request = buildRequest(aTool({ method: 'POST', body }, inputSchema), { ...args });
  return { type: request.headers['content-type'], body: request.body };
};

const FILE = { properties: { body: { type: 'string', contentEncoding: 'base64' } } };

describe('a JSON body', () => {
  const ab = aBody('json', 'application/json', ['a', 'b']);

  test.each([
    ['the given properties only', ab, { a: 1 }, '{"a":1}'],
    ['null, which is a value', ab, { a: null, b: [null] }, '{"a":null,"b":[null]}'],
    ['nothing, where a body is required', ab, {}, '{}'],
    [
      'an argument that is the whole body',
      aWholeBody('json', 'application/json'),
      { body: [1] },
      '[1]',
    ],
    ['a scalar', aWholeBody('json', 'application/json'), { body: 'x' }, '"x"'],
    ['null as a whole', aWholeBody('json', 'application/json'), { body: null }, 'null'],
  ])('holds %s', (_, body, args, content) => {
    expect(posted(body, args)).toEqual({ type: 'application/json', body: content });
  });

  test('has names of its own, and what the body takes further', () => {
    const source = {
      kind: 'properties',
      properties: [{ argument: 'body_id', name: 'id' }],
      additional: true,
    } as const;
    const body = aBody('json', 'application/merge-patch+json', [], { source });
    const tool = aTool({ method: 'PATCH', parameters: [aParameter('query', 'id')], body });

    const request = buildRequest(tool, JSON.parse('{"id":1,"body_id":2,"more":3,"__proto__":4}'));

    expect(request).toMatchObject({
      url: 'https://api.example.com/v1/things?id=1',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"id":2,"more":3,"__proto__":4}',
    });
  });

  test.each([
    [aBody('json', 'application/json', ['a'], { required: false })],
    [aBody('form', 'application/x-www-form-urlencoded', ['a'], { required: false })],
    [aBody('multipart', 'multipart/form-data', ['a'], { required: false })],
    [{ ...aWholeBody('json', 'application/json'), required: false }],
    [{ ...aWholeBody('text', 'text/plain'), required: false }],
    [{ ...aWholeBody('binary', 'image/png'), required: false }],
  ])('is left out with its type where it is optional and not given: %j', (body) => {
    const request = buildRequest(aTool({ method: 'POST', body }), {});

    expect(request).not.toHaveProperty('body');
    expect(request.headers).not.toHaveProperty('content-type');
  });

  test('goes with GET where the description has one', () => {
    const request = buildRequest(aTool({ body: ab }), { a: 1 });

    expect(request).toMatchObject({ method: 'GET', body: '{"a":1}' });
  });

  test('has a concrete type where the description leaves it open', () => {
    expect(posted(aWholeBody('json', '*/*'), { body: 1 }).type).toBe('application/json');
  });
});

describe('a form body', () => {
  const type = 'application/x-www-form-urlencoded';
  const form = (encoding?: OperationBody['encoding']) =>
    aBody('form', type, ['a', 'b'], encoding && { encoding });

  test.each([
    ['texts and numbers', undefined, { a: 'x y', b: 1 }, 'a=x+y&b=1'],
    [
      'characters as browsers do',
      undefined,
      { a: "ü&=+%*-._~!'()" },
      'a=%C3%BC%26%3D%2B%25*-._%7E%21%27%28%29',
    ],
    ['a list as repeated names', undefined, { a: [1, 2] }, 'a=1&a=2'],
    ['an object as JSON', undefined, { a: { x: [1] } }, 'a=%7B%22x%22%3A%5B1%5D%7D'],
    ['a list of objects as JSON each', undefined, { a: [{ x: 1 }] }, 'a=%7B%22x%22%3A1%7D'],
    ['no null and no empty list', undefined, { a: null, b: [] }, ''],
    [
      'no null where members are fields',
      { a: { style: 'deepObject', explode: true }, b: { members: 'dotted' } },
      { a: null, b: null },
      '',
    ],
    ['an empty text', undefined, { a: '' }, 'a='],
    [
      'deepObject',
      { a: { style: 'deepObject' } },
      { a: { x: { y: [1, 2] } } },
      'a%5Bx%5D%5By%5D%5B%5D=1&a%5Bx%5D%5By%5D%5B%5D=2',
    ],
    ['form without explode', { a: { style: 'form', explode: false } }, { a: [1, 2] }, 'a=1,2'],
    ['an exploded object', { a: { explode: true } }, { a: { x: 1, y: 2 } }, 'x=1&y=2'],
    ['pipes', { a: { style: 'pipeDelimited' } }, { a: [1, 2] }, 'a=1%7C2'],
    ['spaces', { a: { style: 'spaceDelimited' } }, { a: [1, 2] }, 'a=1+2'],
    ['reserved characters', { a: { allowReserved: true } }, { a: 'x/y z&' }, 'a=x/y+z%26'],
    [
      'JSON where it is asked for',
      { a: { contentType: 'application/json' } },
      { a: 'x' },
      'a=%22x%22',
    ],
    [
      'an encoding of another property',
      { constructor: { style: 'pipeDelimited' } },
      { a: [1, 2] },
      'a=1&a=2',
    ],
  ] as const)('holds %s', (_, encoding, args, content) => {
    expect(posted(form(encoding), args)).toEqual({ type, body: content });
  });

  test('takes one argument that is an object', () => {
    expect(posted(aWholeBody('form', type), { body: { a: 1, 'x[y]': 2 } }).body).toBe(
      'a=1&x%5By%5D=2',
    );
    expect(refusalOf(() => posted(aWholeBody('form', type), { body: 'a=1' }))).toMatchObject({
      errors: [{ path: '/body', message: 'must be an object' }],
    });
  });
});

describe('a text body', () => {
  test.each([
    ['text/plain', 'a', 'text/plain', 'a'],
    ['text/plain', 'ü', 'text/plain;charset=utf-8', 'ü'],
    ['text/plain; charset=utf-8', 'ü', 'text/plain; charset=utf-8', 'ü'],
    ['text/plain; charset=iso-8859-1', 'ü', 'text/plain;charset=utf-8', 'ü'],
    ['text/plain ; charset=iso-8859-1', 'ü', 'text/plain;charset=utf-8', 'ü'],
    ['text/plain; charset=iso-8859-1', 'u', 'text/plain; charset=iso-8859-1', 'u'],
    ['application/xml', '<a>ü</a>', 'application/xml', '<a>ü</a>'],
    ['text/*', 'a', 'text/plain', 'a'],
    ['text/plain', 12, 'text/plain', '12'],
    ['text/plain', '', 'text/plain', ''],
  ])('of %s: %j', (mediaType, value, type, content) => {
    expect(posted(aWholeBody('text', mediaType), { body: value })).toEqual({ type, body: content });
  });

  // Looked for from each of them, the semicolon would be missed after minutes.
  test('is soon refused where its type has a million blanks', () => {
    const body = aWholeBody('text', `text/plain${' '.repeat(1_000_000)}x`);

    expect(() => posted(body, { body: 'ü' })).toThrow('break the rules of the tool');
  });

  test('is not made of an object', () => {
    expect(
      refusalOf(() => posted(aWholeBody('text', 'application/xml'), { body: { a: 1 } })),
    ).toMatchObject({
      errors: [{ path: '/body', message: 'must be the body as text (application/xml)' }],
    });
  });
});

describe('a binary body', () => {
  const bytes = Buffer.from([0, 0xfb, 0xff, 0x0a]);

  test.each([
    ['base64', 'APv/Cg=='],
    ['base64 without padding', 'APv/Cg'],
    ['URL-safe base64', 'APv_Cg'],
    ['base64 in lines', 'APv/\r\n  Cg==\n'],
    ['a data: URL', 'data:image/gif;base64,APv/Cg=='],
    ['a data: URL in percents', 'data:,%00%fb%FF%0a'],
    ['an object', { data: 'APv/Cg==' }],
    ['an object by another name', { base64: 'APv/Cg==', filename: 'a.bin' }],
    ['an object of a data: URL', { data: 'data:;base64,APv/Cg==' }],
  ])('comes as %s', (_, value) => {
    const sent = posted(aWholeBody('binary', 'image/png'), { body: value }, FILE);

    expect(sent).toEqual({ type: 'image/png', body: expect.any(Uint8Array) });
    expect(Buffer.from(sent.body as Uint8Array)).toEqual(bytes);
  });

  test.each([
    ['application/octet-stream', 'AA==', 'application/octet-stream'],
    ['application/octet-stream', 'data:image/gif;base64,AA==', 'image/gif'],
    ['image/*', { data: 'AA==', contentType: 'image/webp' }, 'image/webp'],
    ['image/*', 'AA==', 'application/octet-stream'],
    ['image/png', 'data:image/gif;base64,AA==', 'image/png'],
  ])('of %s has a type that fits: %j', (mediaType, value, type) => {
    expect(posted(aWholeBody('binary', mediaType), { body: value }).type).toBe(type);
  });

  test.each([
    ['text', 'not base64!', '/body', 'is not valid base64'],
    ['a lost digit', 'AAAAA', '/body', 'is not valid base64'],
    ['padding in the middle', 'AA==AA', '/body', 'is not valid base64'],
    ['a data: URL without data', 'data:image/png', '/body', 'is a data: URL without a comma'],
    ['a data: URL of bad percents', 'data:,%0', '/body', 'is not a valid data: URL'],
    ['a number', 3, '/body', 'must be a file: base64 text or an object'],
    [
      'an object without data',
      { filename: 'a' },
      '/body',
      'must be base64 text, a data: URL or {data, filename, contentType}',
    ],
    [
      'a file name that is none',
      { data: '', filename: 3 },
      '/body',
      'must be base64 text, a data: URL or {data, filename, contentType}',
    ],
    [
      'a type that is none',
      { data: '', contentType: 'image/png\r\nx: y' },
      '/body/contentType',
      'must be a media type, such as image/png',
    ],
  ])('does not come as %s', (_, value, path, message) => {
    expect(
      refusalOf(() => posted(aWholeBody('binary', 'image/png'), { body: value })),
    ).toMatchObject({ code: 'invalid_params', errors: [{ path, message }] });
  });
});

describe('a multipart body', () => {
  test('is the same for the same arguments, to the byte', () => {
    const body = aBody('multipart', 'multipart/form-data', ['a']);

    const { type, body: content } = posted(body, { a: 'x' });

    const boundary = /boundary=(hosted-mcp-[0-9a-f]{32})$/.exec(type ?? '')?.[1] ?? '';
    expect(Buffer.from(content as Uint8Array).toString()).toBe(
      `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--${boundary}--\r\n`,
    );
    expect(posted(body, { a: 'x' })).toEqual({ type, body: content });
    expect(posted(body, { a: 'y' }).type).not.toBe(type);
  });

  test.each([
    ['multipart/form-data; boundary=theirs', /^multipart\/form-data; boundary=hosted-mcp-/],
    ['multipart/*', /^multipart\/form-data; boundary=hosted-mcp-/],
    ['multipart/mixed', /^multipart\/mixed; boundary=hosted-mcp-/],
  ])('of %s has our boundary', (mediaType, type) => {
    expect(posted(aBody('multipart', mediaType, ['a']), { a: 'x' }).type).toMatch(type);
  });

  test('cannot be broken by names', () => {
    const body = aBody('multipart', 'multipart/form-data', ['a"\r\nb']);

    const { body: content } = posted(body, { 'a"\r\nb': 'x' });

    expect(Buffer.from(content as Uint8Array).toString()).toContain('name="a%22%0D%0Ab"\r\n');
  });

  test('is JSON in calls without a file, where the API takes that as well', () => {
    const file = { type: 'string', contentEncoding: 'base64' };
    const properties = { photo: file, more: { type: 'array', items: file } };
    const form = aBody('multipart', 'multipart/form-data', ['a', 'photo', 'more']);
    const either: OperationBody = { ...form, jsonType: 'application/json' };

    expect(posted(either, { a: null, photo: null, more: [] }, { properties })).toEqual({
      type: 'application/json',
      body: '{"a":null,"photo":null,"more":[]}',
    });
    for (const args of [{ photo: 'AA==' }, { a: 1, more: ['AA=='] }, { a: { data: 'AA==' } }]) {
      expect(posted(either, args, { properties }).type).toMatch(/^multipart/);
    }
    expect(posted(form, { a: null }, { properties }).type).toMatch(/^multipart/);
  });

  test('names the item that is no file', () => {
    const files = { type: 'array', items: { type: 'string', contentEncoding: 'base64' } };
    const body = aBody('multipart', 'multipart/form-data', ['files']);

    expect(
      refusalOf(() => posted(body, { files: ['AA==', '!'] }, { properties: { files } })),
    ).toMatchObject({ errors: [{ path: '/files/1', message: 'is not valid base64' }] });
  });
});

describe('a media type that no header can hold', () => {
  test('ends the call before it is sent', () => {
    expect(
      refusalOf(() => posted(aWholeBody('json', 'application/json\r\nx: y'), { body: 1 })).code,
    ).toBe('server_error');
  });
});

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
const texts = { type: 'array', items: text };
const file = { type: 'string', format: 'binary' };
const object = (properties: Object): Object => ({ type: 'object', properties });

/** What a call of an operation with this `content` puts on the wire. */
const posted = (content: Object, args: Object, members: Object = {}): Promise<WireRequest> =>
  echo.call(
    aDescription({
      openapi: '3.1.0',
      paths: { '/x': { post: anOperation({ requestBody: { required: true, content } }) } },
      ...members,
    }),
    args,
  );

const bytesOf = ({ headers, body }: WireRequest) => [headers['content-type'], body.toString()];

describe('the body of a request to the target API', () => {
  test.each<[string, Object, Object, string, string]>([
    [
      'JSON',
      { 'application/json': { schema: object({ a: text, n: { type: 'number' } }) } },
      { a: 'ü\n', n: 1.5 },
      'application/json',
      '{"a":"ü\\n","n":1.5}',
    ],
    [
      'JSON with what .NET reads first at its beginning',
      {
        'application/json': {
          schema: object({ a: text, b: object({ c: text, $type: text }), $type: text }),
        },
      },
      { a: '1', b: { c: '2', type: 'U' }, type: 'T' },
      'application/json',
      '{"$type":"T","a":"1","b":{"$type":"U","c":"2"}}',
    ],
    [
      'JSON with another media type',
      { 'application/vnd.api+json': { schema: texts } },
      { body: ['a'] },
      'application/vnd.api+json',
      '["a"]',
    ],
    [
      'JSON with a charset',
      { 'application/json; charset=utf-8': { schema: text } },
      { body: 'ü' },
      'application/json; charset=utf-8',
      '"ü"',
    ],
    [
      'JSON where XML and forms are also described',
      {
        'application/xml': { schema: object({ a: text }) },
        'application/x-www-form-urlencoded': { schema: object({ a: text }) },
        'application/json': { schema: object({ a: text }) },
      },
      { a: 'b' },
      'application/json',
      '{"a":"b"}',
    ],
    [
      'a form where XML is also described',
      {
        'application/xml': { schema: object({ a: text }) },
        'application/x-www-form-urlencoded': { schema: object({ a: text }) },
      },
      { a: 'b c' },
      'application/x-www-form-urlencoded',
      'a=b+c',
    ],
    [
      'XML as given by the model',
      { 'application/xml': { schema: object({ a: text }) } },
      { body: '<?xml version="1.0" encoding="UTF-8"?>\n<a>ü &amp; b</a>' },
      'application/xml',
      '<?xml version="1.0" encoding="UTF-8"?>\n<a>ü &amp; b</a>',
    ],
    [
      'XML with another media type',
      { 'application/atom+xml': { schema: object({ a: text }) } },
      { body: '<entry/>' },
      'application/atom+xml',
      '<entry/>',
    ],
    ['XML as text', { 'text/xml': {} }, { body: '<a>ü</a>' }, 'text/xml;charset=utf-8', '<a>ü</a>'],
    ['plain text', { 'text/plain': { schema: text } }, { body: 'a\r\nb' }, 'text/plain', 'a\r\nb'],
    ['empty plain text', { 'text/plain': { schema: text } }, { body: '' }, 'text/plain', ''],
    ['CSV', { 'text/csv': { schema: texts } }, { body: 'a,b\n1,2' }, 'text/csv', 'a,b\n1,2'],
    [
      'JSON lines',
      { 'application/x-ndjson': { schema: object({}) } },
      { body: '{"a":1}\n{"a":2}\n' },
      'application/x-ndjson',
      '{"a":1}\n{"a":2}\n',
    ],
    ['binary data', { 'image/png': { schema: file } }, { body: 'aGk=' }, 'image/png', 'hi'],
    [
      'binary data of a type that the call chooses',
      { 'image/*': { schema: file } },
      { body: { data: 'aGk=', contentType: 'image/webp' } },
      'image/webp',
      'hi',
    ],
    [
      'text of any type',
      { '*/*': { schema: text } },
      { body: 'say "ü"' },
      'text/plain;charset=utf-8',
      'say "ü"',
    ],
    [
      'bytes of any type',
      { '*/*': { schema: file } },
      { body: 'aGk=' },
      'application/octet-stream',
      'hi',
    ],
    [
      'a list of any type',
      { '*/*': { schema: texts } },
      { body: ['a'] },
      'application/json',
      '["a"]',
    ],
    [
      'binary data of any type',
      { 'application/octet-stream': {} },
      { body: 'aGk=' },
      'application/octet-stream',
      'hi',
    ],
  ])('may be %s', async (_, content, args, type, body) => {
    expect(bytesOf(await posted(content, args))).toEqual([type, body]);
  });

  test('has a Content-Length in bytes and no transfer encoding', async () => {
    const { headers, body } = await posted({ 'text/plain': { schema: text } }, { body: 'üü' });

    expect(headers['content-length']).toBe('4');
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(body).toHaveLength(4);
  });

  test('is refused for XML unless it is a string', async () => {
    await expect(
      posted({ 'application/xml': { schema: object({ a: text }) } }, { body: { a: 'b' } }),
    ).rejects.toMatchObject({ code: 'invalid_params' });
  });
});

describe('a URL-encoded form to the target API', () => {
  const form = async (properties: Object, encoding: Object, args: Object) => {
    const media = { schema: object(properties), encoding };
    const request = await posted({ 'application/x-www-form-urlencoded': media }, args);
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    return request.body.toString();
  };
  const point = object({ x: { type: 'integer' }, y: { type: 'integer' } });

  test.each<[string, Object, Object, Object, string]>([
    ['a string', { a: text }, {}, { a: 'ü &=+%/~*' }, 'a=%C3%BC+%26%3D%2B%25%2F%7E*'],
    ['an empty string', { a: text }, {}, { a: '' }, 'a='],
    [
      'numbers and booleans',
      { a: { type: 'number' }, b: { type: 'boolean' } },
      {},
      { a: 1.5, b: false },
      'a=1.5&b=false',
    ],
    ['an array', { a: texts }, {}, { a: ['b', 'c d'] }, 'a=b&a=c+d'],
    ['an empty array', { a: texts, b: text }, {}, { a: [], b: 'c' }, 'b=c'],
    ['an object as JSON', { a: point }, {}, { a: { x: 1 } }, 'a=%7B%22x%22%3A1%7D'],
    [
      'an array of objects as JSON',
      { a: { type: 'array', items: point } },
      {},
      { a: [{ x: 1 }, { y: 2 }] },
      'a=%7B%22x%22%3A1%7D&a=%7B%22y%22%3A2%7D',
    ],
    [
      'an array as JSON',
      { a: texts },
      { a: { contentType: 'application/json' } },
      { a: ['b'] },
      'a=%5B%22b%22%5D',
    ],
    [
      'unexploded form',
      { a: texts },
      { a: { style: 'form', explode: false } },
      { a: ['b', 'c'] },
      'a=b,c',
    ],
    ['exploded form', { a: point }, { a: { style: 'form' } }, { a: { x: 1, y: 2 } }, 'x=1&y=2'],
    [
      'the style spaceDelimited',
      { a: texts },
      { a: { style: 'spaceDelimited' } },
      { a: ['b', 'c'] },
      'a=b+c',
    ],
    [
      'the style pipeDelimited',
      { a: texts },
      { a: { style: 'pipeDelimited' } },
      { a: ['b', 'c'] },
      'a=b%7Cc',
    ],
    [
      'the style deepObject',
      { a: point },
      { a: { style: 'deepObject', explode: true } },
      { a: { x: 1, y: 2 } },
      'a%5Bx%5D=1&a%5By%5D=2',
    ],
    [
      'reserved characters if allowed',
      { a: text },
      { a: { allowReserved: true } },
      { a: 'b/c?d&e' },
      'a=b/c?d%26e',
    ],
  ])('may hold %s', async (_, properties, encoding, args, expected) => {
    expect(await form(properties, encoding, args)).toBe(expected);
  });
});

describe('a multipart form to the target API', () => {
  const parts = async (properties: Object, encoding: Object, args: Object, members = {}) => {
    const media = { schema: object(properties), encoding };
    const { headers, body } = await posted({ 'multipart/form-data': media }, args, members);
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(
      headers['content-type'] ?? '',
    )?.[1];
    const pieces = body.toString('latin1').split(`--${boundary}`);
    expect(pieces[0]).toBe('');
    expect(pieces.at(-1)).toBe('--\r\n');
    return pieces.slice(1, -1).map((piece) => piece.slice(2, -2));
  };
  const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}\r\n`;

  test.each<[string, Object, Object, Object, readonly string[]]>([
    ['a string', { a: text }, {}, { a: 'b' }, [`${disposition('name="a"')}\r\nb`]],
    ['a number', { a: { type: 'integer' } }, {}, { a: 1 }, [`${disposition('name="a"')}\r\n1`]],
    [
      'an object as JSON',
      { a: object({ x: text }) },
      {},
      { a: { x: 'y' } },
      [`${disposition('name="a"')}Content-Type: application/json\r\n\r\n{"x":"y"}`],
    ],
    [
      'an array as several parts',
      { a: texts },
      {},
      { a: ['b', 'c'] },
      [`${disposition('name="a"')}\r\nb`, `${disposition('name="a"')}\r\nc`],
    ],
    [
      'an array as JSON',
      { a: texts },
      { a: { contentType: 'application/json' } },
      { a: ['b', 'c'] },
      [`${disposition('name="a"')}Content-Type: application/json\r\n\r\n["b","c"]`],
    ],
    [
      'a file',
      { a: file },
      {},
      { a: { data: 'aGk=', filename: 'h "i".txt', contentType: 'text/plain' } },
      [`${disposition('name="a"; filename="h %22i%22.txt"')}Content-Type: text/plain\r\n\r\nhi`],
    ],
    [
      'a file without a name',
      { a: file },
      {},
      { a: 'aGk=' },
      [`${disposition('name="a"; filename="a"')}Content-Type: application/octet-stream\r\n\r\nhi`],
    ],
    [
      'files',
      { a: { type: 'array', items: file } },
      {},
      { a: ['aA==', { data: 'aQ==', filename: 'i' }] },
      [
        `${disposition('name="a"; filename="a"')}Content-Type: application/octet-stream\r\n\r\nh`,
        `${disposition('name="a"; filename="i"')}Content-Type: application/octet-stream\r\n\r\ni`,
      ],
    ],
    [
      'the first concrete type of a list of types',
      { a: file },
      { a: { contentType: 'image/*, image/png, image/jpeg' } },
      { a: 'aGk=' },
      [`${disposition('name="a"; filename="a"')}Content-Type: image/png\r\n\r\nhi`],
    ],
    [
      'the type that the call chooses',
      { a: file },
      { a: { contentType: 'image/png, image/jpeg' } },
      { a: { data: 'aGk=', contentType: 'image/jpeg' } },
      [`${disposition('name="a"; filename="a"')}Content-Type: image/jpeg\r\n\r\nhi`],
    ],
    [
      'a file of unknown type where only wildcards are described',
      { a: file },
      { a: { contentType: 'image/*' } },
      { a: 'aGk=' },
      [`${disposition('name="a"; filename="a"')}Content-Type: application/octet-stream\r\n\r\nhi`],
    ],
    [
      'the type that the schema names',
      {
        a: { type: 'string', contentMediaType: 'image/png' },
        b: { type: 'array', items: { type: 'string', contentMediaType: 'text/html' } },
        c: { type: 'string', contentMediaType: 'application/json' },
      },
      {},
      { a: 'aGk=', b: ['<b>'], c: '{"d":1}' },
      [
        `${disposition('name="b"')}Content-Type: text/html\r\n\r\n<b>`,
        `${disposition('name="c"')}\r\n{"d":1}`,
        `${disposition('name="a"; filename="a"')}Content-Type: image/png\r\n\r\nhi`,
      ],
    ],
    [
      'XML as given by the model',
      { a: text },
      { a: { contentType: 'application/xml; charset=utf-8' } },
      { a: '<b/>' },
      [`${disposition('name="a"')}Content-Type: application/xml; charset=utf-8\r\n\r\n<b/>`],
    ],
    [
      'XML for an object, as given by the model',
      { a: object({ x: text }) },
      { a: { contentType: 'application/xml' } },
      { a: '<a><x>y</x></a>' },
      [`${disposition('name="a"')}Content-Type: application/xml\r\n\r\n<a><x>y</x></a>`],
    ],
    [
      'headers that the description fixes',
      { a: file },
      {
        a: {
          contentType: 'image/png',
          headers: {
            'X-Kind': { schema: { enum: ['scan'] } },
            'X-Page': { schema: { const: 1 } },
            'Content-Type': { schema: { enum: ['text/html'] } },
            'X-Free': { schema: text },
          },
        },
      },
      { a: 'aGk=' },
      [
        `${disposition('name="a"; filename="a"')}Content-Type: image/png\r\nX-Kind: scan\r\nX-Page: 1\r\n\r\nhi`,
      ],
    ],
    [
      'members by name, in the style deepObject',
      { a: object({ x: text }) },
      { a: { style: 'deepObject', explode: true } },
      { a: { x: 'y' } },
      [`${disposition('name="a[x]"')}\r\ny`],
    ],
    // Swashbuckle writes a style for each part.
    ...['form', 'deepObject', 'spaceDelimited'].map(
      (style): [string, Object, Object, Object, readonly string[]] => [
        `a file whose style is ${style}`,
        { a: file },
        { a: { style } },
        { a: 'aGk=' },
        [
          `${disposition('name="a"; filename="a"')}Content-Type: application/octet-stream\r\n\r\nhi`,
        ],
      ],
    ),
    [
      'several files that have a style',
      { a: { type: 'array', items: file } },
      { a: { style: 'form', explode: false } },
      { a: ['aGk=', 'aGE='] },
      ['hi', 'ha'].map(
        (bytes) =>
          `${disposition('name="a"; filename="a"')}Content-Type: application/octet-stream\r\n\r\n${bytes}`,
      ),
    ],
  ])('may hold %s', async (_, properties, encoding, args, expected) => {
    expect(await parts(properties, encoding, args)).toEqual(expected);
  });
});

describe('a multipart form of OpenAPI 3.0 to the target API', () => {
  // There `style` is ignored in multipart bodies; Swashbuckle writes it all the same.
  test('has an object as JSON though its style is form', async () => {
    const media = {
      schema: object({ a: object({ x: text }) }),
      encoding: { a: { style: 'form', explode: true } },
    };
    const { body } = await posted(
      { 'multipart/form-data': media },
      { a: { x: 'y' } },
      {
        openapi: '3.0.3',
      },
    );

    expect(body.toString('latin1')).toContain('Content-Type: application/json\r\n\r\n{"x":"y"}');
  });
});

describe('a form of Swagger 2.0 to the target API', () => {
  const swagger = (consumes: Json, parameters: readonly Json[], args: Object) =>
    echo.call(
      {
        swagger: '2.0',
        info: { title: 'x', version: '1' },
        consumes,
        paths: { '/x': { post: anOperation({ parameters }) } },
      },
      args,
    );

  test.each<[string, readonly Json[], Object, string]>([
    ['a string', [{ name: 'a', in: 'formData', type: 'string' }], { a: 'b c' }, 'a=b+c'],
    [
      'an object without a type, as JSON',
      [{ name: 'a', in: 'formData' }],
      { a: { b: [1] } },
      'a=%7B%22b%22%3A%5B1%5D%7D',
    ],
    [
      'an object, as JSON',
      [{ name: 'a', in: 'formData', type: 'object' }],
      { a: { b: 1 } },
      'a=%7B%22b%22%3A1%7D',
    ],
    [
      'the nested objects of a body',
      [{ name: 'x', in: 'body', schema: object({ a: object({ b: texts }), c: text }) }],
      { a: { b: ['1', '2'] }, c: 'd' },
      'a%5Bb%5D%5B%5D=1&a%5Bb%5D%5B%5D=2&c=d',
    ],
    [
      'the nested objects without a type of a body',
      [{ name: 'x', in: 'body', schema: object({ a: {}, c: { type: 'object' } }) }],
      { a: { b: 1 }, c: { d: 2 } },
      'a%5Bb%5D=1&c%5Bd%5D=2',
    ],
  ])('may hold %s', async (_, parameters, args, expected) => {
    const { body } = await swagger(['application/x-www-form-urlencoded'], parameters, args);

    expect(body.toString()).toBe(expected);
  });

  test('is multipart if it has a file, whatever the description consumes', async () => {
    const { headers, body } = await swagger(
      ['application/x-www-form-urlencoded'],
      [
        { name: 'a', in: 'formData', type: 'file' },
        { name: 'b', in: 'formData', type: 'array', items: text },
      ],
      { a: 'aGk=', b: ['c', 'd'] },
    );

    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body.toString()).toContain('name="a"; filename="a"');
    expect(body.toString()).toContain('name="b"\r\n\r\nc,d\r\n');
  });
});

describe('property names that model APIs refuse', () => {
  const odd = object({ 'a b': text, 'c[d]': text });

  test.each<[string, Object, Object, string]>([
    [
      'properties',
      object({ e: odd }),
      { e: { a_b: '1', c_d: '2' } },
      '{"e":{"a b":"1","c[d]":"2"}}',
    ],
    [
      'pattern properties',
      { type: 'object', patternProperties: { '^x-': odd } },
      { body: { 'x-1': { a_b: '1' }, y: { a_b: '2' } } },
      '{"x-1":{"a b":"1"},"y":{"a_b":"2"}}',
    ],
    [
      'additional properties',
      { type: 'object', additionalProperties: odd },
      { body: { any: { a_b: '1' } } },
      '{"any":{"a b":"1"}}',
    ],
    [
      'prefix items and items',
      { type: 'array', prefixItems: [text, odd], items: odd },
      { body: ['x', { a_b: '1' }, { c_d: '2' }] },
      '["x",{"a b":"1"},{"c[d]":"2"}]',
    ],
    [
      'alternatives',
      { anyOf: [odd, { type: 'array', items: odd }] },
      { body: [{ a_b: '1' }] },
      '[{"a b":"1"}]',
    ],
  ])('are replaced by the original names on the wire, in %s', async (_, schema, args, expected) => {
    const { body } = await posted({ 'application/json': { schema } }, args);

    expect(body.toString()).toBe(expected);
  });
});

describe('an integer beyond 2^53', () => {
  const id = { type: 'integer', format: 'int64' };
  const point = object({ id, list: { type: 'array', items: id } });
  const content = (mediaType: string) => ({ [mediaType]: { schema: point } });
  const args = { id: '9223372036854775807', list: ['-9007199254740993', 1] };

  test.each<[string, Object, string]>([
    [
      'JSON',
      content('application/json'),
      '{"id":9223372036854775807,"list":[-9007199254740993,1]}',
    ],
    [
      'a form',
      content('application/x-www-form-urlencoded'),
      'id=9223372036854775807&list=-9007199254740993&list=1',
    ],
  ])('keeps its digits in %s if it is sent as a string', async (_, media, expected) => {
    expect((await posted(media, args)).body.toString()).toBe(expected);
  });

  test('keeps its digits in a path, a query and a header', async () => {
    const parameters = [
      { name: 'a', in: 'path', required: true, schema: id },
      { name: 'b', in: 'query', schema: { type: 'array', items: id } },
      { name: 'c', in: 'header', content: { 'application/json': { schema: point } } },
    ];
    const { start, headers } = await echo.call(
      aDescription({ paths: { '/x/{a}': { get: anOperation({ parameters }) } } }),
      { a: args.id, b: [args.id], c: args },
    );

    expect(start).toBe('GET /x/9223372036854775807?b=9223372036854775807');
    expect(headers['c']).toBe('{"id":9223372036854775807,"list":[-9007199254740993,1]}');
  });

  test('is refused as a number, since its digits are already lost', async () => {
    await expect(posted(content('application/json'), { id: 2 ** 63 })).rejects.toMatchObject({
      data: {
        errors: [
          {
            path: '/id',
            message: 'is beyond 2^53, where JSON numbers lose digits: send it as text',
          },
        ],
      },
    });
  });
});

describe('a multipart body that is a list', () => {
  const picture = 'image/png';
  const disposition = (value: string) => ({ 'Content-Disposition': { schema: { const: value } } });

  test.each<[string, string, Object, Json, readonly string[]]>([
    [
      'by the encoding of each position, and of further ones',
      'multipart/mixed',
      {
        schema: { type: 'array', prefixItems: [object({ a: text }), {}], items: text },
        prefixEncoding: [
          {},
          { contentType: picture, headers: { 'X-Kind': { schema: { const: 'k' } } } },
        ],
        itemEncoding: { contentType: 'text/markdown' },
      },
      [{ a: '1' }, { data: 'aGk=', filename: 'p.png' }, '# b', '# c'],
      [
        'Content-Type: application/json\n\n{"a":"1"}',
        'Content-Disposition: attachment; filename="p.png"\nContent-Type: image/png\nX-Kind: k\n\nhi',
        'Content-Type: text/markdown\n\n# b',
        'Content-Type: text/markdown\n\n# c',
      ],
    ],
    [
      'of items alone',
      'multipart/mixed',
      {
        itemSchema: { ...object({ a: text }), type: ['object', 'null'] },
        itemEncoding: { contentType: 'application/json' },
      },
      [{ a: '1' }, null],
      ['Content-Type: application/json\n\n{"a":"1"}', 'Content-Type: application/json\n\nnull'],
    ],
    [
      'without encodings, by the types of their schemas',
      'multipart/mixed',
      { schema: { type: 'array', items: { type: 'string', contentMediaType: picture } } },
      ['aGk='],
      ['Content-Type: image/png\n\nhi'],
    ],
    [
      'named by their headers',
      'multipart/form-data',
      {
        schema: { type: 'array', prefixItems: [text, file] },
        prefixEncoding: [
          { headers: disposition('form-data; name="note"') },
          { headers: disposition('form-data; name="file"; filename="f"') },
        ],
      },
      ['n', 'aGk='],
      [
        'content-disposition: form-data; name="note"\n\nn',
        'Content-Type: application/octet-stream\ncontent-disposition: form-data; name="file"; filename="f"\n\nhi',
      ],
    ],
    [
      'named by the members of their objects',
      'multipart/form-data',
      {
        schema: { type: 'array', items: { type: 'object', additionalProperties: text } },
        'x-oai-itemEncoding': {},
      },
      [{ b: '1' }, { a: '2' }],
      [
        'Content-Disposition: form-data; name="b"\n\n1',
        'Content-Disposition: form-data; name="a"\n\n2',
      ],
    ],
  ])('has one part for each item, %s', async (_, mediaType, media, items, expected) => {
    const { headers, body } = await posted({ [mediaType]: media }, { body: items });

    const boundary = /boundary=(.*)$/.exec(headers['content-type'] ?? '')?.[1] ?? '';
    expect(headers['content-type']).toBe(`${mediaType}; boundary=${boundary}`);
    const parts = body.toString().replaceAll('\r\n', '\n').split(`--${boundary}`);
    expect(parts.slice(1, -1).map((part) => part.slice(1, -1))).toEqual(expected);
  });

  test('has no headers of more lines than one', async () => {
    const headers = disposition('form-data; name="a"\r\nX-More: b');
    const media = { schema: { type: 'array', items: text }, itemEncoding: { headers } };
    const { body } = await posted({ 'multipart/mixed': media }, { body: ['n'] });
    expect(body.toString()).not.toContain('X-More');
  });

  test('is refused where it is none', async () => {
    const media = { schema: { type: 'array', items: {} }, itemEncoding: {} };
    await expect(posted({ 'multipart/mixed': media }, { body: 'a' })).rejects.toMatchObject({
      data: { errors: [{ path: '/body' }] },
    });
  });
});

describe('a parameter with a single allowed value', () => {
  test('is sent with every call and is not an argument', async () => {
    const parameters = [
      { name: 'X-Amz-Target', in: 'header', required: true, schema: { enum: ['Db.List'] } },
    ];
    const { headers } = await echo.call(
      aDescription({ paths: { '/x': { post: anOperation({ parameters }) } } }),
      {},
    );

    expect(headers['x-amz-target']).toBe('Db.List');
  });
});

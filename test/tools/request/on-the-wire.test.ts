import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listening } from '../../support/target/listening.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import type { Operation } from '../../../layers/openapi/tool-index.ts';
import type { TargetRequest } from '../../../layers/target/rules/target.ts';
import { aBody, aParameter, aTool, aWholeBody } from '../../support/mcp/tools.ts';

/** What a real server made of a request. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

let server: Listening;
let base: string;
let received: Received;

beforeAll(async () => {
  server = await listening(
    createServer(async (message, response) => {
      received = {
        method: message.method ?? '',
        url: message.url ?? '',
        headers: message.headers as Record<string, string>,
        body: await buffer(message),
      };
      response.end();
    }),
  );
  base = `${server.url}/base`;
});

afterAll(() => server.stop());

const send = ({ method, url, headers, body }: TargetRequest): Promise<void> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { method, headers }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end(body);
  });

const call = async (
  operation: Partial<Operation>,
  inputSchema: Readonly<Record<string, unknown>>,
  args: unknown,
): Promise<Received> => {
  const tool = aTool({ method: 'POST', ...operation, serverUrl: base }, inputSchema);
  await send(buildRequest(tool, readArguments(tool, args)));
  return received;
};

/** Parsed by Node's own parsers of bodies, not by ours. */
const parsedForm = async ({ headers, body }: Received) => {
  const type = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': type },
  }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, text: value }
        : { name, file: value.name, type: value.type, bytes: [...(await value.bytes())] },
    ),
  );
};

const STRING = { type: 'string' };
const FILE = { type: 'string', contentEncoding: 'base64' };
/** As publication writes it. */
const FILE_OR_OBJECT = {
  anyOf: [
    FILE,
    {
      type: 'object',
      properties: { data: FILE, filename: STRING, contentType: STRING },
      required: ['data'],
      additionalProperties: false,
    },
  ],
};

describe('what arrives at a real server', () => {
  test('is every parameter in its place', async () => {
    const got = await call(
      {
        method: 'PUT',
        path: '/users/{id}?fixed=1',
        parameters: [
          aParameter('path', 'id'),
          aParameter('query', 'tags'),
          aParameter('header', 'X-Trace', { argument: 'trace' }),
          aParameter('cookie', 'theme'),
        ],
      },
      {
        properties: {
          id: STRING,
          tags: { type: 'array', items: STRING },
          trace: STRING,
          theme: STRING,
        },
      },
      { id: 'a/b ü', tags: '["x y","z&"]', trace: 7, theme: 'dark;er' },
    );

    expect(got.method).toBe('PUT');
    expect(got.url).toBe('/base/users/a%2Fb%20%C3%BC?fixed=1&tags=x%20y&tags=z%26');
    expect(got.headers).toMatchObject({ 'x-trace': '7', cookie: 'theme=dark%3Ber' });
  });

  test('is the JSON that was meant', async () => {
    const got = await call(
      { body: aBody('json', 'application/json', ['name', 'age']) },
      { properties: { name: STRING, age: { type: 'integer' } } },
      { name: 'Zoë "Z" \u0001', age: '30' },
    );

    expect(got.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.parse(got.body.toString())).toEqual({ name: 'Zoë "Z" \u0001', age: 30 });
  });

  test('is the form that was meant', async () => {
    const got = await call(
      { body: aBody('form', 'application/x-www-form-urlencoded', ['a', 'list']) },
      { properties: { a: STRING, list: { type: 'array', items: STRING } } },
      { a: 'ü +&=%\r\n', list: ['1', '2'] },
    );

    expect([...new URLSearchParams(got.body.toString())]).toEqual([
      ['a', 'ü +&=%\r\n'],
      ['list', '1'],
      ['list', '2'],
    ]);
  });

  test('is each part of a multipart form', async () => {
    const got = await call(
      {
        body: aBody(
          'multipart',
          'multipart/form-data',
          ['title', 'avatar', 'scans', 'meta', 'tags', 'raw', 'nothing', 'pairs'],
          {
            encoding: {
              raw: { contentType: 'text/csv, text/plain' },
              avatar: { contentType: 'image/*, image/png' },
              pairs: { style: 'deepObject' },
            },
          },
        ),
      },
      {
        properties: {
          title: STRING,
          avatar: FILE,
          scans: { type: 'array', items: FILE_OR_OBJECT },
          meta: { type: 'object' },
          tags: { type: 'array', items: STRING },
          raw: STRING,
          nothing: {},
          pairs: { type: 'object' },
        },
      },
      {
        title: 'Zoë\r\n--boundary',
        avatar: 'AAEC',
        scans: [
          { data: '/w==', filename: 'a "ü".tif', contentType: 'image/tiff' },
          'data:text/plain;base64,aGk=',
        ],
        meta: { a: [1] },
        tags: ['x', 'y'],
        raw: 'a,b',
        nothing: null,
        pairs: { k: 'v w' },
      },
    );

    expect(await parsedForm(got)).toEqual([
      { name: 'title', text: 'Zoë\r\n--boundary' },
      { name: 'meta', text: '{"a":[1]}' },
      { name: 'tags', text: 'x' },
      { name: 'tags', text: 'y' },
      { name: 'raw', text: 'a,b' },
      { name: 'pairs[k]', text: 'v w' },
      { name: 'avatar', file: 'avatar', type: 'image/png', bytes: [0, 1, 2] },
      { name: 'scans', file: 'a "ü".tif', type: 'image/tiff', bytes: [255] },
      { name: 'scans', file: 'scans', type: 'text/plain', bytes: [104, 105] },
    ]);
    expect(got.body.toString('latin1')).toContain('name="raw"\r\nContent-Type: text/csv\r\n');
    expect(got.body.toString('latin1')).toContain(
      'name="meta"\r\nContent-Type: application/json\r\n',
    );
    expect(got.headers['content-length']).toBe(String(got.body.length));
  });

  test('is every byte of a file', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

    const got = await call(
      { body: aWholeBody('binary', 'application/octet-stream') },
      { properties: { body: FILE } },
      { body: { data: bytes.toString('base64'), contentType: 'application/x-thing' } },
    );

    expect(got.body).toEqual(bytes);
    expect(got.headers['content-type']).toBe('application/x-thing');
  });

  test('is XML as it was given', async () => {
    const xml = '<?xml version="1.0"?>\n<a b="ü"/>';

    const got = await call(
      { body: aWholeBody('text', 'application/xml') },
      { properties: { body: STRING } },
      { body: xml },
    );

    expect(got.body.toString()).toBe(xml);
    expect(got.headers['content-type']).toBe('application/xml');
  });

  test('is nothing where there is no body', async () => {
    const got = await call({ method: 'DELETE' }, {}, {});

    expect(got.body).toHaveLength(0);
    expect(got.headers).not.toHaveProperty('content-type');
  });
});

describe('names that were changed for the clients', () => {
  const Filter = {
    type: 'object',
    properties: { filter_x: STRING, kids: { type: 'array', items: { $ref: '#/$defs/Filter' } } },
    additionalProperties: { $ref: '#/$defs/Filter' },
  };
  const wireNames = {
    '/$defs/Filter/properties/filter_x': 'filter[x]',
    '/properties/body/anyOf/1/properties/start_time': 'StartTime<',
    '/properties/plain/properties/a_b': 'a/b',
  };

  test('are the real ones on the wire, in bodies', async () => {
    const got = await call(
      { body: aWholeBody('json', 'application/json'), wireNames },
      {
        properties: {
          body: {
            anyOf: [
              { type: 'null' },
              {
                type: 'object',
                properties: { start_time: STRING, filter: { allOf: [{ $ref: '#/$defs/Filter' }] } },
              },
            ],
          },
        },
        $defs: { Filter },
      },
      {
        body: {
          start_time: '1',
          filter: { filter_x: '2', kids: [{ filter_x: '3' }], other: { filter_x: '4' } },
          filter_x: '5',
        },
      },
    );

    expect(JSON.parse(got.body.toString())).toEqual({
      'StartTime<': '1',
      filter: { 'filter[x]': '2', kids: [{ 'filter[x]': '3' }], other: { 'filter[x]': '4' } },
      filter_x: '5',
    });
  });

  test('are the real ones on the wire, in parameters and forms', async () => {
    const plain = { type: 'object', properties: { a_b: STRING } };

    const got = await call(
      {
        parameters: [aParameter('query', 'plain', { style: 'deepObject' })],
        body: {
          ...aWholeBody('form', 'application/x-www-form-urlencoded'),
          encoding: { 'filter[x]': { style: 'pipeDelimited' } },
        },
        wireNames: { ...wireNames, '/properties/body/properties/filter_x': 'filter[x]' },
      },
      {
        properties: {
          plain,
          body: { type: 'object', properties: { filter_x: { type: 'array' } } },
        },
      },
      { plain: { a_b: 1 }, body: { filter_x: [1, 2] } },
    );

    expect(got.url).toBe('/base/things?plain%5Ba%2Fb%5D=1');
    expect(got.body.toString()).toBe('filter%5Bx%5D=1%7C2');
  });
});

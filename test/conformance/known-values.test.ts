import { afterAll, describe, expect, test } from '@jest/globals';
import type { Json } from '../../layers/platform/rules/json/json.ts';
import { compiled, onlyOf, readTool, swagger } from '../support/openapi/compile.ts';
import { aDescription, anOperation } from '../support/openapi/intake.ts';
import { anEcho } from '../support/target/echo.ts';

const echo = await anEcho();

afterAll(async () => {
  await echo[Symbol.asyncDispose]();
});

type Members = Readonly<Record<string, Json>>;

const described = (
  operation: Members,
  { path = '/x', method = 'post', ...members }: Members = {},
) =>
  aDescription({
    openapi: '3.1.0',
    ...members,
    paths: { [String(path)]: { [String(method)]: anOperation(operation) } },
  });

const json = (schema: Json, required = true): Members => ({
  requestBody: { required, content: { 'application/json': { schema } } },
});

const schemaOf = (description: Members) =>
  readTool(onlyOf(compiled(description).tools)).inputSchema;

const sent = async (description: Members, args: object) => {
  const { start, headers, body } = await echo.call(description, args as Record<string, unknown>);
  return { start, headers, body: body.toString() };
};

describe('what is known', () => {
  test('is sent and not asked for where it is required and has a default: in each place', async () => {
    const parameters = [
      { name: 'version', in: 'path', required: true, schema: { type: 'string', default: 'v2' } },
      {
        name: 'api-version',
        in: 'query',
        required: true,
        schema: { type: 'string', default: '1' },
      },
      { name: 'X-Mode', in: 'header', required: true, schema: { type: 'string', default: 'full' } },
      { name: 'lang', in: 'cookie', required: true, schema: { type: 'string', default: 'en' } },
      { name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } },
    ];
    const body = {
      type: 'object',
      required: ['q', 'format'],
      properties: {
        q: { type: 'string' },
        format: { type: 'string', default: 'json' },
        size: { type: 'integer', default: 5 },
      },
    };
    const description = described({ parameters, ...json(body) }, { path: '/{version}/x' });

    expect(schemaOf(description)).toMatchObject({ required: ['q'] });
    expect(await sent(description, { q: 'a' })).toMatchObject({
      start: 'POST /v2/x?api-version=1',
      headers: { 'x-mode': 'full', cookie: 'lang=en' },
      body: '{"q":"a","format":"json"}',
    });
    const given = { q: 'a', version: 'v3', 'api-version': '2', format: 'xml', limit: 1 };
    expect(await sent(description, given)).toMatchObject({
      start: 'POST /v3/x?api-version=2&limit=1',
      body: '{"q":"a","format":"xml"}',
    });
  });

  test('is no argument where there is one possible value: in each place and dialect', async () => {
    const parameters = [
      { name: 'v', in: 'path', required: true, schema: { const: 'v2' } },
      { name: 'kind', in: 'query', required: true, schema: { type: 'integer', enum: [7] } },
      { name: 'X-Kind', in: 'header', required: true, schema: { type: 'number', const: 1 } },
      { name: 'maybe', in: 'query', schema: { const: 'no' } },
    ];
    const body = {
      type: 'object',
      required: ['type', 'name'],
      properties: { type: { const: 'order' }, name: { type: 'string' } },
    };
    const description = described({ parameters, ...json(body) }, { path: '/{v}/x' });
    const { properties, required } = schemaOf(description) as { properties: object; required: [] };

    expect(Object.keys(properties)).toEqual(['maybe', 'name']);
    expect(required).toEqual(['name']);
    for (const guess of [{ type: 'guess' }, { kind: 8 }]) {
      await expect(sent(description, { name: 'n', ...guess })).rejects.toThrow('break the rules');
    }
    for (const more of [{}, { type: 'order', kind: 7 }]) {
      expect(await sent(description, { name: 'n', ...more })).toMatchObject({
        start: 'POST /v2/x?kind=7',
        headers: { 'x-kind': '1' },
        body: '{"type":"order","name":"n"}',
      });
    }
    const old = swagger({
      parameters: [
        { name: 'kind', in: 'query', required: true, type: 'string', enum: ['a'] },
        { name: 'level', in: 'query', required: true, type: 'string', default: 'b' },
      ],
    });
    expect((await sent(old, {})).start).toBe('POST /pets?kind=a&level=b');
  });

  test('is sent inside of what is given, at every depth, but not in its place', async () => {
    const inner = {
      type: 'object',
      required: ['unit', 'value'],
      properties: { unit: { type: 'string', default: 'EUR' }, value: { type: 'number' } },
    };
    const body = {
      type: 'object',
      required: ['price'],
      properties: {
        price: { $ref: '#/components/schemas/Price' },
        rows: { type: 'array', items: { $ref: '#/components/schemas/Price' } },
        'other price': { $ref: '#/components/schemas/Price' },
      },
    };
    const description = described(json(body), { components: { schemas: { Price: inner } } });

    expect(await sent(description, { price: { value: 1 } })).toMatchObject({
      body: '{"price":{"value":1,"unit":"EUR"}}',
    });
    const args = {
      price: { value: 1, unit: 'USD' },
      rows: [{ value: 2 }],
      other_price: { value: 3 },
    };
    expect(JSON.parse((await sent(description, args)).body)).toEqual({
      price: { value: 1, unit: 'USD' },
      rows: [{ value: 2, unit: 'EUR' }],
      'other price': { value: 3, unit: 'EUR' },
    });
  });

  test('is not put into what is merged, and stays what it is in other forms', async () => {
    const body = {
      type: 'object',
      required: ['status', 'kind'],
      properties: { status: { type: 'string', default: 'open' }, kind: { const: 'k' } },
    };

    expect(await sent(described(json(body), { method: 'patch' }), { kind: 'k' })).toMatchObject({
      body: '{"kind":"k"}',
    });
    const form = {
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: body } },
      },
    };
    expect(await sent(described(form), {})).toMatchObject({ body: 'status=open&kind=k' });
  });

  test('never tells alternatives apart: the tag of each stays required', async () => {
    const kind = (name: string) => ({ type: 'string', const: name, default: name });
    const schemas = {
      Click: { type: 'object', properties: { kind: kind('click'), x: { type: 'integer' } } },
      Scroll: { type: 'object', properties: { kind: kind('scroll'), dy: { type: 'integer' } } },
    };
    const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const mapping = { click: '#/components/schemas/Click', scroll: '#/components/schemas/Scroll' };
    for (const discriminator of [{ propertyName: 'kind', mapping }, { propertyName: 'kind' }]) {
      const body = {
        type: 'object',
        required: ['event'],
        properties: { event: { oneOf, discriminator } },
      };
      const description = described(json(body), { components: { schemas } });

      await expect(sent(description, { event: { x: 3 } })).rejects.toMatchObject({
        description: expect.stringMatching(/kind is required/),
      });
      expect((await sent(description, { event: { kind: 'scroll', dy: 3 } })).body).toBe(
        '{"event":{"kind":"scroll","dy":3}}',
      );
    }
    const open = { propertyName: 'kind', defaultMapping: 'Click' };
    const body = { type: 'object', properties: { event: { oneOf, discriminator: open } } };
    const description = described(json(body), { openapi: '3.2.0', components: { schemas } });
    expect((await sent(description, { event: { x: 3 } })).body).toBe('{"event":{"x":3}}');
  });
});

describe('null for what is optional and cannot be null', () => {
  const nullable = { type: ['string', 'null'] };
  const text = { type: 'string' };

  test('counts as not given, in each place and at each depth', async () => {
    const parameters = [
      { name: 'insight', in: 'query', schema: text },
      { name: 'ids', in: 'query', schema: { type: 'array', items: text } },
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } },
      { name: 'X-Trace', in: 'header', schema: text },
      { name: 'lang', in: 'cookie', schema: text },
      { name: 'api', in: 'query', required: true, schema: { ...text, default: 'v1' } },
    ];
    const body = {
      type: 'object',
      required: ['name'],
      properties: {
        name: text,
        tag: text,
        due: nullable,
        any: {},
        inner: {
          type: 'object',
          required: ['id'],
          properties: { id: text, note: text, end: nullable },
        },
      },
    };
    const description = described({ parameters, ...json(body) });
    const nothing = {
      insight: null,
      ids: null,
      limit: null,
      'X-Trace': null,
      lang: null,
      api: null,
    };
    const args = {
      name: 'n',
      tag: null,
      due: null,
      any: null,
      inner: { id: 'i', note: null, end: null },
    };
    const { start, headers, body: out } = await sent(description, { ...nothing, ...args });

    expect(start).toBe('POST /x?api=v1');
    expect(headers).not.toHaveProperty('x-trace');
    expect(headers).not.toHaveProperty('cookie');
    expect(JSON.parse(out)).toEqual({
      name: 'n',
      due: null,
      any: null,
      inner: { id: 'i', end: null },
    });
  });

  test('stays a fault where it is required, at each depth, and as an element of a list', async () => {
    const body = {
      type: 'object',
      required: ['name'],
      properties: {
        name: text,
        inner: { type: 'object', required: ['id'], properties: { id: text } },
        list: { type: 'array', items: text },
      },
    };
    const description = described(json(body));

    await expect(sent(description, { name: null })).rejects.toMatchObject({
      description: expect.stringMatching(/\/name must be a string/),
    });
    await expect(sent(description, { name: 'n', inner: { id: null } })).rejects.toMatchObject({
      description: expect.stringMatching(/\/inner\/id/),
    });
    await expect(sent(description, { name: 'n', list: [null] })).rejects.toMatchObject({
      description: expect.stringMatching(/\/list\/0/),
    });
  });

  test('stays a fault in a merge patch, where it would remove what it stands for', async () => {
    const content = {
      'application/merge-patch+json': {
        schema: { type: 'object', properties: { tag: text, due: nullable } },
      },
    };
    const description = described(
      { requestBody: { required: true, content } },
      { method: 'patch' },
    );

    await expect(sent(description, { tag: null })).rejects.toMatchObject({
      description: expect.stringMatching(/\/tag must be a string/),
    });
    expect((await sent(description, { due: null })).body).toBe('{"due":null}');
  });

  test('is nothing in a form of alternatives that lack it, either', async () => {
    const body = {
      type: 'object',
      properties: {
        of: {
          anyOf: [
            { type: 'object', required: ['a'], properties: { a: text, c: text } },
            { type: 'object', required: ['b'], properties: { b: text, c: text } },
          ],
        },
      },
    };

    expect((await sent(described(json(body)), { of: { a: 'x', b: null, c: null } })).body).toBe(
      '{"of":{"a":"x"}}',
    );
  });
});

describe('a place of a path that takes several segments', () => {
  const at = (parameter: Members, dialect = '3.1.0') =>
    described(
      { parameters: [{ name: 'p', in: 'path', required: true, ...parameter }] },
      { path: '/files/{p}/raw', method: 'get', openapi: dialect },
    );
  const schema = { type: 'string' };
  const started = async (description: Members, p: unknown) =>
    (await sent(description, { p })).start;

  test.each<[string, Members, string]>([
    ['says so', { 'x-multi-segment': true, schema }, '3.0.3'],
    ['allows what is reserved, in 3.2', { allowReserved: true, schema }, '3.2.0'],
    ['has a pattern with slashes', { schema: { ...schema, pattern: '^docs/[^/]+$' } }, '3.1.0'],
  ])('keeps their slashes where it %s', async (_, parameter, dialect) => {
    const description = at(parameter, dialect);

    expect(await started(description, 'docs/a b?#.md')).toBe('GET /files/docs/a%20b%3F%23.md/raw');
    for (const out of ['docs/../..', 'docs/..']) {
      await expect(started(description, out)).rejects.toMatchObject({
        description: expect.stringMatching(/another path|pattern/),
      });
    }
  });

  test('keeps them in Swagger 2.0', async () => {
    const parameters = [
      { name: 'p', in: 'path', required: true, type: 'string', 'x-multi-segment': true },
    ];
    const { paths, ...rest } = swagger({ parameters }) as { paths: Readonly<Record<string, Json>> };
    const description = { ...rest, paths: { '/files/{p}': paths['/pets'] ?? {} } };

    expect(await started(description as Members, 'a/b')).toBe('POST /files/a/b');
  });

  test.each<[string, Members]>([
    ['says nothing', { schema }],
    ['allows what is reserved, before 3.2', { allowReserved: true, schema }],
    ['has a pattern that can do without', { schema: { ...schema, pattern: '^[^/]+(/.*)?$' } }],
    [
      'has a pattern with a slash in a class alone',
      { schema: { ...schema, pattern: '^[a-z/]+$' } },
    ],
  ])('is one segment where it %s', async (_, parameter) => {
    expect(await started(at(parameter), 'a/b')).toBe('GET /files/a%2Fb/raw');
  });

  test('is warned of where only its example has slashes, with the line to write', () => {
    const { warnings } = compiled(at({ schema: { ...schema, example: 'texts/a.md' } }));

    expect(warnings).toEqual([
      expect.objectContaining({
        what: expect.stringContaining('the example of p has slashes'),
        hint: expect.stringContaining('x-multi-segment: true'),
      }),
    ]);
    expect(compiled(at({ schema, example: 'https://x.example/y' })).warnings).toEqual([]);
    const form = 'Name of the thing, projects/{project}/things/{thing}.';
    expect(compiled(at({ schema, description: form })).warnings).toHaveLength(1);
    expect(compiled(at({ schema, description: 'One of red/green.' })).warnings).toEqual([]);
  });
});

describe('a body with a file', () => {
  const file = { type: 'string', format: 'binary' };
  const schema = { type: 'object', properties: { name: { type: 'string' }, avatar: file } };
  const typeOf = (content: Members, members: Members = {}) =>
    onlyOf(compiled(described({ requestBody: { content, ...members } })).tools).operation.body
      ?.mediaType;
  const offering = (of: Json) => ({
    'application/json': { schema: of },
    'application/x-www-form-urlencoded': { schema: of },
    'multipart/form-data': { schema: of },
  });

  test.each<[string, Json]>([
    ['a member', schema],
    ['a list of them', { type: 'object', properties: { files: { type: 'array', items: file } } }],
    ['one in a composition', { allOf: [{ type: 'object', properties: { f: file } }] }],
  ])('is multipart, whatever else is offered: %s', (_, of) => {
    expect(typeOf(offering(of))).toBe('multipart/form-data');
  });

  test('is JSON without one, and what its author wants in any case', () => {
    expect(typeOf(offering({ type: 'object', properties: { a: { type: 'string' } } }))).toBe(
      'application/json',
    );
    expect(typeOf(offering(schema), { 'x-media-type': 'application/json' })).toBe(
      'application/json',
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { hasBoolean } from '../../../layers/openapi/schema/flat-schema.ts';
import { compiled, onlyOf } from '../../support/openapi/compile.ts';

const PHP = '0e00aae7c370b295281ca65f1d061354';
const string = { type: 'string' };
const boolean = { type: 'boolean' };
const file = { type: 'string', format: 'binary' };
const A_FILE = { data: 'aGk=', filename: 'a.txt', contentType: 'text/plain' };

const requestOf = (method: string, operation: JsonObject, args: JsonObject, more = {}) => {
  const described = anOperation({ operationId: PHP, ...operation });
  const { tools, warnings } = compiled(
    aDescription({ paths: { '/products': { [method]: described } }, ...more }),
  );
  const request = buildRequest(prepareTool(onlyOf(toToolIndex(tools).tools)), args);
  const body = Buffer.from(request.body ?? '').toString();
  return {
    method: request.method,
    query: decodeURIComponent(request.url.split('?')[1] ?? ''),
    override: request.headers['x-http-method-override'],
    body,
    names: [...body.matchAll(/ name="([^"]*)"/g)].map(([, name]) => name),
    said: warnings.map(({ what }) => what),
    hints: warnings.map(({ hint }) => hint),
  };
};

const inForm = (mediaType: string, properties: JsonObject) => ({
  requestBody: { content: { [mediaType]: { schema: { type: 'object', properties } } } },
});

describe('a boolean for PHP', () => {
  const query = (name: string, schema: JsonObject) => ({ name, in: 'query', schema });
  const parameters = [
    query('active', boolean),
    query('filter[new]', boolean),
    query('filter', { type: 'object', properties: { sold: boolean, name: string } }),
    query('flags', { type: 'array', items: boolean }),
    query('text', { type: 'string', enum: ['true', 'false'] }),
  ];
  const args = {
    active: true,
    filter_new: false,
    filter: { sold: true, name: 'true' },
    flags: [true, false],
    text: 'true',
  };

  test('is 1 or 0 in a query, however deep, and a text stays', () => {
    const { query: sent, said } = requestOf('get', { parameters }, args);

    expect(sent.split('&')).toEqual([
      'active=1',
      'filter[new]=0',
      'filter[sold]=1',
      'filter[name]=true',
      'flags[]=1',
      'flags[]=0',
      'text=true',
    ]);
    expect(said).toContainEqual(
      expect.stringMatching(/^booleans in its query are written as 1 and 0, as swagger-php/),
    );
  });

  test('is 1 or 0 in a form, and a boolean in JSON', () => {
    const properties = { active: boolean, meta: { type: 'object', properties: { hot: boolean } } };
    const given = { active: false, meta: { hot: true } };
    const form = 'application/x-www-form-urlencoded';

    expect(decodeURIComponent(requestOf('post', inForm(form, properties), given).body)).toBe(
      'active=0&meta[hot]=1',
    );
    expect(requestOf('post', inForm('multipart/form-data', properties), given)).toMatchObject({
      body: expect.stringMatching(/name="active"\r\n\r\n0\r\n[^]*name="meta\[hot\]"\r\n\r\n1\r\n/),
      said: expect.arrayContaining([
        expect.stringMatching(/^booleans in its form are written as 1 and 0/),
      ]),
    });
    expect(requestOf('post', inForm('application/json', properties), given).body).toBe(
      '{"active":false,"meta":{"hot":true}}',
    );
  });

  test('is a boolean in a part that is declared as JSON', () => {
    const schema = {
      type: 'object',
      properties: { meta: { type: 'object', properties: { a: boolean } } },
    };
    const encoding = { meta: { contentType: 'application/json' } };
    const requestBody = { content: { 'multipart/form-data': { schema, encoding } } };

    expect(requestOf('post', { requestBody }, { meta: { a: true } }).body).toContain('{"a":true}');
  });

  test('is true or false for whom nothing tells of PHP', () => {
    const operation = { operationId: 'list', parameters: [query('active', boolean)] };

    expect(requestOf('get', operation, { active: true })).toMatchObject({
      query: 'active=true',
      said: [],
    });
  });

  test.each(['sanctum', 'Passport'])('is 1 where the security scheme is called %s', (name) => {
    const components = { securitySchemes: { [name]: { type: 'http', scheme: 'bearer' } } };
    const operation = { operationId: 'list', parameters: [query('active', boolean)] };

    expect(requestOf('get', operation, { active: true }, { components }).query).toBe('active=1');
  });
});

describe('the order of swagger-php', () => {
  const active = { name: 'active', in: 'query', schema: boolean };
  const sentWith = (...schemas: readonly JsonObject[]) => {
    const components = {
      schemas: Object.fromEntries(schemas.map((one, index) => [`S${index}`, one])),
    };
    const operation = { operationId: 'getProducts', parameters: [active] };
    return requestOf('get', operation, { active: true }, { components }).query;
  };
  const properties = { name: string };
  const required = ['name'];
  const ofPhp = { required, properties, type: 'object' };

  test('tells of PHP where names are written by hand', () => {
    expect(sentWith(ofPhp, { properties, type: 'object' }, { properties }, string)).toBe(
      'active=1',
    );
  });

  test.each([
    [{ type: 'object', required, properties }],
    [{ properties, required, type: 'object' }],
    [{ properties, type: 'object' }],
    [{ required, type: 'object', properties }],
  ])('is no other: %j', (schema) => {
    expect(sentWith(schema)).toBe('active=true');
    if ('required' in schema) expect(sentWith(ofPhp, schema)).toBe('active=true');
  });
});

describe('a form for PHP', () => {
  test('has each file of a list as a part with brackets, once', () => {
    const properties = {
      gallery: { type: 'array', items: file },
      'scans[]': { type: 'array', items: file },
      'tags[]': { type: 'array', items: string },
      photo: file,
    };
    const args = { gallery: [A_FILE, A_FILE], scans: [A_FILE], tags: ['a', 'b'], photo: A_FILE };
    const { names, said } = requestOf('post', inForm('multipart/form-data', properties), args);

    expect(names).toEqual(['tags[]', 'tags[]', 'gallery[]', 'gallery[]', 'scans[]', 'photo']);
    expect(said).toContainEqual(expect.stringMatching(/^lists of files are parts called a\[\]/));
  });

  test.each(['put', 'patch'])(
    'with a file goes out as a POST that names its method, %s',
    (method) => {
      const { said, ...request } = requestOf(
        method,
        inForm('multipart/form-data', { name: string, photo: file }),
        { name: 'Hat', photo: A_FILE },
      );

      expect(request).toMatchObject({
        method: 'POST',
        override: method.toUpperCase(),
        names: ['name', 'photo'],
      });
      expect(said).toContainEqual(
        expect.stringContaining(`a POST whose header says ${method.toUpperCase()}`),
      );
    },
  );

  test('keeps its method where PHP parses it, or nothing tells of PHP', () => {
    const form = inForm('application/x-www-form-urlencoded', { name: string });
    const upload = inForm('multipart/form-data', { photo: file });

    expect(requestOf('put', form, { name: 'Hat' })).toMatchObject({
      method: 'PUT',
      override: undefined,
    });
    expect(requestOf('post', upload, { photo: A_FILE }).override).toBeUndefined();
    expect(requestOf('put', { operationId: 'change', ...upload }, { photo: A_FILE })).toMatchObject(
      { method: 'PUT', override: undefined },
    );
  });
});

test('booleans are looked for once in each of the schemas that refer to each other', () => {
  const references = Array.from({ length: 20 }, (_, at) => [`m${at}`, { $ref: '#' }] as const);
  const node = { type: 'object', properties: Object.fromEntries(references) };
  let looks = 0;
  const flat = (schema: JsonObject): JsonObject => {
    looks += 1;
    return '$ref' in schema ? node : schema;
  };

  expect(hasBoolean({ flat }, node)).toBe(false);
  expect(looks).toBeLessThan(100);
  expect(hasBoolean({ flat }, { ...node, items: { items: boolean } })).toBe(true);
});

describe('queries and forms of what only looks like PHP', () => {
  const active = { name: 'active', in: 'query', schema: boolean };
  const operation = {
    parameters: [active],
    ...inForm('multipart/form-data', { gallery: { type: 'array', items: file }, new: boolean }),
  };
  const args = { active: true, gallery: [A_FILE], new: true };

  test.each([
    ['the operation', { 'x-framework-habits': false }, {}],
    ['the description', {}, { 'x-framework-habits': false }],
  ])('are written as OpenAPI says where %s says so', (_, more, root) => {
    const { method, query, override, names, body } = requestOf(
      'put',
      { ...operation, ...more },
      args,
      root,
    );

    expect({ method, query, override, names }).toEqual({
      method: 'PUT',
      query: 'active=true',
      override: undefined,
      names: ['new', 'gallery'],
    });
    expect(body).toContain('true');
  });

  test.each([undefined, true, 'false', null])('are written as PHP reads them with %j', (value) => {
    const more = { 'x-framework-habits': value as never };
    const sent = requestOf('put', { ...operation, ...more }, args);

    expect(sent).toMatchObject({ method: 'POST', query: 'active=1', names: ['new', 'gallery[]'] });
  });

  test('are warned of with that line', () => {
    const { hints } = requestOf('put', operation, args);

    expect(hints.filter((hint) => hint.includes('x-framework-habits: false'))).toHaveLength(4);
  });

  test('have lists of Swagger 2.0 joined again', () => {
    const tags = { name: 'tags', in: 'formData', type: 'array', items: string };
    const sent = (more: JsonObject) => {
      const { tools } = compiled({
        swagger: '2.0',
        info: { title: 'Shop', version: '1' },
        host: 'api.example.com',
        paths: { '/a': { post: { operationId: PHP, parameters: [tags], ...more, responses: {} } } },
      });
      const tool = prepareTool(onlyOf(toToolIndex(tools).tools));
      return decodeURIComponent(String(buildRequest(tool, { tags: ['a', 'b'] }).body));
    };

    expect(sent({})).toBe('tags[]=a&tags[]=b');
    expect(sent({ 'x-framework-habits': false })).toBe('tags=a,b');
  });
});

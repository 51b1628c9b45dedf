import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { AZURE_EXTENSIONS } from '../../../layers/openapi/frameworks/azure.ts';
import { DESCRIPTIONS } from '../../../layers/openapi/frameworks/descriptions.ts';
import { NUMBERS_IN_PATHS } from '../../../layers/openapi/frameworks/described-types.ts';
import { MISREAD_OPERATIONS } from '../../../layers/openapi/frameworks/directus.ts';
import {
  ENUM_MEANINGS,
  ENUM_NAMES,
  OTHER_ENUM_NAMES,
} from '../../../layers/openapi/frameworks/enum-names.ts';
import {
  FORMS_OF_POST,
  NESTED_FORMS,
  READERS_OF_PLAIN_FIELDS,
  UPLOADS_AS_JSON,
} from '../../../layers/openapi/frameworks/form-readers.ts';
import { GATEWAY_METHODS } from '../../../layers/openapi/frameworks/gateway-methods.ts';
import type { Habit } from '../../../layers/openapi/frameworks/habit.ts';
import {
  COOKIE_LISTS,
  LISTS_OF_ONE,
  LISTS_OF_ROUTERS,
  REPEATED_HEADERS,
} from '../../../layers/openapi/frameworks/list-readers.ts';
import { HELD_FIELDS } from '../../../layers/openapi/frameworks/multipart-fields.ts';
import { OMISSIBLE_ENDS } from '../../../layers/openapi/frameworks/omissible-ends.ts';
import { FILE_MARKS } from '../../../layers/openapi/operation/files.ts';
import { OPERATION_IDS } from '../../../layers/openapi/frameworks/operation-ids.ts';
import {
  PATH_NOTATIONS,
  replacePlaces,
} from '../../../layers/openapi/frameworks/path-notations.ts';
import {
  PLACEHOLDERS,
  SAMPLES,
  VARIABLES,
} from '../../../layers/openapi/frameworks/placeholders.ts';
import { MAPS, QUERY_LANGUAGES } from '../../../layers/openapi/frameworks/query-languages.ts';
import { LOST_TYPES, TAKEN_APART } from '../../../layers/openapi/frameworks/taken-apart.ts';
import { OBJECTS_AS_TEXTS, TEXT_FORMS } from '../../../layers/openapi/frameworks/text-forms.ts';
import { TEMPLATE_OPERATORS } from '../../../layers/openapi/frameworks/uri-templates.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { aDescription, anOperation, read } from '../../support/openapi/intake.ts';
import {
  argumentOf,
  compiled,
  onlyOf,
  propertiesOf,
  swagger,
  toolOf,
  toolsOf,
} from '../../support/openapi/compile.ts';

const string = { type: 'string' };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: string });

describe('a place of a path', () => {
  /** As it is written, and what it is read as; several segments where it says so. */
  const EXAMPLES = {
    'Django REST framework': [['/^users/(?P<pk>[^/.]+)/$', '/users/{pk}/']],
    Bottle: [
      ['/b/<id:int>', '/b/{id}'],
      ['/b/<rest:path>', '/b/{rest}', 'rest'],
    ],
    'Flask, Quart, Django': [
      ['/a/<int:id>', '/a/{id}'],
      ['/a/<id>', '/a/{id}'],
      ['/a/<name>.<ext>', '/a/{name}.{ext}'],
      ['/a/<path:rest>', '/a/{rest}', 'rest'],
    ],
    'Next.js': [
      ['/pets/[id]', '/pets/{id}'],
      ['/files/[...path]', '/files/{path}', 'path'],
      ['/files/[[...path]]', '/files/{path}', 'path'],
    ],
    'Express, Hono, Fastify, Elysia, Koa, gin, Echo, Fiber, Rails, Sinatra': [
      ['/todos/:id', '/todos/{id}'],
      ['/todos/:id/upload', '/todos/{id}/upload'],
      ['/todos/:id(\\d+)?', '/todos/{id}'],
      ['/trains/:from-:to', '/trains/{from}-{to}'],
      ['/users/:id(.:format)', '/users/{id}'],
      ['/users/:id(.json)', '/users/{id}'],
      ['/users/{id}(.{format})', '/users/{id}'],
      ['/files/:path*', '/files/{path}', 'path'],
      ['/files/:path(.*)', '/files/{path}', 'path'],
      ['/images/:id.png', '/images/{id}.png'],
      ['/batches/:id:cancel', '/batches/{id}:cancel'],
      ['/@:user/posts', '/@{user}/posts'],
    ],
    'Fastify, Hono, gin, Rails, Express 5, Azure API Management': [
      ['/files/*path', '/files/{path}', 'path'],
      ['/files/*', '/files/{wildcard}', 'wildcard'],
      ['/files/{*}', '/files/{wildcard}', 'wildcard'],
    ],
    'Spring, Micronaut, Apache Ant': [
      ['/files/**', '/files/{wildcard}', 'wildcard'],
      ['/files/*/raw', '/files/{wildcard}/raw'],
    ],
    'NestJS, Koa, path-to-regexp': [
      ['/files/{path}*', '/files/{path}', 'path'],
      ['/files/{path}+/raw', '/files/{path}/raw', 'path'],
      ['/files/{path}(.*)', '/files/{path}', 'path'],
      ['/users/{id}(\\d+)', '/users/{id}'],
      ['/users/{id}?', '/users/{id}'],
    ],
    'Hono with zod-openapi': [
      ['/users/{id{[0-9]+}}', '/users/{id}'],
      ['/users/{id}{[0-9]{2}}/posts', '/users/{id}/posts'],
      ['/users/{kind}{new|old}', '/users/{kind}'],
      ['/files/{path}{.+}', '/files/{path}', 'path'],
      ['/files/{path{.*\\.png}}', '/files/{path}', 'path'],
    ],
    'path-to-regexp, regular expressions': [
      ['/files/(.*)', '/files/{wildcard}', 'wildcard'],
      ['/users/(\\d+)/([^/]+)', '/users/{wildcard}/{wildcard_2}'],
    ],
    'Amazon API Gateway, AWS SAM, Serverless Framework': [
      ['/files/{proxy+}', '/files/{proxy}', 'proxy'],
    ],
    'URI templates, Google APIs, Spring, ASP.NET Core': [
      ['/raw/{+file}', '/raw/{file}', 'file'],
      ['/raw/{**file}', '/raw/{file}', 'file'],
      ['/wild/{*rest}', '/wild/{rest}', 'rest'],
    ],
    'URI templates': [
      ['/tree/{node*}', '/tree/{node}', 'node'],
      ['/tree/{node*2}', '/tree/{node}', 'node'],
    ],
    'Amazon API Gateway (HTTP APIs)': [['/$default', '/{wildcard}', 'wildcard']],
    'net/http of Go, Ktor': [
      ['/files/{path...}', '/files/{path}', 'path'],
      ['/files/{...}', '/files/{wildcard}', 'wildcard'],
    ],
    'Django Ninja, Litestar, Sanic': [
      ['/a/{int:id}', '/a/{id}'],
      ['/files/{path:rest}', '/files/{rest}', 'rest'],
      ['/a/{slug:str}', '/a/{slug}'],
    ],
    'ASP.NET Core, Laravel, Ktor, chi, gorilla/mux, JAX-RS, Google APIs': [
      ['/a/{id?}', '/a/{id}'],
      ['/a/{id:int}', '/a/{id}'],
      ['/a/{id:[0-9]{2}}', '/a/{id}'],
      ['/a/{slug:alpha}', '/a/{slug}'],
      ['/a/{uuid:guid}', '/a/{uuid}'],
      ['/a/{ id }', '/a/{id}'],
      ['/v1/{name=things/*}', '/v1/{name}', 'name'],
      ['/files/{rest:.*}', '/files/{rest}', 'rest'],
      ['/files/{rest: .+}', '/files/{rest}', 'rest'],
      ['/files/{rest:path}', '/files/{rest}', 'rest'],
    ],
  } as const satisfies Record<
    (typeof PATH_NOTATIONS)[number]['frameworks'],
    readonly (readonly [string, string, string?])[]
  >;
  const rows = Object.values(EXAMPLES)
    .flatMap((its): readonly (readonly [string, string, string?])[] => its)
    .map(([path, meant, multi = '']) => ({ path, meant, multi }));

  test.each(rows)('is read although nothing declares it: $path', ({ path, meant, multi }) => {
    const { operations, warnings } = read(
      aDescription({ paths: { [path]: { get: anOperation() } } }),
    );
    const tool = onlyOf(toolsOf(aDescription({ paths: { [path]: { get: anOperation() } } })));
    const places = [...meant.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

    expect(tool.operation.path).toBe(meant);
    // What ends in a question mark may be left out.
    const needed = places.filter((name) => !(/\?\}?$/.test(path) && meant.endsWith(`{${name}}`)));
    expect(tool.inputSchema['required'] ?? []).toEqual(expect.arrayContaining(needed));
    expect(warnings).toMatchObject([{ what: expect.stringContaining(`read as ${meant}`) }]);
    const declared = onlyOf(operations).pathItem['parameters'] as readonly JsonObject[];
    expect(
      declared.filter((one) => one['x-multi-segment'] === true).map(({ name }) => name),
    ).toEqual(multi === '' ? [] : [multi]);
  });

  test('is that of the declared parameter, which then takes several segments', () => {
    const operationOf = (path: string, name: string) =>
      onlyOf(
        read(
          aDescription({ paths: { [path]: { get: anOperation({ parameters: [inPath(name)] }) } } }),
        ).operations,
      );

    expect(operationOf('/files/{proxy+}', 'proxy').operation).toMatchObject({
      parameters: [{ name: 'proxy', 'x-multi-segment': true }],
    });
    for (const path of ['/raw/{+file}', '/tree/{file*}', '/wild/{*file}']) {
      expect(operationOf(path, 'file').operation).toMatchObject({
        parameters: [{ name: 'file', 'x-multi-segment': true }],
      });
    }
    for (const [path, name, meant] of [
      ['/files/{*}', '*', 'wildcard'],
      ['/files/*', 'splat', 'splat'],
      ['/files/{*rest}', '*rest', 'rest'],
      ['/files/{rest+}', 'rest+', 'rest'],
      ['/files/{rest}*', 'rest', 'rest'],
    ] as const) {
      expect(operationOf(path, name).operation).toMatchObject({
        parameters: [{ name: meant, 'x-multi-segment': true }],
      });
    }
  });

  test('says the form of its value, where that is written behind its name', () => {
    const path = '/v1/{name=projects/*/things/*}';
    const described = (parameters: readonly JsonObject[]) =>
      propertiesOf(
        onlyOf(toolsOf(aDescription({ paths: { [path]: { get: anOperation({ parameters }) } } }))),
      )['name']?.['description'];

    expect(described([])).toBe('In the form projects/*/things/*.');
    expect(described([inPath('name')])).toBe('In the form projects/*/things/*.');
    expect(described([{ ...inPath('name'), description: 'Its name.' }])).toBe('Its name.');
  });

  test.each(['/v1/users:batchGet', '/v1/{id}:cancel', "/Orders('{id}')", '/a/{Foo Bar}'])(
    'stays where nobody writes it as a router does: %s',
    (path) => {
      expect(
        onlyOf(toolsOf(aDescription({ paths: { [path]: { get: anOperation() } } }))).operation.path,
      ).toBe(path);
    },
  );

  test('takes no longer than its segment, however many there are', () => {
    const startedMs = performance.now();
    replacePlaces(`/${':a-'.repeat(60_000)}:b`, (written) => written);

    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});

describe('a place of a path of a URI template', () => {
  /** As it is written, and what is sent of arguments that are each called `v`. */
  const EXAMPLES = {
    '?': [['/orders{?page,size*,q:3}', '/orders?page=v&size=v&q=v']],
    '&': [['/orders?fixed=1{&page}', '/orders?fixed=1&page=v']],
    ';': [['/map{;lat,long}', '/map;lat=v;long=v']],
    '.': [
      ['/orders{.format}', '/orders.v'],
      ['/orders/{id}{.format}', '/orders/v.v'],
    ],
    '/': [
      ['/orders{/id}', '/orders/v'],
      ['/orders{/year,month}/all', '/orders/v/v/all'],
      ['/files{/path*}', '/files/v'],
    ],
    '#': [['/orders{#section}', '/orders']],
    '+': [['/between/{+from,to}', '/between/v,v']],
    '': [['/map/{lat,long}', '/map/v,v']],
  } as const satisfies Record<
    (typeof TEMPLATE_OPERATORS)[number]['operator'],
    readonly (readonly [string, string])[]
  >;
  const rows = Object.values(EXAMPLES).flatMap(
    (its): readonly (readonly [string, string])[] => its,
  );

  const sentOf = (path: string, parameters: readonly JsonObject[] = []): string => {
    const get = anOperation({ parameters: [...parameters] });
    const tool = onlyOf(
      toToolIndex(compiled(aDescription({ paths: { [path]: { get } } })).tools).tools,
    );
    const names = tool.operation.parameters.map(({ argument }) => argument);
    const args = Object.fromEntries(names.map((name) => [name, 'v']));
    return buildRequest(prepareTool(tool), args).url.replace('https://api.example.com/v1', '');
  };

  test.each(rows)('is read: %s', (path, sent) => {
    const { warnings } = read(aDescription({ paths: { [path]: { get: anOperation() } } }));

    expect(sentOf(path)).toBe(sent);
    expect(warnings).toMatchObject([{ what: expect.stringContaining('read as /') }]);
  });

  test.each([
    ['/map{;at}', 'matrix', '/map;at=v'],
    ['/map{.at}', 'label', '/map.v'],
  ])('has its sign once where the parameter has the style: %s', (path, style, sent) => {
    expect(sentOf(path, [{ ...inPath('at'), style }])).toBe(sent);
  });

  test('is one place where a parameter has a comma in its name', () => {
    expect(sentOf('/map/{lat,long}', [inPath('lat,long')])).toBe('/map/v');
  });
});

describe('a place with other braces', () => {
  const readOf = (path: string, ...names: string[]) =>
    read(
      aDescription({
        paths: { [path]: { get: anOperation({ parameters: names.map(inPath) }) } },
      }),
    );

  test.each([
    ['/a/{{id}}'],
    ['/a/{id}}'],
    ['/a/{id'],
    ['/a/id}', 'id'],
    ['/a/${id}'],
    ['/a/%7Bid%7D'],
    ['/a/(id)', 'id'],
    ['/a/$id', 'id'],
    ['/a/{}'],
    ['/a/{}', 'id'],
  ])('is read: %s', (path, ...names) => {
    const { operations, warnings } = readOf(path, ...names);

    expect(onlyOf(operations).path).toBe('/a/{id}');
    expect(warnings).toMatchObject([{ what: expect.stringContaining('read as /a/{id}') }]);
  });

  test.each([['/a/(id)'], ['/a/$id'], ['/a/$count', 'top'], ['/a/id}'], ['/a/id', 'id']])(
    'stays where nothing says that it is one: %s',
    (path, ...names) => {
      expect(onlyOf(readOf(path, ...names).operations).path).toBe(path);
    },
  );

  test('is that of a parameter which has none, the second time that a name stands there', () => {
    const { operations, warnings } = readOf('/a/{id}/b/{id}', 'id', 'b_id');

    expect(onlyOf(operations).path).toBe('/a/{id}/b/{b_id}');
    expect(warnings).toMatchObject([{ what: expect.stringContaining('read as') }]);
  });

  test('gets the value of the first of its name, with one warning', () => {
    const { operations, warnings } = readOf('/a/{id}/b/{id}', 'id');

    expect(onlyOf(operations).path).toBe('/a/{id}/b/{id}');
    expect(warnings).toMatchObject([{ what: expect.stringContaining('{id} more than once') }]);
  });

  test('is no other operation, where the path stands there as OpenAPI writes it', () => {
    const tools = toolsOf(
      aDescription({
        paths: {
          '/a/{id}': { get: anOperation() },
          '/a/:id': { get: anOperation(), put: anOperation() },
        },
      }),
    );

    expect(tools.map(({ description }) => description)).toEqual([
      'GET /a/{id}',
      'GET /a/{id} (GET /a/{id}, written /a/:id)',
      'PUT /a/{id}',
    ]);
    expect(tools[2]?.name).toBe('put_a_by_id');
  });
});

describe('a query within a path', () => {
  const query = (name: string) => ({ name, in: 'query', schema: string });

  test.each([[[]], [['page', 'size'].map(query)]])(
    'is its arguments, beside an operation of the bare path',
    (parameters) => {
      const tools = toolsOf(
        aDescription({
          paths: {
            '/orders': { get: anOperation(), post: anOperation() },
            '/orders{?page,size}': { get: anOperation({ parameters }) },
          },
        }),
      );

      expect(tools.map(({ operation }) => `${operation.method} ${operation.path}`)).toEqual([
        'GET /orders',
        'POST /orders',
        'GET /orders',
      ]);
      expect(tools[2]?.operation.parameters).toMatchObject([
        { name: 'page', in: 'query', required: false },
        { name: 'size', in: 'query', required: false },
      ]);
      expect(new Set(tools.map(({ name }) => name)).size).toBe(3);
      expect(tools.map(({ description }) => description)).toEqual([
        'GET /orders',
        'POST /orders',
        'GET /orders?page&size',
      ]);
    },
  );

  test.each([
    ['/a?x=:x', []],
    ['/a?x=[x]', []],
    ['/a?x=:x&y=', [query('x'), query('y')]],
    ['/a?x=', [query('x')]],
  ])('is an argument where only its place is written: %s', (path, parameters) => {
    const tool = onlyOf(
      toolsOf(aDescription({ paths: { [path]: { get: anOperation({ parameters }) } } })),
    );

    expect(propertiesOf(tool)).toHaveProperty('x');
  });

  test.each([['/a?acl'], ['/a?x=1']])('is sent as it is written: %s', (path) => {
    const parameters = [query('acl'), query('x')];
    const tool = onlyOf(
      toolsOf(aDescription({ paths: { [path]: { get: anOperation({ parameters }) } } })),
    );

    expect(tool.operation.path).toBe(path);
    expect(Object.keys(propertiesOf(tool))).toHaveLength(1);
  });
});

describe('numbers in a path', () => {
  const place = (schema: JsonObject) => ({ name: 'slug', in: 'path', required: true, schema });
  const pages = (schema: JsonObject, more: JsonObject) =>
    aDescription({
      paths: { '/pages/{slug}': { get: anOperation({ parameters: [place(schema)] }) } },
      ...more,
    });
  const strapi = { 'x-strapi-config': { plugins: [] } };
  const typeIn = (description: JsonObject) =>
    propertiesOf(onlyOf(toolsOf(description)))['slug']?.['type'];

  test('are texts as well where Strapi writes them for whatever there is', () => {
    const { warnings } = read(pages({ type: 'number' }, strapi));

    expect(typeIn(pages({ type: 'number' }, strapi))).toEqual(['string', 'number']);
    expect(warnings).toMatchObject([{ what: expect.stringContaining('Strapi writes number') }]);
  });

  test.each([
    ['elsewhere', { type: 'number' }, {}, 'number'],
    ['with a rule of their own', { type: 'number', minimum: 1 }, strapi, 'number'],
    ['that are whole', { type: 'integer' }, strapi, 'integer'],
  ])('stay numbers: %s', (_, schema, more, type) => {
    expect(typeIn(pages(schema, more))).toBe(type);
  });
});

describe('methods of a gateway', () => {
  const any = (members: JsonObject = {}) => ({
    'x-amazon-apigateway-any-method': { ...anOperation(), ...members },
  });
  const methodsOf = (item: JsonObject) => {
    const { operations, warnings } = read(
      aDescription({ paths: { '/a': item, '/b': { get: anOperation() } } }),
    );
    return {
      methods: operations.filter(({ path }) => path === '/a').map(({ method }) => method),
      warnings: warnings.map(({ what }) => what),
    };
  };
  const ANY = 'ANY of API Gateway stands for every method; read as';

  test('are GET for ANY, with a warning that says how to have others', () => {
    expect(methodsOf(any())).toEqual({ methods: ['GET'], warnings: [`${ANY} GET`] });
    expect(methodsOf(any({ 'x-methods': ['GET', 'POST'] }))).toEqual({
      methods: ['GET', 'POST'],
      warnings: [`${ANY} GET, POST`],
    });
  });

  test('are those that stand beside ANY, with a warning too', () => {
    expect(methodsOf({ get: anOperation(), ...any() })).toEqual({
      methods: ['GET'],
      warnings: [`${ANY} those that are listed beside it`],
    });
    expect(methodsOf({ post: anOperation(), ...any() }).methods).toEqual(['POST', 'GET']);
  });

  test.each<[string, JsonObject]>([
    ['a mock', { 'x-amazon-apigateway-integration': { type: 'mock' } }],
    [
      'a described answer to browsers',
      {
        responses: {
          200: {
            description: 'OK',
            headers: { 'Access-Control-Allow-Methods': { schema: string } },
          },
        },
      },
    ],
  ])('are none where OPTIONS is %s', (_, members) => {
    const options = { ...anOperation(), ...members };

    expect(methodsOf({ get: anOperation(), options })).toEqual({
      methods: ['GET'],
      warnings: [
        'OPTIONS of 1 paths is what browsers ask before cross-origin calls; no tools are made of it',
      ],
    });
  });

  test('are OPTIONS where an API answers it itself', () => {
    expect(methodsOf({ options: anOperation() }).methods).toEqual(['OPTIONS']);
  });
});

describe('names of enum values', () => {
  const EXAMPLES: Readonly<
    Record<(typeof ENUM_MEANINGS | typeof ENUM_NAMES)[number]['field'], Json>
  > = {
    'x-ms-enum': {
      name: 'State',
      values: [
        { value: 0, name: 'Draft' },
        { value: 1, description: 'Published' },
      ],
    },
    'x-enum-comments': { 0: 'Draft', 1: 'Published' },
    'x-enum-descriptions': ['Draft', 'Published'],
    'x-enumDescriptions': { 0: 'Draft', 1: 'Published' },
    'x-enum-elements': [{ name: 'Draft' }, { name: 'Published', value: '1' }],
    'x-apidog-enum': [
      { value: '0', name: 'Draft' },
      { value: '1', name: 'Published' },
    ],
    'x-fern-enum': { 0: { name: 'Draft' }, 1: { description: 'Published' } },
    'x-enumNames': ['Draft', 'Published'],
    'x-enum-varnames': ['Draft', 'Published'],
    'x-enum-names': ['Draft', 'Published'],
    'x-speakeasy-enums': ['Draft', 'Published'],
  };

  test.each(Object.entries(EXAMPLES))('are told beside numbers: %s', (field, names) => {
    expect(argumentOf({ type: 'integer', enum: [0, 1], [field]: names })).toEqual({
      type: 'integer',
      description: 'One of 0 (Draft), 1 (Published).',
    });
  });

  test.each<[string, Json]>([
    ['x-enum-keys', ['Draft', 'Published']],
    ['x-enumLabels', { 0: 'Draft', 1: 'Published' }],
    ['x-enum-varNames', ['Draft', 'Published']],
    [
      'x-field-enum',
      [
        { value: 0, label: 'Draft' },
        { value: 1, label: 'Published' },
      ],
    ],
    ['x-enum', { Draft: 0, Published: 1 }],
    ['x-enumDescription', ['Draft', 'Published']],
  ])('are told by whatever has enum in its name: %s', (field, names) => {
    expect(argumentOf({ type: 'integer', enum: [0, 1], [field]: names })['description']).toBe(
      'One of 0 (Draft), 1 (Published).',
    );
  });

  test.each<[string, Json]>([
    ['x-enum-values-order', ['1', '0']],
    ['x-enum-deprecated', ['Draft', 'Published']],
    ['x-enum-colors', ['grey', 'green']],
  ])('are not told by what orders, shows or ends values: %s', (field, names) => {
    expect(argumentOf({ type: 'integer', enum: [0, 1], [field]: names })['description']).toBe(
      'One of 0, 1.',
    );
  });

  test('are told where a parameter has them beside its schema', () => {
    const schema = { type: 'integer', enum: [0, 1] };
    const list = { type: 'array', items: schema };
    const parameters = [
      { name: 'one', in: 'query', schema, 'x-enumNames': ['Draft', 'Published'] },
      { name: 'many', in: 'query', schema: list, 'x-enumNames': ['Draft', 'Published'] },
    ];
    const { one, many } = propertiesOf(toolOf({ parameters }));

    expect(one?.['description']).toBe('One of 0 (Draft), 1 (Published).');
    expect(many?.['items']).toMatchObject({ description: 'One of 0 (Draft), 1 (Published).' });
  });

  test('are not told again where the description tells them', () => {
    const description = '0 = Draft, 1 = Published';
    const names = ['Draft', 'Published'];
    const schema = { type: 'integer', enum: [0, 1], description, 'x-enumNames': names };

    expect(argumentOf(schema)['description']).toBe(description);
    expect(argumentOf({ ...schema, description: 'Of 0 or 1.' })['description']).toBe(
      'Of 0 or 1. One of 0 (Draft), 1 (Published).',
    );
  });

  test('are the values where a number has texts for them', () => {
    expect(argumentOf({ type: 'integer', enum: ['Draft', 'Published'] })).toEqual({
      type: 'string',
      enum: ['Draft', 'Published'],
    });
    expect(argumentOf({ type: 'integer', enum: ['0 = Draft', '1 = Published'] })).toEqual({
      type: 'integer',
      description: 'One of 0 (Draft), 1 (Published).',
    });
  });

  test('are examples where more values may come', () => {
    expect(argumentOf({ type: 'string', 'x-extensible-enum': ['a', 'b'] })).toEqual({
      type: 'string',
      description: 'Known values: a, b.',
    });
  });

  test('are told where null is among the values and has no name', () => {
    const schema = { type: 'integer', enum: [0, null, 1], 'x-enumNames': ['Draft', 'Published'] };

    expect(argumentOf(schema)['description']).toBe('One of 0 (Draft), 1 (Published).');
  });

  test('are told with their meanings where numbers stand as alternatives', () => {
    const schema = {
      oneOf: [
        { const: 0, title: 'Draft' },
        { const: 1, title: 'Published', description: 'out' },
      ],
    };

    expect(argumentOf(schema)['description']).toBe('One of 0, 1. 0: Draft; 1: Published, out');
  });

  test('are told with their meanings, which swaggo writes by the name', () => {
    const schema = {
      type: 'integer',
      enum: [0, 1],
      'x-enum-varnames': ['StatusDraft', 'StatusPublished'],
      'x-enum-comments': { StatusDraft: 'in work' },
    };

    expect(argumentOf(schema)['description']).toBe(
      'One of 0 (StatusDraft: in work), 1 (StatusPublished).',
    );
  });

  test('are told with their meanings, which AutoRest writes beside them', () => {
    const values = [
      { value: 0, name: 'Draft', description: 'in work' },
      { value: 1, name: 'Published' },
    ];

    expect(
      argumentOf({ type: 'integer', enum: [0, 1], 'x-ms-enum': { values } })['description'],
    ).toBe('One of 0 (Draft: in work), 1 (Published).');
  });

  test('are told of texts where they say more than these', () => {
    const schema = (names: Json) => ({
      type: 'string',
      enum: ['a', 'in_work'],
      'x-enumNames': names,
    });

    expect(argumentOf(schema(['Archived', 'InWork']))).toEqual({
      type: 'string',
      description: 'a: Archived',
      enum: ['a', 'in_work'],
    });
    expect(argumentOf(schema(['A', 'IN_WORK']))).toEqual({
      type: 'string',
      enum: ['a', 'in_work'],
    });
  });

  test('are left out where their number is another', () => {
    expect(argumentOf({ type: 'integer', enum: [0, 1], 'x-enumNames': ['Draft'] })).toEqual({
      type: 'integer',
      description: 'One of 0, 1.',
    });
  });
});

describe('a placeholder', () => {
  test.each<[string, JsonObject]>([
    ['enum: [""]', { type: 'string', enum: [''] }],
    ['enum: ["", null]', { type: 'string', enum: ['', null] }],
    ['type: ""', { type: '', enum: [''] }],
    ['enum: [" "]', { type: 'string', enum: [' '] }],
    ['enum: [null]', { type: 'string', enum: [null] }],
    ['const: ""', { type: 'string', const: '' }],
    ['maxLength: 0', { type: 'string', maxLength: 0 }],
  ])('is no rule: %s', (_, schema) => {
    const expected = schema['type'] === '' ? {} : string;
    expect(argumentOf(schema)).toEqual(expected);
    expect(argumentOf({ type: 'object', properties: { a: schema } })).toEqual({
      type: 'object',
      properties: { a: expected },
    });
    expect(argumentOf({ type: 'array', items: schema })).toEqual({
      type: 'array',
      items: expected,
    });
  });

  test('is no rule in a component that an argument, a property or an item refers to', () => {
    const ref = { $ref: '#/components/schemas/Blank' };
    const schemas = { Blank: { type: 'string', enum: [''] } };
    const whole = { type: 'object', properties: { a: ref, b: { type: 'array', items: ref } } };

    expect(argumentOf(ref, schemas)).toEqual(string);
    expect(argumentOf(whole, schemas)).toMatchObject({
      properties: { a: string, b: { type: 'array', items: string } },
    });
    expect(argumentOf({ anyOf: [{ type: 'string', enum: ['a'] }, ref] }, schemas)).toEqual({
      type: 'string',
      enum: ['a'],
      description: 'Or the empty text.',
    });
  });

  test('is none where null is the one value', () => {
    expect(argumentOf({ type: 'string', nullable: true, enum: [null] }, {}, '3.0.3')).toEqual({
      type: 'null',
    });
  });

  test('is none as one of several alternatives, as Django allows an empty choice', () => {
    const schema = {
      anyOf: [
        { type: 'string', enum: ['a'] },
        { type: 'string', enum: [''] },
      ],
    };

    expect(argumentOf(schema)).toEqual({
      type: 'string',
      enum: ['a'],
      description: 'Or the empty text.',
    });
  });

  test('stays beside numbers, and where the other one is a constant is said alike', () => {
    const blank = { enum: [''] };
    const numbers = argumentOf({ oneOf: [{ type: 'integer', enum: [1, 2] }, blank] });

    expect(numbers['description']).toBe('One of 1, 2, "".');
    expect(argumentOf({ anyOf: [{ const: 'a' }, { const: '' }] })).toMatchObject({
      enum: ['a'],
      description: 'Or the empty text.',
    });
  });

  test('is none beside choices that Django names in a component, with null in another', () => {
    const description = '* `a` - One';
    const schemas = {
      Kind: { type: 'string', enum: ['a'], description },
      BlankEnum: { enum: [''] },
      NullEnum: { enum: [null] },
    };
    const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));

    expect(argumentOf({ nullable: true, oneOf }, schemas, '3.0.3')).toEqual({
      type: ['string', 'null'],
      enum: ['a'],
      description: `${description}. Or the empty text.`,
    });
  });

  test('leaves a required header to be given', () => {
    const parameters = [
      { name: 'x-id', in: 'header', required: true, schema: { ...string, enum: [''] } },
    ];

    expect(toolOf({ parameters }).inputSchema).toEqual({
      type: 'object',
      properties: { 'x-id': string },
      required: ['x-id'],
    });
  });
});

describe('the only value of a parameter', () => {
  const parameters = [
    {
      name: 'a',
      in: 'query',
      required: true,
      schema: { type: 'string', enum: ['51'], default: '51' },
    },
  ];

  test('is what a portal has filled in, where Azure API Management has written it', () => {
    const servers = [{ url: 'https://contoso.azure-api.net/calc' }];

    expect(propertiesOf(toolOf({ parameters }, { servers }))).toEqual({
      a: { ...string, default: '51' },
    });
  });

  test('is the only one elsewhere, and no argument', () => {
    expect(propertiesOf(toolOf({ parameters }))).toEqual({});
  });
});

describe('the name of a variable', () => {
  test.each(['{{userId}}', 'Bearer {{token}}', '<string>'])(
    'is no example and no default: %s',
    (value) => {
      expect(argumentOf({ type: 'string', example: value, default: value })).toEqual(string);
    },
  );

  test('is an example where it is more than that', () => {
    expect(argumentOf({ type: 'string', example: '<b>' })).toEqual({
      ...string,
      examples: ['<b>'],
    });
  });
});

describe('words that stand beside a schema', () => {
  test('are a part of it, as rswag writes them', () => {
    const parameters = [
      { name: 'sort', in: 'query', enum: ['new', 'old'], default: 'new', schema: string },
      { name: 'ids', in: 'query', items: { type: 'integer' }, schema: { type: 'array' } },
      { name: 'own', in: 'query', enum: ['a'], schema: { ...string, enum: ['b'] } },
    ];

    expect(propertiesOf(toolOf({ parameters }))).toEqual({
      sort: { type: 'string', enum: ['new', 'old'], default: 'new' },
      ids: { type: 'array', items: { type: 'integer' } },
      own: { type: 'string', enum: ['b'] },
    });
  });
});

describe('null', () => {
  test.each<[string, JsonObject]>([
    ['zod-to-json-schema', { enum: ['null'], nullable: true }],
    ['zod-openapi', { type: 'string', format: 'null', nullable: true }],
  ])('is null although %s writes it as a text', (_, nothing) => {
    expect(argumentOf({ anyOf: [{ type: 'integer' }, nothing] }, {}, '3.0.3')).toEqual({
      type: ['integer', 'null'],
    });
    expect(argumentOf(nothing, {}, '3.0.3')).toEqual({ type: 'null' });
  });
});

describe('a description that describes nothing', () => {
  test('is left out: a table of permissions', () => {
    const table = '\n\n| Permissions |\n| ------- |\n| UpdateOrder   |\n| 8   |\n';

    expect(toolOf({ description: table }).description).toBe('POST /pets');
    expect(toolOf({ description: `Updates it.${table}` }).description).toBe('Updates it.');
  });
});

describe('tools that would read alike', () => {
  const described = (members: Readonly<Record<string, Json>>, options = {}) =>
    compiled(aDescription(members), options).tools.map(({ listed }) => listed.description);

  test('say method and path', () => {
    const get = anOperation({ summary: 'invoke' });

    expect(
      described({
        paths: {
          '/beans': { get },
          '/health': { get },
          '/a': { get: anOperation({ summary: 'other' }) },
        },
      }),
    ).toEqual(['invoke (GET /beans)', 'invoke (GET /health)', 'other']);
  });

  test('say them where case and marks are all that differs', () => {
    const paths = {
      '/a': {
        get: anOperation({ summary: 'Read it.' }),
        put: anOperation({ summary: 'read  it' }),
      },
    };

    expect(described({ paths })).toEqual(['Read it. (GET /a)', 'read it (PUT /a)']);
  });

  test('say them where they differ in what a budget takes away', () => {
    const text = (end: string) => `${'The same words again. '.repeat(40)}${end}`;
    const paths = {
      '/a': { get: anOperation({ summary: text('One') }) },
      '/b': { get: anOperation({ summary: text('Another') }) },
    };
    const texts = described({ paths }, { tokenBudget: 60 });

    expect(texts.map((one) => one?.slice(-8))).toEqual(['(GET /a)', '(GET /b)']);
  });
});

describe('the query of a framework', () => {
  const query = (name: string, schema: JsonObject, members: JsonObject = {}) => ({
    name,
    in: 'query',
    schema,
    ...members,
  });
  const object = {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: string } } },
  };
  const parametersOf = (
    parameters: readonly JsonObject[],
    members: Readonly<Record<string, Json>> = {},
  ) => {
    const { tools, warnings } = compiled(
      aDescription({ paths: { '/a': { get: anOperation({ parameters }) } }, ...members }),
    );
    return {
      tool: onlyOf(tools),
      parameters: onlyOf(tools).operation.parameters,
      warnings: warnings.map(({ what }) => what),
    };
  };

  test('has brackets where Feathers reads it', () => {
    const { parameters, warnings } = parametersOf([
      query('$limit', { type: 'integer' }),
      query('$sort', object),
      query('filter', object, { style: 'form', explode: true }),
    ]);

    expect(parameters).toMatchObject([
      { name: '$limit' },
      { name: '$sort', style: 'deepObject' },
      { name: 'filter', style: 'form', brackets: true },
    ]);
    expect(warnings).toContain(
      'objects in its query are written as a[b]=1, as FeathersJS read them',
    );
  });

  test('asks for no member of a filter where Feathers writes the schema of its records', () => {
    const record = { ...object, required: ['a'] };
    const filter = query('filter', record, { style: 'form', explode: true });
    const filterOf = (...parameters: readonly JsonObject[]) =>
      parametersOf(parameters).tool.listed.inputSchema['properties'];

    expect(filterOf(query('$limit', { type: 'integer' }), filter)).toMatchObject({
      filter: { type: 'object', properties: object.properties },
    });
    expect(filterOf(query('$limit', { type: 'integer' }), filter)).not.toHaveProperty(
      'filter.required',
    );
    expect(filterOf(query('page[size]', { type: 'integer' }), filter)).toHaveProperty(
      'filter.required',
      ['a'],
    );
  });

  test('has brackets where other names have some, and nothing says otherwise', () => {
    const { parameters } = parametersOf([
      query('page[size]', { type: 'integer' }),
      query('filter', object),
      query('sort', object, { style: 'form', explode: false }),
      query('where', {}, { content: { 'application/json': { schema: object } }, schema: {} }),
    ]);

    expect(parameters.slice(1)).toMatchObject([
      { name: 'filter', style: 'deepObject' },
      { name: 'sort', style: 'form', explode: false },
      { name: 'where', mediaType: 'application/json' },
    ]);
    expect(parameters[3]).not.toHaveProperty('brackets');
  });

  test('is that of OpenAPI where nothing tells', () => {
    expect(parametersOf([query('filter', object)])).toMatchObject({
      parameters: [{ name: 'filter', style: 'form', explode: true }],
      warnings: [],
    });
  });

  test('has dots where Spring reads it', () => {
    const info = { title: 'OpenAPI definition', version: 'v0' };
    const item = { type: 'object', properties: { name: string } };
    const nested = {
      type: 'object',
      properties: { city: item, items: { type: 'array', items: item } },
    };
    const { parameters, warnings } = parametersOf(
      [query('pageable', { type: 'object', properties: { page: {} } }), query('filter', nested)],
      { info },
    );

    expect(parameters[0]).not.toHaveProperty('dots');
    expect(parameters[1]).toMatchObject({ name: 'filter', style: 'form', dots: true });
    expect(warnings).toEqual([
      'objects in its query are written as a.b=1, as Spring with springdoc read them',
    ]);
  });

  test('has brackets for objects where hapi has written it', () => {
    const responses = { default: { description: 'Successful', schema: string } };
    const get = { parameters: [query('filter', object)], responses };
    const { tools, warnings } = compiled(aDescription({ paths: { '/a': { get } } }));
    expect(onlyOf(tools).operation.parameters).toMatchObject([{ style: 'deepObject' }]);
    expect(warnings).toHaveLength(1);
  });

  test.each<[string, JsonObject]>([
    ['an answer without content', { default: { description: 'Successful' } }],
    [
      'one of several',
      { 200: { description: 'OK' }, default: { description: 'Successful', schema: string } },
    ],
  ])('is that of OpenAPI where hapi would not have written an answer: %s', (_, responses) => {
    const get = anOperation({ responses, parameters: [query('filter', object)] });
    const { tools } = compiled(aDescription({ paths: { '/a': { get } } }));
    expect(onlyOf(tools).operation.parameters).toMatchObject([{ name: 'filter', style: 'form' }]);
  });

  test('has brackets for objects where NestJS has written it', () => {
    const parameters = [query('filter', object), query('ids', { type: 'array', items: string })];
    const operation = anOperation({ operationId: 'UsersController_list', parameters });
    const { tools, warnings } = compiled(aDescription({ paths: { '/a': { get: operation } } }));
    expect(onlyOf(tools).operation.parameters).toMatchObject([
      { name: 'filter', style: 'deepObject' },
      { name: 'ids', style: 'form' },
    ]);
    expect(warnings).toHaveLength(2);
  });

  const scheme = { type: 'http', scheme: 'bearer', description: 'Click Generate API token.' };

  test.each<[string, string, JsonObject]>([
    ['Scribe', 'list', { components: { securitySchemes: { default: scheme } } }],
    ['swagger-php', '0e00aae7c370b295281ca65f1d061354', {}],
    ['Scramble', 'users.index', {}],
  ])('has brackets for lists as well where %s has written it', (_, operationId, members) => {
    const list = { type: 'array', items: string };
    const parameters = [query('ids', list), query('tags[]', list), query('filter', object)];
    const get = anOperation({ operationId, parameters });
    const { tools, warnings } = compiled(aDescription({ paths: { '/a': { get } }, ...members }));
    expect(onlyOf(tools).operation.parameters).toMatchObject([
      { name: 'ids', style: 'deepObject' },
      { name: 'tags[]', style: 'form' },
      { name: 'filter', style: 'deepObject' },
    ]);
    expect(warnings.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^lists in its query are written as a\[\]=1, as swagger-php/),
      expect.stringMatching(/^objects in its query are written as a\[b\]=1, as swagger-php/),
    ]);
  });

  test('has lists as they are declared, and no warning, where PHP has written it', () => {
    const list = query('ids', { type: 'array', items: string }, { style: 'form', explode: true });
    const get = anOperation({ operationId: 'users.index', parameters: [list] });
    const { tools, warnings } = compiled(aDescription({ paths: { '/a': { get } } }));
    expect(onlyOf(tools).operation.parameters).toMatchObject([{ name: 'ids', style: 'form' }]);
    expect(warnings).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ['its title', { info: { title: 'Elysia Documentation', version: '0.0.0' } }],
    [
      'bodies of all kinds, and no responses',
      {
        paths: {
          '/other': {
            post: {
              requestBody: {
                content: {
                  'application/json': { schema: object },
                  'application/x-www-form-urlencoded': { schema: object },
                  'multipart/form-data': { schema: object },
                },
              },
            },
          },
        },
      },
    ],
  ])('has JSON for objects where Elysia has written it, as is told by %s', (_, members) => {
    const parameters = [query('filter', object), query('deep', object, { style: 'deepObject' })];
    const paths = { '/a': { get: anOperation({ parameters }) }, ...(members['paths'] as object) };
    const { tools, warnings } = compiled(aDescription({ ...members, paths }));
    expect(tools[0]?.operation.parameters).toMatchObject([
      { name: 'filter', mediaType: 'application/json' },
      { name: 'deep', style: 'deepObject' },
    ]);
    expect(warnings.map(({ what }) => what)).toContain(
      'objects in its query are written as JSON, as Elysia read them',
    );
  });

  test('has a map where grpc-gateway names one', () => {
    const description =
      'Of things.\n\nThis is a request variable of the map type. The query format is "map_name[key]=value".';
    const { tool, parameters } = parametersOf([
      query('labels[string]', string, { description }),
      query('other[string]', string),
    ]);

    expect(parameters).toMatchObject([
      { name: 'labels', style: 'deepObject' },
      { name: 'other[string]', style: 'form' },
    ]);
    expect(tool.listed.inputSchema['properties']).toMatchObject({
      labels: { type: 'object', description: 'Of things.', additionalProperties: string },
    });
  });

  test('has operators where PostgREST reads it', () => {
    const info = { title: 'standard public schema', version: '12', description: 'A PostgREST API' };
    const id = query('id', { type: 'string', format: 'uuid' });
    const { tool } = parametersOf([id, query('select', string)], { info });

    expect(tool.listed.description).toMatch(/^GET \/a Filters are .*eq\.5.*in\.\(1,2\)/);
    expect(tool.listed.inputSchema['properties']).toEqual({
      id: { type: 'string', description: 'Operator and value: eq.5.' },
      select: string,
    });
  });
});

describe('a field of an upload', () => {
  /** What tells each framework. */
  const TOLD = { Strapi: { 'x-strapi-config': {} } } as const satisfies Record<
    (typeof READERS_OF_PLAIN_FIELDS)[number]['frameworks'],
    object
  >;
  const schema = {
    type: 'object',
    properties: { about: { type: 'object' }, file: { type: 'string', format: 'binary' } },
  };
  const bodyOf = (told: JsonObject): string => {
    const requestBody = { content: { 'multipart/form-data': { schema } } };
    const paths = { '/upload': { post: anOperation({ requestBody }) } };
    const [tool] = compiled(aDescription({ ...told, paths })).tools;
    if (!tool) throw new Error('no tool');
    const args = { about: { words: 'two' }, file: { filename: 'a.txt', data: 'YQ==' } };
    const [indexed] = toToolIndex([tool]).tools;
    if (!indexed) throw new Error('no tool');
    const prepared = prepareTool(indexed);
    return Buffer.from(buildRequest(prepared, args).body ?? '').toString();
  };

  test.each(READERS_OF_PLAIN_FIELDS)(
    'that is an object says no media type where $frameworks would take it for a file',
    ({ frameworks }) => {
      const body = bodyOf(TOLD[frameworks]);
      expect(body).toContain('name="about"\r\n\r\n{"words":"two"}');
      expect(body).toContain('Content-Type: application/octet-stream');
    },
  );

  test('that is an object says application/json where nothing tells', () => {
    expect(bodyOf({})).toContain(
      'name="about"\r\nContent-Type: application/json\r\n\r\n{"words":"two"}',
    );
  });
});

describe('what is nested in a form', () => {
  const list = { type: 'array', items: string };
  const schema = {
    type: 'object',
    properties: {
      about: { type: 'object', properties: { city: string, tags: list } },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: string,
            tags: list,
            at: { type: 'object', properties: { x: string } },
          },
        },
      },
      plain: list,
      rows: { type: 'array', items: list },
      any: {},
      map: { type: 'object', additionalProperties: {} },
    },
  };
  const args = {
    about: { city: 'Bern', tags: ['p', 'q'] },
    items: [{ name: 'a', tags: ['r'], at: { x: '1' } }],
    plain: ['s', 't'],
    rows: [['1', '2'], ['3']],
    any: { z: 1 },
    map: { y: 2 },
  };
  /** The fields of a form as an operation sends them, and what is warned of. */
  const sent = (mediaType: string, operationId: string, members: JsonObject = {}) => {
    const requestBody = { content: { [mediaType]: { schema } } };
    const paths = {
      '/upload': { post: anOperation({ operationId, requestBody }) },
      ...(members['paths'] as JsonObject | undefined),
    };
    const { tools, warnings } = compiled(aDescription({ ...members, paths }));
    const [indexed] = toToolIndex(tools.slice(0, 1)).tools;
    if (!indexed) throw new Error('no tool');
    const body = Buffer.from(buildRequest(prepareTool(indexed), args).body ?? '').toString();
    const fields =
      mediaType === 'multipart/form-data'
        ? [...body.matchAll(/name="([^"]*)"\r\n(?:[^\r]+\r\n)*\r\n([^\r]*)/g)].map(
            ([, name, value]) => `${name}=${value}`,
          )
        : [...new URLSearchParams(body)].map((pair) => pair.join('='));
    return { fields, warned: warnings.map(({ what }) => what) };
  };

  const BRACKETS = [
    'about[city]=Bern',
    'about[tags][]=p',
    'about[tags][]=q',
    'items[0][name]=a',
    'items[0][tags][]=r',
    'items[0][at][x]=1',
  ];
  const ROWS = ['rows[0][]=1', 'rows[0][]=2', 'rows[1][]=3'];
  /** What tells each framework, and what its server takes. */
  const TOLD = {
    'Django REST framework': [
      'files_create',
      { paths: { '/other/{id}': { patch: anOperation({ operationId: 'other_partial_update' }) } } },
      [
        'about.city=Bern',
        'about.tags[0]=p',
        'about.tags[1]=q',
        'items[0]name=a',
        'items[0]tags[0]=r',
        'items[0]at.x=1',
        'plain=s',
        'plain=t',
        'rows[0][0]=1',
        'rows[0][1]=2',
        'rows[1][0]=3',
        'any={"z":1}',
        'map={"y":2}',
      ],
    ],
    'ASP.NET Core': [
      'Upload',
      { 'x-generator': 'NSwag v14.0.0' },
      [
        'about.city=Bern',
        'about.tags=p',
        'about.tags=q',
        'items[0].name=a',
        'items[0].tags=r',
        'items[0].at.x=1',
        'plain=s',
        'plain=t',
        'rows[0]=1',
        'rows[0]=2',
        'rows[1]=3',
        'any={"z":1}',
        'map.y=2',
      ],
    ],
    NestJS: [
      'FilesController_upload',
      {},
      [...BRACKETS, 'plain[]=s', 'plain[]=t', ...ROWS, 'any={"z":1}', 'map[y]=2'],
    ],
    oRPC: [
      'upload',
      {
        paths: {
          '/other': {
            get: anOperation({
              parameters: [
                {
                  name: 'q',
                  in: 'query',
                  schema: string,
                  allowEmptyValue: true,
                  allowReserved: true,
                },
              ],
            }),
          },
        },
      },
      [...BRACKETS, 'plain[]=s', 'plain[]=t', ...ROWS, 'any={"z":1}', 'map[y]=2'],
    ],
    'swagger-php, L5-Swagger, Scramble, Scribe, Nelmio, API Platform': [
      '0e00aae7c370b295281ca65f1d061354',
      {},
      [...BRACKETS, 'plain[]=s', 'plain[]=t', ...ROWS, 'any={"z":1}', 'map[y]=2'],
    ],
    'Grape with grape-swagger': [
      'postUpload',
      { tags: [{ name: 'items', description: 'Operations about items' }] },
      [...BRACKETS, 'plain[]=s', 'plain[]=t', ...ROWS, 'any={"z":1}', 'map[y]=2'],
    ],
    'Rails with rswag, Apipie': [
      'upload',
      { info: { title: 'API V1', version: 'v1', 'x-computed-id': '1' } },
      [...BRACKETS, 'plain[]=s', 'plain[]=t', ...ROWS, 'any={"z":1}', 'map[y]=2'],
    ],
  } as const satisfies Record<
    (typeof NESTED_FORMS)[number]['frameworks'],
    readonly [operationId: string, members: JsonObject, fields: readonly string[]]
  >;

  test.each(NESTED_FORMS)('is fields of their own where $frameworks reads it', ({ frameworks }) => {
    const [operationId, members, fields] = TOLD[frameworks];
    for (const mediaType of ['multipart/form-data', 'application/x-www-form-urlencoded']) {
      expect(sent(mediaType, operationId, members)).toEqual({
        fields,
        warned: [expect.stringMatching(`^objects in its form .* as ${frameworks} read them$`)],
      });
    }
  });

  test.each<[string, JsonObject]>([
    [
      'bodies of ASP.NET',
      {
        paths: {
          '/other': {
            post: anOperation({
              requestBody: {
                content: {
                  'application/json': { schema: string },
                  'text/json': { schema: string },
                  'application/*+json': { schema: string },
                },
              },
            }),
          },
        },
      },
    ],
    [
      'the token of Scribe',
      {
        components: {
          securitySchemes: {
            default: { type: 'http', scheme: 'bearer', description: 'Click Generate API token.' },
          },
        },
      },
    ],
    [
      'a place of Scribe that may be empty',
      {
        paths: {
          '/users/{id}': {
            parameters: [
              { ...inPath('id'), examples: { omitted: { summary: 'When the value is omitted' } } },
            ],
            get: anOperation(),
          },
        },
      },
    ],
    [
      'a path of Django with a slash at its end',
      { paths: { '/other/{id}/': { get: anOperation({ operationId: 'other_retrieve' }) } } },
    ],
  ])('is told by %s', (_, members) => {
    expect(sent('multipart/form-data', 'upload', members).warned).toContainEqual(
      expect.stringMatching('^objects in its form'),
    );
  });

  test.each<[string, string, JsonObject]>([
    ['/payments/{id}', 'get', { operationId: 'payments_retrieve' }],
    ['/payments/{id}', 'post', { operationId: 'payments_partial_update' }],
    ['/payments/', 'get', { operationId: 'retrievePayments' }],
  ])('is not that of Django because of %s', (path, method, operation) => {
    const paths = { [path]: { [method]: anOperation(operation) } };
    expect(sent('multipart/form-data', 'upload', { paths }).fields).toContain('map={"y":2}');
    expect(sent('multipart/form-data', 'upload', { paths }).fields).not.toContain(
      'about.city=Bern',
    );
  });

  test('is JSON where nothing tells', () => {
    expect(sent('multipart/form-data', 'upload')).toEqual({
      fields: [
        'about={"city":"Bern","tags":["p","q"]}',
        'items={"name":"a","tags":["r"],"at":{"x":"1"}}',
        'plain=s',
        'plain=t',
        'rows=["1","2"]',
        'rows=["3"]',
        'any={"z":1}',
        'map={"y":2}',
      ],
      warned: [],
    });
  });
});

describe('a type that is described by its members', () => {
  const taken = (name: string, members: readonly string[]) => {
    const properties = Object.fromEntries(members.map((one) => [one, { type: 'integer' }]));
    const schema = { type: 'object', ...(members.length > 0 && { properties }) };
    const paths = {
      '/a': {
        get: anOperation({
          parameters: [
            { name: 'value', in: 'query', schema: { $ref: `#/components/schemas/${name}` } },
          ],
        }),
      },
    };
    return aDescription({ paths, components: { schemas: { [name]: schema } } });
  };

  test.each(TAKEN_APART)('is one value: $writes', ({ writes, members, schema }) => {
    const [, name = ''] = /^`(\w+)`/.exec(writes) ?? [];
    const description = taken(name, members);
    const { type, format }: JsonObject = schema;

    const value = propertiesOf(onlyOf(toolsOf(description)))['value'];
    expect(value?.['type']).toBe(type);
    expect(value?.['format']).toBe(format === 'binary' ? undefined : format);
    expect(read(description).warnings).toMatchObject([
      { where: `/components/schemas/${name}`, what: expect.stringContaining('read as ') },
    ]);
  });

  test('is an object where its members are others, or its name is', () => {
    for (const description of [
      taken('LocalTime', ['from', 'to']),
      taken('FileUpload', ['url']),
      taken('Appointment', ['hour', 'minute', 'second', 'nano']),
    ]) {
      expect(propertiesOf(onlyOf(toolsOf(description)))['value']?.['type']).toBe('object');
    }
  });
});

test.each(FILE_MARKS)('a part is a file where $frameworks writes $writes', ({ schema }) => {
  const form = { type: 'object', properties: { file: schema } };
  const content = { 'application/json': { schema: form }, 'multipart/form-data': { schema: form } };
  const tool = toolOf({ requestBody: { content } }, { openapi: '3.1.0' });

  expect(propertiesOf(tool)['file']?.['description']).toContain('A file: base64 text');
  expect(tool.operation.body?.mediaType).toBe('multipart/form-data');
});

describe('a place at the end of a path that may be left out', () => {
  const called = (path: string, parameters: readonly JsonObject[], method = 'get') => {
    const operation = { [method]: anOperation({ parameters: [...parameters] }) };
    const { tools, warnings } = compiled(aDescription({ paths: { [path]: operation } }));
    const tool = onlyOf(tools);
    const [indexed] = toToolIndex([tool]).tools;
    if (!indexed) throw new Error('no tool');
    const required = new Set(tool.listed.inputSchema['required'] as readonly string[] | undefined);
    const urlOf = (args: JsonObject) =>
      buildRequest(prepareTool(indexed), args).url.replace('https://api.example.com/v1', '');
    return { required, urlOf, warned: warnings.map(({ what }) => what) };
  };
  const omitted = { omitted: { summary: 'When the value is omitted', value: '' } };
  const WRITTEN = {
    'Fastify, ASP.NET Core, Laravel, Express': { ...inPath('sub'), required: false },
    hapi: { name: 'sub', in: 'path', schema: string },
    Scribe: { ...inPath('sub'), examples: omitted },
  } as const satisfies Record<(typeof OMISSIBLE_ENDS)[number]['frameworks'], JsonObject>;

  test.each(OMISSIBLE_ENDS)('is optional where $frameworks writes it', ({ frameworks }) => {
    const { required, urlOf, warned } = called('/users/{id}/{sub}', [
      inPath('id'),
      WRITTEN[frameworks],
    ]);

    expect([...required]).toEqual(['id']);
    expect(urlOf({ id: '1' })).toBe('/users/1');
    expect(urlOf({ id: '1', sub: 'a' })).toBe('/users/1/a');
    expect(warned).toEqual(['calls may leave out {sub} at the end of the path']);
  });

  test.each(['/archive/{year?}/{month?}', '/archive/{year}?/{month}?', '/archive/:year?/:month?'])(
    'is optional in %s, one after the other',
    (path) => {
      const { required, urlOf } = called(path, [inPath('year'), inPath('month')]);

      expect([...required]).toEqual([]);
      expect(urlOf({})).toBe('/archive');
      expect(urlOf({ year: '2026' })).toBe('/archive/2026');
      expect(urlOf({ year: '2026', month: '1' })).toBe('/archive/2026/1');
      expect(() => urlOf({ month: '1' })).toThrow('invalid_params');
    },
  );

  test.each<[string, string, string]>([
    ['something is changed', '/users/{sub}', 'delete'],
    ['more follows', '/users/{sub}/pets', 'get'],
    ['nothing else is in the path', '/{sub}', 'get'],
  ])('is asked for where %s', (_, path, method) => {
    const { required, warned } = called(path, [{ ...inPath('sub'), required: false }], method);
    expect([...required]).toEqual(['sub']);
    expect(warned).toEqual([]);
  });

  test('is asked for where the shorter path is described', () => {
    const parameters = [{ ...inPath('id'), required: false }];
    const paths = {
      '/users': { get: anOperation() },
      '/users/{id}': { get: anOperation({ parameters }) },
    };
    const [, one] = toolsOf(aDescription({ paths }));
    expect(one?.inputSchema['required']).toEqual(['id']);
  });

  test.each(['/users/{user}', '/Users/{user}/', '/users/{user}?full=1'])(
    'is asked for where the shorter path is described as %s',
    (shorter) => {
      const parameters = [inPath('id'), { ...inPath('sub'), required: false }];
      const paths = {
        '/users/{id}/{sub}': { get: anOperation({ parameters }) },
        [shorter]: { get: anOperation() },
      };
      const [one] = toolsOf(aDescription({ paths }));
      expect(one?.inputSchema['required']).toEqual(['id', 'sub']);
    },
  );

  test.each<[string, string, string, readonly string[]]>([
    ['/archive/{year?}', '/{page}', '/archive', ['year']],
    ['/shops/{shop}/items/{item?}', '/{kind}/{id}/items', '/shops/{shop}/items', ['shop', 'item']],
    ['/archive/{year?}/{month?}', '/archive/{tag}', '/archive/{year}', ['year', 'month']],
  ])(
    'is asked for, and warned of, where %s without it may be %s',
    (path, other, shorter, names) => {
      const paths = {
        [path]: { get: anOperation({ parameters: names.map(inPath) }) },
        [other]: { get: anOperation() },
      };
      const { tools, warnings } = compiled(aDescription({ paths }));

      expect(tools[0]?.listed.inputSchema['required']).toEqual(names);
      expect(warnings).toContainEqual(
        expect.objectContaining({ what: expect.stringContaining(`without it ${shorter} may be`) }),
      );
    },
  );

  test.each(['/{page}/{part}', '/{rest}.html/x', '/archives'])(
    'may be left out beside %s, which the shorter path cannot be',
    (other) => {
      const paths = {
        '/archive/{year?}': { get: anOperation({ parameters: [inPath('year')] }) },
        [other]: { get: anOperation() },
        '/{page}': { delete: anOperation() },
      };
      const [one] = toolsOf(aDescription({ paths }));
      expect(one?.inputSchema['required']).toBeUndefined();
    },
  );
});

describe('a description of Azure', () => {
  const azure = (members: JsonObject) => ({
    swagger: '2.0',
    info: { title: 'Items', version: '1' },
    paths: { '/items': { get: anOperation({ operationId: 'Items_Get' }) } },
    ...members,
  });

  test('has the operations of x-ms-paths, with their queries', () => {
    const more = { '/items?comp=list': { get: anOperation({ operationId: 'Items_List' }) } };
    const { tools, warnings } = compiled(azure({ host: 'a.example', 'x-ms-paths': more }));

    expect(tools.map(({ name, operation }) => [name, operation.path]).toSorted()).toEqual([
      ['Items_Get', '/items'],
      ['Items_List', '/items?comp=list'],
    ]);
    expect(warnings).toEqual([]);
    expect(read(azure({ 'x-ms-paths': more })).warnings).toMatchObject([{ where: '/x-ms-paths' }]);
  });

  test.each<[JsonObject, Readonly<Record<string, string>>, string]>([
    [
      { hostTemplate: '{endpoint}/v1', useSchemePrefix: false, parameters: [{ name: 'endpoint' }] },
      { endpoint: 'https://b.example' },
      'https://b.example/v1/base',
    ],
    [
      {
        hostTemplate: '{account}.{suffix}',
        parameters: [{ name: 'account' }, { name: 'suffix', default: 'a.example' }],
      },
      { account: 'mine' },
      'https://mine.a.example/base',
    ],
  ])('has server variables of %j', (host, serverVariables, address) => {
    const description = azure({ basePath: '/base', 'x-ms-parameterized-host': host });
    const { tools } = compiled(description, { serverBase: { serverVariables } });
    expect(onlyOf(tools).operation.serverUrl).toBe(address);
    expect(() => compiled(description)).toThrow('no_server_url');
  });

  test('has several segments where nothing is to be encoded', () => {
    const scope = { ...inPath('scope'), 'x-ms-skip-url-encoding': true };
    const { tools, warnings } = compiled(
      aDescription({ paths: { '/{scope}/locks': { get: anOperation({ parameters: [scope] }) } } }),
    );
    expect(onlyOf(tools).operation.parameters).toMatchObject([{ isMultiSegment: true }]);
    expect(warnings).toEqual([]);
  });
});

describe('a type that was lost', () => {
  const lost = { type: 'object', nullable: true, description: 'A name.' };
  const typesFor = (operationId: string, schema: JsonObject) => {
    const parameters = [{ name: 'q', in: 'query', schema }];
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/User' } } };
    const post = anOperation({ operationId, parameters, requestBody: { content } });
    const User = { type: 'object', properties: { name: schema } };
    const description = aDescription({
      paths: { '/a': { post } },
      components: { schemas: { User } },
    });
    const { q, name } = propertiesOf(onlyOf(toolsOf(description)));
    return [q?.['type'], name?.['type']];
  };

  test('is any value where NestJS has written it', () => {
    for (const schema of [lost, { type: 'object', example: 'a' }]) {
      expect(typesFor('UsersController_add', schema)).toEqual([undefined, undefined]);
    }
  });

  test.each<[string, string, JsonObject]>([
    ['something else has', 'addUser', lost],
    ['it cannot be null', 'UsersController_add', { type: 'object' }],
    ['its example is one', 'UsersController_add', { type: 'object', example: { a: 1 } }],
    ['something else has an example', 'addUser', { type: 'object', example: 'a=b' }],
    ['it has members', 'UsersController_add', { ...lost, properties: { first: string } }],
    ['it is a map', 'UsersController_add', { ...lost, additionalProperties: string }],
  ])('is an object where %s', (_, operationId, schema) => {
    const [, type] = typesFor(operationId, schema);
    expect([type].flat()).toContain('object');
  });
});

describe('a value or its text', () => {
  const number = { type: 'number', minimum: 1 };
  const asText = (format: string, value: JsonObject, members: JsonObject = {}) => ({
    anyOf: [{ type: 'string', format, default: 0 }, value],
    ...members,
  });
  const readAs = (schema: Json) => {
    const parameters = [{ name: 'q', in: 'query', schema }];
    const paths = { '/a': { get: anOperation({ parameters }) } };
    const tool = onlyOf(toolsOf(aDescription({ paths })));
    const [sent] = tool.operation.parameters;
    return { schema: propertiesOf(tool)['q'], mediaType: sent?.mediaType };
  };

  test.each(TEXT_FORMS.flatMap((row) => row.formats.map((format) => ({ ...row, format }))))(
    'is the value where $frameworks writes $format',
    (row) => {
      const value = 'isJson' in row ? { type: 'object', properties: { a: string } } : number;
      const { schema, mediaType } = readAs(asText(row.format, value, { description: 'Of it.' }));

      expect(schema).toEqual({ ...value, description: 'Of it.' });
      expect(mediaType).toBe('isJson' in row ? 'application/json' : undefined);
    },
  );

  test('is an object where hapi writes it into Swagger 2.0, with brackets in its query', () => {
    const o = { name: 'o', in: 'query', type: 'string', 'x-type': 'object' };
    const parameters = [{ ...o, 'x-properties': { a: string } }];
    const responses = { default: { description: 'Successful', schema: string } };
    const tool = onlyOf(toolsOf(swagger({ parameters, responses })));

    expect(propertiesOf(tool)['o']).toEqual({ type: 'object', properties: { a: string } });
    expect(tool.operation.parameters).toMatchObject([{ style: 'deepObject' }]);
  });

  test('is either where the text is another', () => {
    for (const schema of [asText('uuid', number), asText('numeric', string)]) {
      expect(readAs(schema).schema).toHaveProperty('anyOf');
    }
  });
});

describe('a body with a file that is called JSON', () => {
  const schema = {
    type: 'object',
    properties: { file: { type: 'string', format: 'binary' } },
    required: ['file'],
  };
  const uploaded = (members: JsonObject, operation: JsonObject = {}) => {
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const post = anOperation({ requestBody, ...operation });
    const { tools, warnings } = compiled(
      aDescription({ paths: { '/files': { post } }, ...members }),
    );
    return { type: onlyOf(tools).operation.body?.mediaType, warnings };
  };
  /** What tells each framework. */
  const TOLD = {
    NestJS: [{}, { operationId: 'FilesController_upload' }],
    springdoc: [{ info: { title: 'OpenAPI definition', version: 'v0' } }, {}],
  } as const satisfies Record<
    (typeof UPLOADS_AS_JSON)[number]['frameworks'],
    readonly [JsonObject, JsonObject]
  >;

  test.each(UPLOADS_AS_JSON)(
    'is a form where $frameworks has written it',
    ({ frameworks, takes }) => {
      const [members, operation] = TOLD[frameworks];
      expect(uploaded(members, operation)).toMatchObject({
        type: takes,
        warnings: [{ what: expect.stringContaining(`as ${frameworks} reads it`) }],
      });
    },
  );

  test('stays JSON where nothing tells, or the description says so', () => {
    expect(uploaded({})).toMatchObject({
      type: 'application/json',
      warnings: [
        {
          what: 'the body is JSON, and has a file in it; that is sent as a text',
          hint: expect.stringContaining('`x-media-type: multipart/form-data`'),
        },
      ],
    });
    const [members] = TOLD.springdoc;
    expect(uploaded(members, { 'x-media-type': 'application/json' })).toEqual({
      type: 'application/json',
      warnings: [],
    });
  });
});

describe('the habits of frameworks', () => {
  const TABLES = {
    paths: PATH_NOTATIONS,
    templates: TEMPLATE_OPERATORS,
    methods: Object.values(GATEWAY_METHODS),
    enums: [...ENUM_MEANINGS, ...ENUM_NAMES, ...OTHER_ENUM_NAMES],
    operationIds: OPERATION_IDS,
    placeholders: PLACEHOLDERS,
    variables: VARIABLES,
    samples: SAMPLES,
    descriptions: DESCRIPTIONS,
    queries: QUERY_LANGUAGES,
    maps: MAPS,
    types: TAKEN_APART,
    forms: READERS_OF_PLAIN_FIELDS,
    uploads: UPLOADS_AS_JSON,
    numbers: NUMBERS_IN_PATHS,
    nested: NESTED_FORMS,
    posts: FORMS_OF_POST,
    misread: MISREAD_OPERATIONS,
    lists: LISTS_OF_ROUTERS,
    texts: TEXT_FORMS,
    azure: Object.values(AZURE_EXTENSIONS),
    objects: OBJECTS_AS_TEXTS,
    lost: LOST_TYPES,
    marks: FILE_MARKS,
    ends: OMISSIBLE_ENDS,
    held: HELD_FIELDS,
    lines: REPEATED_HEADERS,
    cookies: COOKIE_LISTS,
    single: LISTS_OF_ONE,
  } satisfies Record<string, readonly Habit[]>;
  const docs = readFileSync(new URL('../../../docs/tools.md', import.meta.url), 'utf8');

  test.each(Object.values(TABLES).flat())(
    'are documented: $writes',
    ({ frameworks, writes, takes, source }) => {
      const row = [frameworks, writes, takes, source]
        .map((text) => text.replaceAll('|', '\\|'))
        .join(' | ');
      expect(docs).toContain(`| ${row} |`);
    },
  );
});

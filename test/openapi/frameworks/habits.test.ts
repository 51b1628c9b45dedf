import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { DESCRIPTIONS } from '../../../layers/openapi/frameworks/descriptions.ts';
import { NUMBERS_IN_PATHS } from '../../../layers/openapi/frameworks/described-types.ts';
import {
  ENUM_MEANINGS,
  ENUM_NAMES,
  OTHER_ENUM_NAMES,
} from '../../../layers/openapi/frameworks/enum-names.ts';
import {
  READERS_OF_PLAIN_FIELDS,
  UPLOADS_AS_JSON,
} from '../../../layers/openapi/frameworks/form-readers.ts';
import { GATEWAY_METHODS } from '../../../layers/openapi/frameworks/gateway-methods.ts';
import type { Habit } from '../../../layers/openapi/frameworks/habit.ts';
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
import { TAKEN_APART } from '../../../layers/openapi/frameworks/taken-apart.ts';
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
    'URI templates': [['/tree/{node*}', '/tree/{node}', 'node']],
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
    expect(tool.inputSchema['required']).toEqual(expect.arrayContaining(places));
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
      description: `${description} Or the empty text.`,
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

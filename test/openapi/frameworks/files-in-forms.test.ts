import { describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const string = { type: 'string' };
const file = { type: 'string', format: 'binary' };
const list = (items: JsonObject) => ({ type: 'array', items });
const object = (properties: JsonObject) => ({ type: 'object', properties });

/** The head of each part that an upload is sent in, without `form-data` and its content. */
const sent = (
  schema: JsonObject,
  args: JsonObject,
  { operationId = 'upload', encoding = {}, members = {} as JsonObject } = {},
) => {
  const requestBody = { content: { 'multipart/form-data': { schema, encoding } } };
  const paths = {
    '/upload': { post: anOperation({ operationId, requestBody }) },
    ...(members['paths'] as JsonObject | undefined),
  };
  const { tools, warnings } = compiled(aDescription({ ...members, paths }));
  const [indexed] = toToolIndex(tools.slice(0, 1)).tools;
  if (!indexed) throw new Error('no tool');
  const tool = prepareTool(indexed);
  const body = Buffer.from(buildRequest(tool, readArguments(tool, args)).body ?? '').toString();
  return {
    parts: [...body.matchAll(/form-data; ([^\r]*)\r\n(?:Content-Type: ([^\r]*)\r\n)?/g)].map(
      ([, head, type]) => [head, ...(type === undefined ? [] : [type])].join(' | '),
    ),
    warned: warnings.map(({ what }) => what),
  };
};

const BYTES = 'application/octet-stream';
const nested = object({
  items: list(object({ file, name: string })),
  album: object({ photos: list(file), title: string }),
});
const given = {
  items: [
    { file: 'aGk=', name: 'a' },
    { file: { data: 'aGk=', filename: 'b.png', contentType: 'image/png' } },
  ],
  album: { photos: ['aGk=', 'aGk='], title: 't' },
};

describe('a file inside a member of a form', () => {
  const BRACKETS = [
    'name="items[0][name]"',
    'name="album[title]"',
    `name="items[0][file]"; filename="file" | ${BYTES}`,
    'name="items[1][file]"; filename="b.png" | image/png',
    `name="album[photos][]"; filename="photos" | ${BYTES}`,
    `name="album[photos][]"; filename="photos" | ${BYTES}`,
  ];
  const DOTS = [
    'name="items[0].name"',
    'name="album.title"',
    `name="items[0].file"; filename="file" | ${BYTES}`,
    'name="items[1].file"; filename="b.png" | image/png',
    `name="album.photos"; filename="photos" | ${BYTES}`,
    `name="album.photos"; filename="photos" | ${BYTES}`,
  ];

  test.each<[string, JsonObject, readonly string[]]>([
    ['ASP.NET Core', { 'x-generator': 'NSwag v14.0.0' }, DOTS],
    ['Spring', { info: { title: 'OpenAPI definition', version: 'v0' } }, DOTS],
    [
      'Django REST framework',
      { paths: { '/other/{id}': { patch: anOperation({ operationId: 'other_partial_update' }) } } },
      [
        'name="items[0]name"',
        'name="album.title"',
        `name="items[0]file"; filename="file" | ${BYTES}`,
        'name="items[1]file"; filename="b.png" | image/png',
        `name="album.photos[0]"; filename="photos" | ${BYTES}`,
        `name="album.photos[1]"; filename="photos" | ${BYTES}`,
      ],
    ],
    ['Apipie', { info: { title: 'a', version: '1', 'x-computed-id': 'b' } }, BRACKETS],
    ['nobody who is known', {}, BRACKETS],
  ])('is a part of its own, by the name that is read by %s', (_, members, parts) => {
    expect(sent(nested, given, { members })).toEqual({
      parts,
      warned: [expect.stringMatching(/^objects (?:with files )?in its form are written as /)],
    });
  });

  test('is a part of its own where the description declares its style', () => {
    const encoding = { items: { style: 'deepObject', explode: true } };
    const schema = object({ items: list(object({ file })) });

    expect(sent(schema, { items: [{ file: 'aGk=' }] }, { encoding })).toEqual({
      parts: [`name="items[0][file]"; filename="file" | ${BYTES}`],
      warned: [],
    });
  });

  test('is sent in a form where JSON is offered alike, which calls without a file are', () => {
    const schema = object({ album: object({ cover: file, title: string }) });
    const post = anOperation({
      requestBody: {
        content: { 'application/json': { schema }, 'multipart/form-data': { schema } },
      },
    });
    const { tools } = compiled(aDescription({ paths: { '/a': { post } } }));
    const [indexed] = toToolIndex(tools).tools;
    if (!indexed) throw new Error('no tool');
    const tool = prepareTool(indexed);
    const typeOf = (args: JsonObject) =>
      buildRequest(tool, readArguments(tool, args)).headers['content-type'];

    expect(typeOf({ album: { cover: 'aGk=', title: 't' } })).toMatch(/^multipart\/form-data/);
    expect(typeOf({ album: { title: 't' } })).toBe('application/json');
  });

  test('leaves other objects of that form as they were', () => {
    const schema = object({ about: object({ city: string }), album: object({ cover: file }) });

    expect(sent(schema, { about: { city: 'Bern' }, album: { cover: 'aGk=' } }).parts).toEqual([
      'name="about" | application/json',
      `name="album[cover]"; filename="cover" | ${BYTES}`,
    ]);
  });

  test('is text where the part is JSON by its encoding', () => {
    const encoding = { album: { contentType: 'application/json' } };
    const schema = object({ album: object({ cover: file }) });

    expect(sent(schema, { album: { cover: 'aGk=' } }, { encoding })).toEqual({
      parts: ['name="album" | application/json'],
      warned: ['the part album has a file among its members, which is sent as text'],
    });
  });

  test('is found in what contains itself, and however much there is', () => {
    const node = object({ file, next: { $ref: '#/components/schemas/Node' } });
    const wide = (next: string) =>
      object(
        Object.fromEntries(
          Array.from({ length: 60 }, (_, index) => [
            `m${index}`,
            { $ref: `#/components/schemas/${next}` },
          ]),
        ),
      );
    const schemas = {
      Node: node,
      Wide: wide('Wider'),
      Wider: wide('Widest'),
      Widest: wide('Node'),
    };
    const members = { components: { schemas } };
    const schema = object({
      node: { $ref: '#/components/schemas/Node' },
      wide: { $ref: '#/components/schemas/Wide' },
    });
    const startedMs = performance.now();

    expect(sent(schema, { node: { file: 'aGk=' } }, { members }).parts).toEqual([
      `name="node[file]"; filename="file" | ${BYTES}`,
    ]);
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});

test('files come after all fields, whatever the order of the description', () => {
  const schema = object({ file, key: string, photos: list(file), policy: string });
  const args = { file: 'aGk=', key: 'k', photos: ['aGk='], policy: 'p' };

  expect(sent(schema, args).parts).toEqual([
    'name="key"',
    'name="policy"',
    `name="file"; filename="file" | ${BYTES}`,
    `name="photos"; filename="photos" | ${BYTES}`,
  ]);
});

describe('a list of files', () => {
  const files = object({ files: list(file) });
  const args = { files: ['aGk=', 'aGk='] };
  const part = (name: string) => `name="${name}"; filename="files" | ${BYTES}`;
  const get = (operationId: string) => ({ paths: { '/b': { get: anOperation({ operationId }) } } });

  test.each<[string, string, JsonObject]>([
    ['PHP', '0e00aae7c370b295281ca65f1d061354', {}],
    ['Symfony', 'post_app_user_upload', get('get_app_user_list')],
    ['API Platform', 'upload', get('api_books_get_collection')],
    [
      'Rails',
      'upload',
      {
        servers: [
          { url: 'https://{defaultHost}', variables: { defaultHost: { default: 'a.example' } } },
        ],
      },
    ],
  ])('has brackets in its name where %s would otherwise read the last one', (_, id, members) => {
    expect(sent(files, args, { operationId: id, members }).parts).toEqual([
      part('files[]'),
      part('files[]'),
    ]);
  });

  test.each<[string, string, JsonObject]>([
    ['NestJS, whose routes name their field', 'FilesController_upload', {}],
    ['FastAPI, whose function is called app', 'post_app_user_upload', get('read_users')],
    [
      'somebody who names operations by their paths',
      'post_upload',
      { paths: { '/app/user/list': { get: anOperation({ operationId: 'get_app_user_list' }) } } },
    ],
    ['nobody who is known', 'upload', {}],
  ])('has its name where it is read by %s', (_, operationId, members) => {
    expect(sent(files, args, { operationId, members }).parts).toEqual([
      part('files'),
      part('files'),
    ]);
  });

  test('has no second pair of brackets', () => {
    const schema = object({ 'files[]': list(file) });
    const operationId = '0e00aae7c370b295281ca65f1d061354';

    expect(sent(schema, { files: ['aGk='] }, { operationId }).parts).toEqual([
      `name="files[]"; filename="files[]" | ${BYTES}`,
    ]);
  });
});

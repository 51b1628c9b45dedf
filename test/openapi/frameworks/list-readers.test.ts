import { describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import {
  COOKIE_LISTS,
  LISTS_OF_ONE,
  REPEATED_HEADERS,
} from '../../../layers/openapi/frameworks/list-readers.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { targetApi } from '../../../layers/target/client/target-api.ts';
import { callEvent, readCall } from '../../../layers/target/rules/network-call.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { listening } from '../../support/target/listening.ts';

const string = { type: 'string' };
const list = { type: 'array', items: string };
const parameter = (location: string, schema: JsonObject = list, more: JsonObject = {}) => ({
  name: 'ids',
  in: location,
  schema,
  ...more,
});

/** What identifies each framework, in an operation or elsewhere in the description. */
const IDENTIFIES = {
  FastAPI: [{}, { components: { schemas: { HTTPValidationError: { type: 'object' } } } }],
  springdoc: [{}, { info: { title: 'OpenAPI definition', version: 'v0' } }],
  NestJS: [{ operationId: 'UsersController_list' }, {}],
  hapi: [{ responses: { default: { description: 'Successful', schema: string } } }, {}],
  'Hono with zod-openapi': [
    {
      responses: {
        422: {
          description: 'Wrong',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  success: { type: 'boolean' },
                  error: { type: 'object', properties: { issues: list, name: string } },
                },
              },
            },
          },
        },
      },
    },
    {},
  ],
} as const satisfies Record<
  (typeof COOKIE_LISTS | typeof LISTS_OF_ONE | typeof REPEATED_HEADERS)[number]['frameworks'],
  readonly [operation: JsonObject, members: JsonObject]
>;

const called = (
  parameters: readonly JsonObject[],
  args: JsonObject,
  [operation, members]: readonly [JsonObject, JsonObject] = [{}, {}],
  terms: Parameters<typeof buildRequest>[2] = {},
) => {
  const get = anOperation({ parameters: [...parameters], ...operation });
  const { tools, warnings } = compiled(aDescription({ paths: { '/a': { get } }, ...members }));
  const [indexed] = toToolIndex(tools).tools;
  if (!indexed) throw new Error('no tool');
  const request = buildRequest(prepareTool(indexed), args, terms);
  return { request, warnings };
};

describe('a list in a header', () => {
  const sent = (ids: readonly string[], frameworks?: keyof typeof IDENTIFIES) =>
    called([parameter('header')], { ids }, frameworks && IDENTIFIES[frameworks]).request;

  test.each(REPEATED_HEADERS)('has a line for each item as $frameworks reads it', (reader) => {
    const request = sent(['a', 'b,c'], reader.frameworks);

    expect(request.headerLines).toEqual({ ids: ['a', 'b,c'] });
    expect(request.headers).not.toHaveProperty('ids');
    expect(sent(['a'], reader.frameworks)).toMatchObject({ headers: { ids: 'a' } });
    expect(sent([], reader.frameworks).headers).not.toHaveProperty('ids');
  });

  test('is one line with commas where nothing tells', () => {
    expect(sent(['a', 'b']).headers).toMatchObject({ ids: 'a,b' });
    expect(sent(['a', 'b'])).not.toHaveProperty('headerLines');
  });

  test('comes to a server as lines, through a network as well', async () => {
    const lines: string[] = [];
    const server = await listening(
      createServer(({ rawHeaders }, response) => {
        lines.push(...rawHeaders);
        response.end();
      }),
    );
    const api = targetApi({
      policy: { loopback: { exceptPorts: [] } },
      timeoutSeconds: 20,
      maxBytes: 1000,
    });
    const request = { ...sent(['a', 'b'], 'FastAPI'), url: server.url };
    const call = readCall(structuredClone(callEvent({ deploymentId: 'd', request, ms: 1000 })));
    await api.send('d', call.request);
    api.close();
    await server.stop();

    const names = lines.flatMap((name, index) => (name === 'ids' ? [lines[index + 1]] : []));
    expect(names).toEqual(['a', 'b']);
  });

  test('holds nothing in a line that would end it, and counts in the size of the head', () => {
    expect(() => sent(['a', 'b\r\nx: y'], 'FastAPI')).toThrow('invalid_params');
    expect(() => sent(['a', 'b'.repeat(70_000)], 'FastAPI')).toThrow('invalid_params');
  });

  test('gives way to a header of the owner', () => {
    const { request } = called([parameter('header')], { ids: ['a', 'b'] }, IDENTIFIES.FastAPI, {
      headers: { IDS: 'own' },
    });

    expect(request.headers).toMatchObject({ ids: 'own' });
    expect(request).not.toHaveProperty('headerLines');
  });
});

describe('a list in a cookie', () => {
  const sent = (frameworks?: keyof typeof IDENTIFIES, more: JsonObject = {}) => {
    const identifying = frameworks && IDENTIFIES[frameworks];
    const { request, warnings } = called(
      [parameter('cookie', list, more)],
      { ids: ['a', 'b'] },
      identifying,
    );
    return { cookie: request.headers['cookie'], warned: warnings.map(({ what }) => what) };
  };

  test.each(COOKIE_LISTS)('is warned of where $frameworks has written it', (reader) => {
    expect(sent(reader.frameworks)).toEqual({
      cookie: reader.isJoined ? 'ids=a,b' : 'ids=a; ids=b',
      warned: [expect.stringContaining(`${reader.frameworks} reads`)],
    });
  });

  test('is written as it is declared, and as OpenAPI says where nothing tells', () => {
    const declared = sent('springdoc', { explode: true });

    expect(declared).toEqual({ cookie: 'ids=a; ids=b', warned: [] });
    expect(sent()).toEqual({ cookie: 'ids=a; ids=b', warned: [] });
  });
});

describe('a list of one item in a query', () => {
  const warned = (
    identifying?: readonly [JsonObject, JsonObject],
    schema: JsonObject = list,
    more = {},
  ) => called([parameter('query', schema, more)], {}, identifying).warnings;

  test.each(LISTS_OF_ONE)(
    'is warned of, with what mends it, where $frameworks reads it',
    (reader) => {
      expect(warned(IDENTIFIES[reader.frameworks])).toEqual([
        {
          where: '/paths/~1a/get',
          what: `a list of one item in a query is a text as ${reader.frameworks} reads it: ids`,
          hint: reader.mends,
        },
      ]);
    },
  );

  test('is warned of once', () => {
    const others = [parameter('query'), { ...parameter('query'), name: 'tags' }];
    const { warnings } = called(others, {}, IDENTIFIES.NestJS);

    expect(warnings.map(({ what }) => what)).toEqual([
      'a list of one item in a query is a text as NestJS reads it: ids, as well as 1 others',
    ]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['a text', string, {}],
    ['joined with commas', list, { explode: false }],
    ['JSON', list, { content: { 'application/json': { schema: list } } }],
    ['in brackets', list, { name: 'ids[]' }],
    ['in brackets by its style', list, { style: 'deepObject' }],
  ])('is not warned of where it is %s', (_, schema, more) => {
    expect(warned(IDENTIFIES.hapi, schema, more)).toEqual([]);
  });

  test('is not warned of where nothing identifies a framework', () => {
    expect(warned()).toEqual([]);
  });

  test('has brackets by its style, which the extended query parser reads', () => {
    const ids = parameter('query', list, { style: 'deepObject' });

    expect(called([ids], { ids: ['a'] }, IDENTIFIES.NestJS).request.url).toMatch(/\?ids%5B%5D=a$/);
  });
});

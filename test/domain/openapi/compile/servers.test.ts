import { describe, expect, test } from '@jest/globals';
import type { ServerBase } from '../../../../layers/core/domain/openapi/compile/servers.ts';
import type { Json } from '../../../../layers/core/domain/openapi/document.ts';
import { aDescription, anOperation, refusalOf } from '../../../support/intake.ts';
import { compiled, onlyOf } from '../../../support/compile.ts';

const serverOf = (
  description: Readonly<Record<string, Json>>,
  serverBase: ServerBase = {},
): string => onlyOf(compiled(description, { serverBase }).index.tools).operation.serverUrl;

const withServers = (...servers: readonly Json[]) => aDescription({ servers });

const swagger = (members: Readonly<Record<string, Json>>) => ({
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: anOperation() } },
  ...members,
});

const OPENAPI_URL = 'https://docs.example.com/specs/pets.yaml';

describe('the server of an operation', () => {
  test('is that of the operation, else of its path, else of the document', () => {
    const { index, apiBaseUrl } = compiled(
      aDescription({
        servers: [{ url: 'https://root.example' }],
        paths: {
          '/a': { get: anOperation() },
          '/b': { servers: [{ url: 'https://path.example' }], get: anOperation() },
          '/c': {
            servers: [{ url: 'https://path.example' }],
            get: anOperation({ servers: [{ url: 'https://operation.example' }] }),
            put: anOperation({ servers: [] }),
          },
        },
      }),
    );

    expect(index.tools.map(({ operation }) => operation.serverUrl)).toEqual([
      'https://root.example',
      'https://path.example',
      'https://operation.example',
      'https://path.example',
    ]);
    expect(apiBaseUrl).toBe('https://path.example');
  });

  test.each<[string, Json, string]>([
    ['a trailing slash', { url: 'https://a.example/v1/' }, 'https://a.example/v1'],
    ['a fragment', { url: 'https://a.example/v1#x' }, 'https://a.example/v1'],
    ['plain http', { url: 'http://a.example:8080' }, 'http://a.example:8080'],
    [
      'variables with defaults',
      {
        url: 'https://{host}.example/{base}',
        variables: { host: { default: 'a' }, base: { default: 'v1', enum: ['v1', 'v2'] } },
      },
      'https://a.example/v1',
    ],
    [
      'variables with nothing but values',
      { url: 'https://{host}.example', variables: { host: { enum: ['b', 'c'] } } },
      'https://b.example',
    ],
  ])('may have %s', (_, server, url) => {
    expect(serverOf(withServers(server))).toBe(url);
  });

  test('is encrypted where the description has it both ways', () => {
    const both = withServers(
      { url: 'http://a.example/v1' },
      { url: 'https://other.example' },
      { url: 'https://a.example/v1' },
    );

    expect(serverOf(both)).toBe('https://a.example/v1');
    expect(compiled(both).warnings).toEqual([]);
  });

  test('that is not encrypted gets a warning, for calls to it are refused', () => {
    expect(compiled(withServers({ url: 'http://a.example' })).warnings).toEqual([
      {
        where: '',
        what: 'calls to http://a.example are refused, for they would not be encrypted',
        mend: 'Give the https address of the API (`--api-base URL`, `api_base_url`).',
      },
    ]);
  });

  test.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])(
    'on this machine may do without: %s',
    (url) => {
      expect(compiled(withServers({ url })).warnings).toEqual([]);
    },
  );

  test.each<[string, Json]>([
    ['another scheme', { url: 'ftp://a.example' }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a password', { url: 'https://me:secret@a.example' }],
    ['a variable without a value', { url: 'https://{host}.example' }],
    ['no url', { description: 'x' }],
    ['nothing to be relative to', { url: '/v1' }],
  ])('is the next one where the first has %s', (_, server) => {
    expect(serverOf(withServers(server, { url: 'https://next.example' }))).toBe(
      'https://next.example',
    );
  });

  test('takes the given values of its variables', () => {
    const server = { url: 'https://{region}.example', variables: { region: { default: 'eu' } } };

    expect(serverOf(withServers(server), { serverVariables: { region: 'us' } })).toBe(
      'https://us.example',
    );
  });

  test.each([
    ['/v1', 'https://docs.example.com/v1'],
    ['v1', 'https://docs.example.com/specs/v1'],
    ['../v1', 'https://docs.example.com/v1'],
    ['//api.example.com/v1', 'https://api.example.com/v1'],
  ])('%s is relative to the place of the description', (url, expected) => {
    expect(serverOf(withServers({ url }), { openapiUrl: OPENAPI_URL })).toBe(expected);
  });

  test('is the place of the description where it names none', () => {
    expect(serverOf(withServers(), { openapiUrl: OPENAPI_URL })).toBe('https://docs.example.com');
  });
});

describe("the deployment's base URL", () => {
  test.each([
    ['https://own.example', 'https://a.example/v1', 'https://own.example'],
    ['https://own.example/base/', 'https://a.example/v1', 'https://own.example/base'],
    ['https://own.example', '/v1', 'https://own.example/v1'],
    ['https://own.example/base', '/v1', 'https://own.example/base'],
    ['https://own.example', 'https://{unknown}.example', 'https://own.example'],
  ])('%s wins over the server %s: %s', (apiBaseUrl, url, expected) => {
    const serverBase = { apiBaseUrl, openapiUrl: OPENAPI_URL };

    expect(serverOf(withServers({ url }), serverBase)).toBe(expected);
  });

  test('is enough where the description names no server', () => {
    expect(serverOf(withServers(), { apiBaseUrl: 'http://127.0.0.1:9000' })).toBe(
      'http://127.0.0.1:9000',
    );
  });

  test.each(['own.example', '/v1', 'ftp://own.example', 'https://me:secret@own.example', ''])(
    'is refused if it is %j',
    (apiBaseUrl) => {
      const refusal = refusalOf(() => serverOf(withServers(), { apiBaseUrl }));

      expect(refusal.code).toBe('invalid_request');
      expect(onlyOf(refusal.findings).where).toBe('/api_base_url');
      expect(JSON.stringify(refusal.findings)).not.toContain('secret');
    },
  );
});

describe('the server of Swagger 2.0', () => {
  test.each<[Readonly<Record<string, Json>>, string]>([
    [{ host: 'a.example' }, 'https://a.example'],
    [{ host: 'a.example:81', basePath: '/v1/', schemes: ['http'] }, 'http://a.example:81/v1'],
    [
      { host: 'a.example', basePath: 'v1', schemes: ['ws', 'http', 'https'] },
      'https://a.example/v1',
    ],
    [{ host: 'https://a.example', schemes: ['https'] }, 'https://a.example'],
    [{ basePath: '/v1' }, 'https://docs.example.com/v1'],
  ])('of %j is %s', (members, url) => {
    expect(serverOf(swagger(members), { openapiUrl: OPENAPI_URL })).toBe(url);
  });

  test('may have schemes of the operation', () => {
    const paths = { '/pets': { get: anOperation({ schemes: ['http'] }) } };

    expect(serverOf(swagger({ host: 'a.example', schemes: ['https'], paths }))).toBe(
      'http://a.example',
    );
  });
});

describe('operations without a usable server', () => {
  test.each<[string, Readonly<Record<string, Json>>]>([
    ['OpenAPI 3', withServers({ url: '/v1' })],
    ['Swagger 2.0', swagger({ basePath: '/v1' })],
    ['Swagger 2.0 with other schemes', swagger({ host: 'a.example', schemes: ['wss'] })],
  ])('are refused in %s, with what to do', (_, description) => {
    const refusal = refusalOf(() => serverOf(description));

    expect(refusal.code).toBe('no_server_url');
    expect(onlyOf(refusal.findings)).toEqual({
      where: '/paths/~1pets/get',
      what: 'no absolute http or https server address',
      mend: expect.stringContaining('--api-base'),
    });
  });
});

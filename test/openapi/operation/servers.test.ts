import { describe, expect, test } from '@jest/globals';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import { readDescription } from '../../../layers/openapi/intake/read-description.ts';
import type { ServerBase } from '../../../layers/openapi/operation/servers.ts';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { aDescription, anOperation, LIMITS, refusalOf } from '../../support/openapi/intake.ts';
import { compiled, onlyOf } from '../../support/openapi/compile.ts';

const serverOf = (
  description: Readonly<Record<string, Json>>,
  serverBase: ServerBase = {},
): string => onlyOf(compiled(description, { serverBase }).tools).operation.serverUrl;

const withServers = (...servers: readonly Json[]) => aDescription({ servers });

const swagger = (members: Readonly<Record<string, Json>>) => ({
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: anOperation() } },
  ...members,
});

const OPENAPI_URL = 'https://docs.example.com/specs/pets.yaml';

describe('the server of an operation', () => {
  test('is taken from the operation, otherwise from its path, otherwise from the document', () => {
    const { tools, apiBaseUrl } = compiled(
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

    expect(tools.map(({ operation }) => operation.serverUrl)).toEqual([
      'https://root.example',
      'https://path.example',
      'https://operation.example',
      'https://path.example',
    ]);
    expect(apiBaseUrl).toBe('https://path.example');
  });

  test.each<[string, Json, string]>([
    ['a trailing slash', { url: 'https://a.example/v1/' }, 'https://a.example/v1'],
    [
      'as many characters as an address may',
      { url: `https://a.example/${'v'.repeat(2030)}` },
      `https://a.example/${'v'.repeat(2030)}`,
    ],
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
    [
      'several slashes',
      { url: 'https://a.example//v1///b/?u=x//y' },
      'https://a.example/v1/b/?u=x//y',
    ],
    [
      'a value with a slash behind one',
      { url: 'https://a.example/{base}', variables: { base: { default: '/prod' } } },
      'https://a.example/prod',
    ],
  ])('is found where it has %s', (_, server, url) => {
    expect(serverOf(withServers(server))).toBe(url);
  });

  test('is the https address where the description lists it with http as well', () => {
    const both = withServers(
      { url: 'http://a.example/v1' },
      { url: 'https://other.example' },
      { url: 'https://a.example/v1' },
    );

    expect(serverOf(both)).toBe('https://a.example/v1');
    expect(compiled(both).warnings).toEqual([]);
  });

  test('gets a warning where a default is none of the values, with the way to choose one', () => {
    const variables = { region: { default: 'xx', enum: ['eu', 'us'] } };
    const description = withServers({ url: 'https://{region}.a.example', variables });

    expect(serverOf(description)).toBe('https://xx.a.example');
    expect(compiled(description).warnings).toEqual([
      {
        where: '',
        what: 'the default "xx" of the server variable region is none of its values',
        hint: 'Choose one of eu, us (`--server-variable region=TEXT`, `server_variables`).',
      },
    ]);
    for (const serverBase of [
      { serverVariables: { region: 'eu' } },
      { apiBaseUrl: 'https://b.example/v1' },
    ]) {
      expect(compiled(description, { serverBase }).warnings).toEqual([]);
    }
  });

  test('gets a warning where it has no https, since calls to it are refused', () => {
    expect(compiled(withServers({ url: 'http://a.example' })).warnings).toEqual([
      {
        where: '',
        what: 'calls to http://a.example are refused: they would be sent unencrypted',
        hint: 'Give the https address of the API (`--api-base URL`, `api_base_url`).',
      },
    ]);
  });

  test.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])(
    'is on a machine that a local run alone can call: %s',
    (url) => {
      const local = { serverBase: { reachesLoopback: true } };

      expect(compiled(withServers({ url }), local).warnings).toEqual([]);
      expect(compiled(withServers({ url })).warnings).toEqual([
        {
          where: '',
          what: `calls to ${url} are refused: ${new URL(url).host} is the machine that asks for it`,
          hint: 'Give the address of the API (`--api-base URL`, `api_base_url`).',
        },
      ]);
    },
  );

  test.each([
    'https://com_example_app',
    'https://api',
    'https://10.0.0.5',
    'https://192.168.1.5:8443',
    'https://172.20.0.1',
    'https://api.internal',
    'https://nas.local/api',
    'https://[fd00::1]',
  ])('gets a warning where it is on no public network: %s', (url) => {
    expect(compiled(withServers({ url })).warnings).toEqual([
      {
        where: '',
        what: `calls to ${url} are refused: ${new URL(url).host} is on no public network`,
        hint: 'Give the address of the API (`--api-base URL`, `api_base_url`), or choose the private network that it is in (`network`).',
      },
    ]);
  });

  test.each(['https://172.32.0.1', 'https://local.example', 'https://8.8.8.8'])(
    'gets none where it is on a public one: %s',
    (url) => {
      expect(compiled(withServers({ url })).warnings).toEqual([]);
    },
  );

  test('is the first that a cloud can reach', () => {
    const servers = [{ url: 'http://localhost:3000' }, { url: 'https://a.example' }];

    expect(serverOf(withServers(...servers))).toBe('https://a.example');
    expect(serverOf(withServers(...servers), { reachesLoopback: true })).toBe(
      'http://localhost:3000',
    );
  });

  test.each([
    ['localhost:8080/api', 'http://localhost:8080/api'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['localhost:443', 'https://localhost'],
    ['api.example.com:8443', 'https://api.example.com:8443'],
    ['api.internal:8080', 'http://api.internal:8080'],
    ['10.0.0.5:8080/api', 'http://10.0.0.5:8080/api'],
    ['localhost:8443', 'http://localhost:8443'],
  ])(
    'speaks HTTP where it names no scheme, and is local or has another port: %s',
    (url, address) => {
      expect(serverOf(withServers({ url }))).toBe(address);
      const [host = '', ...path] = url.split('/');
      const described = swagger({ host, basePath: `/${path.join('/')}` });
      expect(serverOf(described)).toBe(address);
    },
  );

  test('has one slash where a variable begins with another, as API Gateway exports its stage', () => {
    const server = {
      url: 'https://abc.execute-api.eu-west-1.amazonaws.com/{basePath}',
      variables: { basePath: { default: '/prod' } },
    };

    expect(serverOf(withServers(server))).toBe(
      'https://abc.execute-api.eu-west-1.amazonaws.com/prod',
    );
    const whole = { url: '{base}/v1', variables: { base: { default: 'https://a.example' } } };
    expect(serverOf(withServers(whole))).toBe('https://a.example/v1');
  });

  test('has no stage where API Gateway names the one that is no part of addresses', () => {
    const url = 'https://abc.execute-api.eu-west-1.amazonaws.com/{stage}';
    const variables = { stage: { default: '$default' } };

    expect(serverOf(withServers({ url, variables }))).toBe(url.replace('/{stage}', ''));
  });

  test('takes the first value of a variable whose default is the empty text, and not among them', () => {
    const variables = { protocol: { default: '', enum: ['https', 'http'] } };

    expect(serverOf(withServers({ url: '{protocol}://a.example', variables }))).toBe(
      'https://a.example',
    );
  });

  test('is refused where a variable is given a value that no server lists', () => {
    const version = { default: 'v1', enum: ['v1', 'v2'] };
    const server = { url: 'https://a.example/{version}', variables: { version } };
    const given = (value: string): ServerBase => ({ serverVariables: { version: value } });

    expect(serverOf(withServers(server), given('v2'))).toBe('https://a.example/v2');
    expect(
      refusalOf(() => compiled(withServers(server), { serverBase: given('v9') })),
    ).toMatchObject({
      code: 'invalid_request',
      findings: [
        {
          where: '/server_variables/version',
          what: '"v9" is none of its values',
          hint: 'Choose one of v1, v2.',
        },
      ],
    });
  });

  test('is one that lists the given value', () => {
    const server = (region: string) => ({
      url: 'https://{region}.example',
      variables: { region: { default: region, enum: [region] } },
    });

    expect(
      serverOf(withServers(server('us'), server('eu')), { serverVariables: { region: 'eu' } }),
    ).toBe('https://eu.example');
  });

  test.each<[string, Json]>([
    ['another scheme', { url: 'ftp://a.example' }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a password', { url: 'https://me:secret@a.example' }],
    ['a variable without a value', { url: 'https://{host}.example' }],
    ['no url', { description: 'x' }],
    ['nothing to be relative to', { url: '/v1' }],
  ])('is the next one in the list where the first has %s', (_, server) => {
    expect(serverOf(withServers(server, { url: 'https://next.example' }))).toBe(
      'https://next.example',
    );
  });

  test('is filled with the values that are given for its variables', () => {
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
  ])(
    'is resolved against the address of the description where it is relative: %s',
    (url, expected) => {
      expect(serverOf(withServers({ url }), { openapiUrl: OPENAPI_URL })).toBe(expected);
    },
  );

  test('is the origin of the description where it names no server', () => {
    expect(serverOf(withServers(), { openapiUrl: OPENAPI_URL })).toBe('https://docs.example.com');
  });
});

describe('a server that is a path', () => {
  const described = (members: Readonly<Record<string, Json>>, url: string) =>
    aDescription({
      paths: {
        '/a': { get: anOperation() },
        '/b': { get: anOperation({ servers: [{ url }] }) },
        '/c': { servers: [{ url }], get: anOperation() },
      },
      ...members,
    });
  const servers = [{ url: 'https://a.example/v1' }];
  const addresses = (description: Readonly<Record<string, Json>>, serverBase: ServerBase = {}) => {
    const { tools, warnings } = compiled(description, { serverBase });
    return {
      at: tools.map(({ operation }) => operation.serverUrl),
      warned: warnings.map(({ where, what }) => `${where} | ${what}`),
    };
  };

  test.each([
    ['/v2', 'https://a.example/v2'],
    ['./v2', 'https://a.example/v2'],
    ['../', 'https://a.example'],
  ])('%s of an operation stands beside the address of the others', (url, at) => {
    const { at: found, warned } = addresses(described({ servers }, url));

    expect(found).toEqual(['https://a.example/v1', at, at]);
    expect(warned).toEqual(
      ['/paths/~1b/get', '/paths/~1c/get'].map(
        (where) =>
          `${where} | the server ${JSON.stringify(url)} of the operation is a mere path; it is read beside the address of the others`,
      ),
    );
  });

  test('is relative to where the description comes from, or says that it is', () => {
    const here = { at: ['https://a.example/v1', 'https://docs.example.com/v2'] };
    const { at, warned } = addresses(described({ servers }, '/v2'), { openapiUrl: OPENAPI_URL });
    expect([at.slice(0, 2), warned]).toEqual([here.at, []]);

    const $self = 'https://self.example/api/openapi.json';
    const own = { openapi: '3.2.0', $self, servers: [{ url: '../v1' }] };
    expect(addresses(described(own, '/v2')).at.slice(0, 2)).toEqual([
      'https://self.example/v1',
      'https://self.example/v2',
    ]);
  });

  test('counts for nothing where the owner gives an address', () => {
    const { at, warned } = addresses(described({ servers }, '/v2'), {
      apiBaseUrl: 'https://b.example/api',
    });
    expect(at).toEqual(Array.from({ length: 3 }, () => 'https://b.example/api'));
    expect(warned).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, Json>>]>([
    ['a backslash', { url: '/\\b.example/v2' }],
    ['a tab', { url: '/\t/b.example/v2' }],
    ['a variable', { url: '/{v}', variables: { v: { default: '/b.example' } } }],
  ])('leads to no other host by %s', (_, server) => {
    const get = anOperation({ servers: [server] });
    const description = aDescription({ servers, paths: { '/b': { get } } });
    expect(() => compiled(description)).toThrow('no_server_url');
  });

  test('with a host alone is one of https', () => {
    expect(serverOf(withServers({ url: '//a.example/v1' }))).toBe('https://a.example/v1');
  });
});

test('a server whose host is empty at a variable is none', () => {
  const tenant = { default: '' };
  const description = withServers({
    url: 'https://{tenant}.a.example',
    variables: { tenant },
  });
  expect(refusalOf(() => serverOf(description)).findings[0]?.what).toBe(
    'the variable {tenant} of the server has no value',
  );
  expect(serverOf(description, { serverVariables: { tenant: 'b' } })).toBe('https://b.a.example');
});

describe('the server of OpenAPI 3', () => {
  test.each<[string, Readonly<Record<string, Json>>, string]>([
    ['an empty address', withServers({ url: '' }), 'https://docs.example.com'],
    ['a host without https', withServers({ url: 'a.example.org/v1' }), 'https://a.example.org/v1'],
    ['a file', withServers({ url: 'index.php' }), 'https://docs.example.com/specs/index.php'],
    [
      'a server without a list',
      aDescription({ servers: { url: 'https://a.example' } }),
      'https://a.example',
    ],
    [
      'the fields of Swagger 2.0',
      aDescription({ servers: [], host: 'a.example', basePath: '/v1' }),
      'https://a.example/v1',
    ],
    [
      'servers beside them',
      aDescription({ servers: [{ url: 'https://a.example' }], host: 'b.example' }),
      'https://a.example',
    ],
  ])('is read of %s', (_, description, url) => {
    expect(serverOf(description, { openapiUrl: OPENAPI_URL })).toBe(url);
  });
});

describe("the deployment's base URL", () => {
  test.each([
    ['https://own.example', 'https://a.example/v1', 'https://own.example/v1'],
    ['https://own.example/', 'http://a.example:81/v1/', 'https://own.example/v1'],
    ['http://127.0.0.1:24014', 'https://a.example', 'http://127.0.0.1:24014'],
    ['https://own.example', '//a.example/v1', 'https://own.example/v1'],
    ['https://own.example', 'a.example/v1', 'https://own.example/v1'],
    ['https://own.example', 'ftp://a.example/v1', 'https://own.example'],
    ['https://own.example?x=1', 'https://a.example/v1', 'https://own.example/?x=1'],
    ['https://own.example/base/', 'https://a.example/v1', 'https://own.example/base'],
    ['https://own.example', '/v1', 'https://own.example/v1'],
    ['https://own.example/base', '/v1', 'https://own.example/base'],
    ['https://own.example', 'https://{unknown}.example', 'https://own.example'],
  ])('%s is used with the server %s of the description as %s', (apiBaseUrl, url, expected) => {
    const serverBase = { apiBaseUrl, openapiUrl: OPENAPI_URL };

    expect(serverOf(withServers({ url }), serverBase)).toBe(expected);
  });

  test('moves the address of Swagger 2.0 as well', () => {
    const description = swagger({ host: '127.0.0.1', basePath: '/v1', schemes: ['http'] });

    expect(serverOf(description, { apiBaseUrl: 'http://127.0.0.1:24014' })).toBe(
      'http://127.0.0.1:24014/v1',
    );
    expect(serverOf(description, { apiBaseUrl: 'http://127.0.0.1:24014/v2' })).toBe(
      'http://127.0.0.1:24014/v2',
    );
  });

  test.each<[Readonly<Record<string, Json>>, ServerBase, string | undefined]>([
    [withServers({ url: 'https://a.example/v1' }), {}, 'https://a.example/v1'],
    [withServers({ url: '/v1' }), {}, '/v1'],
    [withServers({ url: '/v1' }), { openapiUrl: OPENAPI_URL }, 'https://docs.example.com/v1'],
    [swagger({ basePath: '/v1' }), {}, '/v1'],
    [withServers(), {}, undefined],
    [withServers({ url: 'ftp://a.example' }), {}, undefined],
  ])('is told beside what %j says itself', (description, serverBase, described) => {
    const { describedBaseUrl } = compiled(description, {
      serverBase: { ...serverBase, apiBaseUrl: 'https://own.example/base' },
    });

    expect(describedBaseUrl).toBe(described);
  });

  test('is enough where the description names no server', () => {
    expect(serverOf(withServers(), { apiBaseUrl: 'http://127.0.0.1:9000' })).toBe(
      'http://127.0.0.1:9000',
    );
  });

  test.each(['own.example', '/v1', 'ftp://own.example', 'https://me:secret@own.example', ''])(
    'is refused where it is %j',
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
    [{ host: 'a.example', schemes: ['HTTP:'] }, 'http://a.example'],
    [{ host: 'a.example', schemes: 'http' }, 'http://a.example'],
    [{ host: 'docs.example.com:8080' }, 'https://docs.example.com:8080'],
    [{ basePath: '/v1' }, 'https://docs.example.com/v1'],
    [{ servers: [{ url: 'https://a.example/v1' }] }, 'https://a.example/v1'],
    [{ host: 'https://a.example/', basePath: '/v1/' }, 'https://a.example/v1'],
    [{ host: 'a.example', servers: [{ url: 'https://b.example' }] }, 'https://a.example'],
  ])('is read from %j as %s', (members, url) => {
    expect(serverOf(swagger(members), { openapiUrl: OPENAPI_URL })).toBe(url);
  });

  test('uses the schemes of the operation', () => {
    const paths = { '/pets': { get: anOperation({ schemes: ['http'] }) } };

    expect(serverOf(swagger({ host: 'a.example', schemes: ['https'], paths }))).toBe(
      'http://a.example',
    );
  });
});

describe('a description without a usable server', () => {
  test.each<[Json]>([[{}], [{ variables: { tenant: {} } }]])(
    'is refused with the variable that has no value: %j',
    (members) => {
      const refusal = refusalOf(() =>
        serverOf(withServers({ url: 'https://{tenant}.a.example', ...(members as object) })),
      );

      expect(onlyOf(refusal.findings)).toEqual({
        where: '/paths/~1pets/get',
        what: 'the variable {tenant} of the server has no value',
        hint: 'Give it (`--server-variable tenant=TEXT`, `server_variables`), or the address of the API (`--api-base URL`, `api_base_url`).',
      });
    },
  );

  test.each<[string, Readonly<Record<string, Json>>]>([
    ['OpenAPI 3', withServers({ url: '/v1' })],
    ['Swagger 2.0', swagger({ basePath: '/v1' })],
    [
      'Swagger 2.0 with a scheme that is no text',
      swagger({ host: 'a.example', schemes: [{ toString: 1 }] }),
    ],
    ['Swagger 2.0 with other schemes', swagger({ host: 'a.example', schemes: ['wss'] })],
    ['longer than addresses may be', withServers({ url: `https://a.example/${'v'.repeat(2031)}` })],
    [
      'longer than that with its variables',
      withServers({
        url: `https://a.example/${'{v}'.repeat(100_000)}`,
        variables: { v: { default: 'x'.repeat(2000) } },
      }),
    ],
  ])('is refused with a hint, where it is %s', (_, description) => {
    const refusal = refusalOf(() => serverOf(description));

    expect(refusal.code).toBe('no_server_url');
    expect(onlyOf(refusal.findings)).toEqual({
      where: '/paths/~1pets/get',
      what: 'no absolute http or https server address of at most 2048 characters',
      hint: expect.stringContaining('--api-base'),
    });
  });
});

describe('a server that leads to another host than the description came from', () => {
  const warned = (members: Readonly<Record<string, Json>>, serverBase: ServerBase = {}) => {
    const base = { openapiUrl: OPENAPI_URL, ...serverBase };
    return compiled(aDescription(members), { serverBase: base }).warnings.map(({ what }) => what);
  };
  const SELF = { openapi: '3.2.0', $self: 'https://api.example.org/v1/pets.yaml' };

  test.each<[string, Readonly<Record<string, Json>>, string]>([
    ['by $self', { ...SELF, servers: [{ url: '/v2' }] }, 'the server "/v2" leads there by $self'],
    ['by $self alone', { ...SELF, servers: [] }, 'the server "" leads there by $self'],
    [
      'by an address without a scheme',
      { servers: [{ url: '//api.example.org/v2' }] },
      'the server "//api.example.org/v2" leads there',
    ],
    [
      'by backslashes',
      { servers: [{ url: '/\\api.example.org' }] },
      'the server "/\\\\api.example.org" leads there',
    ],
    [
      'at another port',
      { servers: [{ url: '//docs.example.com:8443' }] },
      'the server "//docs.example.com:8443" leads there',
    ],
  ])('is warned of: %s', (_, members, how) => {
    expect(warned(members)).toEqual([
      expect.stringMatching(
        /^calls go to [\w.:]+, and the description came from docs\.example\.com: /,
      ),
    ]);
    expect(warned(members)[0]).toContain(how);
  });

  test.each<[string, Readonly<Record<string, Json>>, ServerBase]>([
    ['it is a whole address', { servers: [{ url: 'https://api.example.org' }] }, {}],
    ['it is the same host', { servers: [{ url: '/v2' }] }, {}],
    ['it is the same host by $self', { ...SELF, $self: '../pets.yaml', servers: [] }, {}],
    ['the owner gave the address', SELF, { apiBaseUrl: 'https://api.example.net' }],
  ])('is not warned of where %s', (_, members, serverBase) => {
    expect(warned(members, serverBase)).toEqual([]);
  });
});

describe('servers of an overlay', () => {
  const described = aDescription({
    servers: [{ url: 'https://old.example' }, { url: 'https://older.example' }],
    paths: {
      '/a': { get: anOperation({ servers: [{ url: 'https://one.example' }] }) },
      '/b': { get: anOperation() },
    },
  });
  const overlaid = (actions: Json, description: Json = described) =>
    readDescription(JSON.stringify(description), LIMITS, [
      JSON.stringify({ overlay: '1.1.0', info: { title: 'Mended', version: '1' }, actions }),
    ]);
  const addresses = (actions: Json, description: Json = described) => {
    const read = overlaid(actions, description);
    return compileTools(read, read.operations).tools.map(({ operation }) => operation.serverUrl);
  };
  const NEW = { url: 'https://new.example' };

  test.each<[string, Json, readonly string[]]>([
    [
      'added to others',
      [{ target: '$', update: { servers: [NEW] } }],
      ['https://one.example', 'https://new.example'],
    ],
    [
      'added to their list',
      [{ target: '$.servers', update: NEW }],
      ['https://one.example', 'https://new.example'],
    ],
    [
      'added to those of an operation',
      [{ target: "$.paths['/a'].get", update: { servers: [NEW] } }],
      ['https://new.example', 'https://old.example'],
    ],
    [
      'in place of others',
      [
        { target: '$.paths.*.*.servers', remove: true },
        { target: '$.servers[*]', remove: true },
        { target: '$', update: { servers: [NEW] } },
      ],
      ['https://new.example', 'https://new.example'],
    ],
    [
      'changed',
      [{ target: '$.servers[0].url', update: NEW.url }],
      ['https://one.example', 'https://new.example'],
    ],
    [
      'added, and removed again',
      [
        { target: '$.servers', update: NEW },
        { target: "$.servers[?@.url == 'https://new.example']", remove: true },
      ],
      ['https://one.example', 'https://old.example'],
    ],
  ])('are where calls go: %s', (_, actions, expected) => {
    expect(addresses(actions)).toEqual(expected);
  });

  test('are asked for where there is no list to add them to', () => {
    const { servers: _, ...without } = described as Record<string, Json>;
    const { description, findings } = refusalOf(() =>
      addresses([{ target: '$.servers', update: [NEW] }], {
        ...without,
        paths: { '/b': { get: anOperation() } },
      }),
    );

    expect(description).toBe('The description names no server that its operations can be sent to.');
    expect(findings?.[1]).toMatchObject({ where: '/overlays/0/actions/0' });
  });

  test('are warned of where Swagger 2.0 goes to its host', () => {
    const read = overlaid(
      [{ target: '$', update: { servers: [NEW] } }],
      swagger({ host: 'a.example' }),
    );

    expect(compileTools(read, read.operations).warnings.map(({ what }) => what)).toEqual([
      'Swagger 2.0 has no servers; calls go to its host',
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readOptions } from '../../local/run/options.ts';
import { findingText } from '../../local/run/publish.ts';

const read = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  readOptions(args, { INIT_CWD: '/home/ann/project', ...environment }, '/opt/hosted-mcp');

describe('the command line of npm start', () => {
  test('may be empty', () => {
    expect(read([])).toEqual({
      help: false,
      verbose: false,
      demoIdp: false,
      port: 8787,
      dataFolder: '/opt/hosted-mcp/.local',
      settings: {
        LIMITS: '{"active_deployments_per_user":100}',
        ALLOWED_REDIRECT_URIS: '["cursor://anysphere.cursor-mcp/oauth/callback"]',
        NEW_ACCOUNT_PLAN: 'pro',
        MODEL_HOSTS: '[]',
        NETWORKS: '',
      },
      allowedOrigins: [],
      networks: [],
      certificateAuthorities: [],
      publication: undefined,
    });
  });

  test('takes a description to publish, with its name, its auth method and its API', () => {
    const { publication } = read(
      '--openapi api/petstore.yaml --slug pets --auth jwt --api-base https://pets.example/v2 --include tag:a --include b'.split(
        ' ',
      ),
    );

    expect(publication).toEqual({
      source: { file: '/home/ann/project/api/petstore.yaml' },
      slug: 'pets',
      authMethod: 'jwt',
      apiBaseUrl: 'https://pets.example/v2',
      include: ['tag:a', 'b'],
      exclude: [],
    });
  });

  test('leaves the name to the service and has people sign in where it does not say otherwise', () => {
    expect(read(['--openapi=/a.json']).publication).toMatchObject({
      source: { file: '/a.json' },
      slug: undefined,
      authMethod: 'oauth',
      apiBaseUrl: undefined,
    });
  });

  test('takes hosts of models, also on this machine', () => {
    const args = ['--model-host', 'ours=https://llm.example.com/v1'];

    expect(read([...args, '--model-host=here=http://127.0.0.1:11434']).settings.MODEL_HOSTS).toBe(
      JSON.stringify([
        { name: 'ours', url: 'https://llm.example.com/v1' },
        { name: 'here', url: 'http://127.0.0.1:11434/v1' },
      ]),
    );
  });

  test('takes certificates that calls of APIs trust', () => {
    const file = join(import.meta.dirname, '../support/tls/localhost.cert.pem');

    expect(read(['--certificate-authority', file]).certificateAuthorities).toEqual([
      readFileSync(file, 'utf8').trim(),
    ]);
    expect(() => read(['--certificate-authority', import.meta.filename])).toThrow(
      '--certificate-authority must be a file of certificates in PEM: Write one certificate in PEM',
    );
    expect(() => read(['--certificate-authority', '/nowhere.pem'])).toThrow('ENOENT');
  });

  test.each([
    ['', 'a name is up to 31'],
    ['ours', 'the url of "ours"'],
    ['https://llm.example.com', 'a name is up to 31'],
    ['=https://llm.example.com', 'a name is up to 31'],
    ['ours=http://llm.example.com', 'the url of "ours"'],
    ["ours=https://llm.example.com;script-src 'self'", 'the url of "ours"'],
    ['google=https://llm.example.com', '"google" is offered in any case'],
  ])('refuses the host of models %j', (text, why) => {
    expect(() => read(['--model-host', text])).toThrow(
      `--model-host must be a name and an address, as in ours=https://llm.example.com/v1: ${why}`,
    );
  });

  test('takes origins of pages that may use deployments of mode none', () => {
    const args = ['--allow-origin', 'https://app.example.com', '--allow-origin=vscode-webview://a'];

    expect(read(args).allowedOrigins).toEqual(['https://app.example.com', 'vscode-webview://a']);
  });

  test.each([
    '',
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://a.example/b',
  ])('refuses %j as the origin of a page', (origin) => {
    expect(() => read(['--allow-origin', origin])).toThrow('--allow-origin must be an origin');
  });

  test('takes the tool mode', () => {
    const modeIn = (...args: readonly string[]) =>
      read(['--openapi', '/a.json', ...args]).publication?.toolMode;

    expect(modeIn()).toBeUndefined();
    expect(modeIn('--tool-mode', 'search')).toBe('search');
    expect(modeIn('--tool-mode', 'operations')).toBe('operations');
  });

  test('says where the files of a description lie, and how strictly it is read', () => {
    const { publication } = read(
      '--openapi api/pets.yaml --root .. --fetch-refs --strict'.split(' '),
    );

    expect(publication).toMatchObject({
      source: { file: '/home/ann/project/api/pets.yaml' },
      root: '/home/ann',
      fetchRefs: true,
      strict: true,
    });
  });

  test.each(['https://pets.example/openapi.json', 'HTTP://127.0.0.1:8000/openapi.json'])(
    'takes %s as an address',
    (url) => {
      expect(read(['--openapi', url]).publication?.source).toEqual({ url });
    },
  );

  test.each([
    ['an option that does not exist', ['--nope'], "Unknown option '--nope'. Options follow a --"],
    ['a value without its option', ['a.yaml'], "Unexpected argument 'a.yaml'. Options follow a --"],
    ['an option without its value', ['--openapi'], "Option '--openapi <value>' argument missing."],
    ['an option with an empty value', ['--openapi', ''], '--openapi needs a file or a URL.'],
    ['a slug for nothing', ['--slug', 'a'], '--slug only has a meaning together with --openapi'],
    ['a method for nothing', ['--auth', 'none'], '--auth only has a meaning together with'],
    [
      'a mode for nothing',
      ['--tool-mode', 'search'],
      '--tool-mode only has a meaning together with',
    ],
    ['a folder for nothing', ['--root', 'a'], '--root only has a meaning together with --openapi'],
    ['strictness for nothing', ['--strict'], '--strict only has a meaning together with'],
    [
      'a folder for a URL',
      ['--openapi', 'https://pets.example/a.json', '--root', 'a'],
      '--root, --fetch-refs and --strict are for files: a URL is read by the service.',
    ],
    [
      'an unknown mode',
      ['--openapi', 'a', '--tool-mode', 'all'],
      '--tool-mode must be one of operations, search, not "all".',
    ],
    [
      'an unknown method',
      ['--openapi', 'a', '--auth', 'basic'],
      '--auth must be one of oauth, jwt, none, not "basic".',
    ],
  ])('refuses %s', (_, args, sentence) => {
    expect(() => read(args)).toThrow(sentence);
  });
});

describe('the environment of npm start', () => {
  test('sets the port, the data folder and the limits', () => {
    const limits = '{"gallery_per_day": 3}';

    expect(
      read([], { PORT: '0', HOSTED_MCP_DATA: 'data', HOSTED_MCP_LIMITS: limits }),
    ).toMatchObject({
      port: 0,
      dataFolder: '/home/ann/project/data',
      settings: { LIMITS: '{"active_deployments_per_user":100,"gallery_per_day":3}' },
    });
    expect(
      read([], { HOSTED_MCP_LIMITS: '{"active_deployments_per_user": 3}' }).settings.LIMITS,
    ).toBe('{"active_deployments_per_user":3}');
  });

  test('sets the plan of new accounts', () => {
    expect(read([], { HOSTED_MCP_NEW_ACCOUNT_PLAN: 'free' }).settings.NEW_ACCOUNT_PLAN).toBe(
      'free',
    );
    expect(() => read([], { HOSTED_MCP_NEW_ACCOUNT_PLAN: 'gold' })).toThrow(
      'HOSTED_MCP_NEW_ACCOUNT_PLAN cannot be used: write free or pro.',
    );
  });

  test('lets no app of a scheme of its own in where the list is empty', () => {
    expect(
      read([], { HOSTED_MCP_ALLOWED_REDIRECT_URIS: '[]' }).settings.ALLOWED_REDIRECT_URIS,
    ).toBe('[]');
  });

  test('sets the redirect URIs of apps that clients may use', () => {
    const text = '["com.example.app:/callback", "cursor://anysphere.cursor/callback"]';

    expect(read([], { HOSTED_MCP_ALLOWED_REDIRECT_URIS: text })).toMatchObject({
      settings: { ALLOWED_REDIRECT_URIS: text },
    });
  });

  test.each([
    'x',
    '{}',
    '[7]',
    '["https://example.com/cb"]',
    '["no scheme"]',
    '["app:"]',
    '["app:/a b"]',
  ])('is refused where the list of redirect URIs is %j', (text) => {
    expect(() => read([], { HOSTED_MCP_ALLOWED_REDIRECT_URIS: text })).toThrow(
      'HOSTED_MCP_ALLOWED_REDIRECT_URIS cannot be used: ',
    );
  });

  test('sets the versions of MCP that are served', () => {
    const text = '2025-06-18, 2025-03-26';

    expect(read([], { HOSTED_MCP_PROTOCOL_VERSIONS: text })).toMatchObject({
      settings: { PROTOCOL_VERSIONS: text },
    });
  });

  test.each(['x', '2025-06-18', '2024-11-05,2025-03-26', '2025-03-26,'])(
    'is refused where the versions are %j',
    (text) => {
      expect(() => read([], { HOSTED_MCP_PROTOCOL_VERSIONS: text })).toThrow(
        'HOSTED_MCP_PROTOCOL_VERSIONS cannot be used: ',
      );
    },
  );

  test('switches cards on', () => {
    expect(read([], { HOSTED_MCP_SERVER_CARDS: 'true' }).settings.SERVER_CARDS).toBe('true');
    expect(() => read([], { HOSTED_MCP_SERVER_CARDS: 'yes' })).toThrow(
      'HOSTED_MCP_SERVER_CARDS cannot be used: write true or false.',
    );
  });

  test('says which lines of requests are logged', () => {
    expect(read([], { HOSTED_MCP_LOG_LEVEL: 'warn' }).settings.LOG_LEVEL).toBe('warn');
    expect(() => read([], { HOSTED_MCP_LOG_LEVEL: 'debug' })).toThrow(
      'HOSTED_MCP_LOG_LEVEL cannot be used: write info, warn or error.',
    );
  });

  test('has a list of identity providers, which is read once the service runs', () => {
    expect(read([]).identityProviders).toBeUndefined();
    expect(read([], { HOSTED_MCP_IDENTITY_PROVIDERS: '[]' }).identityProviders).toEqual([]);
    expect(() => read([], { HOSTED_MCP_IDENTITY_PROVIDERS: '{' })).toThrow(
      'HOSTED_MCP_IDENTITY_PROVIDERS cannot be used: it must be a JSON list of providers.',
    );
  });

  test('may have all its variables empty', () => {
    expect(read([], { PORT: '', HOSTED_MCP_DATA: '', HOSTED_MCP_LIMITS: '' })).toEqual(read([]));
  });

  test.each([
    [
      'a port that is no number',
      { PORT: 'http' },
      'PORT must be a number from 0 to 65535, not "http".',
    ],
    ['a port that is none', { PORT: '65536' }, 'PORT must be a number from 0 to 65535'],
    ['a port below all', { PORT: '-1' }, 'PORT must be a number from 0 to 65535'],
    [
      'a limit that does not exist',
      { HOSTED_MCP_LIMITS: '{"gallery": 3}' },
      'HOSTED_MCP_LIMITS cannot be used: unknown limit "gallery"; the limits are registration_per',
    ],
    [
      'a limit that is no number',
      { HOSTED_MCP_LIMITS: '{"gallery_per_day": "3"}' },
      'HOSTED_MCP_LIMITS cannot be used: limit "gallery_per_day" must be a whole number',
    ],
    [
      'limits that are no JSON',
      { HOSTED_MCP_LIMITS: 'gallery_per_day=3' },
      'HOSTED_MCP_LIMITS cannot be used: the limits are not valid JSON.',
    ],
  ])('refuses %s', (_, environment, sentence) => {
    expect(() => read([], environment)).toThrow(sentence);
  });
});

describe('a finding in the terminal', () => {
  test.each([
    [{ where: '/paths', what: 'is missing', hint: 'Add it.' }, '  at /paths: is missing. Add it.'],
    [{ where: '', what: 'Is empty.', hint: '' }, '  Is empty.'],
    [
      { where: '/a\u001b[2J', what: 'is\u0007 odd\r\n', hint: '\u009b1m' },
      '  at /a [2J: is  odd  .  1m',
    ],
  ])('%j is printed as one line without control characters', (finding, line) => {
    expect(findingText(finding)).toBe(line);
  });
});

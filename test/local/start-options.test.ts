import { describe, expect, test } from '@jest/globals';
import { readOptions } from '../../local/run/options.ts';
import { findingText } from '../../local/run/publish.ts';

const read = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  readOptions(args, { INIT_CWD: '/home/ann/project', ...environment }, '/opt/hosted-mcp');

describe('the command line of npm start', () => {
  test('needs nothing', () => {
    expect(read([])).toEqual({
      help: false,
      verbose: false,
      port: 8787,
      dataFolder: '/opt/hosted-mcp/.local',
      limits: '',
      allowedRedirectUris: '',
      publication: undefined,
    });
  });

  test('names a description to publish', () => {
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

  test('leaves open what is not said, and lets anyone in', () => {
    expect(read(['--openapi=/a.json']).publication).toMatchObject({
      source: { file: '/a.json' },
      slug: undefined,
      authMethod: 'none',
      apiBaseUrl: undefined,
    });
  });

  test('says whether tools are listed or searched', () => {
    const modeIn = (...args: readonly string[]) =>
      read(['--openapi', '/a.json', ...args]).publication?.toolMode;

    expect(modeIn()).toBeUndefined();
    expect(modeIn('--tool-mode', 'search')).toBe('search');
    expect(modeIn('--tool-mode', 'operations')).toBe('operations');
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
    [
      'an unknown mode',
      ['--openapi', 'a', '--tool-mode', 'all'],
      '--tool-mode must be one of operations, search, not "all".',
    ],
    [
      'an unknown method',
      ['--openapi', 'a', '--auth', 'basic'],
      '--auth must be one of none, oauth, jwt, not "basic".',
    ],
  ])('refuses %s', (_, args, sentence) => {
    expect(() => read(args)).toThrow(sentence);
  });
});

describe('the environment of npm start', () => {
  test('says where to listen, what to keep where, and which limits hold', () => {
    const limits = '{"gallery_per_day": 3}';

    expect(
      read([], { PORT: '0', HOSTED_MCP_DATA: 'data', HOSTED_MCP_LIMITS: limits }),
    ).toMatchObject({ port: 0, dataFolder: '/home/ann/project/data', limits });
  });

  test('says which redirect URIs of apps clients may use', () => {
    const text = '["com.example.app:/callback", "cursor://anysphere.cursor/callback"]';

    expect(read([], { HOSTED_MCP_ALLOWED_REDIRECT_URIS: text })).toMatchObject({
      allowedRedirectUris: text,
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
  ])('is refused where such a list is %j', (text) => {
    expect(() => read([], { HOSTED_MCP_ALLOWED_REDIRECT_URIS: text })).toThrow(
      'HOSTED_MCP_ALLOWED_REDIRECT_URIS cannot be used: ',
    );
  });

  test('may leave all of it empty', () => {
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

describe('a finding on the screen', () => {
  test.each([
    [{ where: '/paths', what: 'is missing', mend: 'Add it.' }, '  at /paths: is missing. Add it.'],
    [{ where: '', what: 'Is empty.', mend: '' }, '  Is empty.'],
    [
      { where: '/a\u001b[2J', what: 'is\u0007 odd\r\n', mend: '\u009b1m' },
      '  at /a [2J: is  odd  .  1m',
    ],
  ])('%j is one line that commands no terminal', (finding, line) => {
    expect(findingText(finding)).toBe(line);
  });
});

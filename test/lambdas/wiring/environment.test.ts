import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { DEFAULT_LIMITS, readLimits } from '../../../layers/limits/rules/limits.ts';
import { readEnvironment, served, shared } from '../../../lambdas/wiring/environment.ts';
import { readSwitch } from '../../../layers/platform/rules/switch.ts';
import type { Setting } from '../../../lib/stage/setting.ts';
import type { ReadersOf } from '../../../lib/stage/variables.ts';

const complete = {
  BASE_URL: 'https://mcp.example.com/v1',
  DEPLOYMENTS_TABLE: 'deployments',
  DEPLOYMENT_CONTENT_TABLE: 'deployment-content',
  DESCRIPTIONS_BUCKET: 'descriptions',
  ANSWERS_BUCKET: 'answers',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'hunter2hunter2',
};

const read = (given: Readonly<Record<string, string | undefined>>) =>
  readEnvironment(shared, { limits: readLimits }, given);

describe('reading the environment variables', () => {
  test('uses the default limits where none are set', () => {
    expect(read(complete).settings.limits).toEqual(DEFAULT_LIMITS);
    expect(read({ ...complete, LIMITS: '' }).settings.limits).toEqual(DEFAULT_LIMITS);
  });

  test('accepts overrides of limits', () => {
    const LIMITS = '{"endpoints_per_deployment":7}';

    expect(read({ ...complete, LIMITS }).settings.limits).toMatchObject({
      endpoints_per_deployment: 7,
    });
  });

  test.each(Object.keys(complete))('fails if %s is missing', (name) => {
    const environment = { ...complete, [name]: undefined };

    expect(() => read(environment)).toThrow(
      new Error(`the environment is not usable: ${name} is missing`),
    );
  });

  test('names everything that is wrong at once', () => {
    const environment = { ...complete, BASE_URL: 'nonsense', AWS_REGION: '', LIMITS: '[]' };

    expect(() => read(environment)).toThrow(
      new Error(
        'the environment is not usable: BASE_URL is not a URL ending in /v1; ' +
          'AWS_REGION is empty; ' +
          'LIMITS is not usable: the limits must be a JSON object of names and numbers',
      ),
    );
  });

  test.each([
    'https://mcp.example.com/v1',
    'http://127.0.0.1:8787/v1',
    'http://[::1]:8787/v1',
    'https://example.com/mcp/v1',
  ])('accepts the base URL %s', (BASE_URL) => {
    expect(read({ ...complete, BASE_URL }).environment).toMatchObject({ BASE_URL });
  });

  test.each([
    'https://mcp.example.com/v1/',
    'https://mcp.example.com',
    'https://mcp.example.com/v2',
    'https://mcp.example.com/notv1',
    'https://mcp.example.com/v1?a=b',
    'https://mcp.example.com/v1#v1',
    'https://user@mcp.example.com/v1',
    'ftp://mcp.example.com/v1',
    '/v1',
    ' https://mcp.example.com/v1',
  ])('refuses the base URL %s', (BASE_URL) => {
    expect(() => read({ ...complete, BASE_URL })).toThrow('BASE_URL is not a URL ending in /v1');
  });

  test('takes no origin secret that could be guessed, and does not say it', () => {
    const secrets = (ORIGIN_SECRETS: string) =>
      read({ ...complete, ORIGIN_SECRETS }).environment.ORIGIN_SECRETS;
    const one = 'a'.repeat(32);

    expect(secrets('')).toBeUndefined();
    expect(secrets(`${one},${one}`)).toEqual([one, one]);
    for (const short of [`${one},`, ',', 'hunter2', `${one},${'b'.repeat(31)}`]) {
      expect(() => secrets(short)).toThrow(
        new Error(
          'the environment is not usable: ORIGIN_SECRETS is not usable: a secret is shorter than 32 characters',
        ),
      );
    }
  });

  test('refuses an AWS endpoint that is not a URL', () => {
    const environment = { ...complete, AWS_ENDPOINT_URL_S3: 'localhost' };

    expect(() => read(environment)).toThrow('AWS_ENDPOINT_URL_S3 is not a URL');
  });

  test('never quotes a value, since it may be a secret', () => {
    const environment = { ...complete, AWS_REGION: undefined, BASE_URL: 'hunter2' };

    expect(() => read(environment)).not.toThrow('hunter2');
    expect(() => read(environment)).toThrow('AWS_REGION is missing');
  });
});

/** What is expected not to compile, the type check holds. */
describe('a setting that nobody reads', () => {
  test('does not compile in the table, without a function', () => {
    const { functions, ...row } = {
      schema: z.boolean(),
      functions: [] as const,
      read: readSwitch,
      says: '',
    };
    // @ts-expect-error no function is named
    const unread: Setting = { ...row, functions };
    expect(unread.functions).toEqual([]);
  });

  test('does not compile in the wiring of a function that is given it, nor one that is not', () => {
    // @ts-expect-error `limits` is missing
    const none: ReadersOf<'mails'> = {};
    // @ts-expect-error `serverCards` is not given to it
    const other: ReadersOf<'mails'> = { limits: readLimits, serverCards: readSwitch };
    expect([none, other]).toHaveLength(2);
  });

  test('does not compile where nothing of the function asks for it', () => {
    const server = ({ settings }: { readonly settings: { readonly baseUrl: string } }) =>
      settings.baseUrl;
    const settings = { baseUrl: 'https://mcp.example.com/v1' };

    expect(served(server, { settings })).toBe(settings.baseUrl);
    // @ts-expect-error nobody asks for `serverCards`
    expect(served(server, { settings: { ...settings, serverCards: true } })).toBeDefined();
  });
});

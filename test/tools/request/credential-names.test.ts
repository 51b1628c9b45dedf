import { describe, expect, test } from '@jest/globals';
import type { SentCredential } from '../../../layers/target/rules/credential.ts';
import type { Operation, OperationBody } from '../../../layers/openapi/tool-index.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { aBody, aParameter, aTool, refusalOf } from '../../support/mcp/tools.ts';

const FREE = { type: 'object', additionalProperties: true };
const FORM = 'application/x-www-form-urlencoded';

const aKey = (place: 'query' | 'header' | 'cookie', name: string): SentCredential => ({
  type: 'api_key',
  in: place,
  name,
  prefix: '',
  secret: 'secret',
  origins: ['https://api.example.com'],
});

/** A call of a tool with these arguments, whose deployment sends a key. */
const calling = (key: SentCredential, operation: Partial<Operation>, schema: object = FREE) => {
  const tool = aTool({ method: 'POST', ...operation }, { properties: { free: schema } });
  return (free: unknown) =>
    buildRequest(tool, readArguments(tool, { free }), { credentials: [key] });
};

const whole = (form: OperationBody['form'], mediaType: string): Partial<Operation> => ({
  body: aBody(form, mediaType, [], { source: { kind: 'whole', argument: 'free' } }),
});
const exploded = { encoding: { free: { style: 'form', explode: true } } } as const;

/** Where an object of any members stands in a request by its members. */
const PLACES: readonly (readonly [string, Partial<Operation>])[] = [
  ['in the query', { parameters: [aParameter('query', 'free')] }],
  [
    'in a query in one piece',
    { parameters: [aParameter('query', 'free', { mediaType: FORM, isQuery: true })] },
  ],
  ['in a form', { body: aBody('form', FORM, ['free'], exploded) }],
  ['in a form in one piece', whole('form', FORM)],
  ['in parts', { body: aBody('multipart', 'multipart/form-data', ['free'], exploded) }],
  ['in parts in one piece', whole('multipart', 'multipart/form-data')],
];

describe('the name of a key in the query', () => {
  const key = aKey('query', 'api_key');

  describe.each(PLACES)('%s', (_, operation) => {
    test.each([
      'api_key',
      'API_KEY',
      'Api.Key',
      'api key',
      ' api_key',
      'api_key[]',
      'api_key[0]',
      'API_KEY[a][b]',
    ])('cannot be set in the spelling %j', (spelling) => {
      expect(refusalOf(() => calling(key, operation)({ [spelling]: 'mine' })).code).toBe(
        'invalid_params',
      );
    });

    test.each(['api_keys', 'apikey', 'x[api_key]', 'my_api_key'])(
      'may be like another one: %s',
      (name) => {
        expect(() => calling(key, operation)({ [name]: 'mine' })).not.toThrow();
      },
    );
  });

  test('cannot be the whole of which the key is a part', () => {
    const parameters = [aParameter('query', 'free')];
    const inPart = aKey('query', 'auth[key]');

    expect(refusalOf(() => calling(inPart, { parameters })({ auth: 'mine' })).code).toBe(
      'invalid_params',
    );
    expect(calling(inPart, { parameters })({ 'auth[user]': 'me' }).url).toContain('auth%5Buser%5D');
  });

  test('stays that of a field that the description has in a form', () => {
    const declared = { ...FREE, properties: { api_key: { type: 'string' } } };
    const { body } = calling(key, whole('form', FORM), declared)({ api_key: 'mine' });

    expect(body).toBe('api_key=mine');
  });

  test('is no name of a further member of a JSON body', () => {
    const body = aBody('json', 'application/json', [], {
      source: { kind: 'properties', properties: [], additional: true },
    });
    const tool = aTool({ method: 'POST', body }, { properties: {} });
    const call = (args: object) =>
      buildRequest(tool, readArguments(tool, args), { credentials: [key] });

    expect(refusalOf(() => call({ API_KEY: 'mine' })).errors).toEqual([
      { path: '/API_KEY', message: 'names something that callers may not set' },
    ]);
    expect(call({ kind: 'mine' }).body).toBe('{"kind":"mine"}');
  });
});

describe('the name of a key in a cookie', () => {
  const operation = { parameters: [aParameter('cookie', 'free')] };

  test.each(['sid', 'SID', 'Sid'])('cannot be set in the spelling %s', (spelling) => {
    expect(
      refusalOf(() => calling(aKey('cookie', 'sid'), operation)({ [spelling]: 'mine' })).code,
    ).toBe('invalid_params');
  });

  test('may be like another one', () => {
    expect(calling(aKey('cookie', 'sid'), operation)({ side: 'a' }).headers['cookie']).toBe(
      'side=a; sid=secret',
    );
  });
});

describe('the name of a key in a header', () => {
  const named = (name: string) => ({
    parameters: [aParameter('header', name, { argument: 'free' })],
  });
  const key = aKey('header', 'X-Api-Key');

  test.each(['x-api-key', 'X_API_KEY', 'X-Api_Key'])(
    'cannot be set in the spelling %s',
    (spelling) => {
      expect(refusalOf(() => calling(key, named(spelling), {})('mine')).code).toBe(
        'invalid_params',
      );
    },
  );

  test('may be like another one', () => {
    expect(calling(key, named('X-Api-Key-Id'), {})('mine').headers).toMatchObject({
      'x-api-key': 'secret',
      'x-api-key-id': 'mine',
    });
  });
});

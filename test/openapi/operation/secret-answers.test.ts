import { describe, expect, test } from '@jest/globals';
import { credentialCommand } from '../../../layers/servers/rules/credential-command.ts';
import { needsWithLogin, secretTools } from '../../../layers/servers/rules/tool-report.ts';
import { secretInAnswer } from '../../../layers/openapi/operation/draft-tool.ts';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { GIVES_SECRETS } from '../../../layers/openapi/tool-note.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation, read } from '../../support/openapi/intake.ts';

const TEXT = { type: 'string' };

const answering = (schema: Json, path = '/pets', status = '200', schemas: Json = {}) =>
  aDescription({
    paths: {
      [path]: {
        get: {
          operationId: 'ask',
          responses: {
            [status]: { description: 'fine', content: { 'application/json': { schema } } },
          },
        },
      },
    },
    components: { schemas },
  });

const foundIn = (...given: Parameters<typeof answering>) => {
  const description = read(answering(...given));
  const [operation] = description.operations;
  if (!operation) throw new Error('no operation');
  return secretInAnswer(description, operation);
};

const withMember = (name: string, schema: Json = TEXT) => ({
  type: 'object',
  properties: { id: TEXT, [name]: schema },
});

describe('an answer holds a secret', () => {
  test.each(['access_token', 'clientSecret', 'password', 'private-key', 'apiKey'])(
    'in a text named %s, on any path',
    (name) => expect(foundIn(withMember(name))).toBe(name),
  );

  test.each(['/api-tokens', '/tsigkeys/{id}', '/apiKeys', '/webhooks', '/users/login'])(
    'in a token or key of %s',
    (path) => {
      expect(foundIn(withMember('token'), path)).toBe('token');
      expect(foundIn(withMember('key'), path)).toBe('key');
    },
  );

  test('in elements, compositions and references, also of a schema that holds itself', () => {
    const schemas = {
      Page: { type: 'object', properties: { items: { type: 'array', items: REF } } },
      Row: { allOf: [{ properties: { next: REF } }, withMember('secret')] },
    };
    expect(foundIn({ $ref: '#/components/schemas/Page' }, '/pets', '200', schemas)).toBe('secret');
  });
});

const REF = { $ref: '#/components/schemas/Row' };

describe('an answer holds none', () => {
  test.each(['token', 'key', 'next_token', 'page_token', 'token_type', 'password_changed_at'])(
    'in %s of a path that is not about secrets',
    (name) => expect(foundIn(withMember(name))).toBeUndefined(),
  );

  test('in the key of an SSH key, which everybody may know', () => {
    expect(foundIn(withMember('key'), '/user/ssh/keys')).toBeUndefined();
  });

  test.each([
    ['a switch', { type: 'boolean' }],
    ['a form', { type: 'string', writeOnly: true }],
    ['an object of settings', { type: 'object' }],
  ])('in the password of %s', (_, schema) => {
    expect(foundIn(withMember('password', schema))).toBeUndefined();
  });

  test('where only a refusal has it', () => {
    expect(foundIn(withMember('password'), '/pets', '400')).toBeUndefined();
  });
});

test('the report says it of the tool, and one warning names the tools', () => {
  const { notes, tools: made } = compiled(answering(withMember('access_token')));
  expect(notes.get('ask')).toContainEqual({
    what: GIVES_SECRETS,
    why: 'its answers have "access_token"',
  });
  const tools = [...notes].map(([name, said]) => ({ name, notes: said }));
  expect(secretTools({ format: 1, tools }, made)).toMatchObject([
    { what: expect.stringMatching(/^a tool gives out secrets .*: ask$/) },
  ]);
  const none = compiled(answering(withMember('name'))).notes.get('ask') ?? [];
  expect(secretTools({ format: 1, tools: [{ name: 'ask', notes: none }] }, made)).toEqual([]);
});

test.each([
  ['POST', '/auth/login', 'If POST /auth/login is the login of this API'],
  ['POST', '/sessions', 'If POST /sessions is'],
  ['GET', '/auth/login', undefined],
  ['POST', '/logins/{id}/keys', undefined],
])('the warning says of %s %s whether it looks like a login: %s', (method, path, said) => {
  const given = JSON.stringify(answering(withMember('access_token'), path));
  const description = JSON.parse(given.replace('"get":', `"${method.toLowerCase()}":`));
  const { notes, tools: made } = compiled(description);
  const tools = [...notes].map(([name, noted]) => ({ name, notes: noted }));

  const [warning] = secretTools({ format: 1, tools }, made);

  expect(warning?.hint).toMatch(said === undefined ? /^((?!login of).)*$/ : said);

  const need = { operations: 1, example: 'GET /a', others: [] };
  const key = { type: 'api_key', in: 'header', name: 'Authorization' } as const;
  const needs = [
    { ...need, ways: [key] },
    { ...need, ways: [{ type: 'basic' } as const] },
  ];
  const login = said === undefined ? {} : { login: `${method} ${path}` };
  expect(needsWithLogin(needs, { format: 1, tools }, made)).toEqual([
    { ...needs[0], ...login },
    needs[1],
  ]);
});

test('a login gives what goes into Authorization, not the keys of others, and says what it wants', () => {
  const body = {
    type: 'object',
    required: ['machine_id', 'password'],
    properties: { machine_id: { type: 'string' }, password: { type: 'string' }, note: {} },
  };
  const requestBody = { required: true, content: { 'application/json': { schema: body } } };
  const login = anOperation({
    operationId: 'login',
    requestBody,
    responses: {
      200: {
        description: '',
        content: { 'application/json': { schema: { properties: { token: { type: 'string' } } } } },
      },
    },
  });
  const { notes, tools: made } = compiled(aDescription({ paths: { '/login': { post: login } } }));
  const tools = [...notes].map(([name, noted]) => ({ name, notes: noted }));
  const need = { operations: 1, example: 'GET /a', others: [] };
  const key = { type: 'api_key', in: 'header', name: 'X-Api-Key' } as const;
  const ofKey = { ...need, ways: [key] };
  const ofToken = { ...need, ways: [{ type: 'bearer' } as const] };
  const given = { login: 'POST /login', loginFields: ['machine_id', 'password'] };
  const report = { format: 1, tools } as const;

  expect(needsWithLogin([ofKey, ofToken], report, made)).toEqual([ofKey, { ...ofToken, ...given }]);
  expect(needsWithLogin([ofKey], report, made)).toEqual([{ ...ofKey, ...given }]);
  const { tools: inOneArgument } = compiled(
    aDescription({
      paths: {
        '/login': { post: { ...login, requestBody: { ...requestBody, required: false } } },
      },
    }),
  );
  expect(needsWithLogin([ofKey], report, inOneArgument)).toEqual([{ ...ofKey, ...given }]);
  expect(credentialCommand('pets', { ...ofToken, ...given })).toBe(
    "credential set pets --type session --login 'POST /login' --token-at /token --field machine_id --field password",
  );
});

describe('a login whose answer is not described', () => {
  const text = { type: 'string' };
  const bearer = {
    operations: 1,
    example: 'GET /a',
    others: [],
    ways: [{ type: 'bearer' as const }],
  };
  const needsOf = (path: string, properties: JsonObject, members: JsonObject = {}) => {
    const schema = { type: 'object', required: Object.keys(properties), properties };
    const requestBody = { content: { 'application/json': { schema } }, ...members };
    const { tools: made } = compiled(
      aDescription({ paths: { [path]: { post: anOperation({ requestBody }) } } }),
    );
    return needsWithLogin([bearer], { format: 1, tools: [] }, made);
  };

  test.each(['/api/auth', '/token', '/login', '/v1/sessions/'])(
    'is known by its password: %s',
    (path) => {
      const given = { login: `POST ${path}`, loginFields: ['user', 'password'] };
      const fields = { user: text, password: text };

      expect(needsOf(path, fields)).toEqual([{ ...bearer, ...given }]);
      expect(needsOf(path, fields, { required: true })).toEqual([{ ...bearer, ...given }]);
    },
  );

  test.each([
    ['/users', { user: text, password: text }],
    ['/api/auth', { code: text }],
    ['/auth/{id}/keys', { password: text }],
  ])('is none at %s with %j', (path, fields) => {
    expect(needsOf(path, fields)).toEqual([bearer]);
  });
});

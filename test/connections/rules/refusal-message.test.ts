import { describe, expect, test } from '@jest/globals';
import { loginMessage } from '../../../layers/connections/rules/refusal-message.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import { withLoginRequest } from '../../../layers/servers/steps/credential/seal-login.ts';
import { compiled } from '../../support/openapi/compile.ts';

const text = { type: 'string' };

type Fields = Readonly<Record<string, unknown>>;

/** The request of a login, made as it is when an owner sets it. */
const requestOf = (path: string, operation: object, fields: Fields) => {
  const index = toToolIndex(
    compiled({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: 'https://shop.example' }],
      paths: { [path]: { post: { responses: { 200: { description: 'Done.' } }, ...operation } } },
    }).tools,
  );
  const credential = { type: 'session', login: `POST ${path}`, token: '/token', fields } as const;
  const sealed = withLoginRequest(credential, { requestHeaders: {} }, index);
  if (sealed.type !== 'session' || !sealed.request) throw new Error('no request');
  return sealed.request;
};

const inBody = (mediaType: string, schema: object) => ({
  requestBody: { required: true, content: { [mediaType]: { schema } } },
});
const SECRETS = { type: 'object', properties: { user: text, key: text } };
const GIVEN = { user: 'ada-of-shop', key: 'swordfish' };
const BYTES = { key: { type: 'string', contentEncoding: 'base64' } };

describe('what an API says of a login that it refuses', () => {
  test.each<[string, string, object, Fields]>([
    [
      'its path',
      '/login/{key}',
      { parameters: [{ name: 'key', in: 'path', required: true, schema: text }] },
      { key: 'swordfish' },
    ],
    [
      'its query',
      '/login',
      { parameters: [{ name: 'key', in: 'query', schema: text }] },
      { key: 'swordfish' },
    ],
    [
      'a header',
      '/login',
      { parameters: [{ name: 'X-Key', in: 'header', schema: text }] },
      { 'X-Key': 'swordfish' },
    ],
    [
      'a cookie',
      '/login',
      { parameters: [{ name: 'key', in: 'cookie', schema: text }] },
      { key: 'swordfish' },
    ],
    ['JSON', '/login', inBody('application/json', SECRETS), GIVEN],
    ['a form', '/login', inBody('application/x-www-form-urlencoded', SECRETS), GIVEN],
    ['parts', '/login', inBody('multipart/form-data', SECRETS), GIVEN],
    ['XML', '/login', inBody('application/xml', SECRETS), { body: '<p u="ada">swordfish</p>' }],
    ['a text', '/login', inBody('text/plain', text), { body: 'ada:swordfish' }],
    [
      'bytes in parts',
      '/login',
      inBody('multipart/form-data', { type: 'object', properties: BYTES }),
      { key: Buffer.from('swordfish').toString('base64') },
    ],
  ])('repeats no secret of %s', (_, path, operation, fields) => {
    const request = requestOf(path, operation, fields);
    const message = 'No such key at /login/swordfish?';

    expect(loginMessage(JSON.stringify({ message }), request)).toBe(
      'No such key at /login/[masked]?',
    );
  });

  test('is not shown of a login that does not say what is secret of it', () => {
    const { secrets, ...former } = requestOf('/login', inBody('text/plain', text), { body: 'a' });

    expect(secrets).toEqual(['a']);
    expect(loginMessage('{"message":"No."}', former)).toBeUndefined();
  });
});

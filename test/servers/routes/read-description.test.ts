import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { answerOf, type ApiCall, requestOf } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

serveTwoOwners({ limits: { active_deployments_per_user: 100 } });

const YAML = `openapi: 3.1.0
info: {title: Bücher, version: "1"}   # a comment
servers: [{url: https://api.example.com}]
paths: {/books: {get: {operationId: listBooks, responses: {}}}}
`;
const JSON_TEXT = `{ "swagger" :"2.0","info":{"title":"a","version":"1"},"host":"api.example.com",
  "schemes":["https"],"paths":{"/a":{"get":{"operationId":"a","responses":{}}}}}`;

let slugs = 0;
const uploading = async (
  method: string,
  path: string,
  body: Uint8Array,
  type: string,
  headers: ApiCall['headers'] = {},
) => {
  const call = { as: owner, body, headers: { 'content-type': type, ...headers } };
  const answer = answerOf(await service.send(requestOf(method, path, call)));
  expect([answer.status, answer.body['findings']]).toEqual([expect.any(Number), undefined]);
  return answer;
};
const created = async (body: Uint8Array, type: string, headers?: ApiCall['headers']) => {
  const slug = `read-${(slugs += 1)}`;
  const call = { as: owner, body, query: `slug=${slug}` };
  const sent = { 'content-type': type, ...headers };
  const { statusCode, body: said } = await service.send(
    requestOf('POST', '/deployments', { ...call, headers: sent }),
  );
  expect([statusCode, said]).toEqual([201, expect.any(String)]);
  return slug;
};
const read = async (slug: string, of = '', as = owner) => {
  const path = `/deployments/${slug}${of}/openapi`;
  const { statusCode, headers, body, isBase64Encoded } = await service.send(
    requestOf('GET', path, { as }),
  );
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return { status: statusCode, headers, bytes, type: headers['content-type'] };
};
const utf16 = (mark: boolean, swapped: boolean) => {
  const bytes = Buffer.from(`${mark ? '\uFEFF' : ''}${YAML}`, 'utf16le');
  return swapped ? bytes.swap16() : bytes;
};

describe('a description that is read back', () => {
  test.each([
    ['YAML', Buffer.from(YAML), 'application/yaml'],
    ['YAML of another type', Buffer.from(YAML), 'text/x-yaml; charset=utf-8'],
    ['JSON as it was laid out', Buffer.from(JSON_TEXT), 'application/json'],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${YAML}`), 'application/yaml'],
    ['UTF-16, little end first', utf16(true, false), 'application/yaml'],
    ['UTF-16, big end first', utf16(true, true), 'application/yaml'],
    ['UTF-16 without a mark', utf16(false, false), 'application/yaml'],
  ])('has the bytes and the media type that were uploaded: %s', async (_, bytes, type) => {
    const answer = await read(await created(bytes, type));

    expect([answer.status, answer.type]).toEqual([200, type]);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(answer.headers['content-disposition']).toBe('attachment');
  });

  test('is without the packing that it was sent in', async () => {
    const packed = { 'content-encoding': 'gzip' };
    const answer = await read(await created(gzipSync(YAML), 'application/yaml', packed));

    expect(answer.bytes.toString()).toBe(YAML);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  test('is packed where Lambda could not answer it otherwise', async () => {
    const long = `${YAML}#${'x'.repeat(4 * 1024 * 1024)}\n`;
    const packed = { 'content-encoding': 'gzip' };
    const answer = await read(await created(gzipSync(long), 'application/yaml', packed));

    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(answer.bytes).toString()).toBe(long);
  });

  test('is that of the requested version, and stays so when settings change', async () => {
    const slug = await created(Buffer.from(YAML), 'application/yaml');
    const second = Buffer.from(YAML.replace('listBooks', 'allBooks'));
    await uploading('PUT', `/deployments/${slug}/openapi`, second, 'text/yaml');
    const change = { api_base_url: 'https://other.example.com' };
    await service.call('PATCH', `/deployments/${slug}`, { as: owner, body: change });

    expect((await read(slug, '/versions/1')).bytes.toString()).toBe(YAML);
    for (const part of ['/versions/2', '/versions/3', '']) {
      expect(await read(slug, part)).toMatchObject({ bytes: second, type: 'text/yaml' });
    }
  });

  test.each(['0', '2', 'x', '1e0', '-1'])('is not there for version %s', async (version) => {
    const slug = await created(Buffer.from(YAML), 'application/yaml');

    expect((await read(slug, `/versions/${version}`)).status).toBe(404);
  });

  test('is not there for another owner', async () => {
    const slug = await created(Buffer.from(YAML), 'application/yaml');

    expect((await read(slug, '', stranger)).status).toBe(404);
    expect((await read(slug, '/versions/1', stranger)).status).toBe(404);
  });

  test('is a text that stood in JSON, as UTF-8', async () => {
    const slug = `read-${(slugs += 1)}`;
    const body = { slug, openapi: YAML };
    expect((await service.call('POST', '/deployments', { as: owner, body })).status).toBe(201);

    expect(await read(slug)).toMatchObject({ bytes: Buffer.from(YAML), type: 'application/yaml' });
  });
});

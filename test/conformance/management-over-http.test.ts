import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescriptionOf } from '../support/openapi/descriptions.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

/** Source: docs/decisions/descriptions.md, "Size and depth". */
const MOST = 5_242_880;

let service: WholeService;
let person: Person;
let session: string;
beforeAll(async () => {
  service = await startWholeService({ active_deployments_per_user: 100 });
  person = await service.person();
  const { email, password } = person;
  const answer = await fetch(`${service.baseUrl}/mcp-management/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  session = ((await answer.json()) as { access_token: string }).access_token;
}, 60_000);
afterAll(() => service.stop());

const api = (method: string, path: string, body?: Uint8Array | string, headers: object = {}) =>
  fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: { authorization: `Bearer ${session}`, ...headers },
    ...(body !== undefined && { body: Buffer.from(body) }),
  });

describe('the description of the API', () => {
  test('has the routes of operators for operators alone', async () => {
    const described = async (headers?: Readonly<Record<string, string>>): Promise<string> =>
      (
        await fetch(`${service.baseUrl}/mcp-management/openapi.json`, headers && { headers })
      ).text();
    const authorization = `Bearer ${session}`;
    const strangers = await described();
    const owners = await described({ authorization });
    await service.operate({ operator: 'make-operator', email: person.email }, 'oauth');
    const operators = await described({ authorization });
    await service.operate({ operator: 'end-operator', email: person.email }, 'oauth');

    expect([strangers, operators].map((text) => text.includes('/operator'))).toEqual([false, true]);
    expect(owners === strangers).toBe(true);
    expect((await described({ authorization })) === strangers).toBe(true);
  });
});

describe('a description of 5,242,880 bytes', () => {
  test.each<[string, object, (text: string) => Uint8Array | string]>([
    ['as JSON', { 'content-type': 'application/json' }, (text) => text],
    ['as text/yaml', { 'content-type': 'text/yaml' }, (text) => text],
    [
      'as compressed application/yaml',
      { 'content-type': 'application/yaml', 'content-encoding': 'gzip' },
      (text) => gzipSync(text),
    ],
    ['as compressed JSON', { 'content-type': 'application/gzip' }, (text) => gzipSync(text)],
  ])('is accepted %s, but not one byte more', async (_, headers, packed) => {
    const good = await api('POST', '/deployments', packed(aDescriptionOf(MOST)), headers);
    expect(good.status).toBe(201);

    const bad = await api('POST', '/deployments', packed(aDescriptionOf(MOST + 1)), headers);
    expect(bad.status).toBe(413);
    expect(await bad.json()).toMatchObject({ code: 'description_too_large' });
  });

  test('is refused as uncompressed application/yaml, which API Gateway encodes in base64', async () => {
    const headers = { 'content-type': 'application/yaml' };

    expect((await api('POST', '/deployments', aDescriptionOf(MOST), headers)).status).toBe(413);
    expect((await api('POST', '/deployments', aDescriptionOf(4_500_000), headers)).status).toBe(
      201,
    );
  });
});

describe('an owner at the management API over HTTP', () => {
  test('finds a new deployment served at once and tests a tool', async () => {
    const body = JSON.stringify({
      openapi_url: undefined,
      openapi: {
        openapi: '3.1.0',
        info: { title: 'Self', version: '1' },
        servers: [{ url: 'http://127.0.0.1:9' }],
        paths: { '/a': { get: { operationId: 'a', responses: {} } } },
      },
      slug: 'self',
      mcp_auth_method: 'none',
    });
    const made = await api('POST', '/deployments', body, { 'content-type': 'application/json' });
    expect(made.status).toBe(201);
    const { discovery_url: discovery } = (await made.json()) as { discovery_url: string };
    expect((await fetch(discovery)).status).toBe(200);

    const trial = await api('POST', '/deployments/self/tools/a/test', '{}', {
      'content-type': 'application/json',
    });
    expect(await trial.json()).toMatchObject({
      error: { data: { reason: 'connection_refused' } },
      request: { url: 'http://127.0.0.1:9/a' },
    });
  });

  test('gets a problem for an unknown route', async () => {
    const answer = await api('GET', '/nothing');

    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });
});

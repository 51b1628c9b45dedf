import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorCommands } from '../../../layers/management/routes/operator.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';
import { startTarget, type TestTarget } from '../../support/mcp/router-target.ts';

let service: TestManagement;
let target: TestTarget;
let owner: Owner;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
  target = await startTarget();
  owner = await service.owner();
});
afterAll(async () => {
  await target.stop();
  await service.stop();
});

const SECRET = 'tell-nobody-6161';

const deploy = async (slug: string, credential?: object): Promise<void> => {
  const openapi = aDescription(['echo'], {
    servers: [{ url: target.url }],
    paths: {
      '/echo/it': {
        get: {
          operationId: 'echo',
          parameters: [
            { name: 'q', in: 'query', schema: { type: 'string' } },
            { name: 'limit', in: 'query', schema: { type: 'integer' } },
          ],
          responses: {},
        },
        post: {
          operationId: 'send',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'object', properties: { a: {} } } } },
          },
          responses: {},
        },
      },
    },
  });
  const made = await service.call('POST', '/deployments', { as: owner, body: { openapi, slug } });
  expect(made.status).toBe(201);
  if (!credential) return;
  const path = `/deployments/${slug}/credential`;
  const set = await service.call('PUT', path, { as: owner, body: credential });
  expect(set.status).toBeLessThan(300);
};
const trial = (slug: string, tool: string, args?: object, as = owner) =>
  service.call('POST', `/deployments/${slug}/tools/${tool}/test`, {
    as,
    body: args === undefined ? {} : { arguments: args },
  });

describe('POST /deployments/{slug}/tools/{name}/test', () => {
  test('returns the result and the request', async () => {
    await deploy('plain');

    const { status, body } = await trial('plain', 'echo', { q: 'a b', limit: '3' });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { content: [{ type: 'text' }] },
      request: {
        method: 'GET',
        url: `${target.url}/echo/it?q=a%20b&limit=3`,
        headers: { accept: expect.any(String) },
        body_bytes: 0,
      },
      answer: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        bytes: expect.any(Number),
        tokens: expect.any(Number),
      },
      duration_ms: expect.any(Number),
    });
    expect(body).not.toHaveProperty('error');
  });

  test('shows the chosen members of the answer beside the whole', async () => {
    await deploy('chosen');
    const overrides = { echo: { answer_fields: ['/method', '/nothing/here'] } };
    const body = { overrides };
    expect((await service.call('PATCH', '/deployments/chosen', { as: owner, body })).status).toBe(
      200,
    );
    const answer = (await trial('chosen', 'echo', { q: 'a' })).body;
    const { result, answer_fields: fields } = answer as {
      result: { content: { text: string }[] };
      answer_fields: { chosen: object; whole: { text: string; bytes: number }; missing: string[] };
    };

    expect(result.content[0]?.text).toBe('{"method":"GET"}');
    expect(fields).toMatchObject({
      missing: ['/nothing/here'],
      chosen: { bytes: 16, tokens: expect.any(Number) },
      whole: { bytes: fields.whole.text.length, tokens: expect.any(Number) },
    });
    expect(Object.keys(JSON.parse(fields.whole.text)).length).toBeGreaterThan(1);
  });

  test('carries the headers that go with each call', async () => {
    await deploy('headed');
    const body = { request_headers: { 'X-Tenant': 'acme' } };
    const set = await service.call('PATCH', '/deployments/headed', { as: owner, body });
    expect(set.status).toBe(200);

    expect((await trial('headed', 'echo', { q: 'a' })).body).toMatchObject({
      request: { headers: { 'x-tenant': 'acme' } },
    });
  });

  test('returns the request body', async () => {
    await deploy('with-body');

    expect((await trial('with-body', 'send', { a: 1 })).body).toMatchObject({
      request: { method: 'POST', body: '{"a":1}', body_bytes: 7 },
    });
  });

  test.each<[string, object, object]>([
    [
      'a bearer token',
      { type: 'bearer', token: SECRET },
      { headers: { authorization: 'Bearer [masked]' } },
    ],
    [
      'basic credentials',
      { type: 'basic', username: 'ada', password: SECRET },
      { headers: { authorization: 'Basic [masked]' } },
    ],
    [
      'a key in a header',
      { type: 'api_key', name: 'X-Key', in: 'header', value: SECRET },
      { headers: { 'x-key': '[masked]' } },
    ],
    [
      'a short key in a header',
      { type: 'api_key', name: 'X-Key', in: 'header', value: 'abc' },
      { headers: { 'x-key': '[masked]' } },
    ],
    [
      'a key in the query',
      { type: 'api_key', name: 'api key', in: 'query', value: SECRET },
      { url: expect.stringMatching(/[?&]api(%20|\+)key=\[masked\]$/) },
    ],
    [
      'a key in a cookie',
      { type: 'api_key', name: 'sid', in: 'cookie', value: SECRET },
      { headers: { cookie: 'sid=[masked]' } },
    ],
  ])('sends %s and masks it', async (what, credential, request) => {
    const slug = `secret-${what.replaceAll(' ', '-')}`;
    await deploy(slug, credential);

    const answer = await trial(slug, 'echo', { q: 'it' });

    expect(answer.body).toMatchObject({ result: {}, request });
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(JSON.stringify(answer)).not.toContain(Buffer.from(`ada:${SECRET}`).toString('base64'));
    // The target echoes what it got.
    const { result } = answer.body as { result: { content: readonly { text: string }[] } };
    expect(result.content[0]?.text).toMatch(/\[masked\]|"abc"/);
  });

  test.each([
    { type: 'bearer', token: SECRET },
    { type: 'basic', username: 'ada', password: SECRET },
    { type: 'api_key', name: 'X-Key', in: 'header', value: SECRET },
  ])('is recorded with a credential of its kind: $type', async (credential) => {
    const slug = `recorded-${credential.type.replace('_', '-')}`;
    await deploy(slug, credential);
    await trial(slug, 'echo', { q: 'it' });

    // Another kind than the one that the call carried would be named beside it.
    const recorded = service.calls.at(-1);
    expect(recorded).toMatchObject({ trial: true, credentialVersion: expect.any(String) });
    expect(recorded).not.toHaveProperty('credentials');
  });

  // A session that was stolen must not be good for guessing.
  test('shows what the caller has sent as it is, whether it is the secret or not', async () => {
    await deploy('guessed', { type: 'basic', username: 'ada', password: SECRET });
    for (const q of [SECRET, 'tell-nobody-6162']) {
      const { body } = await trial('guessed', 'echo', { q });
      expect(body).toMatchObject({
        request: {
          url: `${target.url}/echo/it?q=${q}`,
          headers: { authorization: 'Basic [masked]' },
        },
      });
    }
  });

  test('returns the error that clients get for invalid arguments and sends nothing', async () => {
    await deploy('bad-arguments');

    const { status, body } = await trial('bad-arguments', 'echo', { limit: 'many' });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      error: {
        code: 'invalid_params',
        data: { errors: [{ path: '/limit', message: expect.any(String) }] },
      },
    });
    expect(body).not.toHaveProperty('request');
  });

  test('returns the error and the request if the target API does not answer', async () => {
    await deploy('nobody');
    await service.call('PATCH', '/deployments/nobody', {
      as: owner,
      body: { api_base_url: 'http://127.0.0.1:9' },
    });

    expect((await trial('nobody', 'echo')).body).toMatchObject({
      error: { code: 'server_error', data: { reason: expect.any(String) } },
      request: { url: 'http://127.0.0.1:9/echo/it' },
    });
  });

  test('is refused where an operator has stopped the deployment, and so is resuming it', async () => {
    await deploy('stopped');
    await operatorCommands(service.ports, [])({ operator: 'stop-deployment', slug: 'stopped' });
    const path = '/deployments/stopped';
    const resumed = await service.call('PATCH', path, { as: owner, body: { status: 'active' } });
    const paused = await service.call('PATCH', path, { as: owner, body: { status: 'paused' } });
    const renamed = await service.call('PATCH', path, { as: owner, body: { name: 'Still' } });

    expect(await trial('stopped', 'echo')).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect([resumed.status, paused.status]).toEqual([409, 409]);
    expect(renamed).toMatchObject({ status: 200, body: { status: 'stopped', name: 'Still' } });
  });

  test('works while the deployment is paused', async () => {
    await deploy('resting');
    await service.call('PATCH', '/deployments/resting', { as: owner, body: { status: 'paused' } });

    expect((await trial('resting', 'echo')).body).toHaveProperty('result');
  });

  test('spends nothing of the plan', async () => {
    const used = async () => {
      const { body } = await service.call('GET', '/account', { as: owner });
      return (body['usage'] as { hour: { used: number } }).hour.used;
    };
    await deploy('counted');
    const before = await used();
    await trial('counted', 'echo');
    await trial('counted', 'no-such-tool');

    expect(await used()).toBe(before);
  });

  describe('with If-Match, of the revision that somebody has looked at', () => {
    const lookedAt = async (slug: string, list = 'tools', query = ''): Promise<string> => {
      const path = `/deployments/${slug}/${list}`;
      const seen = await service.call('GET', path, { as: owner, query });
      expect(seen.headers['etag']).toMatch(/^"\d+-[\w-]{8}"$/);
      return seen.headers['etag'] ?? '';
    };
    const trialOf = (slug: string, tag: string, more: object = {}, tool = 'echo') =>
      service.call('POST', `/deployments/${slug}/tools/${tool}/test`, {
        as: owner,
        body: { arguments: { q: 'a' }, ...more },
        headers: { 'if-match': tag },
      });
    const described = (method: string) => ({
      openapi: aDescription(['echo'], {
        servers: [{ url: target.url }],
        paths: { '/echo/it': { [method]: { operationId: 'echo', responses: {} } } },
      }),
    });

    test.each<[string, (slug: string) => readonly [string, string, object]]>([
      ['its description', (at) => ['PUT', `${at}/openapi`, described('delete')]],
      ['overrides', (at) => ['PATCH', at, { overrides: { echo: { title: 'Echoes' } } }]],
      ['the base address', (at) => ['PATCH', at, { api_base_url: 'http://127.0.0.1:9' }]],
      ['the headers of each call', (at) => ['PATCH', at, { request_headers: { 'X-Tenant': 'b' } }]],
      ['the checks of arguments', (at) => ['PATCH', at, { argument_checks: 'lenient' }]],
      ['the credential', (at) => ['PUT', `${at}/credential`, { type: 'bearer', token: SECRET }]],
      ['its mode', (at) => ['PATCH', at, { tool_mode: 'search' }]],
    ])('sends nothing after a change of %s', async (what, change) => {
      const slug = `since-${what.replaceAll(' ', '-')}`;
      await deploy(slug);
      const tag = await lookedAt(slug);
      expect(await trialOf(slug, tag)).toMatchObject({ status: 200, body: { request: {} } });

      const [method, path, body] = change(`/deployments/${slug}`);
      expect((await service.call(method, path, { as: owner, body })).status).toBeLessThan(300);
      const before = target.seen.length;
      const refused = await trialOf(slug, tag);

      expect(refused).toMatchObject({ status: 412, body: { code: 'stale' } });
      expect(refused.body['detail']).toContain('so nothing was sent: read its tools again');
      expect(target.seen).toHaveLength(before);
      expect(await trialOf(slug, await lookedAt(slug))).toMatchObject({ status: 200 });
      expect(await trial(slug, 'echo', { q: 'a' })).toMatchObject({ status: 200 });
    });

    test('sends nothing of a former version either: what goes with it may be another', async () => {
      await deploy('former');
      const tag = await lookedAt('former', 'tools', 'version=1');
      const published = await service.call('PUT', '/deployments/former/openapi', {
        as: owner,
        body: described('delete'),
      });
      expect(published.body).toMatchObject({ version: 2 });

      expect(await trialOf('former', tag, { version: 1 })).toMatchObject({ status: 412 });
      const now = await lookedAt('former', 'tools', 'version=1');
      expect(await trialOf('former', now, { version: 1 })).toMatchObject({
        body: { request: { method: 'GET' } },
      });
    });

    test('says that it changed of a tool that is gone, and of one that came', async () => {
      await deploy('gone');
      const tag = await lookedAt('gone');
      const body = { ...described('get'), overrides: { echo: { name: 'other' } } };
      await service.call('PATCH', '/deployments/gone', { as: owner, body });

      expect(await trialOf('gone', tag, {}, 'send')).toMatchObject({ status: 412 });
      expect(await trialOf('gone', tag, {}, 'other')).toMatchObject({ status: 412 });
      expect(await trialOf('gone', await lookedAt('gone'), {}, 'send')).toMatchObject({
        status: 404,
      });
    });

    test('holds for the tools of search mode', async () => {
      await deploy('searched');
      await service.call('PATCH', '/deployments/searched', {
        as: owner,
        body: { tool_mode: 'search' },
      });
      const tag = await lookedAt('searched', 'search-tools');
      expect(await lookedAt('searched')).toBe(tag);
      const wanted = { search: true, arguments: { name: 'echo', arguments: {} } };
      expect(await trialOf('searched', tag, wanted, 'call_operation')).toMatchObject({
        body: { request: { method: 'GET' } },
      });
      await service.call('PUT', '/deployments/searched/openapi', {
        as: owner,
        body: described('delete'),
      });
      for (const tool of ['call_operation', 'search_operations']) {
        expect(await trialOf('searched', tag, wanted, tool)).toMatchObject({ status: 412 });
      }
    });
  });

  test('answers 404 for an unknown tool and for other users', async () => {
    await deploy('mine-alone');

    expect(await trial('mine-alone', 'nothing')).toMatchObject({ status: 404 });
    expect(await trial('mine-alone', 'echo', {}, await service.owner())).toMatchObject({
      status: 404,
    });
  });

  test('answers 503 while the router is unavailable', async () => {
    await deploy('cut-off');
    service.store.aws.faults.inject({ kind: 'throttle', on: { service: 'lambda' } });

    expect(await trial('cut-off', 'echo')).toMatchObject({ status: 503, body: { code: 'fault' } });
    service.store.aws.faults.clear();
  });
});

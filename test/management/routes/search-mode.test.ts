import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aBigDescription } from '../../support/openapi/big-description.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type ApiCall,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';
import { startTarget, type TestTarget } from '../../support/mcp/router-target.ts';

let service: TestManagement;
let target: TestTarget;
let owner: Owner;
beforeAll(async () => {
  service = await aManagementService({
    limits: {
      active_deployments_per_user: 100,
      free_searchable_operations: 100,
      pro_searchable_operations: 1000,
    },
  });
  target = await startTarget();
  owner = await service.owner({ plan: 'pro' });
});
afterAll(async () => {
  await target.stop();
  await service.stop();
});

const SEARCH = { tool_mode: 'search' } as const;

const call = (method: string, path: string, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...more });
const deploy = (body: object, as = owner) => call('POST', '/deployments', { as, body });
const big = (count: number) => aBigDescription(count, target.url);
const small = aDescription(['listPets', 'getPet']);

describe('deploying with searchable operations', () => {
  test('allows more operations than a deployment may list as tools', async () => {
    const made = await deploy({ openapi: big(60), slug: 'sixty', ...SEARCH });
    const found = await service.ports.deploymentEditor.read('sixty');

    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ tool_mode: 'search', tool_count: 60 });
    expect(found?.publication).toEqual({ toolMode: 'search' });
  });

  test('can be requested in the query beside a raw description', async () => {
    const made = await call('POST', '/deployments', {
      body: JSON.stringify(big(60)),
      query: 'slug=raw&tool_mode=search',
    });

    expect(made.body).toMatchObject({ slug: 'raw', tool_mode: 'search' });
  });

  test('is not the default', async () => {
    const { body } = await deploy({ openapi: small, slug: 'plain' });
    const said = await deploy({ openapi: small, slug: 'said', tool_mode: 'operations' });

    expect(body['tool_mode']).toBe('operations');
    expect(said.body['tool_mode']).toBe('operations');
    expect((await service.ports.deploymentEditor.read('said'))?.publication).toEqual({});
  });

  test('supports include, exclude and overrides', async () => {
    const overrides = {
      listCustomer: { name: 'customers', description: 'Everybody we know.' },
      createCustomer: { hidden: true },
      getCustomer: { keywords: ['patron'] },
    };
    await deploy({
      openapi: big(1000),
      slug: 'chosen',
      ...SEARCH,
      operations: { include: ['* /customers', '* /customers/{id}'] },
      overrides,
    });
    const { body } = await call('GET', '/deployments/chosen/tools', { query: 'limit=100' });

    expect(body.items?.map(({ name }) => name)).toEqual([
      'customers',
      'getCustomer',
      'replaceCustomer',
      'updateCustomer',
      'deleteCustomer',
    ]);
    const { body: shown } = await call('GET', '/deployments/chosen');
    expect(shown['overrides']).toEqual(overrides);
  });

  test.each([
    ['more than 20', Array.from({ length: 21 }, (_, at) => `word${at}`)],
    ['an empty one', [' ']],
    ['a long one', ['x'.repeat(61)]],
  ])('refuses %s of the keywords of a tool', async (_, keywords) => {
    const { status, body } = await deploy({
      openapi: big(10),
      ...SEARCH,
      overrides: { getCustomer: { keywords } },
    });

    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('/keywords');
  });

  test('works from the gallery', async () => {
    const made = await call('POST', '/gallery/xkcd/deployments', {
      body: { slug: 'comics', ...SEARCH },
    });

    expect(made.body).toMatchObject({ tool_mode: 'search' });
  });

  test('lists and tests all operations by name for the owner', async () => {
    const openapi = aDescription(['echo'], {
      servers: [{ url: target.url }],
      paths: {
        '/echo/it': { get: { operationId: 'search_operations', responses: {} } },
        '/echo/other': { get: { operationId: 'other', responses: {} } },
      },
    });
    await deploy({ openapi, slug: 'tried', ...SEARCH });
    const { body: listed } = await call('GET', '/deployments/tried/tools');
    const trial = await call('POST', '/deployments/tried/tools/search_operations/test', {
      body: {},
    });
    const none = await call('POST', '/deployments/tried/tools/call_operation/test', { body: {} });
    const search = await call('POST', '/deployments/tried/tools/search_operations/test', {
      body: { search: true, arguments: { query: 'other' } },
    });

    expect(listed.items).toMatchObject([{ name: 'search_operations' }, { name: 'other' }]);
    expect(trial.body).toMatchObject({ request: { method: 'GET', url: `${target.url}/echo/it` } });
    expect(none.status).toBe(404);
    expect(search.body).not.toHaveProperty('request');
    expect(textIn(search.body)).toContain('GET /echo/other');
  });

  test('lists and tests the tools that clients are shown for the owner', async () => {
    const openapi = aDescription(['echo'], {
      servers: [{ url: target.url }],
      paths: {
        '/echo/it': {
          get: {
            operationId: 'echo',
            parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
            responses: {},
          },
        },
      },
    });
    await deploy({ openapi, slug: 'looked', ...SEARCH });
    await deploy({ openapi, slug: 'listed' });
    const { body } = await call('GET', '/deployments/looked/search-tools');
    const look = (tool: string, args: object, slug = 'looked') =>
      call('POST', `/deployments/${slug}/tools/${tool}/test`, {
        body: { search: true, arguments: args },
      });
    const clients = body['tools'] as readonly Readonly<Record<string, unknown>>[];
    const called = await look('call_operation', { name: 'echo', arguments: { q: 'x' } });
    const wrong = await look('call_operation', { name: 'echo', arguments: { r: 'x' } });
    const missing = await look('call_operation', { name: 'ecko' });

    expect(clients.map(({ name }) => name)).toEqual([
      'search_operations',
      'describe_operation',
      'call_operation',
    ]);
    expect(clients[2]).toMatchObject({ input_schema: { required: ['name'] }, annotations: {} });
    expect(textIn((await look('describe_operation', { name: 'echo' })).body)).toContain('"q"');
    expect(called.body).toMatchObject({ request: { url: `${target.url}/echo/it?q=x` } });
    expect(wrong.body).toMatchObject({ error: { code: 'invalid_params' } });
    expect(wrong.body).not.toHaveProperty('request');
    expect(missing.body).toMatchObject({ error: { message: expect.stringContaining('ecko') } });
    expect((await look('echo', {})).status).toBe(404);
    expect((await look('search_operations', {}, 'listed')).status).toBe(404);
    expect((await call('GET', '/deployments/listed/search-tools')).body).toEqual({ tools: [] });
  });

  test('never shows the login of a credential to the tools that clients are shown', async () => {
    const text = { type: 'string' };
    const schema = { type: 'object', properties: { user: text, password: text } };
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const openapi = aDescription(['echo'], {
      servers: [{ url: target.url }],
      paths: {
        '/echo/login': { post: { operationId: 'logIn', requestBody, responses: {} } },
        '/echo/it': { get: { operationId: 'echo', responses: {} } },
      },
    });
    await deploy({ openapi, slug: 'signed', ...SEARCH });
    const credential = {
      type: 'session',
      login: 'POST /echo/login',
      token: '/token',
      fields: { user: 'shop', password: 'CANARY-password-8181' },
    };
    const set = await call('PUT', '/deployments/signed/credential', { body: credential });
    expect(set.status).toBeLessThan(300);
    const look = (tool: string, args: object) =>
      call('POST', `/deployments/signed/tools/${tool}/test`, {
        body: { search: true, arguments: args },
      });

    expect(textIn((await look('search_operations', { query: 'log in' })).body)).not.toContain(
      '/echo/login',
    );
    for (const tool of ['describe_operation', 'call_operation']) {
      const { body } = await look(tool, { name: 'logIn' });
      expect(body).toMatchObject({ error: { code: 'invalid_params' } });
      expect(body).not.toHaveProperty('request');
    }
  });

  test('lists the tools of a version that the deployment can return to', async () => {
    await deploy({ openapi: aDescription(['first']), slug: 'former' });
    await call('PUT', '/deployments/former/openapi', {
      body: { openapi: aDescription(['second']) },
    });
    const listed = async (query = '') => {
      const { status, body } = await call('GET', '/deployments/former/tools', { query });
      return status === 200 ? body.items!.map((one) => (one as { name: string }).name) : status;
    };

    expect(await listed()).toEqual(['second']);
    expect(await listed('version=1')).toEqual(['first']);
    expect(await listed('version=3')).toBe(404);
    expect(await listed('version=one')).toBe(422);
  });
});

const textIn = (trial: object): string =>
  (trial as { readonly result: { readonly content: readonly [{ readonly text: string }] } }).result
    .content[0].text;

describe('changing between listed tools and searchable operations', () => {
  test('makes a new version and reports that calls by tool name break', async () => {
    await deploy({ openapi: small, slug: 'turned' });
    const { body } = await call('PATCH', '/deployments/turned', { body: SEARCH });

    expect(body).toMatchObject({
      version: 2,
      tool_mode: 'search',
      tools: {
        added: [],
        removed: [],
        changed: [],
        breaking: true,
        mode: { before: 'operations', after: 'search' },
      },
    });
    expect((await call('PATCH', '/deployments/turned', { body: SEARCH })).body).toMatchObject({
      version: 2,
      tools: { breaking: false },
    });
  });

  test('can be undone by another change or by a rollback', async () => {
    await deploy({ openapi: small, slug: 'undone', ...SEARCH });
    const back = await call('PATCH', '/deployments/undone', { body: { tool_mode: 'operations' } });
    const again = await call('POST', '/deployments/undone/rollback', { body: { version: 1 } });

    expect(back.body).toMatchObject({
      version: 2,
      tool_mode: 'operations',
      tools: { mode: { before: 'search', after: 'operations' } },
    });
    expect(again.body).toMatchObject({
      version: 1,
      tool_mode: 'search',
      tools: { breaking: true, mode: { before: 'operations', after: 'search' } },
    });
  });

  test('stays for the next description', async () => {
    await deploy({ openapi: small, slug: 'kept', ...SEARCH });
    const { body } = await call('PUT', '/deployments/kept/openapi', { body: { openapi: big(60) } });

    expect(body).toMatchObject({ version: 2, tool_mode: 'search', tool_count: 60 });
    expect(body['tools']).not.toHaveProperty('mode');
  });

  test('back to listed tools is refused if there are too many operations', async () => {
    await deploy({ openapi: big(60), slug: 'stays', ...SEARCH });
    const { status, body } = await call('PATCH', '/deployments/stays', {
      body: { tool_mode: 'operations' },
    });

    expect(status).toBe(422);
    expect(body).toMatchObject({ limit: 'endpoints_per_deployment' });
    expect((await call('GET', '/deployments/stays')).body).toMatchObject({ tool_mode: 'search' });
  });
});

describe('a deployment with too many operations or an unknown mode', () => {
  test('is refused for too many operations, with a hint at the mode search', async () => {
    const { status, body } = await deploy({ openapi: big(51) });

    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'too_many_operations', limit: 'endpoints_per_deployment' });
    expect(JSON.stringify(body)).toContain('tool_mode: \\"search\\"');
  });

  test('is refused for an unknown tool mode', async () => {
    const { status, body } = await deploy({ openapi: small, tool_mode: 'all' });

    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('/tool_mode');
  });

  test.each([
    ['free', 101, 'free_searchable_operations', 100],
    ['pro', 1001, 'pro_searchable_operations', 1000],
  ] as const)(
    'is refused for more searchable operations than the %s plan allows',
    async (plan, count, limit, most) => {
      const somebody = await service.owner({
        id: `of-${plan}`,
        email: `${plan}@example.com`,
        plan,
      });
      const { status, body } = await deploy({ openapi: big(count), ...SEARCH }, somebody);

      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'too_many_operations',
        detail: `The description has ${count} operations, at most ${most} are allowed.`,
        limit,
      });
      expect(JSON.stringify(body)).not.toContain('tool_mode');
      expect((await deploy({ openapi: big(most), ...SEARCH }, somebody)).status).toBe(201);
    },
  );
});

describe('a plan without searchable operations', () => {
  let strict: TestManagement;
  let free: Owner;
  let pro: Owner;
  beforeAll(async () => {
    strict = await aManagementService({ limits: { free_searchable_operations: 0 } });
    free = await strict.owner({ id: 'free', email: 'free@example.com', plan: 'free' });
    pro = await strict.owner({ id: 'pro', email: 'pro@example.com', plan: 'pro' });
  });
  afterAll(() => strict.stop());

  const deployThere = (as: Owner, body: object) =>
    strict.call('POST', '/deployments', { as, body });

  test('refuses to deploy them and names the limit', async () => {
    const { status, body } = await deployThere(free, {
      openapi: small,
      slug: 'refused',
      ...SEARCH,
    });

    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'limit_reached',
      limit: 'free_searchable_operations',
      detail: expect.stringContaining('The plan free does not allow'),
    });
  });

  test('does not suggest them for too many operations', async () => {
    const { body } = await deployThere(free, { openapi: aBigDescription(51) });

    expect(JSON.stringify(body)).not.toContain('tool_mode');
  });

  test('refuses to change to them and changes nothing', async () => {
    await deployThere(free, { openapi: small, slug: 'plain' });
    const patched = await strict.call('PATCH', '/deployments/plain', { as: free, body: SEARCH });
    const { body } = await strict.call('GET', '/deployments/plain', { as: free });

    expect(patched.body).toMatchObject({ limit: 'free_searchable_operations' });
    expect(body).toMatchObject({ tool_mode: 'operations', version: 1 });
  });

  test('does not affect the other plan', async () => {
    expect((await deployThere(pro, { openapi: small, ...SEARCH })).status).toBe(201);
  });
});

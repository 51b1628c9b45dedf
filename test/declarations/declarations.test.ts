import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { chosenMembers } from '../../layers/declarations/rules/members.ts';
import { declaredMembers } from '../../layers/declarations/routes/declaration-body.ts';
import { routesOf } from '../../layers/management/routes/server.ts';
import { anHttpServer } from '../support/target/target-server.ts';
import { aDeployment } from '../support/aws/dynamodb-fixtures.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../support/service/management.ts';

const BY = 'github.com/acme/orders:servers.yaml';
const FILE = JSON.stringify(aDescription());

let service: TestManagement;
let owner: Owner;
let slug: string;
let count = 0;

beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
  owner = await service.owner({ plan: 'pro' });
});
afterAll(() => service.stop());
beforeEach(() => {
  count += 1;
  slug = `orders-${count}`;
});

const WRITES = /^(?:Put|Update|Delete|TransactWrite)/;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const call = (method: string, path: string, body?: object, headers = {}, as = owner) =>
  service.call(method, `/deployments/${slug}${path}`, { as, headers, ...(body && { body }) });
const plan = (declaration: object) => call('POST', '/declaration/plan', { declaration });
const apply = (declaration: object, more: object = {}, headers = {}) =>
  call('PUT', '/declaration', { declaration, managed_by: BY, ...more }, headers);

const KEY = { type: 'api_key', name: 'X-Partner', in: 'header', value: 'canary-4711-secret' };
const { value: _, ...OPEN_KEY } = KEY;
const GUIDE = { name: 'guide', uri: 'docs://guide', content: '# Guide' };
const ASK = { name: 'ask', template: 'About {{topic}}', arguments: [{ name: 'topic' }] };
const WHOLE = {
  openapi: FILE,
  name: 'Orders',
  access: { mode: 'allow_list', emails: ['ada@example.com'], domains: ['example.org'] },
  operations: { include: ['GET *'], exclude: [] },
  request_headers: { 'X-Tenant': 'acme' },
  answer_token_budget: 5000,
  jwt_issuer: {
    issuer: 'https://issuer.example',
    jwks_uri: 'https://issuer.example/keys',
    audience: 'orders',
    algorithms: ['ES256'],
  },
  credentials: { main: KEY },
  resources: [GUIDE],
  prompts: [ASK],
};

describe('a deployment that is declared', () => {
  test('is made with all that the declaration says, and then there is nothing left to do', async () => {
    expect((await plan(WHOLE)).body).toMatchObject({
      action: 'add',
      needs: [],
      tools: { removed: [], breaking: false },
    });
    const applied = await apply(WHOLE);
    expect(applied).toMatchObject({ status: 200, body: { action: 'add', version: 1 } });
    expect((await call('GET', '')).body).toMatchObject({
      name: 'Orders',
      managed_by: BY,
      answer_token_budget: 5000,
      request_headers: { 'X-Tenant': 'acme' },
      access: WHOLE.access,
    });
    expect((await call('GET', '/credentials')).body).toMatchObject({
      credentials: { main: OPEN_KEY },
    });
    expect((await call('GET', '/resources/guide')).body).toMatchObject(GUIDE);
    expect((await call('GET', '/prompts/ask')).body['template']).toBe(ASK.template);

    const before = (await call('GET', '')).headers['etag'];
    expect((await plan(WHOLE)).body).toMatchObject({ action: 'same', differences: [] });
    const kept = { ...WHOLE, credentials: { main: { ...OPEN_KEY, keep: true } } };
    expect((await apply(kept)).body).toMatchObject({ action: 'same', version: 1 });
    expect((await call('GET', '')).headers['etag']).toBe(before);
  });

  test('is told as it is, so that what is read can be applied and changes nothing', async () => {
    await apply(WHOLE);
    const { declaration, managed_by } = (await call('GET', '/declaration')).body;
    expect(managed_by).toBe(BY);
    expect(declaration).toMatchObject({
      openapi_sha256: sha256(FILE),
      resources: [{ name: 'guide', sha256: sha256(GUIDE.content) }],
      credentials: { main: { keep: true } },
    });
    expect(JSON.stringify(declaration)).not.toContain('canary');
    expect((await plan(declaration as object)).body).toMatchObject({
      action: 'same',
      differences: [],
      needs: [],
    });
  });

  test('takes what the declaration does not say any more as never said', async () => {
    await apply(WHOLE);
    const planned = await plan({ openapi: FILE });
    expect(planned.body).toMatchObject({ action: 'change' });
    const members = (planned.body['differences'] as readonly { member: string }[]).map(
      ({ member }) => member,
    );
    expect(members.join(' ')).toBe(
      'access answer_token_budget credentials.main jwt_issuer operations prompts.ask ' +
        'request_headers.X-Tenant resources.guide',
    );
    await apply({ openapi: FILE });
    const { body } = await call('GET', '');
    expect(body).toMatchObject({ name: 'Orders', access: { mode: 'owner' }, request_headers: {} });
    expect(body['answer_token_budget']).toBe(20_000);
    expect(body['has_credential']).toBe(false);
    expect((await call('GET', '/jwt-issuer')).status).toBe(404);
    expect((await call('GET', '/resources')).body.items).toEqual([]);
    expect((await call('GET', '/prompts')).body.items).toEqual([]);
  });

  test('gets a new version of another description, and the plan names the tools', async () => {
    const { paths } = aDescription() as { paths: Record<string, object> };
    const more = JSON.stringify({
      ...aDescription(),
      paths: { ...paths, '/late': { delete: { operationId: 'dropIt', responses: {} } } },
    });
    await apply({ openapi: FILE });
    const planned = await plan({ openapi: more });
    expect(planned.body).toMatchObject({
      action: 'change',
      differences: [{ member: 'openapi', before: { sha256: sha256(FILE) } }],
      tools: { added: ['dropIt'], removed: [] },
    });
    expect((await apply({ openapi: more })).body).toMatchObject({
      version: 2,
      tools: { added: ['dropIt'] },
    });
  });

  test('needs no text that is deployed already, and says which it needs', async () => {
    await apply(WHOLE);
    const digests = {
      ...WHOLE,
      openapi: undefined,
      openapi_sha256: sha256(FILE),
      credentials: { main: { ...OPEN_KEY, keep: true } },
      resources: [{ ...GUIDE, content: undefined, sha256: sha256('other') }],
    };
    const sent = { ...digests, instructions: 'Ask first.' };
    expect((await plan(sent)).body).toMatchObject({ needs: ['resources.guide'] });
    expect(await apply(sent)).toMatchObject({
      status: 422,
      body: { findings: [{ where: '/resources/guide' }] },
    });
    const renamed = {
      ...digests,
      resources: [{ name: 'guide', uri: GUIDE.uri, title: 'G', sha256: sha256(GUIDE.content) }],
    };
    expect((await apply(renamed)).body).toMatchObject({ action: 'change' });
    expect((await call('GET', '/resources/guide')).body).toMatchObject({ ...GUIDE, title: 'G' });
  });

  test('goes without a secret that nobody has set, and says where it is set', async () => {
    const kept = { openapi: FILE, credentials: { main: { ...OPEN_KEY, keep: true } } };
    expect((await plan(kept)).body).toMatchObject({ needs: ['credentials.main'] });
    const { body } = await apply(kept);
    expect(body['warnings']).toContainEqual(
      expect.objectContaining({ where: '/credentials/main', hint: expect.stringContaining(slug) }),
    );
    expect(await call('PUT', '/credentials/main', KEY)).toMatchObject({ status: 200 });
    expect((await plan(kept)).body).toMatchObject({ differences: [], needs: [] });
  });

  test('never sends a secret in another place than the one that it was given for', async () => {
    await apply(WHOLE);
    const elsewhere = { ...OPEN_KEY, name: 'X-Other', keep: true };
    expect(await apply({ ...WHOLE, credentials: { main: elsewhere } })).toMatchObject({
      status: 422,
      body: { findings: [{ where: '/credentials/main' }] },
    });
    expect((await call('GET', '/credentials')).body).toMatchObject({
      credentials: { main: { name: 'X-Partner' } },
    });
  });

  test('moves a document to another name under the same address', async () => {
    await apply(WHOLE);
    const moved = { ...WHOLE, resources: [{ ...GUIDE, name: 'manual' }] };
    expect((await apply(moved)).status).toBe(200);
    expect((await call('GET', '/resources')).body.items).toMatchObject([{ name: 'manual' }]);
  });

  test('is left alone where it was changed since the plan', async () => {
    await apply({ openapi: FILE });
    const { headers } = await plan({ openapi: FILE, name: 'New' });
    await apply({ openapi: FILE, name: 'Other' });
    const stale = { 'if-match': headers['etag'] };
    expect(await apply({ openapi: FILE, name: 'New' }, {}, stale)).toMatchObject({
      status: 412,
      body: { code: 'stale' },
    });
  });

  test('is made of what was planned alone, whatever an address says by then', async () => {
    let said = FILE;
    await using api = await anHttpServer((_, response) => response.end(said));
    const url = `${api.url}/openapi.json`;
    const { paths } = aDescription() as { paths: Record<string, object> };
    const worse = JSON.stringify({
      ...aDescription(),
      paths: { ...paths, '/wipe': { delete: { operationId: 'wipe', responses: {} } } },
    });
    const wants = { openapi_url: url };
    const refused = {
      status: 412,
      body: {
        code: 'plan_stale',
        detail: expect.stringContaining(url),
        findings: [{ where: '/openapi_url', what: expect.stringContaining(url) }],
      },
    };
    const fetched = [{ url, sha256: sha256(FILE) }];

    // One that is not there yet.
    expect((await plan(wants)).body).toMatchObject({ action: 'add', fetched });
    said = worse;
    expect(await apply(wants, { fetched })).toMatchObject(refused);
    expect((await call('GET', '')).status).toBe(404);

    // One that is.
    said = FILE;
    await apply({
      openapi: JSON.stringify({ ...aDescription(), info: { title: 'A', version: '0' } }),
    });
    const planned = await plan(wants);
    expect(planned.body).toMatchObject({ action: 'change', fetched, tools: { added: [] } });
    const revision = { 'if-match': planned.headers['etag'] };
    said = worse;
    const before = (await call('GET', '')).body;
    expect(await apply(wants, { fetched }, revision)).toMatchObject(refused);
    expect(await apply(wants, { fetched: [] }, revision)).toMatchObject(refused);
    // Who says which revision was planned, says what was fetched for that.
    expect(await apply(wants, {}, revision)).toMatchObject({
      status: 422,
      body: { findings: [{ where: '/fetched' }] },
    });
    expect((await call('GET', '')).body).toEqual(before);

    said = FILE;
    expect((await apply(wants, { fetched }, revision)).body).toMatchObject({ version: 2 });
    // Without a plan, what it says now is taken.
    said = worse;
    await apply({ openapi: FILE });
    expect((await apply(wants)).body).toMatchObject({ tools: { added: ['wipe'] } });
  });

  test.each([
    ['a description that is none', { openapi: '{}' }],
    ['a template that does not parse', { prompts: [{ ...ASK, template: '{{#if topic}}' }] }],
    ['an address that is none', { resources: [{ ...GUIDE, uri: 'no address' }] }],
    ['operations that there are not', { operations: { include: ['getNothing'] } }],
  ])('changes nothing where it has %s', async (_, wrong) => {
    await apply(WHOLE);
    const before = await call('GET', '/declaration');
    const more = { resources: [{ ...GUIDE, content: 'New' }], name: 'New', ...wrong };
    expect((await apply({ ...WHOLE, ...more })).status).toBeGreaterThanOrEqual(400);
    expect((await call('GET', '/declaration')).body).toEqual(before.body);
  });

  test.each([1, 2, 3])(
    'is made and changed once where its declaration comes twice, at once, before write %i',
    async (nth) => {
      const { faults } = service.store.aws;
      const twice = async (declaration: object) => {
        let writes = 0;
        let between: Awaited<ReturnType<typeof apply>> | undefined;
        faults.inject({
          kind: 'meanwhile',
          on: ({ operation }) => !between && WRITES.test(operation) && (writes += 1) === nth,
          happens: async () => {
            between = await apply(declaration);
          },
        });
        const first = await apply(declaration);
        faults.clear();
        return [first.status, between?.status];
      };

      expect(await twice({ openapi: FILE, name: 'Orders' })).toEqual([200, 200]);
      const changed = { openapi: JSON.stringify(aDescription(['a', 'b', 'c'])), name: 'Shop' };
      expect(await twice(changed)).toEqual([200, 200]);
      expect((await plan(changed)).body['action']).toBe('same');
    },
  );

  test('says all that is wrong at once, with places, and changes nothing', async () => {
    const answer = await apply({
      openapi: FILE,
      acess: { mode: 'owner' },
      tool_mode: 'serch',
      overlays: [{ url: 'https://overlays.example/one' }],
      credentials: { main: { type: 'bearer' } },
    });
    expect(answer.status).toBe(422);
    const where = (answer.body['findings'] as readonly { where: string }[]).map((one) => one.where);
    expect(where).toEqual(
      expect.arrayContaining([
        '/declaration/acess',
        '/declaration/tool_mode',
        '/declaration/overlays',
        '/declaration/credentials/main/token',
      ]),
    );
    expect((await call('GET', '')).status).toBe(404);
  });
});

describe('who manages a deployment', () => {
  test('is the one declaration that it changes by', async () => {
    await apply({ openapi: FILE });
    const other = { managed_by: 'laptop:/home/ada/servers.yaml' };
    for (const adopt of [false, true]) {
      expect(await apply({ openapi: FILE, name: 'X' }, { ...other, adopt })).toMatchObject({
        status: 409,
        body: { code: 'managed', detail: expect.stringMatching(/github\.com.*laptop/) },
      });
    }
  });

  test('takes over what nothing manages only where it is told to', async () => {
    await service.call('POST', '/deployments', { as: owner, body: { openapi: FILE, slug } });
    expect(await apply({ openapi: FILE })).toMatchObject({
      status: 409,
      body: { code: 'managed' },
    });
    expect((await apply({ openapi: FILE }, { adopt: true })).status).toBe(200);
    expect((await call('GET', '')).body['managed_by']).toBe(BY);
  });

  test('lets it go as it is', async () => {
    await apply(WHOLE);
    expect((await call('DELETE', '/manager')).status).toBe(204);
    const { body } = await call('GET', '');
    expect(body['managed_by']).toBeUndefined();
    expect(body).toMatchObject({ name: 'Orders', access: WHOLE.access });
    expect((await call('PATCH', '', { name: 'Mine' })).status).toBe(200);
  });

  test('is nobody else, unless its owner says so for one change', async () => {
    await apply({ openapi: FILE });
    const refused = await call('PATCH', '', { name: 'By hand' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'managed' } });
    expect(JSON.stringify(refused.body)).toContain(BY);
    const override = { 'override-manager': 'true' };
    expect((await call('PATCH', '', { name: 'By hand' }, override)).status).toBe(200);
    expect((await plan({ openapi: FILE, name: 'Orders' })).body).toMatchObject({
      differences: [{ member: 'name', before: 'By hand', after: 'Orders' }],
    });
  });

  test('is shown to nobody but its owner', async () => {
    await apply({ openapi: FILE });
    const stranger = await service.owner();
    for (const [method, path, body] of [
      ['GET', '/declaration', undefined],
      ['DELETE', '/manager', undefined],
      ['PATCH', '', { name: 'Mine' }],
    ] as const) {
      expect(await call(method, path, body, {}, stranger)).toMatchObject({ status: 404 });
    }
    const taken = await call(
      'PUT',
      '/declaration',
      { declaration: { openapi: FILE }, managed_by: BY },
      {},
      stranger,
    );
    expect(taken).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
  });

  /** What may happen beside a declaration: it stops something, tries something, or gives a secret. */
  const BESIDE = (
    'applyDeclaration planDeclaration mintToken revokeGrant revokeToken setCredential ' +
    'setNamedCredential testCredential previewPrompt renderPrompt testTool replaceCases createCaseRun ' +
    'startRecording stopRecording removeRecordedCalls invite'
  ).split(' ');

  test('is asked for by every route that changes a deployment', async () => {
    await apply(WHOLE);
    const routes = routesOf(service.ports).filter(({ path, method, isHidden, operationId }) =>
      Boolean(
        path.startsWith('/deployments/{slug}') &&
        method !== 'GET' &&
        !isHidden &&
        operationId !== 'releaseFromDeclaration',
      ),
    );
    const answers = await Promise.all(
      routes.map(async ({ method, path, operationId }) => {
        const named = path.replace('/deployments/{slug}', '').replaceAll(/\{\w+\}/g, 'x1');
        const { body } = await call(method, named, BODIES[operationId]);
        return [operationId, body['code'] === 'managed'] as const;
      }),
    );
    expect(
      answers
        .filter(([, isManaged]) => !isManaged)
        .map(([id]) => id)
        .sort(),
    ).toEqual(BESIDE.toSorted());
  });

  test('does not keep anybody from pausing it', async () => {
    await apply({ openapi: FILE });
    expect((await call('PATCH', '', { status: 'paused' })).status).toBe(200);
    expect((await call('PATCH', '', { status: 'active', name: 'X' })).status).toBe(409);
  });
});

/** What passes as a body, so that the manager is what a request fails for. */
const BODIES: Readonly<Record<string, object>> = {
  changeDeployment: { name: 'X' },
  replaceDescription: { openapi: FILE },
  rollBack: { version: 1 },
  setJwtIssuer: WHOLE.jwt_issuer,
  createResource: { ...GUIDE, name: 'other', uri: 'docs://other' },
  replaceResource: GUIDE,
  createPrompt: ASK,
  replacePrompt: { template: 'x' },
};

describe('what a declaration may say', () => {
  test('is every member that may be chosen of a deployment', () => {
    const besides = ['credentials', 'prompts', 'protected', 'resources'];
    const deployment = aDeployment();
    expect(Object.keys(chosenMembers(deployment)).sort()).toEqual(
      Object.keys(declaredMembers)
        .filter((name) => !besides.includes(name))
        .sort(),
    );
  });
});

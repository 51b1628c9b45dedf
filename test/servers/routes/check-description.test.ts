import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withinBudget } from '../../../layers/servers/routes/description-report.ts';
import { answerBudget } from '../../../layers/api/answer.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type ApiAnswer,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

let service: TestManagement;
let owner: Owner;
let target: TargetServer;
beforeAll(async () => {
  [service, target] = await Promise.all([
    aManagementService({
      limits: {
        endpoints_per_deployment: 3,
        active_deployments_per_user: 2,
        description_fetches_per_hour_per_user: 2,
        openapi_max_bytes: 100_000,
      },
    }),
    anHttpServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(aDescription()));
    }),
  ]);
  owner = await service.owner();
});
afterAll(() => Promise.all([service.stop(), target[Symbol.asyncDispose]()]));

const check = (body: object, as: Owner | undefined = owner): Promise<ApiAnswer> =>
  service.call('POST', '/descriptions', { as, body });

const TAGGED = aDescription([], {
  paths: Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((id) => [
      `/${id}`,
      {
        get: {
          operationId: id,
          summary: `Gets ${id}`,
          tags: id < 'c' ? ['early'] : ['late', 'last'],
          responses: { 200: { description: 'ok' } },
        },
      },
    ]),
  ),
});

describe('POST /descriptions', () => {
  test('reports what publication would make, and stores nothing', async () => {
    const { status, body } = await check({ openapi: aDescription() });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Pets',
      slug: 'pets',
      tool_mode: 'operations',
      api_base_url: 'https://pets.example.com/v1',
      publishable: true,
      problems: [],
      warnings: [],
      operations: [
        { method: 'GET', path: '/listPets', operation_id: 'listPets', chosen: true },
        { method: 'GET', path: '/getPet', operation_id: 'getPet', chosen: true },
      ],
      tools_left_out: 0,
      totals: { tools: 2, accepted_by: { claude: 2, openai: 2, gemini: 2, bedrock: 2 } },
    });
    expect((await service.call('GET', '/deployments', { as: owner })).body.items).toEqual([]);
  });

  // With two ways to read each digit, this would end in hours.
  test('a megabyte of digits is no version of OpenAPI, and is soon refused', async () => {
    const { status, body } = await check({ openapi: `1.${'1'.repeat(1_000_000)} x` });

    expect([status, body['code']]).toEqual([413, 'description_too_large']);
  });

  test('reports the same of each tool as the deployment does afterwards', async () => {
    const as = await service.owner();
    const sent = { openapi: aDescription(), overrides: { getPet: { name: 'pet' } } };
    const { body } = await check(sent, as);
    const made = await service.call('POST', '/deployments', { as, body: sent });
    const { slug, warnings } = made.body as { slug: string; warnings: unknown };
    const tools = await service.call('GET', `/deployments/${slug}/tools`, { as });

    expect(body['tools']).toEqual(tools.body.items);
    expect(body['warnings']).toEqual(warnings);
    expect(body['slug']).toBe(slug);
  });

  test('counts operations by tag, and which of them are chosen', async () => {
    const { body } = await check({ openapi: TAGGED, operations: { include: ['tag:late'] } });

    expect(body['tags']).toEqual([
      { name: 'early', operations: 2, chosen: 0 },
      { name: 'late', operations: 2, chosen: 2 },
      { name: 'last', operations: 2, chosen: 2 },
    ]);
    expect(body).toMatchObject({ publishable: true, totals: { tools: 2 } });
  });

  test('shows what there is to choose from where it is too much', async () => {
    const { status, body } = await check({ openapi: TAGGED });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      publishable: false,
      problems: [{ code: 'too_many_operations', limit: 'endpoints_per_deployment' }],
      totals: { tools: 4 },
    });
  });

  test.each([
    [
      'a choice that names nothing',
      { openapi: TAGGED, operations: { include: ['nothing'] } },
      { code: 'invalid_request', findings: [{ where: '/operations/include/0' }] },
    ],
    [
      'a description without the address of its API',
      { openapi: aDescription(['a'], { servers: [] }) },
      { code: 'no_server_url' },
    ],
    [
      'a fixed value that does not fit',
      { openapi: aDescription(['a']), overrides: { a: { arguments: { limit: { value: 'x' } } } } },
      {
        code: 'invalid_request',
        findings: [{ where: '/overrides/GET ~1a/arguments/limit' }],
      },
    ],
    ['a bad slug', { openapi: aDescription(['a']), slug: 'No' }, { code: 'invalid_request' }],
  ])('tells the problem of %s beside what there is', async (_, sent, problem) => {
    const { status, body } = await check(sent);

    expect(status).toBe(200);
    expect(body).toMatchObject({ publishable: false, problems: [problem] });
    expect(body['operations']).not.toEqual([]);
  });

  test('says that a slug is taken, and that the limit of deployments is reached', async () => {
    const as = await service.owner();
    for (const slug of ['taken-one', 'taken-two']) {
      const body = { openapi: aDescription(['a']), slug };
      expect((await service.call('POST', '/deployments', { as, body })).status).toBe(201);
    }
    const { body } = await check({ openapi: aDescription(['a']), slug: 'taken-one' }, as);

    expect(body['problems']).toMatchObject([
      { code: 'limit_reached', limit: 'active_deployments_per_user' },
      { code: 'slug_taken' },
    ]);
    expect(body['slug']).toBeUndefined();
  });

  test('refuses a description that cannot be used as publication does', async () => {
    const sent = { openapi: '{"openapi": "3.1.0", "paths": 7}' };
    const [checked, published] = await Promise.all([
      check(sent),
      service.call('POST', '/deployments', { as: owner, body: sent }),
    ]);

    expect(checked.status).toBe(422);
    expect(checked.body).toEqual(published.body);
  });

  test('reads a description as it is, with fields in the query', async () => {
    const { body } = await service.call('POST', '/descriptions', {
      as: owner,
      body: JSON.stringify(TAGGED),
      headers: { 'content-type': 'application/yaml' },
      query: `operations=${encodeURIComponent('{"include":["a"],"exclude":[]}')}`,
    });

    expect(body).toMatchObject({ totals: { tools: 1 } });
  });

  test('reads what a look before has fetched, for who looked and as it was then', async () => {
    const as = await service.owner({ id: 'looks', email: 'looks@example.com' });
    const openapi_url = `${target.url}/openapi.json`;
    const before = target.requests.length;
    const first = await check({ openapi_url }, as);
    const { fetched } = first.body as { fetched: readonly object[] };
    // More often than descriptions may be fetched.
    for (const id of ['listPets', 'getPet', 'listPets']) {
      const operations = { include: [id], exclude: [] };
      expect(await check({ openapi_url, fetched, operations }, as)).toMatchObject({
        status: 200,
        body: { totals: { tools: 1 }, fetched },
      });
    }
    expect(target.requests.length).toBe(before + 1);

    const other = await service.owner({ id: 'other', email: 'other@example.com' });
    await check({ openapi_url, fetched }, other);
    const wrong = fetched.map((one) => ({ ...one, sha256: '0'.repeat(64) }));
    await check({ openapi_url, fetched: wrong }, as);
    expect(target.requests.length).toBe(before + 3);
  });

  test('fetches a description from its address, and counts that', async () => {
    const as = await service.owner();
    const sent = { openapi_url: `${target.url}/openapi.json` };
    const replies = [await check(sent, as), await check(sent, as), await check(sent, as)];

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies[0]?.body).toMatchObject({ title: 'Pets', publishable: true });
  });

  test('looks at an entry of the gallery, which counts as no deployment', async () => {
    const { body } = await check({ gallery_id: 'xkcd' });

    expect(body).toMatchObject({ title: 'xkcd', publishable: true, gallery: { id: 'xkcd' } });
    expect((await check({ gallery_id: 'none' })).status).toBe(404);
  });

  test('compares with the deployment that is named, whose settings hold', async () => {
    const as = await service.owner();
    const first = { openapi: aDescription(['a', 'b']), slug: 'compared', name: 'Compared' };
    await service.call('POST', '/deployments', {
      as,
      body: { ...first, overrides: { a: { name: 'first' } } },
    });
    const next = await check({ openapi: aDescription(['a', 'c']), deployment: 'compared' }, as);
    const renamed = await check({ deployment: 'compared', overrides: { a: null } }, as);

    expect(next.body).toMatchObject({
      slug: 'compared',
      difference: { added: ['c'], removed: ['b'], changed: [], breaking: true },
      tools: [{ name: 'first' }, { name: 'c' }],
    });
    expect(renamed.body).toMatchObject({
      difference: { added: [], removed: [], renamed: [{ before: 'first', after: 'a' }] },
    });
    const listed = await service.call('GET', '/deployments/compared', { as });
    expect(listed.body).toMatchObject({ version: 1, tool_count: 2 });
  });

  test('compares with nobody else’s deployment', async () => {
    const as = await service.owner();
    const body = { openapi: aDescription(['a']), slug: 'somebodys' };
    await service.call('POST', '/deployments', { as, body });

    expect((await check({ deployment: 'somebodys' })).status).toBe(404);
  });

  test.each([
    ['nothing', {}],
    ['two descriptions', { openapi: aDescription(), gallery_id: 'xkcd' }],
    ['an unknown field', { openapi: aDescription(), typo: 1 }],
  ])('refuses %s', async (_, sent) => {
    expect(await check(sent)).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  });

  test('refuses whoever is not signed in', async () => {
    const { status } = await service.call('POST', '/descriptions', {
      body: { openapi: aDescription() },
    });

    expect(status).toBe(401);
  });
});

describe('the report on a long list', () => {
  test('leaves out the schemas that do not fit', () => {
    const tool = (letters: number) =>
      ({ name: 'a', input_schema: { x: 'y'.repeat(letters) }, notes: [] }) as never;
    const kept = withinBudget([tool(1_000_000), tool(1_000_000), tool(10)], answerBudget());

    expect(kept.map((one) => 'input_schema' in one)).toEqual([true, false, true]);
  });

  test('ends where even that is too much', () => {
    const tool = { name: 'a', description: 'y'.repeat(1_000_000), notes: [] } as never;

    expect(withinBudget([tool, tool, tool], answerBudget(2_500_000))).toHaveLength(2);
  });
});

import { describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import { owner, serveTwoOwners, service } from '../../support/service/two-owners.ts';

serveTwoOwners({ limits: { active_deployments_per_user: 100 } });

const call = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { as: owner, ...(body !== undefined && { body }) });

const LIST = { wish: 'Which pets are there?', tool: 'listPets' };
const ONE = { wish: 'One pet', tool: 'getPet' };
const NEXT = aDescription(['listPets', 'getPet', 'addPet']);

let made = 0;
/** A server that asks for half of its two cases. */
const aServer = async (over: object = {}): Promise<string> => {
  const slug = `gated-${(made += 1)}`;
  const body = { openapi: aDescription(), slug, cases_right: 50, ...over };
  expect((await call('POST', '/deployments', body)).status).toBe(201);
  await call('PUT', `/deployments/${slug}/cases`, { cases: [LIST, ONE] });
  return slug;
};
const hashOf = async (slug: string, change: object): Promise<unknown> =>
  (await call('POST', '/descriptions', { ...change, deployment: slug })).body['tools_hash'];
/** As whoever has asked a model says it. */
const ran = async (slug: string, change: object, ...wrong: readonly string[]) => {
  const tools_hash = await hashOf(slug, change);
  const tokens = { input_tokens: 1, output_tokens: 1 };
  const body = { model: 'openai/one', tools_hash, wrong, ...tokens };
  expect((await call('POST', `/deployments/${slug}/case-runs`, body)).status).toBe(201);
};
const change = (slug: string, body: object) => call('PATCH', `/deployments/${slug}`, body);
const versionOf = async (slug: string) =>
  (await call('GET', `/deployments/${slug}`)).body['version'];

const refusedFor = (what: RegExp, slug: string) => ({
  status: 409,
  body: {
    code: 'conflict',
    findings: [
      {
        where: '/cases_right',
        what: expect.stringMatching(what),
        hint: expect.stringContaining(
          `npx --no-install hosted-mcp eval --server ${slug} --openapi FILE`,
        ),
      },
    ],
  },
});

/** What makes other tools. */
const CHANGES: readonly (readonly [string, object])[] = [
  ['another description', { openapi: NEXT }],
  ['an override', { overrides: { listPets: { description: 'All the pets.' } } }],
  ['another choice of operations', { operations: { include: ['listPets'], exclude: [] } }],
];

describe('a version of a server that asks for cases', () => {
  test.each(CHANGES)('with %s is served once enough of them are right', async (_, wanted) => {
    const slug = await aServer();
    expect(await change(slug, wanted)).toMatchObject(refusedFor(/No model has been asked/, slug));
    expect(await versionOf(slug)).toBe(1);

    await ran(slug, wanted, LIST.wish, ONE.wish);
    expect(await change(slug, wanted)).toMatchObject(
      refusedFor(/0 of 2 cases were right, and 50 percent/, slug),
    );

    await ran(slug, wanted, ONE.wish);
    expect(await change(slug, wanted)).toMatchObject({ status: 200, body: { version: 2 } });
  });

  test('is held by each route that publishes', async () => {
    const slug = await aServer();
    const put = await call('PUT', `/deployments/${slug}/openapi`, { openapi: NEXT });
    expect(put).toMatchObject(refusedFor(/No model/, slug));
    expect(await versionOf(slug)).toBe(1);
  });

  test('needs a run with its own tools, of the cases that there are', async () => {
    const slug = await aServer();
    await ran(slug, {});
    await ran(slug, { openapi: aDescription(['findPets']) });
    expect(await change(slug, { openapi: NEXT })).toMatchObject(refusedFor(/No model/, slug));

    await ran(slug, { openapi: NEXT });
    await call('PUT', `/deployments/${slug}/cases`, { cases: [LIST, { ...ONE, tool: null }] });
    expect(await change(slug, { openapi: NEXT })).toMatchObject(refusedFor(/No model/, slug));
  });

  test('goes by its latest run, whichever came after that with other tools', async () => {
    const slug = await aServer();
    await ran(slug, { openapi: NEXT });
    await ran(slug, { openapi: NEXT }, LIST.wish, ONE.wish);
    expect(await change(slug, { openapi: NEXT })).toMatchObject(refusedFor(/0 of 2/, slug));

    await ran(slug, { openapi: NEXT });
    await ran(slug, {}, LIST.wish, ONE.wish);
    expect(await change(slug, { openapi: NEXT })).toMatchObject({ status: 200 });
  });

  test('counts from the very percent on', async () => {
    const slug = await aServer({ cases_right: 51 });
    await ran(slug, { openapi: NEXT }, ONE.wish);
    expect(await change(slug, { openapi: NEXT })).toMatchObject(refusedFor(/1 of 2/, slug));
    await change(slug, { cases_right: 50 });
    expect(await change(slug, { openapi: NEXT })).toMatchObject({ status: 200 });
  });

  test('is served where its owner asks for nothing any more, in the same request too', async () => {
    const slug = await aServer();
    const both = { openapi: NEXT, cases_right: null };
    expect(await change(slug, both)).toMatchObject({
      status: 200,
      body: { version: 2, cases_right: null },
    });
  });

  test('is held where the request that makes it asks for cases', async () => {
    const slug = await aServer({ cases_right: null });
    const both = { openapi: NEXT, cases_right: 100 };
    expect(await change(slug, both)).toMatchObject(refusedFor(/No model/, slug));
    expect((await call('GET', `/deployments/${slug}`)).body).toMatchObject({ cases_right: null });
  });

  test('needs nothing where its tools are those that are served, or nothing is there to ask', async () => {
    const slug = await aServer();
    const same = { ...aDescription(), info: { title: 'Other', version: '2' } };
    expect(await change(slug, { openapi: same })).toMatchObject({ status: 200 });
    expect(await change(slug, { name: 'Other', docs: 'public' })).toMatchObject({ status: 200 });

    await call('PUT', `/deployments/${slug}/cases`, { cases: [] });
    expect(await change(slug, { openapi: NEXT })).toMatchObject({ status: 200 });
  });

  test('is returned to without a run', async () => {
    const slug = await aServer({ cases_right: null });
    await change(slug, { openapi: NEXT });
    await change(slug, { cases_right: 100 });
    expect(await call('POST', `/deployments/${slug}/rollback`, { version: 1 })).toMatchObject({
      status: 200,
      body: { version: 1, cases_right: 100 },
    });
    const forth = await call('POST', `/deployments/${slug}/rollback`, { version: 2 });
    expect(forth).toMatchObject({ status: 200, body: { version: 2 } });
  });

  test('in search mode is none that a model could be asked about', async () => {
    const slug = await aServer();
    expect(await change(slug, { tool_mode: 'search' })).toMatchObject({ status: 200 });
    expect(await change(slug, { openapi: NEXT })).toMatchObject({ status: 200 });
  });

  test('is not served by a declaration either', async () => {
    const slug = await aServer();
    const declaration = { openapi: NEXT, cases_right: 50 };
    const apply = () =>
      call('PUT', `/deployments/${slug}/declaration`, {
        declaration,
        managed_by: 'servers.yaml',
        adopt: true,
      });
    expect(await apply()).toMatchObject(refusedFor(/No model/, slug));
    expect((await call('GET', `/deployments/${slug}`)).body).not.toHaveProperty('managed_by');
    await ran(slug, { openapi: NEXT });
    expect(await apply()).toMatchObject({ status: 200 });
    expect(await versionOf(slug)).toBe(2);
  });

  test.each([0, 101, 1.5, '90'])('cannot ask for %j percent', async (value) => {
    const slug = await aServer({ cases_right: null });
    expect(await change(slug, { cases_right: value })).toMatchObject({
      status: 422,
      body: { findings: [{ where: '/cases_right' }] },
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';
import type { ApiCall } from '../../support/service/management.ts';

serveTwoOwners({ limits: { active_deployments_per_user: 100 } });

const call = (method: string, path: string, body?: unknown, more: ApiCall = {}) =>
  service.call(method, `/deployments/${path}`, {
    as: owner,
    ...(body !== undefined && { body }),
    ...more,
  });
let made = 0;
const aServer = async (body: object = {}): Promise<string> => {
  const slug = `cased-${(made += 1)}`;
  const sent = { openapi: aDescription(), slug, ...body };
  const answer = await service.call('POST', '/deployments', { as: owner, body: sent });
  expect(answer.status).toBe(201);
  return slug;
};
const given = (tag: string | undefined) => ({ headers: { 'if-match': tag ?? '' } });

const LIST = { wish: 'Which pets are there?', tool: 'listPets', arguments: { limit: 5 } };
const GREETING = { wish: 'Good morning', tool: null };

describe('the cases of a server', () => {
  test('are none at first, and then what was put there', async () => {
    const slug = await aServer();
    expect(await call('GET', `${slug}/cases`)).toMatchObject({ status: 200, body: { cases: [] } });
    const cases = [LIST, GREETING];
    const put = await call('PUT', `${slug}/cases`, { cases });
    expect(put).toMatchObject({ status: 200, body: { cases } });
    const got = await call('GET', `${slug}/cases`);
    expect([got.body, got.headers['etag']]).toEqual([{ cases }, put.headers['etag']]);
    await call('PUT', `${slug}/cases`, { cases: [] });
    expect((await call('GET', `${slug}/cases`)).body).toEqual({ cases: [] });
  });

  test('change only if If-Match names what they are, also where there were none', async () => {
    const slug = await aServer();
    const none = (await call('GET', `${slug}/cases`)).headers['etag'];
    const body = { cases: [LIST] };
    const put = await call('PUT', `${slug}/cases`, body, given(none));
    expect(put.status).toBe(200);
    const stale = { status: 412, body: { code: 'stale' } };
    expect(await call('PUT', `${slug}/cases`, { cases: [] }, given(none))).toMatchObject(stale);
    expect((await call('GET', `${slug}/cases`)).body).toEqual(body);
    const next = await call('PUT', `${slug}/cases`, { cases: [] }, given(put.headers['etag']));
    expect(next.status).toBe(200);
  });

  test('of two changes at once from the same revision, one is made', async () => {
    const slug = await aServer();
    const none = (await call('GET', `${slug}/cases`)).headers['etag'];
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((wish) =>
        call('PUT', `${slug}/cases`, { cases: [{ wish, tool: null }] }, given(none)),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  test('keep arguments of any name and value as they are', async () => {
    const slug = await aServer();
    const text =
      '{"cases":[{"wish":"\\ud800 x","tool":"listPets","arguments":{"":1,"a.b":null,"constructor":{"x":[]},"n":1e300}}]}';
    const put = await call('PUT', `${slug}/cases`, JSON.parse(text));
    expect(put).toMatchObject({ status: 200, body: JSON.parse(text) as object });
    const again = await call('PUT', `${slug}/cases`, { cases: [] }, given(put.headers['etag']));
    expect(again.status).toBe(200);
  });

  const many = (count: number, length: number) =>
    Array.from({ length: count }, (_, n) => ({ wish: `${n}`.padEnd(length, 'x'), tool: null }));

  test.each<[string, unknown, string]>([
    ['no list', { cases: {} }, '/cases'],
    ['nothing', {}, '/cases'],
    ['something besides', { cases: [], more: 1 }, '/more'],
    ['an empty wish', { cases: [{ wish: '  ', tool: null }] }, '/cases/0/wish'],
    ['a long wish', { cases: [{ wish: 'x'.repeat(2001), tool: null }] }, '/cases/0/wish'],
    [
      'a wish that commands a terminal',
      { cases: [{ wish: '\u001b[2J', tool: null }] },
      '/cases/0/wish',
    ],
    ['no tool', { cases: [{ wish: 'x' }] }, '/cases/0/tool'],
    ['a tool of no name', { cases: [{ wish: 'x', tool: '' }] }, '/cases/0/tool'],
    ['a tool of a long name', { cases: [{ wish: 'x', tool: 'x'.repeat(65) }] }, '/cases/0/tool'],
    ['arguments that are a list', { cases: [{ ...LIST, arguments: [] }] }, '/cases/0/arguments'],
    ['a member that is not known', { cases: [{ ...LIST, id: 1 }] }, '/cases/0/id'],
    [
      'a wish twice',
      { cases: [LIST, GREETING, { ...GREETING, wish: ' Good morning' }] },
      '/cases/2/wish',
    ],
    ['more than 500', { cases: many(501, 3) }, '/cases'],
    ['more than 200,000 bytes', { cases: many(110, 2000) }, '/cases'],
  ])('are refused with %s, and stay', async (_, body, where) => {
    const slug = await aServer();
    await call('PUT', `${slug}/cases`, { cases: [LIST] });
    expect(await call('PUT', `${slug}/cases`, body)).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', findings: [{ where }] },
    });
    expect((await call('GET', `${slug}/cases`)).body).toEqual({ cases: [LIST] });
  });

  test('may be 500, and nearly 200,000 bytes, with a run of them all', async () => {
    const slug = await aServer();
    const cases = many(500, 370);
    expect((await call('PUT', `${slug}/cases`, { cases })).status).toBe(200);
    const wrong = cases.map(({ wish }) => wish);
    const run = await call('POST', `${slug}/case-runs`, { ...RUN, wrong });
    expect(run).toMatchObject({ status: 201, body: { right: 0, cases: 500 } });
    expect((await call('GET', `${slug}/case-runs`)).body['results']).toHaveLength(500);
  });

  test('are nobody else’s to see or to change', async () => {
    const slug = await aServer();
    await call('PUT', `${slug}/cases`, { cases: [LIST] });
    const as = { as: stranger };
    for (const path of ['cases', 'case-runs']) {
      expect((await call('GET', `${slug}/${path}`, undefined, as)).status).toBe(404);
    }
    expect((await call('PUT', `${slug}/cases`, { cases: [] }, as)).status).toBe(404);
    expect((await call('POST', `${slug}/case-runs`, { ...RUN, wrong: [] }, as)).status).toBe(404);
    expect((await call('GET', `${slug}/cases`)).body).toEqual({ cases: [LIST] });
  });

  test('are on record when they change', async () => {
    const slug = await aServer();
    await call('PUT', `${slug}/cases`, { cases: [LIST] });
    await call('POST', `${slug}/case-runs`, { ...RUN, wrong: [] });
    const { body } = await call('GET', `${slug}/activity`);
    const done = body.items?.map(({ operation }) => operation);
    expect(done).toEqual(expect.arrayContaining(['replaceCases', 'createCaseRun']));
  });

  test('end with the server: another one of its name has none', async () => {
    const slug = await aServer();
    await call('PUT', `${slug}/cases`, { cases: [LIST] });
    await call('POST', `${slug}/case-runs`, { ...RUN, wrong: [] });
    const { id = '' } = (await service.ports.deploymentEditor.read(slug)) ?? {};
    expect((await service.ports.cases.find(id)).cases).toEqual([LIST]);
    await call('DELETE', slug);
    expect((await service.ports.cases.find(id)).cases).toEqual([]);
    expect(await service.ports.cases.runs(id)).toEqual({ runs: [], results: [] });
  });
});

const RUN = { model: 'openai/one', version: 1, input_tokens: 100, output_tokens: 10 };

describe('a run of the cases', () => {
  let slug: string;
  beforeAll(async () => {
    slug = await aServer();
    await call('PUT', `${slug}/cases`, { cases: [LIST, GREETING] });
  });
  afterAll(() => call('DELETE', slug));

  test('is kept with what was right, and names the tools by their hash', async () => {
    const { etag } = (await call('GET', `${slug}/cases`)).headers;
    const body = { ...RUN, wrong: [GREETING.wish] };
    const kept = await call('POST', `${slug}/case-runs`, body, given(etag));
    expect(kept).toMatchObject({ status: 201, body: { ...RUN, right: 1, cases: 2 } });
    const { body: all } = await call('GET', `${slug}/case-runs`);
    expect(all).toEqual({
      runs: [kept.body],
      results: [
        { wish: LIST.wish, right: true },
        { wish: GREETING.wish, right: false },
      ],
    });
    expect(`"${String(kept.body['cases_revision'])}"`).toBe(etag);
  });

  test('of a description is known by the hash that the report of it has', async () => {
    const check = { openapi: aDescription(), deployment: slug };
    const { body: report } = await service.call('POST', '/descriptions', {
      as: owner,
      body: check,
    });
    const { runs } = (await call('GET', `${slug}/case-runs`)).body as {
      readonly runs: readonly { readonly tools_hash: string }[];
    };
    expect(report['tools_hash']).toBe(runs.at(-1)?.tools_hash);
    const other = { openapi: aDescription(['findPets']), deployment: slug };
    const { body: next } = await service.call('POST', '/descriptions', { as: owner, body: other });
    expect(next['tools_hash']).not.toBe(report['tools_hash']);
  });

  test('counts twenty at most, the latest first', async () => {
    for (let n = 1; n <= 21; n += 1) {
      await call('POST', `${slug}/case-runs`, { ...RUN, input_tokens: n, wrong: [] });
    }
    const { runs } = (await call('GET', `${slug}/case-runs`)).body as {
      readonly runs: readonly { readonly input_tokens: number }[];
    };
    expect(runs.map((run) => run.input_tokens)).toEqual(
      Array.from({ length: 20 }, (_, n) => 21 - n),
    );
  });

  test('of cases that have changed is refused', async () => {
    const { etag } = (await call('GET', `${slug}/cases`)).headers;
    await call('PUT', `${slug}/cases`, { cases: [GREETING, LIST] });
    const body = { ...RUN, wrong: [] };
    expect(await call('POST', `${slug}/case-runs`, body, given(etag))).toMatchObject({
      status: 412,
      body: { code: 'stale' },
    });
  });

  test.each<[string, object, string]>([
    ['a wish of no case', { wrong: [LIST.wish, 'Another'] }, '/wrong/1'],
    ['no model', { model: undefined }, '/model'],
    ['a model that commands a terminal', { model: 'a\u001b[2J' }, '/model'],
    ['neither version nor hash', { version: undefined }, '/version'],
    ['both', { tools_hash: 'a'.repeat(64) }, '/version'],
    ['a version that there is not', { version: 7 }, '/version'],
    ['a hash that is none', { version: undefined, tools_hash: 'x' }, '/tools_hash'],
    ['tokens below nothing', { input_tokens: -1 }, '/input_tokens'],
    ['how many were right', { right: 2 }, '/right'],
  ])('is refused with %s', async (_, over, where) => {
    const before = (await call('GET', `${slug}/case-runs`)).body;
    const body = { ...RUN, wrong: [], ...over };
    expect(await call('POST', `${slug}/case-runs`, body)).toMatchObject({
      status: 422,
      body: { findings: [{ where }] },
    });
    expect((await call('GET', `${slug}/case-runs`)).body).toEqual(before);
  });

  test('is refused where there are no cases', async () => {
    const bare = await aServer();
    expect(await call('POST', `${bare}/case-runs`, { ...RUN, wrong: [] })).toMatchObject({
      status: 422,
      body: { findings: [{ where: '/wrong', what: 'there are no cases' }] },
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mailsAt } from '../support/oauth/people.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

let service: WholeService;
let api: TargetServer;
let owner: SignedIn;
/** What stands at each path: a description, or an HTTP status. */
const served = new Map<string, object | number>();

beforeAll(async () => {
  [service, api] = await Promise.all([
    startWholeService({ active_deployments_per_user: 1000 }),
    anHttpServer(({ url }, response) => {
      const found = served.get(url ?? '') ?? 404;
      if (typeof found === 'number') response.statusCode = found;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
    }),
  ]);
  owner = await signedIn(service);
});
afterAll(async () => {
  await service.stop();
  await api[Symbol.asyncDispose]();
});

const description = (operations: Readonly<Record<string, object>>, server = api.url) => ({
  openapi: '3.1.0',
  info: { title: 'Books', version: '1' },
  servers: [{ url: server }],
  paths: Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      `/${name}`,
      { get: { operationId: name, responses: { 200: { description: 'ok' } }, ...operation } },
    ]),
  ),
});

const published = async (slug: string, over: object = {}): Promise<void> => {
  served.set(`/${slug}`, description({ books: {} }));
  const wanted = { openapi_url: `${api.url}/${slug}`, slug, refresh: 'hourly', ...over };
  expect(await owner.send('POST', '/deployments', wanted)).toMatchObject({ status: 201 });
};
const stateOf = async (slug: string) => (await owner.send('GET', `/deployments/${slug}`)).body;
const versionsOf = async (slug: string) =>
  (await owner.send('GET', `/deployments/${slug}/versions`)).body['items'];

/** As the schedule has it each hour. */
const takeCare = async (): Promise<void> => {
  await service.operate({ operator: 'take-care' }, 'maintenance');
  await service.aws.eventsSettled();
};
const mailsAbout = async (slug: string) =>
  (await mailsAt(service)).filter(
    ({ to, subject }) => to === owner.person.email && subject.includes(slug),
  );

describe('a description that is fetched again', () => {
  test('is published by itself where it breaks nothing, once', async () => {
    await published('grows');
    await takeCare();
    expect(await stateOf('grows')).toMatchObject({
      version: 1,
      refreshed: { outcome: 'unchanged' },
    });

    served.set('/grows', description({ books: {}, authors: {} }));
    await takeCare();
    expect(await stateOf('grows')).toMatchObject({
      version: 2,
      tool_count: 2,
      refreshed: { outcome: 'published' },
    });
    expect(await versionsOf('grows')).toMatchObject([
      { version: 2, created_by: 'refresh' },
      { version: 1, created_by: 'owner' },
    ]);

    await takeCare();
    expect(await stateOf('grows')).toMatchObject({
      version: 2,
      refreshed: { outcome: 'unchanged' },
    });
    expect(await mailsAbout('grows')).toEqual([]);
  });

  test('is held back where it breaks calls, and its owner gets one mail', async () => {
    await published('breaks');
    served.set('/breaks', description({ authors: {} }));

    await takeCare();
    expect(await stateOf('breaks')).toMatchObject({
      version: 1,
      refreshed: { outcome: 'held_back', why: 'Calls that worked may fail: books.' },
    });
    expect((await mailsAbout('breaks')).map(({ subject, link }) => [subject, link])).toEqual([
      [
        'A new description of breaks waits for you',
        `${service.baseUrl}/console/servers/breaks/versions`,
      ],
    ]);
    const { body } = await owner.send('GET', '/deployments/breaks/doctor');
    expect(JSON.stringify(body)).toContain('A new description waits for you');

    await takeCare();
    expect(await stateOf('breaks')).toMatchObject({ refreshed: { outcome: 'held_back' } });
    expect(await mailsAbout('breaks')).toHaveLength(1);

    // Published by hand, it waits no more.
    const openapi_url = `${api.url}/breaks`;
    await owner.send('PUT', '/deployments/breaks/openapi', { openapi_url });
    await takeCare();
    expect(await stateOf('breaks')).toMatchObject({
      version: 2,
      refreshed: { outcome: 'unchanged' },
    });
  });

  test('waits until enough cases are right with its tools, where the server asks for them', async () => {
    await published('cased', { cases_right: 100 });
    const cases = { cases: [{ wish: 'Which authors?', tool: 'authors' }] };
    await owner.send('PUT', '/deployments/cased/cases', cases);
    served.set('/cased', description({ books: {}, authors: {} }));

    await takeCare();
    expect(await stateOf('cased')).toMatchObject({
      version: 1,
      refreshed: {
        outcome: 'held_back',
        why: expect.stringMatching(/^No model has been asked the cases .*: 100 percent of 1 must/),
      },
    });
    expect(await mailsAbout('cased')).toHaveLength(1);

    const next = { openapi_url: `${api.url}/cased`, deployment: 'cased' };
    const { tools_hash } = (await owner.send('POST', '/descriptions', next)).body;
    const ran = (...wrong: readonly string[]) =>
      owner.send('POST', '/deployments/cased/case-runs', {
        model: 'openai/one',
        tools_hash,
        wrong,
        input_tokens: 1,
        output_tokens: 1,
      });
    await ran('Which authors?');
    await takeCare();
    expect(await stateOf('cased')).toMatchObject({
      version: 1,
      refreshed: { why: expect.stringMatching(/^With these tools 0 of 1 cases/) },
    });
    await ran();
    await takeCare();
    expect(await stateOf('cased')).toMatchObject({
      version: 2,
      refreshed: { outcome: 'published' },
    });
  });

  test.each<[string, object, (slug: string) => object, RegExp]>([
    [
      'lets strangers change something',
      { mcp_auth_method: 'none' },
      () => {
        const post = { operationId: 'addBook', responses: { 201: { description: 'made' } } };
        const { paths, ...rest } = description({ books: {} });
        return { ...rest, paths: { ...paths, '/add': { post } } };
      },
      /^Anybody on the internet could call 2 tools, 1 of which changes something/,
    ],
    [
      'leads calls elsewhere',
      {},
      () => description({ books: {}, authors: {} }, 'https://elsewhere.example'),
      /^Calls would go to https:\/\/elsewhere\.example instead of http/,
    ],
  ])('is held back where it %s', async (_, over, next, why) => {
    const slug = `held-${Object.keys(over).length}`;
    await published(slug, over);
    served.set(`/${slug}`, next(slug));

    await takeCare();

    expect(await stateOf(slug)).toMatchObject({
      version: 1,
      refreshed: { outcome: 'held_back', why: expect.stringMatching(why) },
    });
  });

  test('does not undo a return to an earlier version', async () => {
    await published('returned');
    await takeCare();
    served.set('/returned', description({ books: {}, authors: {} }));
    await takeCare();
    await owner.send('POST', '/deployments/returned/rollback', { version: 1 });

    await takeCare();
    expect(await stateOf('returned')).toMatchObject({
      version: 1,
      refreshed: { outcome: 'unchanged' },
    });

    served.set('/returned', description({ books: {}, authors: {}, more: {} }));
    await takeCare();
    expect(await stateOf('returned')).toMatchObject({
      version: 1,
      refreshed: { outcome: 'held_back', why: expect.stringContaining('earlier version') },
    });
  });

  test.each<[string, object | number, RegExp]>([
    ['is not there', 404, /could not be fetched.*HTTP 404/],
    ['is no description', { hello: 'world' }, /./],
    ['has no operation', { openapi: '3.1.0', info: { title: 'B', version: '1' }, paths: {} }, /./],
  ])('that %s changes nothing, and is told', async (_, found, why) => {
    const slug = `fails-${String(typeof found)}-${Object.keys(Object(found)).length}`;
    await published(slug);
    served.set(`/${slug}`, found);

    await takeCare();

    expect(await stateOf(slug)).toMatchObject({
      version: 1,
      refreshed: {
        outcome: 'failed',
        why: expect.stringMatching(why),
        failing_since: expect.any(String),
      },
    });
    expect(await mailsAbout(slug)).toEqual([]);
    const { body } = await owner.send('GET', `/deployments/${slug}/doctor`);
    expect(JSON.stringify(body)).toContain('it could not be used');
  });

  test('is left alone where it is off, paused, or was sent', async () => {
    await published('off', { refresh: 'off' });
    await published('paused');
    await owner.send('PATCH', '/deployments/paused', { status: 'paused' });
    await published('sent');
    await owner.send('PUT', '/deployments/sent/openapi', description({ own: {} }));
    for (const slug of ['off', 'paused', 'sent']) {
      served.set(`/${slug}`, description({ books: {}, authors: {} }));
    }

    await takeCare();

    for (const slug of ['off', 'paused', 'sent']) {
      expect(await stateOf(slug)).not.toHaveProperty('refreshed');
      expect(await stateOf(slug)).toMatchObject({ tool_count: 1 });
    }
    expect((await stateOf('sent'))['warnings']).toContainEqual(
      expect.objectContaining({ where: '/refresh' }),
    );
  });
});

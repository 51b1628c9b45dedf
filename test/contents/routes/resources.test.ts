import { describe, expect, test } from '@jest/globals';
import { aDeployment } from '../../support/aws/dynamodb-fixtures.ts';
import type { ApiCall } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

const LIMITS = {
  resources_per_deployment: 5,
  resource_max_bytes: 40,
  resources_total_max_bytes: 100,
};

serveTwoOwners({ limits: LIMITS });

let deployments = 0;
/** The path of the resources of a new deployment. */
const collection = async (): Promise<string> => {
  const slug = `docs-${(deployments += 1)}`;
  await service.ports.deploymentEditor.create(
    aDeployment({ id: slug, slug, ownerId: owner.user.id }),
  );
  return `/deployments/${slug}/resources`;
};
const call = (method: string, path: string, body?: unknown, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...(body !== undefined && { body }), ...more });

const GUIDE = {
  name: 'guide',
  uri: 'docs://guide',
  title: 'Guide',
  description: 'How to begin.\nAnd go on.',
  mime_type: 'text/markdown',
  content: '# Begin',
};

describe('the resources of a deployment', () => {
  test('can be created, shown, listed without content, replaced and removed', async () => {
    const path = await collection();
    const updated_at = '2026-11-20T12:00:00Z';
    const whole = { ...GUIDE, encoding: 'text', size: 7, updated_at };
    const { content: _, ...listed } = whole;

    expect(await call('POST', path, GUIDE)).toMatchObject({ status: 201, body: whole });
    expect((await call('GET', `${path}/guide`)).body).toEqual(whole);
    expect((await call('GET', path)).body).toEqual({ items: [listed] });

    const { name: __, title: ___, ...replacement } = { ...GUIDE, content: 'new' };
    expect((await call('PUT', `${path}/guide`, replacement)).body).toEqual({
      ...replacement,
      name: 'guide',
      encoding: 'text',
      size: 3,
      updated_at,
    });
    expect(await call('DELETE', `${path}/guide`)).toMatchObject({ status: 204, body: {} });
    expect(await call('GET', `${path}/guide`)).toMatchObject({ status: 404 });
    expect((await call('GET', path)).body).toEqual({ items: [] });
  });

  test('give values for their variables, which lists only count', async () => {
    const path = await collection();
    const variables = [{ name: 'a', values: ['b', 'c'] }];
    const sent = { ...GUIDE, uri: 'docs://{a}/{d}', variables };

    expect(await call('POST', path, sent)).toMatchObject({ status: 201, body: { variables } });
    expect((await call('GET', `${path}/guide`)).body).toMatchObject({ variables });
    expect((await call('GET', path)).body.items).toMatchObject([
      { variables: [{ name: 'a', value_count: 2 }] },
    ]);
  });

  test('state their audience and priority', async () => {
    const path = await collection();
    const said = { audience: ['assistant'], priority: 0.25 };

    expect(await call('POST', path, { ...GUIDE, ...said })).toMatchObject({
      status: 201,
      body: said,
    });
    expect((await call('GET', path)).body.items).toMatchObject([said]);
  });

  test.each([
    [{ priority: 0 }, 201],
    [{ priority: 1 }, 201],
    [{ priority: -0.01 }, 422],
    [{ priority: 1.01 }, 422],
    [{ audience: ['user', 'assistant'] }, 201],
    [{ audience: [] }, 422],
    [{ audience: ['user', 'user'] }, 422],
    [{ audience: ['everybody'] }, 422],
  ])('may say %j: %d', async (said, status) => {
    const path = await collection();

    expect(await call('POST', path, { ...GUIDE, ...said })).toMatchObject({ status });
  });

  test('say when they were written, which is no change of what they are', async () => {
    const path = await collection();
    const { headers } = await call('POST', path, GUIDE);
    const { name: _, ...same } = GUIDE;
    service.clock.time += 60;
    const again = await call('PUT', `${path}/guide`, same);
    service.clock.time -= 60;

    expect(again.body['updated_at']).toBe('2026-11-20T12:01:00Z');
    expect(again.headers['etag']).toBe(headers['etag']);
  });

  test('change only if If-Match names the current content', async () => {
    const path = await collection();
    const { headers } = await call('POST', path, GUIDE);
    const tag = headers['etag'] ?? '';
    expect((await call('GET', `${path}/guide`)).headers['etag']).toBe(tag);
    const change = (method: string, given: string, body?: object) =>
      call(method, `${path}/guide`, body, { headers: { 'if-match': given } });
    const { name: _, ...same } = GUIDE;

    const changed = await change('PUT', tag, { ...same, content: 'first' });
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).toMatch(/^"[\w-]{43}"$/);
    expect(changed.headers['etag']).not.toBe(tag);
    for (const [method, given] of [
      ['PUT', tag],
      ['DELETE', tag],
      ['PUT', `W/${changed.headers['etag']}`],
      ['PUT', 'anything'],
    ] as const) {
      const answer = await change(method, given, method === 'PUT' ? same : undefined);
      expect(answer).toMatchObject({ status: 412, body: { code: 'stale' } });
    }
    expect((await call('GET', `${path}/guide`)).body).toMatchObject({ content: 'first' });
    expect((await change('PUT', '*', same)).headers['etag']).toBe(tag);
    expect(await change('DELETE', `"other", ${tag}`)).toMatchObject({ status: 204 });
  });

  test('are stored where the router reads them', async () => {
    const path = await collection();
    await call('POST', path, {
      name: 'logo',
      uri: 'docs://logo',
      content: 'AAEC',
      encoding: 'base64',
    });

    expect(await service.ports.resources.list(path.split('/')[2]!)).toEqual([
      {
        name: 'logo',
        uri: 'docs://logo',
        content: 'AAEC',
        encoding: 'base64',
        updatedAt: service.clock.time,
      },
    ]);
  });

  test('are listed page by page', async () => {
    const path = await collection();
    for (const name of ['c', 'a', 'b']) {
      await call('POST', path, { name, uri: `docs://${name}`, content: '' });
    }
    const first = await call('GET', path, undefined, { query: 'limit=2' });
    expect(first.body.items?.map(({ name }) => name)).toEqual(['a', 'b']);
    const query = `limit=2&cursor=${String(first.body['next_cursor'])}`;
    const last = await call('GET', path, undefined, { query });
    expect(last.body).toMatchObject({ items: [{ name: 'c' }] });
    expect(last.body).not.toHaveProperty('next_cursor');
  });

  test.each<[string, object, string]>([
    ['no name', { name: undefined }, '/name'],
    ['a name with a slash', { name: 'a/b' }, '/name'],
    ['a name of two dots', { name: '..' }, '/name'],
    ['a long name', { name: 'a'.repeat(65) }, '/name'],
    ['no URI', { uri: undefined }, '/uri'],
    ['no content', { content: undefined }, '/content'],
    ['content that is not a string', { content: 1 }, '/content'],
    ['a title with a terminal escape sequence', { title: 'a\u001b[2J' }, '/title'],
    ['an unknown encoding', { encoding: 'hex' }, '/encoding'],
    ['an unknown field', { url: 'docs://x' }, '/url'],
    ['a relative URI', { uri: 'guide' }, '/uri'],
    ['a URI with a space', { uri: 'docs://my guide' }, '/uri'],
    ['a URI with a stray brace', { uri: 'docs://a{b' }, '/uri'],
    ['a URI with a broken escape', { uri: 'docs://a%2' }, '/uri'],
    ['a URI with a control character', { uri: 'docs://a\n' }, '/uri'],
    ['a template with an unsupported operator', { uri: 'docs://{;a}' }, '/uri'],
    ['a template with a modifier', { uri: 'docs://{a*}' }, '/uri'],
    ['a template with a variable twice', { uri: 'docs://{a}/{a}' }, '/uri'],
    ['a template with nothing between variables', { uri: 'docs://{a}{b}' }, '/uri'],
    ['a template without a scheme', { uri: '{+uri}' }, '/uri'],
    ['a template with a variable in its scheme', { uri: 'kept-{a}://x' }, '/uri'],
    ['a URI of the reserved scheme', { uri: `kept-answer://${'a'.repeat(64)}/1` }, '/uri'],
    ['another URI of the reserved scheme', { uri: 'Kept-Answer:x' }, '/uri'],
    ['a template of the reserved scheme', { uri: 'kept-answer://{id}/{part}' }, '/uri'],
    ['a malformed media type', { mime_type: 'markdown' }, '/mime_type'],
    ['a media type of two lines', { mime_type: 'text/plain\nx' }, '/mime_type'],
    [
      'values of what is no template',
      { variables: [{ name: 'a', values: [] }] },
      '/variables/0/name',
    ],
    [
      'values of another variable',
      {
        uri: 'docs://{a}{?b}',
        variables: [
          { name: 'b', values: [] },
          { name: 'c', values: [] },
        ],
      },
      '/variables/1/name',
    ],
    [
      'values of a variable that are given twice',
      {
        uri: 'docs://{a}',
        variables: [
          { name: 'a', values: [] },
          { name: 'a', values: [] },
        ],
      },
      '/variables/1/name',
    ],
    [
      'a value that stands twice',
      { uri: 'docs://{a}', variables: [{ name: 'a', values: ['b', 'b'] }] },
      '/variables/0/values/1',
    ],
    ['malformed base64', { content: 'A-_=', encoding: 'base64' }, '/content'],
    ['base64 without padding', { content: 'AA', encoding: 'base64' }, '/content'],
  ])('are refused with %s', async (_, over, where) => {
    const path = await collection();
    const { status, body } = await call('POST', path, { ...GUIDE, ...over });

    expect([status, body['code']]).toEqual([422, 'invalid_request']);
    expect(body['findings']).toMatchObject([{ where }]);
    expect((await call('GET', path)).body).toEqual({ items: [] });
  });

  test.each([
    'docs://{a}',
    'docs://x/{+path}',
    'docs://{a}.{b}{?q,r}',
    'https://x.example/{/a}{#f}',
  ])('may have the URI template %s', async (uri) => {
    expect(await call('POST', await collection(), { ...GUIDE, uri })).toMatchObject({
      status: 201,
    });
  });

  test('need a unique name and a unique URI', async () => {
    const path = await collection();
    await call('POST', path, GUIDE);
    await call('POST', path, { ...GUIDE, name: 'other', uri: 'docs://other' });

    expect(await call('POST', path, { ...GUIDE, uri: 'docs://new' })).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: 'The deployment has a resource named guide already.' },
    });
    expect(await call('POST', path, { ...GUIDE, name: 'new' })).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: 'Another resource of the deployment has this uri.' },
    });
    const { name: _, ...taken } = { ...GUIDE, uri: 'docs://other' };
    expect(await call('PUT', `${path}/guide`, taken)).toMatchObject({ status: 409 });
    expect((await call('GET', `${path}/guide`)).body).toMatchObject({ uri: 'docs://guide' });
  });

  test('can be created again after they were removed', async () => {
    const path = await collection();
    await call('POST', path, GUIDE);
    await call('DELETE', `${path}/guide`);
    expect(await call('POST', path, GUIDE)).toMatchObject({ status: 201 });
  });

  test('cannot be renamed', async () => {
    const path = await collection();
    await call('POST', path, GUIDE);
    expect(await call('PUT', `${path}/guide`, { ...GUIDE, name: 'guide' })).toMatchObject({
      status: 200,
    });
    expect(await call('PUT', `${path}/guide`, { ...GUIDE, name: 'other' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', detail: 'A name cannot be changed.' },
    });
  });
});

describe('the limits of resources', () => {
  test('allow the last byte of one resource and refuse one more', async () => {
    const path = await collection();
    expect(await call('POST', path, { ...GUIDE, content: 'ä'.repeat(20) })).toMatchObject({
      status: 201,
    });
    expect(
      await call('POST', path, {
        ...GUIDE,
        name: 'b',
        uri: 'docs://b',
        content: `${'ä'.repeat(20)}.`,
      }),
    ).toMatchObject({
      status: 422,
      body: {
        code: 'limit_reached',
        limit: 'resource_max_bytes',
        detail: 'The content is larger than 40 bytes (limit resource_max_bytes).',
      },
    });
  });

  test('hold for the total size, even when a resource is replaced', async () => {
    const path = await collection();
    for (const name of ['a', 'b']) {
      await call('POST', path, { name, uri: `docs://${name}`, content: 'x'.repeat(40) });
    }
    const third = { name: 'c', uri: 'docs://c', content: 'x'.repeat(21) };
    expect(await call('POST', path, third)).toMatchObject({
      status: 422,
      body: { code: 'limit_reached', limit: 'resources_total_max_bytes' },
    });
    expect(await call('POST', path, { ...third, content: 'x'.repeat(20) })).toMatchObject({
      status: 201,
    });
    expect(await call('PUT', `${path}/c`, { ...third, content: 'x'.repeat(21) })).toMatchObject({
      status: 422,
    });
    expect(await call('PUT', `${path}/a`, { uri: 'docs://a', content: '' })).toMatchObject({
      status: 200,
    });
    expect(await call('PUT', `${path}/c`, third)).toMatchObject({ status: 200 });
  });

  test('hold for the number of resources under concurrent requests', async () => {
    const path = await collection();
    const adding = Array.from({ length: 12 }, (_, number) =>
      call('POST', path, { name: `n-${number}`, uri: `docs://${number}`, content: '' }),
    );
    const statuses = (await Promise.all(adding)).map(({ status }) => status);

    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(statuses.filter((status) => status === 422)).toHaveLength(7);
    expect((await call('GET', path)).body.items).toHaveLength(5);
    expect(await call('POST', path, { ...GUIDE, name: 'one-more' })).toMatchObject({
      body: {
        code: 'limit_reached',
        limit: 'resources_per_deployment',
        detail:
          'The deployment has 5 resources, the most it may have (limit resources_per_deployment). Remove one first.',
      },
    });
  });

  test('allow only one of several concurrent resources with the same URI', async () => {
    const path = await collection();
    const adding = Array.from({ length: 5 }, (_, number) =>
      call('POST', path, { ...GUIDE, name: `n-${number}` }),
    );
    const statuses = (await Promise.all(adding)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });
});

describe('the resources of another owner', () => {
  test.each<[string, string, object | undefined]>([
    ['POST', '', GUIDE],
    ['GET', '', undefined],
    ['GET', '/guide', undefined],
    ['PUT', '/guide', { uri: 'docs://x', content: '' }],
    ['DELETE', '/guide', undefined],
  ])('are hidden: %s %s', async (method, end, body) => {
    const path = await collection();
    await call('POST', path, GUIDE);

    expect(await call(method, `${path}${end}`, body, { as: stranger })).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is no deployment of this name.' },
    });
    expect((await call('GET', path)).body.items).toHaveLength(1);
  });

  test('are answered differently from an unknown name in an own deployment', async () => {
    const path = await collection();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const body = method === 'PUT' ? { uri: 'docs://x', content: '' } : undefined;
      expect(await call(method, `${path}/none`, body)).toMatchObject({
        status: 404,
        body: { code: 'not_found', detail: 'The deployment has no resource of this name.' },
      });
    }
  });
});

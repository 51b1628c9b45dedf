import { describe, expect, test } from '@jest/globals';
import { aDeployment } from '../../support/aws/dynamodb-fixtures.ts';
import type { ApiCall } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

serveTwoOwners({
  limits: {
    prompts_per_deployment: 2,
    prompt_template_max_bytes: 200,
    completion_values_per_argument: 3,
    completion_values_max_bytes: 220,
  },
});

let deployments = 0;
const collection = async (): Promise<string> => {
  const slug = `prompts-${(deployments += 1)}`;
  const deployment = aDeployment({ id: slug, slug, ownerId: owner.user.id });
  await service.ports.deploymentEditor.create(deployment);
  return `/deployments/${slug}/prompts`;
};
const call = (method: string, path: string, body?: unknown, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...(body !== undefined && { body }), ...more });

const GREETING = {
  name: 'greeting',
  title: 'Greeting',
  description: 'Says hello',
  arguments: [{ name: 'who', title: 'Who', description: 'Whom', required: true }, { name: 'mood' }],
  template: "Hello {{who | uppercase}}{{#if mood eq 'glad'}}!{{/if}}",
};
const WHOLE = {
  ...GREETING,
  arguments: [
    { name: 'who', title: 'Who', description: 'Whom', required: true },
    { name: 'mood', required: false },
  ],
};

describe('the prompts of a deployment', () => {
  test('can be created, shown, listed without template, replaced and removed', async () => {
    const path = await collection();
    const { template: _, ...listed } = WHOLE;

    expect(await call('POST', path, GREETING)).toMatchObject({ status: 201, body: WHOLE });
    expect((await call('GET', `${path}/greeting`)).body).toEqual(WHOLE);
    expect((await call('GET', path)).body).toEqual({ items: [listed] });

    expect((await call('PUT', `${path}/greeting`, { template: 'Hi' })).body).toEqual({
      name: 'greeting',
      arguments: [],
      template: 'Hi',
    });
    expect(await call('DELETE', `${path}/greeting`)).toMatchObject({ status: 204, body: {} });
    expect((await call('GET', path)).body).toEqual({ items: [] });
  });

  test('change only if If-Match names the current content', async () => {
    const path = await collection();
    const created = await call('POST', path, GREETING);
    const tag = (await call('GET', `${path}/greeting`)).headers['etag'] ?? '';
    expect(created.headers['etag']).toBe(tag);
    const given = { headers: { 'if-match': tag } };

    const changed = await call('PUT', `${path}/greeting`, { template: 'Hi' }, given);
    expect([changed.status, changed.headers['etag'] === tag]).toEqual([200, false]);
    const stale = { status: 412, body: { code: 'stale' } };
    expect(await call('PUT', `${path}/greeting`, { template: 'Ho' }, given)).toMatchObject(stale);
    expect(await call('DELETE', `${path}/greeting`, undefined, given)).toMatchObject(stale);
    expect((await call('GET', `${path}/greeting`)).body).toMatchObject({ template: 'Hi' });
  });

  test('need a unique name', async () => {
    const path = await collection();
    await call('POST', path, GREETING);
    expect(await call('POST', path, GREETING)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: 'The deployment has a prompt named greeting already.' },
    });
  });

  test.each([
    ['Hello {{who', 'line 1, column 7'],
    ['Hello\n  {{who | shout}}', 'line 2, column 11'],
    ['{{#if who}}\nHello', 'line 1, column 1'],
    ['a\nb\n{{/if}}', 'line 3, column 1'],
    ['{{#if who eq glad}}x{{/if}}', 'line 1, column 14'],
  ])('with the template %j are refused at %s', async (template, where) => {
    const path = await collection();
    const { status, body } = await call('POST', path, { ...GREETING, template });

    expect([status, body['code']]).toEqual([422, 'invalid_request']);
    expect(body['findings']).toMatchObject([{ where }]);
    expect((await call('GET', path)).body).toEqual({ items: [] });
  });

  test('are refused if the template uses undeclared arguments', async () => {
    const { body } = await call('POST', await collection(), {
      ...GREETING,
      template: '{{who}} {{whom}} {{#if when}}{{whom}}{{/if}}',
    });
    expect(body).toMatchObject({
      status: 422,
      detail: 'The template uses what is not an argument of the prompt.',
      findings: [
        { where: '/template', what: '{{whom}} is not among the arguments' },
        { where: '/template', what: '{{when}} is not among the arguments' },
      ],
    });
  });

  test.each<[string, object, string]>([
    ['no template', { template: undefined }, '/template'],
    ['an empty template', { template: '' }, '/template'],
    ['a name with a space', { name: 'a b' }, '/name'],
    ['arguments that are not a list', { arguments: {} }, '/arguments'],
    ['an argument without a name', { arguments: [{}] }, '/arguments/0/name'],
    ['an argument named with a space', { arguments: [{ name: 'a b' }] }, '/arguments/0/name'],
    ['an argument named else', { arguments: [{ name: 'else' }] }, '/arguments/0/name'],
    ['an argument named #if', { arguments: [{ name: '#if' }] }, '/arguments/0/name'],
    [
      'an argument that is declared twice',
      { arguments: [{ name: 'a' }, { name: 'a' }], template: '{{a}}' },
      '/arguments/1/name',
    ],
    ['an unknown field', { text: 'x' }, '/text'],
  ])('are refused with %s', async (_, over, where) => {
    const { status, body } = await call('POST', await collection(), { ...GREETING, ...over });
    expect([status, body['code']]).toEqual([422, 'invalid_request']);
    expect(body['findings']).toMatchObject([{ where }]);
  });

  test('give values for completion, which lists only count', async () => {
    const path = await collection();
    const declared = [{ name: 'who', required: true, values: ['Ada', 'Grace'] }];

    const created = await call('POST', path, { ...GREETING, arguments: declared, template: '.' });
    const [listed] = (await call('GET', path)).body.items ?? [];

    expect(created).toMatchObject({ status: 201, body: { arguments: declared } });
    expect((await call('GET', `${path}/greeting`)).body['arguments']).toEqual(declared);
    expect(listed?.['arguments']).toEqual([{ name: 'who', required: true, value_count: 2 }]);
    expect(await service.ports.deploymentEditor.read(path.split('/')[2]!)).toMatchObject({
      completions: 1,
    });

    await call('DELETE', `${path}/greeting`);
    expect(await service.ports.deploymentEditor.read(path.split('/')[2]!)).toMatchObject({
      completions: 0,
    });
  });

  test.each<[string, readonly unknown[], object]>([
    ['three of them', ['a', 'b', 'c'], { status: 201 }],
    ['four', ['a', 'b', 'c', 'd'], { body: { limit: 'completion_values_per_argument' } }],
    ['one of 200 characters', ['x'.repeat(200)], { status: 201 }],
    ['one of 201 characters', ['x'.repeat(201)], { body: { code: 'invalid_request' } }],
    ['220 bytes', ['é'.repeat(100), 'x'.repeat(20)], { status: 201 }],
    [
      '221 bytes',
      ['é'.repeat(100), 'x'.repeat(21)],
      { body: { limit: 'completion_values_max_bytes' } },
    ],
    ['an empty one', [''], { body: { code: 'invalid_request' } }],
    ['one of two lines', ['a\nb'], { body: { code: 'invalid_request' } }],
    ['one that is no text', [1], { body: { code: 'invalid_request' } }],
    ['one twice', ['a', 'a'], { body: { findings: [{ where: '/arguments/0/values/1' }] } }],
  ])('may give %s, or not', async (_, values, answer) => {
    const sent = { name: 'p', arguments: [{ name: 'a', values }], template: '{{a}}' };

    expect(await call('POST', await collection(), sent)).toMatchObject(answer);
  });

  test('are limited in number and size', async () => {
    const path = await collection();
    await call('POST', path, { name: 'a', template: 'x'.repeat(200) });
    await call('POST', path, { name: 'b', template: 'x' });

    expect(await call('POST', path, { name: 'c', template: 'x' })).toMatchObject({
      status: 422,
      body: { code: 'limit_reached', limit: 'prompts_per_deployment' },
    });
    expect(await call('PUT', `${path}/b`, { template: 'x'.repeat(201) })).toMatchObject({
      status: 422,
      body: { code: 'limit_reached', limit: 'prompt_template_max_bytes' },
    });
  });
});

describe('rendering a preview of a prompt', () => {
  test('returns what clients get', async () => {
    const path = await collection();
    await call('POST', path, GREETING);
    const rendered = await call('POST', `${path}/greeting/render`, {
      arguments: { who: 'Ada', mood: 'glad', other: 'ignored' },
    });

    expect(rendered).toMatchObject({ status: 200 });
    expect(rendered.body).toEqual({
      description: 'Says hello',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello ADA!' } }],
    });
  });

  test.each([
    ['a required argument is missing', {}, '/arguments/who'],
    ['an argument is not a string', { who: 'Ada', mood: 1 }, '/arguments/mood'],
  ])('is refused where %s', async (_, args, where) => {
    const path = await collection();
    await call('POST', path, GREETING);
    expect(await call('POST', `${path}/greeting/render`, { arguments: args })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', findings: [{ where }] },
    });
  });

  test('answers 404 for an unknown prompt', async () => {
    expect(await call('POST', `${await collection()}/none/render`, {})).toMatchObject({
      status: 404,
      body: { detail: 'The deployment has no prompt of this name.' },
    });
  });
});

describe('a preview of a prompt that is not stored', () => {
  const DRAFT = {
    description: 'Says hello',
    arguments: [{ name: 'who', required: true }],
    template: 'Hello {{who | uppercase}}!',
  };

  test('returns what clients would get, and stores nothing', async () => {
    const path = await collection();
    const previews = path.replace(/prompts$/, 'prompt-previews');
    const rendered = await call('POST', previews, { ...DRAFT, given: { who: 'Ada' } });

    expect(rendered).toMatchObject({ status: 200 });
    expect(rendered.body).toEqual({
      description: 'Says hello',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello ADA!' } }],
    });
    expect((await call('GET', path)).body).toMatchObject({ items: [] });
  });

  test.each([
    ['does not parse', { template: 'a\n {{who}' }, 'invalid_request', 'line 2, column 7'],
    ['uses what is not declared', { arguments: [] }, 'invalid_request', '/template'],
    ['lacks a required argument', {}, 'invalid_request', '/arguments/who'],
    ['is too large', { template: 'x'.repeat(300_000) }, 'limit_reached', '/template'],
  ])('is refused where the template %s', async (_, over, code, where) => {
    const previews = (await collection()).replace(/prompts$/, 'prompt-previews');

    expect(await call('POST', previews, { ...DRAFT, ...over })).toMatchObject({
      body: { code, findings: [{ where }] },
    });
  });

  test('is refused to others than the owner', async () => {
    const previews = (await collection()).replace(/prompts$/, 'prompt-previews');

    expect(await call('POST', previews, DRAFT, { as: stranger })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});

describe('the prompts of another owner', () => {
  test.each<[string, string, object | undefined]>([
    ['POST', '', { name: 'mine', template: 'x' }],
    ['GET', '', undefined],
    ['GET', '/greeting', undefined],
    ['PUT', '/greeting', { template: 'x' }],
    ['DELETE', '/greeting', undefined],
    ['POST', '/greeting/render', {}],
  ])('are hidden: %s %s', async (method, end, body) => {
    const path = await collection();
    await call('POST', path, GREETING);

    expect(await call(method, `${path}${end}`, body, { as: stranger })).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is no deployment of this name.' },
    });
    expect((await call('GET', `${path}/greeting`)).body).toEqual(WHOLE);
  });
});

import { afterAll, describe, expect, test } from '@jest/globals';
import { GALLERY } from '../../../layers/servers/gallery/gallery.ts';
import { HOUR } from '../../../layers/platform/rules/time.ts';
import {
  aManagementService,
  type ApiCall,
  BASE_URL,
  NOON,
} from '../../support/service/management.ts';

const service = await aManagementService({
  limits: { active_deployments_per_user: 100, gallery_per_hour: 2, gallery_per_day: 3 },
});
afterAll(() => service.stop());

const deploy = (id: string, more: ApiCall) =>
  service.call('POST', `/gallery/${id}/deployments`, more);

let slugs = 0;
const aSlug = () => ({ slug: `from-gallery-${(slugs += 1)}` });

describe('GET /gallery', () => {
  test('lists the entries to anybody', async () => {
    const { status, body } = await service.call('GET', '/gallery');

    expect(status).toBe(200);
    expect(body.items?.map(({ id }) => id)).toEqual(GALLERY.map(({ id }) => id));
    expect(body.items?.[0]).toEqual({
      id: 'open-meteo',
      name: 'Open-Meteo weather',
      description:
        'Weather forecasts for any place on earth, and the coordinates of places by name.',
      base_url: 'https://api.open-meteo.com',
      documentation_url: 'https://open-meteo.com/en/docs',
      credential: 'none',
    });
    expect(body.items?.find(({ id }) => id === 'nasa')).toMatchObject({
      credential: 'required',
      credential_help: expect.stringContaining('api_key'),
    });
  });
});

describe('POST /gallery/{id}/deployments', () => {
  test('creates a deployment without a request body', async () => {
    const as = await service.owner({ plan: 'pro' });
    const { status, headers, body } = await deploy('xkcd', { as });

    expect(status).toBe(201);
    expect(headers).toMatchObject({
      location: `${BASE_URL}/mcp-management/deployments/${String(body['slug'])}`,
    });
    expect(body).toMatchObject({
      name: 'xkcd',
      mcp_auth_method: 'oauth',
      api_base_url: 'https://xkcd.com',
      tool_count: 2,
      warnings: [],
      gallery: { id: 'xkcd', credential: 'none' },
    });
  });

  test.each(GALLERY.map(({ id }) => id))('creates a deployment of %s', async (id) => {
    const as = await service.owner({ plan: 'pro' });
    const { status, body } = await deploy(id, { as, body: aSlug() });
    expect([status, body['warnings']]).toEqual([201, []]);
  });

  test('accepts a name, auth method, access, variables and operations', async () => {
    const as = await service.owner({ plan: 'pro' });
    const body = {
      ...aSlug(),
      name: 'Wikipedia auf Deutsch',
      mcp_auth_method: 'none',
      access: { mode: 'any_user' },
      server_variables: { language: 'de' },
      operations: { include: ['getSummary'] },
    };
    expect((await deploy('wikipedia', { as, body })).body).toMatchObject({
      name: 'Wikipedia auf Deutsch',
      mcp_auth_method: 'none',
      access: { mode: 'any_user' },
      api_base_url: 'https://de.wikipedia.org',
      tool_count: 1,
    });
  });

  test('is executed once for one Idempotency-Key', async () => {
    const as = await service.owner({ plan: 'pro' });
    const more = { as, body: aSlug(), headers: { 'idempotency-key': 'once' } };
    const first = await deploy('xkcd', more);
    const again = await deploy('xkcd', more);

    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' });
  });

  test('is limited by hour and by day on the free plan', async () => {
    const as = await service.owner({ plan: 'free' });
    const now = { ...as };
    const order = () => deploy('xkcd', { as: now, body: aSlug() });
    expect((await order()).status).toBe(201);
    expect((await order()).status).toBe(201);
    const refused = await order();
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3600' },
      body: {
        code: 'rate_limited',
        limit: 'gallery_per_hour',
        detail:
          'The free plan deploys 2 times an hour from the gallery (limit gallery_per_hour). Try again in 3600 seconds.',
      },
    });

    service.clock.time = NOON + HOUR;
    const later = await service.owner(as.user);
    const orderLater = () => deploy('xkcd', { as: later, body: aSlug() });
    expect((await orderLater()).status).toBe(201);
    expect(await orderLater()).toMatchObject({
      status: 429,
      headers: { 'retry-after': String(11 * HOUR) },
      body: { code: 'rate_limited', limit: 'gallery_per_day' },
    });
    service.clock.time = NOON;
  });

  test('is not limited on the pro plan', async () => {
    const as = await service.owner({ plan: 'pro' });
    for (let times = 0; times < 4; times += 1) {
      expect((await deploy('xkcd', { as, body: aSlug() })).status).toBe(201);
    }
  });

  test.each<[string, string, object, number, string]>([
    ['an unknown entry', 'none', {}, 404, 'not_found'],
    ['a bad slug', 'xkcd', { slug: 'A' }, 422, 'invalid_request'],
    ['an unknown auth method', 'xkcd', { mcp_auth_method: 'basic' }, 422, 'invalid_request'],
    ['an unknown field', 'xkcd', { openapi: '{}' }, 422, 'invalid_request'],
    [
      'an operation that is not there',
      'xkcd',
      { operations: { include: ['x'] } },
      422,
      'invalid_request',
    ],
  ])('refuses %s', async (_, id, body, status, code) => {
    const as = await service.owner({ plan: 'pro' });
    expect(await deploy(id, { as, body })).toMatchObject({ status, body: { code } });
  });

  test('requires a session', async () => {
    expect(await deploy('xkcd', {})).toMatchObject({
      status: 401,
      body: { code: 'invalid_session' },
    });
  });

  test('refuses a slug that is taken', async () => {
    const slug = aSlug();
    await deploy('xkcd', { as: await service.owner({ plan: 'pro' }), body: slug });
    const as = await service.owner({ plan: 'pro' });
    expect(await deploy('xkcd', { as, body: slug })).toMatchObject({
      status: 409,
      body: { code: 'slug_taken' },
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import { BASE_URL } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

serveTwoOwners({ limits: { active_deployments_per_user: 10 } });

const published = async (slug: string, more: object = {}): Promise<void> => {
  const body = { openapi: aDescription(), slug, ...more };
  await service.call('POST', '/deployments', { as: owner, body });
};
const doctor = (slug: string, as = owner) =>
  service.call('GET', `/deployments/${slug}/doctor`, { as });

describe('GET /deployments/{slug}/doctor', () => {
  test('reports what it found, and what the reader can try', async () => {
    await published('healthy');
    const { status, body } = await doctor('healthy');

    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true });
    expect(body.items).toContainEqual({
      step: 'Target API',
      outcome: 'ok',
      what: 'Calls go to https://pets.example.com/v1.',
    });
    expect(body['try']).toContainEqual({
      step: 'Challenge',
      method: 'POST',
      url: `${BASE_URL}/mcp-router/healthy/messages`,
      expected: '401, and WWW-Authenticate',
    });
  });

  test('fails where no token opens it, until one is minted', async () => {
    await published('closed', { mcp_auth_method: 'jwt' });
    const before = await doctor('closed');
    await service.call('POST', '/deployments/closed/tokens', { as: owner, body: {} });
    const after = await doctor('closed');

    expect([before.body['ok'], after.body['ok']]).toEqual([false, true]);
  });

  test('fails where it is paused', async () => {
    await published('paused');
    const body = { status: 'paused' };
    await service.call('PATCH', '/deployments/paused', { as: owner, body });

    expect((await doctor('paused')).body['ok']).toBe(false);
  });

  test.each([
    ['operations', true],
    ['search', false],
  ])('says in the mode %s whether clients refuse its tools: %s', async (mode, refuses) => {
    const slug = `${mode}-${'x'.repeat(45)}`;
    await published(slug, { tool_mode: mode });
    const { items } = (await doctor(slug)).body as { items: { step: string }[] };

    expect(items.some(({ step }) => step === 'Clients')).toBe(refuses);
  });

  test('is for its owner alone', async () => {
    await published('private');

    expect((await doctor('private', stranger)).status).toBe(404);
    const { status } = await service.call('GET', '/deployments/private/doctor');
    expect(status).toBe(401);
  });
});

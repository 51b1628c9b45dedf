import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../../layers/core/domain/access/limits.ts';
import {
  PUBLICATION_SETTINGS,
  SERVING_SETTINGS,
} from '../../../../layers/core/domain/deployments/settings.ts';
import { aDescription } from '../../../support/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../../support/management.ts';

let service: TestManagement;
let owner: Owner;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
  owner = await service.owner({ plan: 'pro' });
});
afterAll(() => service.stop());

const call = (method: string, path: string, body?: object, query = '') =>
  service.call(method, path, { as: owner, query, ...(body && { body }) });

/** Of each setting: what holds at first, and another value. */
const SETTINGS = Object.entries({ ...SERVING_SETTINGS, ...PUBLICATION_SETTINGS }).map(
  ([name, setting]) => ({
    name: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    initial: 'initial' in setting ? setting.initial : DEFAULT_LIMITS[setting.limit],
    other: 'initial' in setting ? setting.value.options[1] : 12_345,
    isText: 'initial' in setting,
  }),
);

describe.each(SETTINGS)('the setting $name', ({ name, initial, other, isText }) => {
  const slug = name.replaceAll('_', '-');
  const shown = async (of: string) => (await call('GET', `/deployments/${of}`)).body[name];

  test('has its first value until another is said, and goes back to it', async () => {
    await call('POST', '/deployments', { openapi: aDescription(), slug });
    expect(await shown(slug)).toBe(initial);

    const changed = await call('PATCH', `/deployments/${slug}`, { [name]: other });
    expect(changed).toMatchObject({ status: 200, body: { [name]: other } });
    expect(await shown(slug)).toBe(other);

    await call('PATCH', `/deployments/${slug}`, { name: 'Other' });
    expect(await shown(slug)).toBe(other);

    await call('PATCH', `/deployments/${slug}`, { [name]: initial });
    expect(await shown(slug)).toBe(initial);
  });

  test('is said when a deployment is made, in the body or in the query, and stands in lists', async () => {
    const body = { openapi: aDescription(), slug: `${slug}-body`, [name]: other };
    expect(await call('POST', '/deployments', body)).toMatchObject({ status: 201 });
    const said = isText ? String(other) : JSON.stringify(other);
    const query = `slug=${slug}-query&${name}=${said}`;
    expect(await call('POST', '/deployments', aDescription(), query)).toMatchObject({
      status: 201,
    });

    const { body: list } = await call('GET', '/deployments', undefined, 'limit=100');
    for (const made of [`${slug}-body`, `${slug}-query`]) {
      expect(await shown(made)).toBe(other);
      expect(list['items']).toContainEqual(
        expect.objectContaining({ slug: made, [name]: other }) as object,
      );
    }
  });

  test.each(['nonsense', 7.5, ['off'], {}])('is refused as %j, by its name', async (value) => {
    const body = { openapi: aDescription(), slug: `${slug}-bad`, [name]: value };

    expect(await call('POST', '/deployments', body)).toMatchObject({
      status: 422,
      body: { findings: [{ where: `/${name}` }] },
    });
  });
});

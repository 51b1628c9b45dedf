import { afterEach, describe, expect, test } from '@jest/globals';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import { NOON, type Owner } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

serveTwoOwners({ limits: { active_deployments_per_user: 1000 } });
afterEach(() => {
  service.clock.time = NOON;
});

const create = (as: Owner, body: object) =>
  service.call('POST', '/deployments', { as, body: { openapi: aDescription(), ...body } });

/** Made and removed by its owner. */
const removed = async (slug: string, as = owner): Promise<void> => {
  expect(await create(as, { slug })).toMatchObject({ status: 201 });
  expect(await service.call('DELETE', `/deployments/${slug}`, { as })).toMatchObject({
    status: 204,
  });
};

const reserved = (slug: string) => ({
  status: 409,
  body: {
    code: 'slug_taken',
    detail: `The slug "${slug}" was that of a deployment that is removed, and stays reserved for its former owner until 2027-02-18.`,
    findings: [{ where: '/slug', what: 'reserved', hint: 'Choose another slug.' }],
  },
});

describe('the slug of a removed deployment', () => {
  test('is refused to others with the day until which it is reserved', async () => {
    await removed('formerly');

    expect(await create(stranger, { slug: 'formerly' })).toMatchObject(reserved('formerly'));
    expect(await create(owner, { slug: 'formerly' })).toMatchObject({ status: 201 });
  });

  test('is reserved again when it was taken again and removed again', async () => {
    await removed('twice');
    await removed('twice');

    expect(await create(stranger, { slug: 'twice' })).toMatchObject(reserved('twice'));
  });

  test('is free for everybody after 90 days, to the second', async () => {
    await removed('in-time');
    service.clock.time = NOON + 90 * DAY - 1;
    expect(await create(await service.owner(), { slug: 'in-time' })).toMatchObject({ status: 409 });

    service.clock.time = NOON + 90 * DAY;
    expect(await create(await service.owner(), { slug: 'in-time' })).toMatchObject({ status: 201 });
  });

  test('is nobody’s after the account was removed too', async () => {
    const leaving = await service.owner();
    expect(await create(leaving, { slug: 'orphaned' })).toMatchObject({ status: 201 });
    expect(await service.call('DELETE', '/account', { as: leaving })).toMatchObject({
      status: 204,
    });
    const again = await service.owner({ email: leaving.user.email });

    for (const as of [again, owner, stranger]) {
      expect(await create(as, { slug: 'orphaned' })).toMatchObject(reserved('orphaned'));
    }
  });

  test('is left out where the slug is made from the title', async () => {
    await removed('pets-of-ada');
    const openapi = aDescription(['listPets'], { info: { title: 'Pets of Ada', version: '1' } });
    const { status, body } = await create(stranger, { openapi });

    expect(status).toBe(201);
    expect(body['slug']).toMatch(/^pets-of-ada-[\da-f]{8}$/);
  });

  test('is swept with its reservation, and not before', async () => {
    await removed('swept');
    const { store } = service;
    await store.aws.sweep(NOON + 90 * DAY);
    expect(await service.ports.deploymentEditor.reservation('swept')).toBeDefined();

    await store.aws.sweep(NOON + 91 * DAY);
    expect(await service.ports.deploymentEditor.reservation('swept')).toBeUndefined();
  });
});

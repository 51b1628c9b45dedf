import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';

let service: TestManagement;
let owner: Owner;
let other: Owner;
beforeAll(async () => {
  service = await aManagementService();
  [owner, other] = [await service.owner(), await service.owner()];
  const body = { openapi: aDescription(['a', 'b']), slug: 'orders' };
  expect((await service.call('POST', '/deployments', { as: owner, body })).status).toBe(201);
});
afterAll(() => service.stop());

const CANARY = 'Eichae7aePh4u';

const changesOf = async (as = owner) => {
  const path = '/deployments/orders/activity';
  const { status, body } = await service.call('GET', path, { as, query: 'type=change' });
  return status === 200 ? (body['items'] as readonly Record<string, unknown>[]) : status;
};
const send = async (method: string, path: string, body?: object, as = owner) => {
  service.clock.time += 1;
  return (await service.call(method, `/deployments/orders${path}`, { as, ...(body && { body }) }))
    .status;
};

describe('what owners change of a deployment', () => {
  test('is on its time line: by which operation, with names of members and without their values', async () => {
    await send('PATCH', '', { name: CANARY, instructions: CANARY });
    await send('PUT', '/credential', { type: 'bearer', token: CANARY });
    await send('PUT', '/openapi', { openapi: aDescription(['a']), comment: CANARY });
    await send('POST', '/rollback', { version: 1 });
    await send('DELETE', '/credential');
    const changes = await changesOf();

    expect(changes).toMatchObject([
      { operation: 'removeCredential' },
      { operation: 'rollBack', members: 'version' },
      { operation: 'replaceDescription', members: 'comment' },
      { operation: 'setCredential', members: 'type, token' },
      { operation: 'changeDeployment', members: 'name, instructions', subject: owner.user.id },
    ]);
    expect(JSON.stringify(changes)).not.toContain(CANARY);
  });

  test.each([
    ['is refused', 'PATCH', '', { name: '' }, 422],
    ['is of an operation that changes nothing', 'POST', '/tools/nothing/test', {}, 404],
    ['is only looked at', 'GET', '', undefined, 200],
    ['is preview alone', 'POST', '/prompts/preview', { template: 'a' }, undefined],
  ])('is not where it %s', async (_, method, path, body, status) => {
    const before = await changesOf();
    const answered = await send(method, path, body);
    if (status !== undefined) expect(answered).toBe(status);

    expect(await changesOf()).toEqual(before);
  });

  test('is for nobody else to see, and what others try is not on it', async () => {
    const before = await changesOf();

    expect(await send('PATCH', '', { name: 'Theirs' }, other)).toBe(404);
    expect(await changesOf(other)).toBe(404);
    expect(await changesOf()).toEqual(before);
  });
});

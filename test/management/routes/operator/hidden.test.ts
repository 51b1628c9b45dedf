import { describe, expect, test } from '@jest/globals';
import { routesOf } from '../../../../layers/management/routes/server.ts';
import { type ApiCall, NOON, type Owner } from '../../../support/service/management.ts';
import { owner, serveTwoOwners, service } from '../../../support/service/two-owners.ts';

serveTwoOwners();

/** Every route of operators, with places that lead somewhere. */
const routes = () =>
  routesOf(service.ports)
    .filter(({ isHidden }) => isHidden)
    .map(({ method, path }) => ({
      method,
      path: path.replace('{id}', owner.user.id).replace('{slug}', 'weather'),
    }));

const told = async (method: string, path: string, call?: ApiCall) => {
  const { status, headers, body } = await service.call(method, path, call);
  return { status, headers, body };
};
const ended = async (): Promise<Owner> => {
  const as = await service.owner({ operator: true });
  await service.arranging.operatorMarks.remove(as.user.id);
  return as;
};
/** As whoever has taken over the function that writes users. */
const madeByManagement = async (): Promise<Owner> => {
  const as = await service.owner();
  await service.ports.users.replace({ ...as.user, operator: true, revision: 2 });
  return as;
};

const nobody = async () => undefined;
const signedOut = async () => {
  const as = await service.owner({ operator: true });
  await service.arranging.users.replace({ ...as.user, signedOutAt: NOON + 1, revision: 2 });
  return as;
};
const forged = async () => ({ ...(await service.owner({ operator: true })), token: 'nonsense' });

describe('a route of operators', () => {
  test.each<[string, () => Promise<Owner | undefined>]>([
    ['somebody else', () => service.owner()],
    ['nobody', nobody],
    ['an operator of before', ended],
    ['whom management has marked', madeByManagement],
    ['an operator who was signed out', signedOut],
    ['whoever forges a token', forged],
  ])('answers %s exactly as one that does not exist, whatever is sent', async (_, arrange) => {
    const as = await arrange();
    const sent = { as, query: 'limit=none', body: '{', headers: { 'idempotency-key': '\u0000' } };
    const methods = [
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'TRACE',
      'others',
      'toString',
    ];
    expect(routes()).toHaveLength(9);

    for (const { path } of routes()) {
      for (const method of methods) {
        for (const call of [{ as }, sent]) {
          expect([path, method, await told(method, path, call)]).toEqual([
            path,
            method,
            await told(method, '/operators', call),
          ]);
        }
      }
    }
  });

  test('is described to operators alone', async () => {
    const described = async (as?: Owner) =>
      (await service.call('GET', '/openapi.json', as && { as })).body as { paths: object };
    const others = [await described(), await described(owner), await described(await forged())];
    others.push(await described(await ended()), await described(await signedOut()));
    const whole = await described(await service.owner({ operator: true }));

    expect(Object.keys(whole.paths)).toEqual(
      expect.arrayContaining(routesOf(service.ports).map(({ path }) => path)),
    );
    const texts = new Set(others.map((document) => JSON.stringify(document)));
    expect([...texts].map((text) => text.includes('/operator'))).toEqual([false]);
  });

  test('answers two sets of credentials so as well', async () => {
    const { token } = await service.owner({ operator: true });
    const headers = { authorization: `Bearer ${token},Bearer another` };

    expect(await told('GET', '/operator/accounts', { headers })).toEqual(
      await told('GET', '/operators', { headers }),
    );
  });

  test('costs others nothing of what they may ask for', async () => {
    const as = await service.owner();
    await service.call('GET', '/operator/accounts', { as });
    service.store.aws.calls.reset();
    await service.call('GET', '/operator/accounts', { as });

    expect(service.store.aws.calls.list().map(({ operation }) => operation)).not.toContain(
      'UpdateItem',
    );
  });

  test('lists its methods for operators', async () => {
    const as = await service.owner({ operator: true });

    expect(await service.call('PUT', '/operator/accounts', { as })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    });
  });

  test('is there for operators, whose own account says that they are', async () => {
    const as = await service.owner({ operator: true });

    expect((await service.call('GET', '/operator/accounts', { as })).status).toBe(200);
    expect((await service.call('GET', '/account', { as })).body).toMatchObject({ operator: true });
    expect((await service.call('GET', '/account', { as: owner })).body).not.toHaveProperty(
      'operator',
    );
  });

  test('is counted like every other for operators', async () => {
    const as = await service.owner({ operator: true });
    service.store.aws.calls.reset();
    await service.call('GET', '/operator/accounts', { as });

    expect(service.store.aws.calls.list().map(({ operation }) => operation)).toContain(
      'UpdateItem',
    );
  });
});

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import { PLENTY } from '../../../support/aws/dynamodb-fixtures.ts';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { server } from '../../../../layers/management/routes/server.ts';
import { aDescription } from '../../../support/openapi/descriptions.ts';
import { aGrant } from '../../../support/oauth/oauth.ts';
import {
  aManagementService,
  type ApiCall,
  NOON,
  type Owner,
  requestOf,
  sessionToken,
} from '../../../support/service/management.ts';
import { committed } from '../../../support/aws/committed.ts';

const service = await aManagementService();
afterAll(() => service.stop());

const deploy = (as: Owner, slug: string, more: ApiCall = {}) =>
  service.call('POST', '/deployments', { as, body: { openapi: aDescription(), slug }, ...more });
const change = (as: Owner, slug: string, body: object) =>
  service.call('PATCH', `/deployments/${slug}`, { as, body });
const remove = (as: Owner, slug: string) => service.call('DELETE', `/deployments/${slug}`, { as });

describe('the limit active_deployments_per_user', () => {
  const LIMIT_REACHED = {
    status: 422,
    body: { code: 'limit_reached', limit: 'active_deployments_per_user' },
  };
  /** Somebody with as many deployments as may be, named after what the test is about. */
  const aFullOwner = async (name: string): Promise<Owner> => {
    const as = await service.owner();
    for (const number of [1, 2, 3]) {
      expect((await deploy(as, `${name}-${number}`)).status).toBe(201);
    }
    return as;
  };

  test('allows three deployments and stores nothing of a fourth', async () => {
    const as = await aFullOwner('four');

    expect(await deploy(as, 'four-4')).toMatchObject(LIMIT_REACHED);
    expect(await service.ports.deploymentEditor.read('four-4')).toBeUndefined();
  });

  test('holds for eight concurrent requests', async () => {
    const as = await service.owner();
    const slugs = Array.from({ length: 8 }, (_, number) => `rush-${number}`);

    const answers = await Promise.all(slugs.map((slug) => deploy(as, slug)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  });

  test('does not count paused and removed deployments', async () => {
    const as = await aFullOwner('pause');

    expect(await change(as, 'pause-1', { status: 'paused' })).toMatchObject({ status: 200 });
    expect(await deploy(as, 'pause-4')).toMatchObject({ status: 201 });
    expect(await change(as, 'pause-1', { status: 'active' })).toMatchObject(LIMIT_REACHED);
    expect(await remove(as, 'pause-2')).toMatchObject({ status: 204 });
    expect(await change(as, 'pause-1', { status: 'active' })).toMatchObject({
      status: 200,
      body: { status: 'active' },
    });
  });

  test('is separate for each user', async () => {
    await aFullOwner('own');

    expect(await deploy(await service.owner(), 'own-4')).toMatchObject({ status: 201 });
  });

  test('counts deployments published by an operator but does not limit the operator', async () => {
    const as = await aFullOwner('operated');
    const { publish } = await import('../../../../layers/servers/steps/deployments/publish.ts');

    await publish(service.ports, {
      ownerId: as.user.id,
      slug: 'operated-4',
      choices: { authMethod: 'none' },
      publication: {},
      source: { sent: JSON.stringify(aDescription()) },
    });
    await remove(as, 'operated-1');

    expect(await deploy(as, 'operated-5')).toMatchObject(LIMIT_REACHED);
  });
});

describe('two concurrent deployments with the same slug', () => {
  test('succeed only for one owner and reserve nothing for the other', async () => {
    const owners = await Promise.all([service.owner(), service.owner()]);

    const answers = await Promise.all(owners.map((as) => deploy(as, 'contested')));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const loser = owners[answers.findIndex(({ status }) => status === 409)];
    expect(await service.ports.deploymentEditor.activeSlugs(loser?.user.id ?? '')).toEqual([]);
  });
});

describe('DELETE /deployments/{slug}', () => {
  test('removes everything except the note for the daily sweep', async () => {
    const as = await service.owner();
    await deploy(as, 'leaving');
    const { id = '' } = (await service.ports.deploymentEditor.read('leaving')) ?? {};
    const resource = { name: 'r', uri: 'file:///r', content: 'x', encoding: 'text' } as const;
    await service.ports.resources.create({ id, slug: 'leaving' }, resource, PLENTY);

    expect(await remove(as, 'leaving')).toMatchObject({ status: 204, body: {} });

    expect(await service.call('GET', '/deployments/leaving', { as })).toMatchObject({
      status: 404,
    });
    expect(await service.ports.versions.notes(id, 1)).toBeUndefined();
    expect(await service.ports.resources.list(id)).toEqual([]);
    expect(await service.ports.deploymentEditor.activeSlugs(as.user.id)).toEqual([]);
    expect((await service.call('GET', '/deployments', { as })).body).toEqual({ items: [] });
  });

  test('frees the slug for its former owner, and for nobody else', async () => {
    const [first, second] = [await service.owner(), await service.owner()];
    await deploy(first, 'freed');
    await remove(first, 'freed');

    expect(await deploy(second, 'freed')).toMatchObject({ status: 409 });
    expect(await deploy(first, 'freed')).toMatchObject({ status: 201, body: { version: 1 } });
  });

  test('answers 404 the second time', async () => {
    const as = await service.owner();
    await deploy(as, 'once-only');
    await remove(as, 'once-only');

    expect(await remove(as, 'once-only')).toMatchObject({ status: 404 });
  });

  test('revokes the tokens that were minted for the deployment', async () => {
    const as = await service.owner();
    await deploy(as, 'minted');
    const { id: deploymentId = '' } = (await service.ports.deploymentEditor.read('minted')) ?? {};
    const scopes = ['mcp.tools.read'] as const;
    const token = { jti: 'jti-1', deploymentId, scopes, createdAt: NOON, expiresAt: NOON + 60 };
    await service.ports.mintedTokens.put({ ...token, revoked: false });

    await remove(as, 'minted');

    expect(await service.ports.mintedTokens.find('jti-1')).toMatchObject({ revoked: true });
  });
});

describe('DELETE /account', () => {
  test('removes the user and all deployments of the user', async () => {
    const as = await service.owner();
    for (const slug of ['goner-1', 'goner-2']) await deploy(as, slug);
    await change(as, 'goner-2', { status: 'paused' });

    expect(await service.call('DELETE', '/account', { as })).toMatchObject({ status: 204 });

    expect(await service.arranging.users.find(as.user.id)).toBeUndefined();
    expect(await service.arranging.users.findByEmail(as.user.email)).toBeUndefined();
    for (const slug of ['goner-1', 'goner-2']) {
      expect(await service.ports.deploymentEditor.read(slug)).toBeUndefined();
    }
    expect(await service.call('GET', '/account', { as })).toMatchObject({ status: 401 });
  });

  test('takes the user from the identity provider that knew it', async () => {
    const subject = fingerprint('subject');
    const as = await service.owner();
    const identities = [{ issuer: 'https://idp.example.com', subject }];
    await service.arranging.users.link({ ...as.user, identities, revision: 2 }, subject);

    expect(await service.call('DELETE', '/account', { as })).toMatchObject({ status: 204 });

    const { store } = service;
    const Key = { pk: `IDENTITY#${subject}` };
    const item = new GetCommand({ TableName: store.tableName('users'), Key });
    expect((await store.instance().send(item)).Item).toBeUndefined();
  });

  test('revokes the grants that the user gave to clients', async () => {
    const as = await service.owner();
    const grant = aGrant({ userId: as.user.id });
    const token = { fingerprint: fingerprint('access'), expiresAt: NOON + 3600 };
    await committed(service.store.instance(), service.arranging.grants.beginning(grant, token));

    await service.call('DELETE', '/account', { as });

    expect(await service.arranging.grants.find(grant.id)).toBeUndefined();
  });

  test('frees the email address for a new account', async () => {
    const as = await service.owner();
    await service.call('DELETE', '/account', { as });

    const next = await service.owner({ email: as.user.email });

    expect(await service.call('GET', '/account', { as: next })).toMatchObject({
      body: { email: as.user.email },
    });
  });

  test.each(['nobody', 'somebody else'])(
    'removes the address that the company gives the account meanwhile, whose former one has %s',
    async (holder) => {
      const as = await service.owner();
      const { operatorMarks } = service.ports;
      const { users } = service.arranging;
      const email = `moved-${as.user.id}@example.com`;
      const moving = server({
        ...service.ports,
        operatorMarks: {
          ...operatorMarks,
          remove: async (id: string) => {
            const before = await users.find(id);
            if (before) {
              const moved = { ...before, email, revision: before.revision + 1 };
              expect(await users.move(moved, before.email)).toBe(true);
            }
            if (holder !== 'nobody') await service.owner({ email: as.user.email });
            return operatorMarks.remove(id);
          },
        },
      });
      const headers = { authorization: `Bearer ${as.token}` };
      const answer = await moving(requestOf('DELETE', '/account', { headers }));

      expect(answer.statusCode).toBe(204);
      expect(await users.find(as.user.id)).toBeUndefined();
      expect((await users.findByEmail(as.user.email)) === undefined).toBe(holder === 'nobody');
      expect(await users.create({ ...as.user, id: `next-${as.user.id}`, email })).toBe(true);
    },
  );

  test('does not affect other users', async () => {
    const [as, other] = [await service.owner(), await service.owner()];
    await deploy(other, 'bystander');
    await service.call('DELETE', '/account', { as });

    expect(await service.call('GET', '/deployments/bystander', { as: other })).toMatchObject({
      status: 200,
    });
  });

  test('also removes a deployment that is created concurrently', async () => {
    const as = await service.owner();
    const [removed, made] = await Promise.all([
      service.call('DELETE', '/account', { as }),
      deploy(as, 'too-late'),
    ]);

    expect(removed.status).toBe(204);
    expect([201, 401]).toContain(made.status);
    expect(await service.ports.deploymentEditor.read('too-late')).toBeUndefined();
  });

  test('can be repeated after an interruption', async () => {
    const as = await service.owner();
    await deploy(as, 'half-gone');
    const user = { ...as.user, signedOutAt: NOON + 1, revision: 2 };
    await service.arranging.users.replace(user);
    service.clock.time = NOON + 1;
    const again = { user, token: await sessionToken(service.arranging, user) };

    expect(await service.call('DELETE', '/account', { as: again })).toMatchObject({ status: 204 });
    expect(await service.ports.deploymentEditor.read('half-gone')).toBeUndefined();
    service.clock.time = NOON;
  });
});

describe('the name of an account', () => {
  const rename = (as: Owner, body: object) => service.call('PATCH', '/account', { as, body });

  test('is changed in one line, and taken away by an empty one or null', async () => {
    const as = await service.owner();

    expect(await rename(as, { name: '  Ada\n Lovelace\u0000 ' })).toMatchObject({
      status: 200,
      body: { name: 'Ada Lovelace' },
    });
    const { body } = await service.call('GET', '/account', { as });
    expect(body).toMatchObject({ name: 'Ada Lovelace' });
    for (const name of ['', null]) {
      await rename(as, { name: 'Ada' });
      const { status, body: without } = await rename(as, { name });
      expect([status, 'name' in without]).toEqual([200, false]);
    }
  });

  test.each([
    ['a number', { name: 7 }],
    ['no name', {}],
    ['something else besides', { name: 'Ada', plan: 'pro' }],
    ['201 characters', { name: 'a'.repeat(201) }],
  ])('is not changed by %s', async (_, body) => {
    const as = await service.owner();
    await rename(as, { name: 'Ada' });

    expect(await rename(as, body)).toMatchObject({ status: 422 });
    const { body: after } = await service.call('GET', '/account', { as });
    expect(after).toMatchObject({ name: 'Ada', plan: 'free' });
  });

  test('is changed again where the account has changed meanwhile', async () => {
    const as = await service.owner();
    const all = await Promise.all(['Ada', 'Bea', 'Eve'].map((name) => rename(as, { name })));

    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

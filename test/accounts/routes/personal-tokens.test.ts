import { randomBytes, randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  idOfToken,
  machineTokenId,
  machineTokenText,
  type PersonalToken,
  personalTokenText,
} from '../../../layers/accounts/rules/personal-token.ts';
import { routesOf } from '../../../layers/management/routes/server.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type ApiCall,
  NOON,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';

const DAY = 86_400;
let service: TestManagement;
let owner: Owner;
let count = 0;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.time = NOON;
  owner = await service.owner({ plan: 'pro' });
});

const made = async (wanted: object): Promise<{ readonly token: string; readonly id: string }> => {
  const sent = { as: owner, body: { name: 'pipeline', ...wanted } };
  const { status, body } = await service.call('POST', '/account/tokens', sent);
  expect(status).toBe(201);
  return { token: String(body['token']), id: String(body['id']) };
};
const by = (token: string, method: string, path: string, call: ApiCall = {}) =>
  service.call(method, path, {
    ...call,
    headers: { ...call.headers, authorization: `Bearer ${token}` },
  });
const deployed = async (name: string): Promise<string> => {
  count += 1;
  const slug = `${name}-${count}`;
  const body = { openapi: aDescription(), slug };
  await service.call('POST', '/deployments', { as: owner, body });
  return slug;
};

const storedItems = async ({ store }: TestManagement) =>
  (await store.instance().send(new ScanCommand({ TableName: store.tableName('oauth') }))).Items;

describe('a personal access token', () => {
  test('signs a program in for what its scope says, and for nothing else', async () => {
    const slug = await deployed('orders');
    const { token } = await made({ scope: 'read' });
    expect((await by(token, 'GET', `/deployments/${slug}`)).status).toBe(200);
    const declaration = { openapi: JSON.stringify(aDescription()) };
    const planning = { body: { declaration } };
    const path = `/deployments/${slug}/declaration`;
    expect((await by(token, 'POST', `${path}/plan`, planning)).status).toBe(200);
    for (const [method, where, body] of [
      ['PUT', path, { declaration, managed_by: 'x' }],
      ['PATCH', `/deployments/${slug}`, { name: 'X' }],
      ['DELETE', `/deployments/${slug}`, undefined],
    ] as const) {
      expect(await by(token, method, where, { ...(body && { body }) })).toMatchObject({
        status: 403,
        body: { code: 'token_not_allowed' },
      });
    }
    expect((await by(token, 'GET', `/deployments/${slug}/problems`)).body).toMatchObject({
      detail: 'The personal access token has scope `read`; this request needs scope `logs`.',
    });
    for (const path of ['calls', 'activity', 'grants', 'callers']) {
      expect((await by(token, 'GET', `/deployments/${slug}/${path}`)).status).toBe(403);
    }
    const declares = await made({ scope: 'declare' });
    const applied = { body: { declaration, managed_by: 'x', adopt: true } };
    expect((await by(declares.token, 'PUT', path, applied)).status).toBe(200);
    const renamed = await by(declares.token, 'PATCH', `/deployments/${slug}`, {
      body: { name: 'X' },
    });
    expect(renamed.status).toBe(403);
    // What no declaration has made goes by a person, also where `rm --yes` asks for it.
    const byHand = await deployed('by-hand');
    const removed = await by(declares.token, 'DELETE', `/deployments/${byHand}`);
    expect(removed).toMatchObject({ status: 403, body: { code: 'token_not_allowed' } });
    const all = await made({ scope: 'all' });
    const paused = { body: { status: 'paused' } };
    expect((await by(all.token, 'PATCH', `/deployments/${slug}`, paused)).status).toBe(200);
  });

  test('is for the deployments that it names, as if there were no others', async () => {
    const [orders, stock] = [await deployed('orders'), await deployed('stock')];
    const { token } = await made({ scope: 'all', slugs: ['orders-*'] });
    expect((await by(token, 'GET', `/deployments/${orders}`)).status).toBe(200);
    expect(await by(token, 'GET', `/deployments/${stock}`)).toMatchObject({ status: 404 });
    const { body } = await by(token, 'GET', '/deployments');
    expect(body.items?.map(({ slug }) => slug)).toEqual([orders]);
    for (const [method, path] of [
      ['GET', '/account'],
      ['POST', '/deployments'],
      ['GET', '/account/calls'],
    ] as const) {
      expect((await by(token, method, path)).status).toBe(403);
    }
  });

  test('never makes tokens, looks at what concerns the person, or operates the service', async () => {
    const { token } = await made({ scope: 'all' });
    const never = routesOf(service.ports).filter(({ forTokens }) => forTokens === 'never');
    expect(never.map(({ operationId }) => operationId).toSorted()).toEqual([
      'changeAccount',
      'endOwnGrant',
      'endPersonalToken',
      'endTrust',
      'exportAccount',
      'listOwnGrants',
      'listPersonalTokens',
      'listSharedServers',
      'listTrusts',
      'makePersonalToken',
      'makeTrust',
      'removeAccount',
    ]);
    for (const { method, path } of never) {
      const answer = await by(token, method, path.replaceAll(/\{\w+\}/g, 'x'));
      expect(answer).toMatchObject({ status: 403, body: { code: 'token_not_allowed' } });
    }
    await service.arranging.operatorMarks.put(owner.user.id);
    for (const { method, path } of routesOf(service.ports).filter(({ isHidden }) => isHidden)) {
      expect((await by(token, method, path.replaceAll(/\{\w+\}/g, 'x'))).status).toBe(404);
    }
  });

  test('is shown once, listed without its text, and says when it was used last', async () => {
    const { token, id } = await made({ scope: 'read', slugs: ['orders-*'], days: 30 });
    expect(token).toMatch(/^hmt_[\w-]{51}$/);
    service.clock.time = NOON + 3 * DAY;
    await by(token, 'GET', '/deployments');
    service.clock.time = NOON;
    const { body } = await service.call('GET', '/account/tokens', { as: owner });
    expect(body.items).toEqual([
      {
        id,
        name: 'pipeline',
        scope: 'read',
        slugs: ['orders-*'],
        used_on: new Date((NOON + 3 * DAY) * 1000).toISOString().slice(0, 10),
        created_at: new Date(NOON * 1000).toISOString().replace('.000', ''),
        expires_at: new Date((NOON + 30 * DAY) * 1000).toISOString().replace('.000', ''),
      },
    ]);
    expect(idOfToken(token)).toBe(id);
    const secret = token.slice(4, 47);
    const everything = JSON.stringify([service.lines, await storedItems(service)]);
    for (const part of [token, secret]) expect(everything).not.toContain(part);
  });

  test('ends when it is ended, when its time is over, and when all sessions end', async () => {
    const [one, two, three] = [
      await made({ scope: 'read' }),
      await made({ scope: 'read', days: 1 }),
      await made({ scope: 'read' }),
    ];
    const works = async ({ token }: { readonly token: string }) =>
      (await by(token, 'GET', '/deployments')).status;
    expect(await Promise.all([one, two, three].map(works))).toEqual([200, 200, 200]);

    await service.call('DELETE', `/account/tokens/${one.id}`, { as: owner });
    expect(await works(one)).toBe(401);
    service.clock.time = NOON + DAY;
    expect(await works(two)).toBe(401);
    const { user } = owner;
    await service.arranging.users.replace({
      ...user,
      signedOutAt: NOON + 1,
      revision: user.revision + 1,
    });
    expect(await works(three)).toBe(401);
  });

  test('is made soon after a sign-in alone, by people, within the limits', async () => {
    const body = { name: 'late', scope: 'all' };
    service.clock.time = NOON + 601;
    expect(await service.call('POST', '/account/tokens', { as: owner, body })).toMatchObject({
      status: 403,
      body: { code: 'sign_in_again' },
    });
    service.clock.time = NOON;
    for (const wrong of [{ days: 91 }, { scope: 'write' }, { slugs: ['*'] }, { name: '' }]) {
      const sent = { as: owner, body: { ...body, ...wrong } };
      expect((await service.call('POST', '/account/tokens', sent)).status).toBe(422);
    }
    for (let made = 0; made < 20; made += 1) {
      expect((await service.call('POST', '/account/tokens', { as: owner, body })).status).toBe(201);
    }
    expect(await service.call('POST', '/account/tokens', { as: owner, body })).toMatchObject({
      body: { code: 'limit_reached', limit: 'personal_tokens_per_user' },
    });
  });

  test('is listed and counted however often machines have signed in since', async () => {
    const { id } = await made({ scope: 'read' });
    const { personalTokens } = service.arranging;
    const createdAt = NOON + 60;
    const machine = {
      userId: owner.user.id,
      name: 'trust: ci',
      scope: 'read',
      trust: 'x',
    } as const;
    const ofMachines = Array.from({ length: 1001 }, (_, number) => fingerprint(`${id} ${number}`));
    await Promise.all(
      ofMachines.map((one) =>
        personalTokens.put(one, { ...machine, createdAt, expiresAt: createdAt + 900 }),
      ),
    );
    const { body } = await service.call('GET', '/account/tokens', { as: owner });
    expect(body.items?.map((one) => one['id'])).toEqual([id]);
    expect(await personalTokens.find(ofMachines[0]!)).toMatchObject(machine);
  });

  test('of another person is none that could be ended', async () => {
    const { id, token } = await made({ scope: 'read' });
    const stranger = await service.owner();
    const ended = await service.call('DELETE', `/account/tokens/${id}`, { as: stranger });
    expect(ended.status).toBe(404);
    expect((await by(token, 'GET', '/deployments')).status).toBe(200);
  });

  test('goes with its account', async () => {
    const { token } = await made({ scope: 'read' });
    await service.call('DELETE', '/account', { as: owner });
    expect((await by(token, 'GET', '/deployments')).status).toBe(401);
    expect(JSON.stringify(await storedItems(service))).not.toContain(token);
  });

  const ofMachine = (over: Partial<PersonalToken>): PersonalToken => ({
    userId: owner.user.id,
    name: 'trust: orders',
    scope: 'all',
    trust: randomUUID(),
    createdAt: NOON,
    expiresAt: NOON + 900,
    ...over,
  });
  const storedOfMachine = async ({ trust, ...over }: Partial<PersonalToken>): Promise<string> => {
    const secret = randomBytes(32).toString('base64url');
    const { trust: made = '', ...token } = ofMachine(over);
    const named = trust === '' ? token : { ...token, trust: made };
    await service.ports.personalTokens.put(machineTokenId(secret), named);
    return machineTokenText(secret);
  };

  test('of a machine opens what it is for, for a quarter of an hour', async () => {
    const token = await storedOfMachine({});
    expect((await by(token, 'GET', '/deployments')).status).toBe(200);
    service.clock.time = NOON + 900;
    expect((await by(token, 'GET', '/deployments')).status).toBe(401);
  });

  // Whoever could write such items for a while would have a key for good.
  test.each<readonly [string, Partial<PersonalToken>]>([
    ['for a second longer', { expiresAt: NOON + 901 }],
    ['for months', { expiresAt: NOON + 90 * DAY }],
    ['from tomorrow on', { createdAt: NOON + DAY, expiresAt: NOON + DAY + 900 }],
    ['by no trust', { trust: '' }],
  ])('of a machine opens nothing where it is stored as one that holds %s', async (_, over) => {
    expect((await by(await storedOfMachine(over), 'GET', '/deployments')).status).toBe(401);
  });

  test.each([
    [
      'one letter is another',
      (token: string) => `${token.slice(0, 10)}${token[10] === 'x' ? 'y' : 'x'}${token.slice(11)}`,
    ],
    ['the end is cut', (token: string) => token.slice(0, -1)],
    ['it is of nobody', () => personalTokenText('x'.repeat(43))],
    ['it is only the beginning', () => 'hmt_'],
    ['two are sent', (token: string) => `${token}, Bearer another`],
  ])('opens nothing where %s', async (_, changed) => {
    const { token } = await made({ scope: 'all' });
    expect([400, 401]).toContain((await by(changed(token), 'GET', '/deployments')).status);
  });
});

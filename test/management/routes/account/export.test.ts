import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NOT_EXPORTED } from '../../../../layers/management/routes/account/export.ts';
import { routesOf } from '../../../../layers/management/routes/server.ts';
import { countedCallStore } from '../../../support/aws/counted-calls.ts';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { aDescription } from '../../../support/openapi/descriptions.ts';
import { aManagementService, NOON, type Owner } from '../../../support/service/management.ts';
import { aGrant } from '../../../support/oauth/oauth.ts';
import { committed } from '../../../support/aws/committed.ts';

const service = await aManagementService({ limits: { active_deployments_per_user: 50 } });
afterAll(() => service.stop());

let ada: Owner;
let bob: Owner;
beforeAll(async () => {
  ada = await service.owner({ email: 'ada@example.com', name: 'Ada Canary' });
  bob = await service.owner({ email: 'bob@example.com', name: 'Bob Stranger' });
  for (const [as, slug] of [
    [ada, 'of-ada'],
    [bob, 'of-bob'],
  ] as const) {
    const openapi = aDescription(['listPets'], {
      info: { title: `Canary of ${slug}`, version: '1' },
    });
    const body = { openapi, slug, mcp_auth_method: 'jwt' };
    expect((await service.call('POST', '/deployments', { as, body })).status).toBe(201);
    const put = async (path: string, sent: object) => {
      const answer = await service.call('POST', `/deployments/${slug}${path}`, { as, body: sent });
      expect(answer.status).toBe(201);
      return answer.body;
    };
    await put('/resources', {
      name: 'doc',
      uri: 'https://docs.example.com/1',
      content: `resource of ${slug}`,
    });
    await put('/prompts', { name: 'ask', template: `prompt of ${slug}` });
    const cases = { cases: [{ wish: `wish of ${slug}`, tool: null }] };
    await service.call('PUT', `/deployments/${slug}/cases`, { as, body: cases });
    const tokens = { input_tokens: 1, output_tokens: 1 };
    await put('/case-runs', { model: `model/of-${slug}`, version: 1, wrong: [], ...tokens });
    const { token } = await put('/tokens', { name: `token of ${slug}` });
    secrets.push(String(token));
    const credential = { type: 'bearer', token: `secret-of-${slug}-0123456789` };
    await service.call('PUT', `/deployments/${slug}/credential`, { as, body: credential });
    secrets.push(credential.token);
    const issuer = 'https://issuer.example.com/';
    const jwks_uri = `${issuer}keys`;
    const trusted = { issuer, jwks_uri, audience: `audience of ${slug}`, algorithms: ['RS256'] };
    const path = `/deployments/${slug}/jwt-issuer`;
    expect((await service.call('PUT', path, { as, body: trusted })).status).toBe(200);
  }
  const { arranging, ports, store } = service;
  const others = (await arranging.deploymentEditor.read('of-bob'))!;
  const grant = { clientName: 'Client of Ada', deploymentId: others.id, slug: 'of-bob' };
  for (const { user } of [ada, bob]) {
    const given = aGrant({ ...grant, id: `grant-${user.id}`, userId: user.id, email: user.email });
    await committed(
      service.store.instance(),
      arranging.grants.beginning(given, {
        fingerprint: fingerprint(`at-${user.id}`),
        expiresAt: NOON + 3600,
      }),
    );
  }
  const calls = countedCallStore(store);
  await calls.store(
    [ada, bob].map(({ user }, index) => ({
      at: NOON,
      requestId: 'request-1',
      index,
      deploymentId: others.id,
      version: 1,
      tool: 'listPets',
      outcome: 'ok',
      durationMs: 5,
      subject: user.id,
      ip: `192.0.2.${index}`,
    })),
    'stream',
  );
  const why = 'canary-why';
  const accountId = ada.user.id;
  const subject = '198.51.100.9';
  ports.events.record({ type: 'security', event: 'login_failed', accountId, subject, why });
  await ports.events.flush();
});
const secrets: string[] = [];

interface Told {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly content?: string;
}

const exported = async (as: Owner) => {
  const items: Told[] = [];
  let cursor = '';
  let pages = 0;
  do {
    const query = cursor === '' ? '' : `cursor=${cursor}`;
    const { status, body } = await service.call('GET', '/account/export', { as, query });
    expect(status).toBe(200);
    items.push(...(body.items as unknown as Told[]));
    cursor = String(body['next_cursor'] ?? '');
    pages += 1;
  } while (cursor !== '');
  return { items, pages };
};
const textOf = (items: readonly Told[]): string =>
  items
    .map(({ content, ...rest }) =>
      content === undefined
        ? JSON.stringify(rest)
        : `${rest.path} ${gunzipSync(Buffer.from(content, 'base64')).toString()}`,
    )
    .join('\n');

describe('the export of an account', () => {
  test('has everything of it, from each place where something is kept', async () => {
    const text = textOf((await exported(ada)).items);

    for (const canary of [
      'ada@example.com',
      'Ada Canary',
      'Canary of of-ada',
      'resource of of-ada',
      'prompt of of-ada',
      'wish of of-ada',
      'model/of-of-ada',
      'token of of-ada',
      'audience of of-ada',
      'Client of Ada',
      'canary-why',
      '192.0.2.0',
    ]) {
      expect(text).toContain(canary);
    }
  });

  test('has nothing of anybody else, and no secret', async () => {
    const text = textOf((await exported(ada)).items);

    for (const stranger of ['bob@example.com', bob.user.id, 'of of-bob', '192.0.2.1']) {
      expect(text).not.toContain(stranger);
    }
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toContain(ada.user.passwordHash);
    expect(text).not.toContain(fingerprint(`at-${ada.user.id}`));
  });

  test('comes in pages that a function may answer with, each thing once', async () => {
    const as = await service.owner();
    const body = { openapi: aDescription(), slug: 'large' };
    await service.call('POST', '/deployments', { as, body });
    for (let index = 0; index < 10; index += 1) {
      const resource = {
        name: `doc-${index}`,
        uri: `https://docs.example.com/${index}`,
        content: 'x'.repeat(200_000),
      };
      await service.call('POST', '/deployments/large/resources', { as, body: resource });
    }
    const { items, pages } = await exported(as);

    expect(pages).toBeGreaterThan(3);
    const paths = items.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => path.includes('/resources/'))).toHaveLength(10);
  });

  test('says so where what comes next is gone', async () => {
    const place = Buffer.from(JSON.stringify(['account-export', '["/gone",null]']));
    const query = `cursor=${place.toString('base64url')}`;

    expect(await service.call('GET', '/account/export', { as: ada, query })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
  });

  test('is for whoever is signed in', async () => {
    expect((await service.call('GET', '/account/export')).status).toBe(401);
  });

  test('has each thing that the API tells an owner, or a reason why not', async () => {
    const { items } = await exported(ada);
    const patterns = new Set(
      items.map(({ path }) =>
        path
          .replace(/^\/deployments\/[^/]+/, '/deployments/{slug}')
          .replace(/\/(resources|prompts)\/[^/]+$/, '/$1/{name}')
          .replace(/\/versions\/\d+\//, '/versions/{version}/'),
      ),
    );
    // Lists of names, whose things are told one by one.
    const lists = ['/deployments', '/deployments/{slug}/resources', '/deployments/{slug}/prompts'];
    const owners = routesOf(service.ports).filter(
      ({ method, isPublic, isHidden }) => method === 'GET' && !isPublic && !isHidden,
    );
    const missing = owners
      .map(({ path }) => path)
      .filter((path) => !patterns.has(path) && !lists.includes(path))
      .filter((path) => path !== '/account/export' && path !== '/openapi.json');

    expect(missing.toSorted()).toEqual(Object.keys(NOT_EXPORTED).toSorted());
  });
});

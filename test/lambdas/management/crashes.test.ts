import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorCommands } from '../../../lambdas/management/operator.ts';
import { aDescription } from '../../support/descriptions.ts';
import { callDying } from '../../support/dying-management.ts';
import {
  aManagementService,
  type ApiCall,
  NOON,
  type Owner,
  sessionToken,
  type TestManagement,
} from '../../support/management.ts';

let service: TestManagement;
beforeAll(async () => {
  service = await aManagementService();
});
afterAll(() => service.stop());
afterEach(() => {
  service.store.aws.faults.clear();
  service.clock.time = NOON;
});

const call = (as: Owner, method: string, path: string, more: ApiCall = {}) =>
  service.call(method, path, { as, ...more });
const newDeployment = (slug: string, more: ApiCall = {}): ApiCall => ({
  body: { openapi: aDescription(), slug },
  ...more,
});
const idOf = async (slug: string) => (await service.ports.deploymentEditor.read(slug))?.id ?? '';
const sweep = (): Promise<object> => operatorCommands(service.ports)({ operator: 'sweep' });
/** Long enough for everything to count as abandoned; whoever was signed in is so no more. */
const later = async (as: Owner, seconds: number): Promise<Owner> => {
  service.clock.time += seconds;
  return { ...as, token: await sessionToken(service.ports, as.user) };
};

/** Everything in the tables and the bucket that says any of these. */
const traces = async (...texts: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const text of texts) {
    const files = await service.store.files().list(`deployments/${text}/`);
    found.push(...files.map(({ key }) => key));
    const parts = text === '' ? [] : await service.ports.versions.stored(text);
    found.push(...parts.map(({ version }) => `${text} v${version}`));
  }
  return found;
};

/** Calls to DynamoDB that the longest of these requests makes, each of which may be its last. */
const beforeEachOf = (calls: number) => Array.from({ length: calls }, (_, index) => index + 1);
const KILLED = { status: 503 };

describe('a function that is killed while it makes a deployment', () => {
  const CALLS = 11;

  test.each(beforeEachOf(CALLS))(
    'before its %d. call, leaves nothing that is served, and the next try succeeds',
    async (nth) => {
      const as = await service.owner();
      const slug = `made-${nth}`;
      const made = newDeployment(slug);
      expect(await callDying(service, nth, 'POST', '/deployments', { as, ...made })).toMatchObject(
        KILLED,
      );

      const left = await service.ports.deploymentEditor.read(slug);
      expect(left === undefined || left.version === 1).toBe(true);
      const again = await call(as, 'POST', '/deployments', made);
      expect(again.status).toBe(left ? 409 : 201);
      expect(await call(as, 'GET', `/deployments/${slug}/tools`)).toMatchObject({ status: 200 });
    },
  );

  test('after its last call, has made it', async () => {
    const as = await service.owner();

    expect(
      await callDying(service, CALLS + 1, 'POST', '/deployments', {
        as,
        ...newDeployment('made-whole'),
      }),
    ).toMatchObject({ status: 201 });
  });

  test.each(beforeEachOf(CALLS + 3))(
    'before its %d. call, under an Idempotency-Key, is finished by the repetition',
    async (nth) => {
      const as = await service.owner();
      const more = newDeployment(`keyed-${nth}`, { headers: { 'idempotency-key': 'key' } });
      expect(await callDying(service, nth, 'POST', '/deployments', { as, ...more })).toMatchObject(
        KILLED,
      );

      const resumed = await call(await later(as, 61), 'POST', '/deployments', more);

      expect(resumed).toMatchObject({ status: 201, body: { slug: `keyed-${nth}`, version: 1 } });
      const slugs = await service.ports.ownedSlugs.list(as.user.id);
      expect(slugs.map(({ slug }) => slug)).toEqual([`keyed-${nth}`]);
    },
  );

  test('takes no place for longer than a minute', async () => {
    const as = await service.owner();
    for (const slug of ['lost-1', 'lost-2', 'lost-3']) {
      await service.ports.ownedSlugs.reserve(
        { ownerId: as.user.id, slug, deploymentId: `id-${slug}`, since: NOON },
        3,
      );
    }

    const early = await call(as, 'POST', '/deployments', newDeployment('place'));
    const late = await call(await later(as, 61), 'POST', '/deployments', newDeployment('place'));

    expect([early.status, late.status]).toEqual([422, 201]);
  });
});

describe('a function that is killed while it publishes a version', () => {
  test.each(beforeEachOf(5))(
    'before its %d. call, leaves the old one served, whole, and the next try succeeds',
    async (nth) => {
      const as = await service.owner();
      const slug = `revised-${nth}`;
      await call(as, 'POST', '/deployments', newDeployment(slug));
      const replace = { body: { openapi: aDescription(['next']) } };
      const toolNames = async () =>
        (await call(as, 'GET', `/deployments/${slug}/tools`)).body.items?.map(({ name }) => name);

      expect(
        await callDying(service, nth, 'PUT', `/deployments/${slug}/openapi`, { as, ...replace }),
      ).toMatchObject(KILLED);

      expect(await toolNames()).toEqual(['listPets', 'getPet']);
      await call(as, 'PUT', `/deployments/${slug}/openapi`, replace);
      expect(await toolNames()).toEqual(['next']);
    },
  );
});

describe('a function that is killed while it removes a deployment', () => {
  const CALLS = 9;

  test.each(beforeEachOf(CALLS))(
    'before its %d. call, has removed it for everybody or for nobody, and the next try leaves nothing',
    async (nth) => {
      const as = await service.owner();
      const slug = `removed-${nth}`;
      await call(as, 'POST', '/deployments', newDeployment(slug));
      const id = await idOf(slug);
      expect(await callDying(service, nth, 'DELETE', `/deployments/${slug}`, { as })).toMatchObject(
        KILLED,
      );

      expect(await call(as, 'DELETE', `/deployments/${slug}`)).toMatchObject({ status: 204 });
      expect(await service.ports.deploymentEditor.read(slug)).toBeUndefined();
      expect(await service.ports.ownedSlugs.list(as.user.id)).toEqual([]);
      expect(await traces(id)).toEqual([]);
    },
  );

  test('after its last call, has removed it', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('removed-whole'));

    expect(
      await callDying(service, CALLS + 1, 'DELETE', '/deployments/removed-whole', { as }),
    ).toMatchObject({ status: 204 });
  });

  test('leaves room for a new one of the same slug', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('again'));
    await callDying(service, 4, 'DELETE', '/deployments/again', { as });
    expect((await service.ports.deploymentEditor.read('again'))?.status).toBe('removing');

    expect(await call(as, 'GET', '/deployments/again')).toMatchObject({ status: 404 });
    expect(await call(as, 'POST', '/deployments', newDeployment('again'))).toMatchObject({
      status: 201,
    });
  });
});

describe('a function that is killed while it removes an account', () => {
  const CALLS = 16;

  test.each(beforeEachOf(CALLS))(
    'before its %d. call, leaves one that its user can sign in to and remove',
    async (nth) => {
      const as = await service.owner();
      await call(as, 'POST', '/deployments', newDeployment(`account-${nth}`));
      expect(await callDying(service, nth, 'DELETE', '/account', { as })).toMatchObject(KILLED);

      const user = await service.ports.users.find(as.user.id);
      if (user) {
        const again = await later({ ...as, user }, 2);
        expect(await call(again, 'DELETE', '/account')).toMatchObject({ status: 204 });
      }
      expect(await service.ports.deploymentEditor.read(`account-${nth}`)).toBeUndefined();
      expect(await service.ports.users.find(as.user.id)).toBeUndefined();
    },
  );

  test('after its last call, has removed it', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('account-whole'));

    expect(await callDying(service, CALLS + 1, 'DELETE', '/account', { as })).toMatchObject({
      status: 204,
    });
  });
});

describe('a store that refuses', () => {
  const LARGE = { components: { schemas: { Big: bigSchema() } } };

  test.each<[string, string, string]>([
    ['S3', 's3', 'PutObject'],
    ['DynamoDB', 'dynamodb', 'PutItem'],
  ])('%s leaves the old version served, and the next try succeeds', async (_, on, operation) => {
    const as = await service.owner();
    const slug = `refused-${on}`;
    await call(as, 'POST', '/deployments', newDeployment(slug));
    const replace = { body: { openapi: aDescription(['big'], LARGE) } };
    service.store.aws.faults.inject({ kind: 'fail', on: { service: on as 's3', operation } });

    expect(await call(as, 'PUT', `/deployments/${slug}/openapi`, replace)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5', 'content-type': 'application/problem+json' },
      body: { code: 'fault' },
    });

    service.store.aws.faults.clear();
    expect((await call(as, 'GET', `/deployments/${slug}`)).body).toMatchObject({ version: 1 });
    expect(await call(as, 'PUT', `/deployments/${slug}/openapi`, replace)).toMatchObject({
      status: 200,
      body: { tool_count: 1 },
    });
  });

  test('Secrets Manager lets nobody be half removed for ever', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('secretive'));
    service.store.aws.faults.inject({ kind: 'fail', on: { service: 'secretsmanager' } });
    expect(await call(as, 'DELETE', '/deployments/secretive')).toMatchObject({ status: 503 });

    service.store.aws.faults.clear();
    expect(await call(as, 'DELETE', '/deployments/secretive')).toMatchObject({ status: 204 });
  });
});

describe('the sweep', () => {
  test('removes what was stored for a deployment that never came', async () => {
    const as = await service.owner();
    await callDying(service, 9, 'POST', '/deployments', { as, ...newDeployment('never') });
    const [{ deploymentId = '' } = {}] = await service.ports.ownedSlugs.list(as.user.id);
    expect(await traces(deploymentId)).not.toEqual([]);

    await later(as, 7200);
    expect(await sweep()).toMatchObject({ ok: true });

    expect(await traces(deploymentId)).toEqual([]);
    expect(await service.ports.ownedSlugs.list(as.user.id)).toEqual([]);
  });

  test('finishes removals, and removes what came after one', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('half'));
    const id = await idOf('half');
    await callDying(service, 5, 'DELETE', '/deployments/half', { as });
    await later(as, 7200);
    await sweep();
    expect(await service.ports.deploymentEditor.read('half')).toBeUndefined();
    expect(await traces(id)).toEqual([]);

    await service.ports.resources.put(id, {
      name: 'late',
      uri: 'a:b',
      content: '',
      encoding: 'text',
    });
    await later(as, 7200);
    await sweep();
    expect(await service.ports.resources.list(id)).toEqual([]);
  });

  test('removes versions that were never served, and no others', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('versioned'));
    const id = await idOf('versioned');
    const replace = { body: { openapi: aDescription(['x']) } };
    await callDying(service, 5, 'PUT', '/deployments/versioned/openapi', { as, ...replace });
    expect(await traces(id)).toEqual([`${id} v1`, `${id} v2`]);

    await later(as, 7200);
    await sweep();

    expect(await traces(id)).toEqual([`${id} v1`]);
    expect((await service.ports.deploymentEditor.read('versioned'))?.version).toBe(1);
  });

  test('leaves alone what is young', async () => {
    const as = await service.owner();
    await callDying(service, 9, 'POST', '/deployments', { as, ...newDeployment('young') });
    const [{ deploymentId = '' } = {}] = await service.ports.ownedSlugs.list(as.user.id);

    await sweep();

    expect(await traces(deploymentId)).not.toEqual([]);
  });

  test('leaves alone what is in use', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('used'));
    const before = await service.ports.deploymentEditor.read('used');

    await later(as, 86_400);
    await sweep();
    await sweep();

    expect(await service.ports.deploymentEditor.read('used')).toEqual(before);
    expect(await traces(before?.id ?? '')).toEqual([`${before?.id} v1`]);
    expect(await service.ports.ownedSlugs.list(as.user.id)).toHaveLength(1);
  });
});

/** Enough schema keys for the description to stand in a file. */
function bigSchema(): object {
  const names = Array.from({ length: 9000 }, (_, number) => [`p${number}`, { type: 'string' }]);
  return { type: 'object', properties: Object.fromEntries(names) };
}

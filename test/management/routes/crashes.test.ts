import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { StoredVersion } from '../../../layers/deployments/rules/versions.ts';
import { anIndex, aReport, aVersionNotes, PLENTY } from '../../support/aws/dynamodb-fixtures.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import { callDying } from '../../support/aws/dying-management.ts';
import {
  aManagementService,
  type ApiCall,
  NOON,
  type Owner,
  sessionToken,
} from '../../support/service/management.ts';

const service = await aManagementService();
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
const sweep = (): Promise<object> => service.maintain({ operator: 'sweep' });
/** Long enough for everything to count as abandoned; whoever was signed in is so no more. */
const later = async (as: Owner, seconds: number): Promise<Owner> => {
  service.clock.time += seconds;
  return { ...as, token: await sessionToken(service.arranging, as.user) };
};

/** What the table and the bucket hold of a deployment: sort keys of items, and names of files. */
const traces = async (id: string): Promise<readonly string[]> => {
  const { Items = [] } = await service.store.instance().send(
    new QueryCommand({
      TableName: service.store.tableName('deployment-content'),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `DEP#${id}` },
    }),
  );
  return [...Items.map(({ sk }) => String(sk)), ...(await filesOf(id))];
};
const filesOf = async (id: string): Promise<readonly string[]> =>
  (await service.store.files().list(`deployments/${id}/`)).map(({ key }) => key);
/** The ids of all deployments that have files. */
const idsInFiles = async (): Promise<ReadonlySet<string>> =>
  new Set(
    (await service.ports.versions.files({ limit: 1000 })).items.map(
      ({ deploymentId }) => deploymentId,
    ),
  );
const activeSlugs = (as: Owner) => service.ports.deploymentEditor.activeSlugs(as.user.id);

/** Calls to DynamoDB of a request; the last one is the transaction. */
const CALLS_OF_POST = 4;
const CALLS_OF_PUT = 3;
/** A description that stands in files. */
const LARGE = { components: { schemas: { Big: bigSchema() } } };
const LARGE_DESCRIPTION = aDescription(['big'], LARGE);

/** Calls to DynamoDB that the longest of these requests makes, each of which may be its last. */
const beforeEachOf = (calls: number) => Array.from({ length: calls }, (_, index) => index + 1);
const KILLED = { status: 503 };

describe('the management function killed while it creates a deployment', () => {
  const CALLS = CALLS_OF_POST;

  test.each(beforeEachOf(CALLS))(
    'before call %d to AWS serves nothing incomplete, and a retry succeeds',
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

  test('after its last call to AWS has created the deployment', async () => {
    const as = await service.owner();

    expect(
      await callDying(service, CALLS + 1, 'POST', '/deployments', {
        as,
        ...newDeployment('made-whole'),
      }),
    ).toMatchObject({ status: 201 });
  });

  test.each(beforeEachOf(CALLS + 2))(
    'before call %d to AWS completes a retry with the same Idempotency-Key',
    async (nth) => {
      const as = await service.owner();
      const more = newDeployment(`keyed-${nth}`, { headers: { 'idempotency-key': 'key' } });
      expect(await callDying(service, nth, 'POST', '/deployments', { as, ...more })).toMatchObject(
        KILLED,
      );

      const resumed = await call(await later(as, 61), 'POST', '/deployments', more);

      expect(resumed).toMatchObject({ status: 201, body: { slug: `keyed-${nth}`, version: 1 } });
      expect(await activeSlugs(as)).toEqual([`keyed-${nth}`]);
    },
  );

  test('before it stores its answer under an Idempotency-Key has answered, and a retry finds what was made', async () => {
    const as = await service.owner();
    const more = newDeployment('keyed-last', { headers: { 'idempotency-key': 'key' } });
    const made = await callDying(service, CALLS + 3, 'POST', '/deployments', { as, ...more });

    expect(made).toMatchObject({ status: 201, body: { slug: 'keyed-last', version: 1 } });
    expect(await call(await later(as, 61), 'POST', '/deployments', more)).toMatchObject({
      status: 201,
      body: { slug: 'keyed-last', version: 1 },
    });
  });

  test('before its last call takes no place under the limit of active deployments', async () => {
    const as = await service.owner();
    for (const slug of ['lost-1', 'lost-2', 'lost-3']) {
      await callDying(service, CALLS, 'POST', '/deployments', { as, ...newDeployment(slug) });
    }

    expect(await activeSlugs(as)).toEqual([]);
    expect(await call(as, 'POST', '/deployments', newDeployment('place'))).toMatchObject({
      status: 201,
    });
  });
});

describe('the management function killed while it publishes a version', () => {
  test.each(beforeEachOf(CALLS_OF_PUT))(
    'before call %d to AWS keeps the old version served, and a retry succeeds',
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

describe('the management function killed while it removes a deployment', () => {
  const CALLS = 8;

  test.each(beforeEachOf(CALLS))(
    'before call %d to AWS has hidden it entirely or not at all, and a retry completes',
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
      expect(await activeSlugs(as)).toEqual([]);
      expect(await traces(id)).toEqual([]);
    },
  );

  test('after its last call to AWS has removed the deployment', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('removed-whole'));

    expect(
      await callDying(service, CALLS + 1, 'DELETE', '/deployments/removed-whole', { as }),
    ).toMatchObject({ status: 204 });
  });

  test('allows a new deployment with the same slug', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('again'));
    await callDying(service, 5, 'DELETE', '/deployments/again', { as });
    expect((await service.ports.deploymentEditor.read('again'))?.status).toBe('removing');

    expect(await call(as, 'GET', '/deployments/again')).toMatchObject({ status: 404 });
    expect(await call(as, 'POST', '/deployments', newDeployment('again'))).toMatchObject({
      status: 201,
    });
  });
});

describe('the management function killed while it removes an account', () => {
  const CALLS = 14;

  test.each(beforeEachOf(CALLS))(
    'before call %d to AWS leaves an account that its user can still remove',
    async (nth) => {
      const as = await service.owner();
      await call(as, 'POST', '/deployments', newDeployment(`account-${nth}`));
      expect(await callDying(service, nth, 'DELETE', '/account', { as })).toMatchObject(KILLED);

      const user = await service.arranging.users.find(as.user.id);
      if (user) {
        const again = await later({ ...as, user }, 2);
        expect(await call(again, 'DELETE', '/account')).toMatchObject({ status: 204 });
      }
      expect(await service.ports.deploymentEditor.read(`account-${nth}`)).toBeUndefined();
      expect(await service.arranging.users.find(as.user.id)).toBeUndefined();
    },
  );

  test('after its last call to AWS has removed the account', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('account-whole'));

    expect(await callDying(service, CALLS + 1, 'DELETE', '/account', { as })).toMatchObject({
      status: 204,
    });
  });
});

describe('a failing AWS service', () => {
  test.each<[string, string, string]>([
    ['S3', 's3', 'PutObject'],
    ['DynamoDB', 'dynamodb', 'TransactWriteItems'],
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

  test('Secrets Manager does not leave a deployment half removed', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('secretive'));
    service.store.aws.faults.inject({ kind: 'fail', on: { service: 'secretsmanager' } });
    expect(await call(as, 'DELETE', '/deployments/secretive')).toMatchObject({ status: 503 });

    service.store.aws.faults.clear();
    expect(await call(as, 'DELETE', '/deployments/secretive')).toMatchObject({ status: 204 });
  });
});

describe('the sweep', () => {
  const large = (slug: string): ApiCall => ({ body: { openapi: LARGE_DESCRIPTION, slug } });
  /** Kills a function before it makes a deployment whose description is in files by then. */
  const neverMade = async (as: Owner, slug: string): Promise<string> => {
    const before = await idsInFiles();
    await callDying(service, CALLS_OF_POST, 'POST', '/deployments', { as, ...large(slug) });
    const [id = ''] = [...(await idsInFiles())].filter((one) => !before.has(one));
    return id;
  };

  test('removes what was stored for a deployment that never came', async () => {
    const as = await service.owner();
    const id = await neverMade(as, 'never');
    expect(await traces(id)).not.toEqual([]);

    await later(as, 7200);
    expect(await sweep()).toMatchObject({ ok: true });

    expect(await traces(id)).toEqual([]);
  });

  test('completes removals and deletes what was written after them', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('half'));
    const id = await idOf('half');
    await callDying(service, 6, 'DELETE', '/deployments/half', { as });
    expect((await service.ports.deploymentEditor.read('half'))?.status).toBe('removing');
    await later(as, 7200);
    await sweep();
    expect(await service.ports.deploymentEditor.read('half')).toBeUndefined();
    expect(await traces(id)).toEqual([]);

    const late = { name: 'late', uri: 'a:b', content: '', encoding: 'text' } as const;
    await service.ports.resources.create({ id, slug: 'half' }, late, PLENTY);
    await later(as, 7200);
    await sweep();
    expect(await traces(id)).toEqual([]);
  });

  test('removes files of versions that were never served, and no others', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', large('versioned'));
    const id = await idOf('versioned');
    const served = await traces(id);
    const replace = { body: { openapi: aDescription(['x'], LARGE) } };
    await callDying(service, CALLS_OF_PUT, 'PUT', '/deployments/versioned/openapi', {
      as,
      ...replace,
    });
    expect((await traces(id)).filter((name) => name.includes('/v2/'))).not.toEqual([]);

    await later(as, 7200);
    await sweep();

    expect(await traces(id)).toEqual(served);
    expect((await service.ports.deploymentEditor.read('versioned'))?.version).toBe(1);
  });

  test('spares what was written recently', async () => {
    const as = await service.owner();
    const id = await neverMade(as, 'young');

    await sweep();

    expect(await traces(id)).not.toEqual([]);
  });

  test('spares what is in use', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', large('used'));
    const before = await service.ports.deploymentEditor.read('used');
    const stored = await traces(before?.id ?? '');

    await later(as, 86_400);
    await sweep();
    await sweep();

    expect(await service.ports.deploymentEditor.read('used')).toEqual(before);
    expect(await traces(before?.id ?? '')).toEqual(stored);
    expect(await activeSlugs(as)).toEqual(['used']);
  });

  test('leaves alone what a repeated request has made again under the id of one that was removed', async () => {
    const as = await service.owner();
    await call(as, 'POST', '/deployments', newDeployment('revived'));
    const made = (await service.ports.deploymentEditor.read('revived'))!;
    await call(as, 'DELETE', '/deployments/revived');
    await service.ports.deploymentEditor.create(made, { version: aVersionOf(made.id) });
    const kept = { name: 'kept', uri: 'a:b', content: '', encoding: 'text' } as const;
    await service.ports.resources.create(made, kept, PLENTY);

    await later(as, 7200);
    await sweep();

    expect(await service.ports.resources.list(made.id)).toEqual([kept]);
  });
});

const aVersionOf = (deploymentId: string): StoredVersion => ({
  deploymentId,
  version: 1,
  index: anIndex('made'),
  report: aReport(),
  description: '{}',
  inline: true,
  notes: aVersionNotes(),
});

/** Enough schema keys for the description to stand in a file. */
function bigSchema(): object {
  const names = Array.from({ length: 9000 }, (_, number) => [`p${number}`, { type: 'string' }]);
  return { type: 'object', properties: Object.fromEntries(names) };
}

import { createHash } from 'node:crypto';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  DeleteSecretCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/maintenance/routes/server.ts';
import { wireMaintenance } from '../../../lambdas/maintenance/wiring.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';
import { storedCredential } from '../../support/aws/stored-credential.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';

const openapi = (path: string) => ({
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    [path]: {
      get: {
        operationId: 'get',
        parameters: [{ name: 'city', in: 'query', schema: { type: 'string', maxLength: 9 } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
});

let service: TestManagement;
let ada: Owner;
let id: string;
beforeAll(async () => {
  // So that all descriptions and indexes are in files.
  service = await aManagementService({ limits: { openapi_inline_schema_keys: 1 } });
  ada = await service.owner({ id: 'ada', email: 'ada@example.com' });
  const as = ada;
  const call = async (method: string, path: string, body: object) =>
    expect((await service.call(method, path, { as, body })).body).not.toHaveProperty('code');
  await call('POST', '/deployments', {
    openapi: openapi('/a'),
    slug: 'weather',
    tool_mode: 'search',
  });
  await call('PATCH', '/deployments/weather', { openapi: openapi('/b') });
  await call('PUT', '/deployments/weather/credential', { type: 'bearer', token: 'CANARY-token' });
  const resource = { name: 'help', uri: 'docs://help', content: 'Help.' };
  await call('POST', '/deployments/weather/resources', resource);
  await call('POST', '/deployments/weather/prompts', { name: 'ask', template: 'Ask.' });
  id = (await service.ports.deploymentEditor.read('weather'))!.id;
  service.clock.time = NOON + 7200;
});
afterAll(() => service.stop());

interface Answer {
  readonly items: readonly { readonly where: string; readonly what: string }[];
  readonly next?: string;
}
const check = async (more: object = {}) =>
  (await service.maintain({ operator: 'restore-check', ...more })) as Answer;
const found = async () => (await check()).items.map(({ where, what }) => `${where}: ${what}`);

type Table = 'deployments' | 'deployment-content';
/** Takes an item away as long as something is looked at. */
const without = async <Seen>(name: Table, Key: object, look: () => Promise<Seen>) => {
  const TableName = service.store.tableName(name);
  const dynamo = service.store.instance();
  const { Item } = await dynamo.send(new GetCommand({ TableName, Key }));
  expect(Item).toBeDefined();
  await dynamo.send(new DeleteCommand({ TableName, Key }));
  const seen = await look();
  await dynamo.send(new PutCommand({ TableName, Item }));
  return seen;
};
const whileThere = async <Seen>(name: Table, Item: object, look: () => Promise<Seen>) => {
  const TableName = service.store.tableName(name);
  const dynamo = service.store.instance();
  const { pk, sk } = Item as { pk: string; sk?: string };
  const Key = sk === undefined ? { pk } : { pk, sk };
  const before = await dynamo.send(new GetCommand({ TableName, Key }));
  await dynamo.send(new PutCommand({ TableName, Item }));
  const seen = await look();
  if (before.Item) await dynamo.send(new PutCommand({ TableName, Item: before.Item }));
  else await dynamo.send(new DeleteCommand({ TableName, Key }));
  return seen;
};
const withItem = (name: Table, Item: object) => whileThere(name, Item, found);
const rowOf = async () => {
  const TableName = service.store.tableName('deployments');
  const Key = { pk: 'SLUG#weather' };
  return (await service.store.instance().send(new GetCommand({ TableName, Key }))).Item!;
};
const administrator = (more: object) => {
  const environment = environmentOf(service.store, 'maintenance');
  const { clock, store } = service;
  return server({
    ...wireMaintenance({ ...environment, ...store.aws.environment('test'), ...more }),
    clock,
  });
};

describe('a check of what is stored', () => {
  test('finds nothing where all is there, and again once it was put back', async () => {
    expect(await check()).toEqual({ ok: true, items: [] });
    await without('deployment-content', { pk: `DEP#${id}`, sk: 'V#000001#SPEC' }, found);
    expect(await check()).toEqual({ ok: true, items: [] });
  });

  test.each([
    ['V#000001#NOTES', ['NOTES of version 1 is missing']],
    ['V#000002#SEARCH', ['SEARCH of version 2 is missing']],
    [
      'RES#help',
      [
        'a uri is kept for the resource help, which does not have it',
        '0 resources are stored, and 1 are counted',
      ],
    ],
    ['PROMPT#ask', ['0 prompts are stored, and 1 are counted']],
    ['TOTALS#RES', ['1 resources are stored, and 0 are counted']],
  ])('names what is missing without %s', async (sk, what) => {
    expect(await without('deployment-content', { pk: `DEP#${id}`, sk }, found)).toEqual(
      what.map((one) => `SLUG#weather: ${one}`),
    );
  });

  test('names a resource that is not found by its uri', async () => {
    const sk = `URI#${createHash('sha256').update('docs://help').digest('hex')}`;
    expect(await without('deployment-content', { pk: `DEP#${id}`, sk }, found)).toEqual([
      'SLUG#weather: the resource help is not found by its uri',
    ]);
  });

  test('names a file that a row names and the bucket does not have', async () => {
    const files = service.store.files();
    const key = (await files.list(`deployments/${id}/v1/spec-`))[0]!.key;
    const stored = (await files.find(key, 1_000_000))!;
    await files.remove(key);
    const { items } = (await check()) as Answer;
    await files.put(key, stored.bytes);

    expect(items).toEqual([
      {
        where: 'SLUG#weather',
        what: 'the file with SPEC of version 1 is missing',
        hint: `Remove the delete marker of ${key}.`,
      },
    ]);
  });

  test('names an owner whose deployment has no row', async () => {
    expect(await without('deployments', { pk: 'SLUG#weather' }, found)).toEqual([
      'OWNER#ada: counts weather, which is no active deployment of this owner',
    ]);
  });

  test('names a deployment that its owner does not count', async () => {
    expect(await without('deployments', { pk: 'OWNER#ada' }, found)).toEqual([
      'OWNER#ada: does not count the active deployment weather',
    ]);
  });

  test('names a row that is older than its contents', async () => {
    const older = { ...(await rowOf()), version: 1, history: [1] };

    expect(await withItem('deployments', older)).toContain(
      'SLUG#weather: version 2 is stored, and the row does not know it',
    );
  });

  test('names a row that is not readable, and goes on', async () => {
    expect(await withItem('deployments', { pk: 'SLUG#broken' })).toEqual([
      'SLUG#broken: the row is not readable',
    ]);
  });

  test('says nothing of what is being removed', async () => {
    const removing = { ...(await rowOf()), pk: 'SLUG#going', slug: 'going', status: 'removing' };

    expect(await withItem('deployments', { ...removing, id: 'dep-going' })).toEqual([]);
  });

  test('names files of a deployment of which nothing else is stored, once they are old enough', async () => {
    const files = service.store.files();
    const name = (createdAt: number) => `deployments/dep-lost/v1/spec-${createdAt}-abc`;
    await files.put(name(NOON + 3601), Buffer.from('young'));
    const young = await found();
    await files.put(name(NOON), Buffer.from('old'));
    await files.put(`deployments/dep-lost/v1/index-${NOON}-abc`, Buffer.from('old'));
    const old = await found();
    for (const { key } of await files.list('deployments/dep-lost/')) await files.remove(key);

    expect(young).toEqual([]);
    expect(old).toEqual([
      'deployments/dep-lost/: there are files of a deployment of which no version is stored',
    ]);
  });
});

describe('a check of credentials in Secrets Manager', () => {
  test('names one that is being deleted, until it is restored', async () => {
    const secrets = service.store.client(SecretsManagerClient);
    const SecretId = `test/${id}`;
    await secrets.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }));
    const deleted = await found();
    await secrets.send(new RestoreSecretCommand({ SecretId }));

    expect(deleted).toEqual(['SLUG#weather: its credential is being deleted']);
    expect(await found()).toEqual([]);
  });

  test('names a version that is not there any more', async () => {
    const row = await rowOf();
    const older = { ...row, credential: { ...row['credential'], version: 'v-old' } };

    expect(await withItem('deployments', older)).toEqual([
      'SLUG#weather: its credential has no version v-old',
    ]);
  });

  test('names one that is not there at all', async () => {
    const { credential, ...row } = await rowOf();
    const other = { ...row, pk: 'SLUG#other', slug: 'other', id: 'dep-other', credential };

    expect(await withItem('deployments', other)).toContain('SLUG#other: its credential is missing');
  });
});

describe('a check of credentials in envelopes', () => {
  test('compares the versions of the table', async () => {
    const { store, clock } = service;
    store.enforce('envelope');
    const envelope = { CREDENTIAL_STORE: 'envelope' };
    const run = server({
      ...wireMaintenance({ ...environmentOf(store, 'maintenance'), ...envelope }),
      clock,
    });
    const look = async () => (await run({ operator: 'restore-check' })) as Answer;
    const missing = await look();
    const { version = '' } = (await service.ports.deploymentEditor.read('weather'))!.credential!;
    const management = wireManagement({
      ...environmentOf(store, 'management'),
      ...envelope,
      BASE_URL: 'http://127.0.0.1/v1',
    });
    const place = { deploymentId: id, name: 'main', from: 'store' } as const;
    const ref = { ...place, ownerId: 'ada', sealedFor: 'ada', version };
    const credential = { type: 'bearer', token: 'CANARY', origins: [] } as const;
    await storedCredential(store.instance(), management.credentialVault, ref, credential);
    const there = await look();
    store.enforce('secrets-manager');

    expect(missing.items).toMatchObject([{ what: 'its credential is missing' }]);
    expect(there.items).toEqual([]);
  });
});

describe('a check where a table is missing', () => {
  test.each(['DEPLOYMENTS_TABLE', 'DEPLOYMENT_CONTENT_TABLE', 'CREDENTIALS_TABLE'])(
    'names that of %s and nothing else',
    async (variable) => {
      const run = administrator({ CREDENTIAL_STORE: 'envelope', [variable]: 'test-gone' });

      expect(await run({ operator: 'restore-check' })).toEqual({
        ok: true,
        items: [
          {
            where: 'test-gone',
            what: 'the table is missing',
            hint: 'Restore it under this name.',
          },
        ],
      });
    },
  );

  test.each(['USERS_TABLE', 'OAUTH_TABLE', 'LIMITS_TABLE'])(
    'names that of %s, and compares the others',
    async (variable) => {
      const run = administrator({ [variable]: 'test-gone' });
      const items = () => run({ operator: 'restore-check' }) as Promise<Answer>;

      expect(
        (await without('deployments', { pk: 'OWNER#ada' }, items)).items.map(({ where }) => where),
      ).toEqual(['test-gone', 'OWNER#ada']);
    },
  );

  test('fails where a table cannot be read: nothing is known of it then', async () => {
    const { faults } = service.store.aws;
    faults.inject({ kind: 'deny', on: { operation: 'Scan' } });
    await expect(check()).rejects.toMatchObject({ neighbour: 'dynamodb' });
    faults.clear();
  });
});

describe('a check whose time is over', () => {
  test('goes on where it ended, and lists everything once', async () => {
    const lost = `deployments/dep-lost/v1/spec-${NOON}-abc`;
    const files = service.store.files();
    await files.put(lost, Buffer.from('lost'));
    /** Of invocations that have time for one step each. */
    const walk = async () => {
      const answers: Answer[] = [];
      let after: string | undefined;
      do {
        const context = { getRemainingTimeInMillis: () => 30_000 };
        const answer = (await service.maintain(
          { operator: 'restore-check', ...(after !== undefined && { after }) },
          context,
        )) as Answer;
        answers.push(answer);
        after = answer.next;
      } while (after !== undefined && answers.length < 20);
      return answers;
    };
    const answers = await whileThere('deployments', { pk: 'SLUG#broken' }, walk);
    await files.remove(lost);

    const all = answers.flatMap(({ items }) => items);
    expect(answers.length).toBeGreaterThan(1);
    expect(answers.length).toBeLessThan(20);
    expect(all.map(({ where }) => where)).toEqual(['SLUG#broken', 'deployments/dep-lost/']);
  });

  test.each(['', 'tables', 'rows ', 7])('takes no cursor of another kind: %j', async (after) => {
    await expect(check({ after })).rejects.toThrow('after');
  });
});

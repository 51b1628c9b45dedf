import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoDeploymentEditor } from '../../../layers/core/adapters/dynamodb/deployment-editor.ts';
import { deploymentItem } from '../../../layers/core/adapters/dynamodb/deployment-item.ts';
import { dynamoDeployments } from '../../../layers/core/adapters/dynamodb/deployments.ts';
import { aClock, aDeployment, NOON, startStore, type Store } from './fixtures.ts';

let store: Store;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const table = () => store.tableName('deployments');
const anEditor = () => dynamoDeploymentEditor(store.instance(), table());
const aReader = (clock = aClock()) => ({
  clock,
  ...dynamoDeployments(store.instance(), table(), clock),
});

describe('creating a deployment', () => {
  test.each([
    ['owned', aDeployment({ slug: 'owned' })],
    ['open to any user', aDeployment({ slug: 'any', access: { mode: 'any_user' } })],
    [
      'with everything set',
      aDeployment({
        slug: 'full',
        ownerPlan: 'pro',
        status: 'paused',
        authMethod: 'jwt',
        jwtIssuer: {
          issuer: 'https://issuer.example.com',
          jwksUri: 'https://issuer.example.com/keys',
          audience: 'api',
          algorithms: ['RS256', 'EdDSA'],
        },
        access: { mode: 'allow_list', emails: ['a@example.com'], domains: ['example.com'] },
        allowedOrigins: ['https://app.example.com'],
      }),
    ],
  ])('one that is %s reads back as it was written', async (_, deployment) => {
    const editor = anEditor();

    expect(await editor.create(deployment)).toBe(true);
    expect(await editor.read(deployment.slug)).toEqual(deployment);
  });

  test('is refused where the slug is taken, and leaves the other one alone', async () => {
    const editor = anEditor();
    await editor.create(aDeployment({ slug: 'taken', id: 'first' }));

    expect(await editor.create(aDeployment({ slug: 'taken', id: 'second' }))).toBe(false);
    expect(await editor.read('taken')).toMatchObject({ id: 'first' });
  });

  test('of two at once under one slug exactly one wins', async () => {
    const ids = ['left', 'right'];
    const won = await Promise.all(
      ids.map((id) => anEditor().create(aDeployment({ slug: 'raced', id }))),
    );

    expect([...won].sort()).toEqual([false, true]);
    expect(await anEditor().read('raced')).toMatchObject({ id: ids[won.indexOf(true)] });
  });

  test('is true for a repetition of the very same write, as after a lost answer', async () => {
    const deployment = aDeployment({ slug: 'repeated' });
    await anEditor().create(deployment);

    expect(await anEditor().create(deployment)).toBe(true);
  });
});

describe('replacing a deployment', () => {
  test('writes over the revision before', async () => {
    const editor = anEditor();
    await editor.create(aDeployment({ slug: 'changed' }));
    const changed = aDeployment({ slug: 'changed', name: 'New', version: 3, revision: 2 });

    expect(await editor.replace(changed)).toBe(true);
    expect(await editor.read('changed')).toEqual(changed);
  });

  test.each([
    ['an older revision', { revision: 1, name: 'Late' }],
    ['a revision that is not there yet', { revision: 3 }],
    ['a deployment of another id', { revision: 2, id: 'other' }],
  ])('is refused for %s', async (_, over) => {
    const slug = `kept-${over.revision}-${'id' in over}`;
    await anEditor().create(aDeployment({ slug }));

    expect(await anEditor().replace(aDeployment({ slug, ...over }))).toBe(false);
    expect(await anEditor().read(slug)).toEqual(aDeployment({ slug }));
  });

  test('is refused where there is none', async () => {
    expect(await anEditor().replace(aDeployment({ slug: 'nowhere', revision: 2 }))).toBe(false);
    expect(await anEditor().read('nowhere')).toBeUndefined();
  });

  test('of two at once over one revision exactly one wins', async () => {
    await anEditor().create(aDeployment({ slug: 'contested' }));
    const names = ['left', 'right'];
    const won = await Promise.all(
      names.map((name) =>
        anEditor().replace(aDeployment({ slug: 'contested', name, revision: 2 })),
      ),
    );

    expect([...won].sort()).toEqual([false, true]);
    expect(await anEditor().read('contested')).toMatchObject({ name: names[won.indexOf(true)] });
  });
});

describe('finding a deployment', () => {
  test('reads once for many who ask at once', async () => {
    await anEditor().create(aDeployment({ slug: 'popular' }));
    const reader = aReader();
    store.aws.calls.reset();

    const found = await Promise.all(Array.from({ length: 20 }, () => reader.find('popular')));

    expect(found).toEqual(Array(20).fill(aDeployment({ slug: 'popular' })));
    expect(store.aws.calls.count({ operation: 'GetItem' })).toBe(1);
  });

  test.each([
    ['may be missed for 14 seconds', 14, 'active'],
    ['is seen after 15', 15, 'paused'],
  ])('a change %s', async (_, later, status) => {
    const slug = `changing-${later}`;
    await anEditor().create(aDeployment({ slug }));
    const reader = aReader();
    await reader.find(slug);
    await anEditor().replace(aDeployment({ slug, status: 'paused', revision: 2 }));
    reader.clock.time = NOON + later;

    expect(await reader.find(slug)).toMatchObject({ status });
  });

  test('a deletion is seen after 15 seconds', async () => {
    await anEditor().create(aDeployment({ slug: 'leaving' }));
    const reader = aReader();
    await reader.find('leaving');
    const Key = { pk: 'SLUG#leaving' };
    await store.instance().send(new DeleteCommand({ TableName: table(), Key }));
    reader.clock.time = NOON + 15;

    expect(await reader.find('leaving')).toBeUndefined();
  });

  test('one that was not there is looked for again after two seconds', async () => {
    const reader = aReader();
    expect(await reader.find('coming')).toBeUndefined();
    await anEditor().create(aDeployment({ slug: 'coming' }));

    reader.clock.time = NOON + 1;
    expect(await reader.find('coming')).toBeUndefined();
    reader.clock.time = NOON + 2;
    expect(await reader.find('coming')).toMatchObject({ slug: 'coming' });
  });

  test('is not answered from memory when the store is down and what is known is too old', async () => {
    await anEditor().create(aDeployment({ slug: 'outlived' }));
    const reader = aReader();
    await reader.find('outlived');
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    reader.clock.time = NOON + 14;
    expect(await reader.find('outlived')).toMatchObject({ slug: 'outlived' });
    reader.clock.time = NOON + 15;
    await expect(reader.find('outlived')).rejects.toMatchObject({ neighbour: 'dynamodb' });
  });

  test('works again as soon as the store does', async () => {
    await anEditor().create(aDeployment({ slug: 'recovering' }));
    const reader = aReader();
    store.aws.faults.inject({ kind: 'drop', on: { operation: 'GetItem' }, times: 2 });

    await expect(reader.find('recovering')).rejects.toMatchObject({ name: 'Fault' });
    expect(await reader.find('recovering')).toMatchObject({ slug: 'recovering' });
  });

  test('survives one lost answer', async () => {
    await anEditor().create(aDeployment({ slug: 'shaken' }));
    store.aws.faults.inject({ kind: 'drop', on: { operation: 'GetItem' }, times: 1 });

    expect(await aReader().find('shaken')).toMatchObject({ slug: 'shaken' });
  });
});

describe('a stored deployment from before there were plans', () => {
  test('is on the free one', async () => {
    const { owner_plan: _, ...item } = deploymentItem(aDeployment({ slug: 'planless' }));
    await store.instance().send(new PutCommand({ TableName: table(), Item: item }));

    expect(await anEditor().read('planless')).toEqual(
      aDeployment({ slug: 'planless', ownerPlan: 'free' }),
    );
  });
});

describe('listing the deployments of an owner', () => {
  test('tells all of them, paused ones too, the newest first, and nobody else’s', async () => {
    const own = (slug: string, createdAt: number, status: 'active' | 'paused') =>
      aDeployment({ slug, id: slug, ownerId: 'lister', createdAt, status });
    const [oldest, paused, newest] = [
      own('listed-1', NOON, 'active'),
      own('listed-2', NOON + 1, 'paused'),
      own('listed-3', NOON + 2, 'active'),
    ];
    for (const deployment of [paused, newest, oldest]) await anEditor().create(deployment);
    await anEditor().create(aDeployment({ slug: 'listed-4', ownerId: 'another' }));

    expect(await aReader().listByOwner('lister')).toEqual([newest, paused, oldest]);
  });

  test('tells more than fit into one page', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `paged-${i}`);
    const name = 'x'.repeat(120_000);
    for (const slug of ids) {
      await anEditor().create(aDeployment({ slug, id: slug, ownerId: 'collector', name }));
    }
    store.aws.calls.reset();

    expect(await aReader().listByOwner('collector')).toHaveLength(12);
    expect(store.aws.calls.count({ operation: 'Query' })).toBeGreaterThan(1);
  });

  test('tells none of an owner without any', async () => {
    expect(await aReader().listByOwner('nobody')).toEqual([]);
  });

  test('is a fault when the store is down', async () => {
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(aReader().listByOwner('lister')).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });
});

describe('a stored deployment that does not have its form', () => {
  const issuer = { issuer: 'i', jwks_uri: 'https://i.example', audience: 'a' };
  const { tool_count: _, ...incomplete } = deploymentItem(aDeployment());
  test.each([
    ['an attribute missing', incomplete],
    ['a version of zero', deploymentItem(aDeployment({ version: 0 }))],
    ['an unknown status', { ...deploymentItem(aDeployment()), status: 'gone' }],
    ['an unknown auth method', { ...deploymentItem(aDeployment()), auth_method: 'magic' }],
    [
      'a policy without its list',
      { ...deploymentItem(aDeployment()), access: { mode: 'allow_list' } },
    ],
    ['an unknown plan', { ...deploymentItem(aDeployment()), owner_plan: 'gold' }],
    ...['none', 'HS256', undefined].map(
      (algorithm) =>
        [
          `an issuer that signs with ${algorithm}`,
          {
            ...deploymentItem(aDeployment()),
            jwt_issuer: { ...issuer, algorithms: algorithm === undefined ? [] : [algorithm] },
          },
        ] as const,
    ),
    ['text for a number', { ...deploymentItem(aDeployment()), revision: '1' }],
  ])('is a fault: %s', async (_, item) => {
    const Item = { ...item, pk: 'SLUG#broken' };
    await store.instance().send(new PutCommand({ TableName: table(), Item }));

    await expect(aReader().find('broken')).rejects.toMatchObject({
      neighbour: 'dynamodb',
      message: 'dynamodb: deployment broken is not readable',
    });
    await expect(anEditor().read('broken')).rejects.toMatchObject({ name: 'Fault' });
  });
});

describe('a store that fails', () => {
  test.each(['fail', 'throttle', 'drop'] as const)('is a fault: %s', async (kind) => {
    store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });

    const editor = anEditor();
    await expect(editor.read('any')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(editor.create(aDeployment())).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(editor.replace(aDeployment())).rejects.toMatchObject({ neighbour: 'dynamodb' });
  });

  test('is a fault that keeps its cause and quotes no value: no such table', async () => {
    const editor = dynamoDeploymentEditor(store.instance(), 'no-such-table');

    await expect(editor.read('weather')).rejects.toMatchObject({
      message: 'dynamodb: ResourceNotFoundException',
      cause: { name: 'ResourceNotFoundException' },
    });
  });
});

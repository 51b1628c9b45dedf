import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoDeploymentEditor } from '../../../layers/deployments/store/deployment-editor.ts';
import {
  deploymentItem,
  dynamoDeployments,
} from '../../../layers/deployments/store/deployments.ts';
import { dynamoUnfinishedRemovals } from '../../../layers/deployments/store/removals.ts';
import { dynamoToolIndexes } from '../../../layers/deployments/store/versions/tool-indexes.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import type { UnfinishedRemoval } from '../../../layers/deployments/store/deployment-store.ts';
import type { StoredVersion } from '../../../layers/deployments/rules/versions.ts';
import { dyingBefore, losingAnswers } from '../../support/aws/flaky-dynamo.ts';
import {
  aClock,
  aDeployment,
  anIndex,
  aReport,
  aVersionNotes,
  editorOf,
  NOON,
  startStore,
  usersOf,
} from '../../support/aws/dynamodb-fixtures.ts';
import { aUser } from '../../support/oauth/oauth-fixtures.ts';

const store = await startStore();
afterAll(() => store.stop());
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const table = () => store.tableName('deployments');
const anEditor = (dynamo = store.instance()) => editorOf(store, dynamo);
const aReader = (clock = aClock()) => ({
  clock,
  ...dynamoDeployments(store.instance(), table(), clock),
});

const aVersion = (deploymentId: string, version = 1, tool = 'getForecast'): StoredVersion => ({
  deploymentId,
  version,
  index: anIndex(tool),
  report: aReport(),
  description: '{}',
  inline: true,
  notes: aVersionNotes(),
});
const indexOf = (deploymentId: string, version: number) =>
  dynamoToolIndexes({
    dynamo: store.instance(),
    TableName: store.tableName('deployment-content'),
    files: store.files(),
    clock: aClock(),
  }).find(deploymentId, version);

/** What it is after one change. */
const changed = (before: Deployment, over: Partial<Deployment> = {}): Deployment => ({
  ...before,
  revision: before.revision + 1,
  ...over,
});

describe('creating a deployment', () => {
  test.each([
    ['that its owner alone may use', aDeployment({ slug: 'owned' })],
    ['that is open to any user', aDeployment({ slug: 'any', access: { mode: 'any_user' } })],
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
        credential: {
          type: 'api_key',
          name: 'X-Key',
          in: 'header',
          origins: ['https://a.example'],
          version: 'v',
          setAt: NOON,
        },
        access: { mode: 'allow_list', emails: ['a@example.com'], domains: ['example.com'] },
        allowedOrigins: ['https://app.example.com'],
      }),
    ],
  ])('stores one %s just as it was given', async (_, deployment) => {
    const editor = anEditor();

    expect(await editor.create(deployment)).toBe('created');
    expect(await editor.read(deployment.slug)).toEqual(deployment);
  });

  test('is refused where the slug is taken, and leaves the other one alone', async () => {
    const editor = anEditor();
    await editor.create(aDeployment({ slug: 'taken', id: 'first' }));

    expect(await editor.create(aDeployment({ slug: 'taken', id: 'second' }))).toBe('slug_taken');
    expect(await editor.read('taken')).toMatchObject({ id: 'first' });
  });

  test('succeeds for exactly one of two at once under one slug', async () => {
    const ids = ['left', 'right'];
    const ends = await Promise.all(
      ids.map((id) => anEditor().create(aDeployment({ slug: 'raced', id }))),
    );

    expect([...ends].sort()).toEqual(['created', 'slug_taken']);
    expect(await anEditor().read('raced')).toMatchObject({ id: ids[ends.indexOf('created')] });
  });

  test('succeeds where the answer was lost on its way', async () => {
    const deployment = aDeployment({ slug: 'lost', ownerId: 'owner-of-lost' });
    const shaken = anEditor(losingAnswers(store.instance(), { to: 'TransactWriteItems' }));

    expect(await shaken.create(deployment, { maxActive: 1 })).toBe('created');
    expect(await anEditor().activeSlugs('owner-of-lost')).toEqual(['lost']);
  });

  test('may be repeated with the very same deployment', async () => {
    const deployment = aDeployment({ slug: 'repeated' });
    await anEditor().create(deployment);

    expect(await anEditor().create(deployment)).toBe('created');
  });

  test('stores its first version with it, or neither', async () => {
    const [dead, made] = ['dead', 'made'].map((id) => aDeployment({ id, slug: id }));
    const dying = anEditor(dyingBefore(store.instance(), 1));
    await expect(dying.create(dead!, { version: aVersion('dead') })).rejects.toThrow('Killed');
    await anEditor().create(made!, { version: aVersion('made') });

    expect(await anEditor().read('dead')).toBeUndefined();
    expect(await indexOf('dead', 1)).toBeUndefined();
    expect(await indexOf('made', 1)).toEqual(anIndex('getForecast'));
  });

  test('stores no version of one whose slug is taken', async () => {
    await anEditor().create(aDeployment({ slug: 'first-come', id: 'first' }));
    const late = aDeployment({ slug: 'first-come', id: 'late' });

    expect(await anEditor().create(late, { version: aVersion('late') })).toBe('slug_taken');
    expect(await indexOf('late', 1)).toBeUndefined();
  });

  test.each([
    ['has signed out meanwhile', { signedOutAt: NOON }],
    ['is gone', undefined],
  ])('is refused where its owner %s', async (name, change) => {
    const user = aUser({ id: `owner who ${name}`, email: `${name.length}@example.com` });
    const users = usersOf(store);
    await users.create(user);
    const slug = `owned-${name.length}`;
    const deployment = aDeployment({ slug, id: slug, ownerId: user.id });
    if (change) await users.replace({ ...user, ...change, revision: 2 });
    else await users.remove(user);

    expect(await anEditor().create(deployment, { owner: user })).toBe('owner_gone');
    expect(await anEditor().read(slug)).toBeUndefined();
    expect(await anEditor().activeSlugs(user.id)).toEqual([]);
  });
});

describe('the number of active deployments of an owner', () => {
  const own = (ownerId: string, slug: string, over: Partial<Deployment> = {}) =>
    aDeployment({ id: slug, slug, ownerId, ...over });

  test('has a limit that no number of creations at once exceeds', async () => {
    const slugs = Array.from({ length: 8 }, (_, number) => `crowd-${number}`);
    const ends = await Promise.all(
      slugs.map((slug) => anEditor().create(own('crowd', slug), { maxActive: 3 })),
    );

    const created = slugs.filter((_, index) => ends[index] === 'created');
    expect(created).toHaveLength(3);
    expect(new Set(ends)).toEqual(new Set(['created', 'limit_reached']));
    expect((await anEditor().activeSlugs('crowd')).toSorted()).toEqual(created);
    for (const slug of slugs) {
      expect((await anEditor().read(slug)) !== undefined).toBe(created.includes(slug));
    }
  });

  test('may exceed the limit where none is requested', async () => {
    await anEditor().create(own('operated', 'operated-1'), { maxActive: 1 });

    expect(await anEditor().create(own('operated', 'operated-2'))).toBe('created');
    expect(await anEditor().activeSlugs('operated')).toHaveLength(2);
  });

  test('may be none', async () => {
    expect(await anEditor().create(own('nobody', 'none'), { maxActive: 0 })).toBe('limit_reached');
  });

  test('goes down where one is paused, and up where it is active again', async () => {
    const active = own('pausing', 'pausing-1');
    const paused = changed(active, { status: 'paused' });
    const again = changed(paused, { status: 'active' });
    await anEditor().create(active);

    await anEditor().replace(active, paused);
    expect(await anEditor().activeSlugs('pausing')).toEqual([]);
    await anEditor().create(own('pausing', 'pausing-2'));
    expect(await anEditor().replace(paused, again, { maxActive: 1 })).toBe('limit_reached');
    expect(await anEditor().read('pausing-1')).toEqual(paused);
    expect(await anEditor().replace(paused, again, { maxActive: 2 })).toBe('replaced');
    expect((await anEditor().activeSlugs('pausing')).toSorted()).toEqual([
      'pausing-1',
      'pausing-2',
    ]);
  });

  test('does not keep an active one from being changed', async () => {
    const full = own('full', 'full-1');
    await anEditor().create(full);

    const renamed = changed(full, { name: 'New' });
    expect(await anEditor().replace(full, renamed, { maxActive: 1 })).toBe('replaced');
  });

  test('is forgotten with its owner, once nothing is active', async () => {
    const last = own('leaving-owner', 'last');
    await anEditor().create(last);
    await anEditor().forgetOwner('leaving-owner');
    expect(await anEditor().activeSlugs('leaving-owner')).toEqual(['last']);

    await anEditor().replace(last, changed(last, { status: 'removing' }));
    await anEditor().forgetOwner('leaving-owner');
    expect(await anEditor().activeSlugs('leaving-owner')).toEqual([]);
  });
});

describe('replacing a deployment', () => {
  test('writes over the revision before', async () => {
    const before = aDeployment({ slug: 'changed' });
    await anEditor().create(before);
    const after = changed(before, { name: 'New', version: 3 });

    expect(await anEditor().replace(before, after)).toBe('replaced');
    expect(await anEditor().read('changed')).toEqual(after);
  });

  test.each([
    ['a revision that is not there any more', { revision: 0 }],
    ['a revision that is not there yet', { revision: 2 }],
    ['a deployment of another id', { id: 'other' }],
  ])('is refused for %s', async (_, over) => {
    const slug = `kept-${Object.values(over).join()}`;
    const stored = aDeployment({ slug });
    await anEditor().create(stored);
    const before = { ...stored, ...over };

    expect(await anEditor().replace(before, changed(before, { name: 'Late' }))).toBe('stale');
    expect(await anEditor().read(slug)).toEqual(stored);
  });

  test('is refused where there is none', async () => {
    const nowhere = aDeployment({ slug: 'nowhere' });

    expect(await anEditor().replace(nowhere, changed(nowhere))).toBe('stale');
    expect(await anEditor().read('nowhere')).toBeUndefined();
  });

  test('succeeds for exactly one of two at once over one revision', async () => {
    const before = aDeployment({ slug: 'contested' });
    await anEditor().create(before);
    const names = ['left', 'right'];
    const ends = await Promise.all(
      names.map((name) => anEditor().replace(before, changed(before, { name }))),
    );

    expect([...ends].sort()).toEqual(['replaced', 'stale']);
    expect(await anEditor().read('contested')).toMatchObject({
      name: names[ends.indexOf('replaced')],
    });
  });

  test('serves a new version together with storing it, or neither', async () => {
    const before = aDeployment({ id: 'versioned', slug: 'versioned' });
    await anEditor().create(before, { version: aVersion('versioned') });
    const after = changed(before, { version: 2, history: [1, 2] });
    const late = changed(before, { revision: 2, version: 2, history: [1, 2], name: 'Late' });

    const version = aVersion('versioned', 2, 'putForecast');
    expect(await anEditor().replace(before, after, { version })).toBe('replaced');
    expect(
      await anEditor().replace(before, late, { version: aVersion('versioned', 2, 'lateForecast') }),
    ).toBe('stale');
    expect(await anEditor().read('versioned')).toEqual(after);
    expect(await indexOf('versioned', 2)).toEqual(anIndex('putForecast'));
  });

  test('removes versions that left the history, and no others', async () => {
    const before = aDeployment({ id: 'long', slug: 'long', version: 2, history: [1, 2] });
    await anEditor().create(before, { version: aVersion('long', 2) });
    const after = changed(before, { version: 3, history: [3] });
    await anEditor().replace(before, after, { version: aVersion('long', 3) });

    expect(await indexOf('long', 2)).toBeUndefined();
    expect(await indexOf('long', 3)).toEqual(anIndex('getForecast'));
  });
});

describe('removing a deployment', () => {
  const unfinishedRemovals = () =>
    dynamoUnfinishedRemovals(store.instance(), store.tableName('deployments'));
  const found = async (limit = 1000): Promise<readonly UnfinishedRemoval[]> => {
    const items: UnfinishedRemoval[] = [];
    let after: string | undefined;
    do {
      const page = await unfinishedRemovals().page({ limit, after });
      items.push(...page.items);
      after = page.next;
    } while (after !== undefined);
    return items;
  };
  const removedIds = async () =>
    (await found()).flatMap((one) => (one.kind === 'removed' ? [one.removed.deploymentId] : []));

  test('is remembered until it is forgotten', async () => {
    const deployment = aDeployment({ id: 'removed', slug: 'removed' });
    await anEditor().create(deployment);
    await anEditor().remove(deployment, NOON);

    expect(await anEditor().read('removed')).toBeUndefined();
    expect(await found()).toContainEqual({
      after: 'REMOVED#removed',
      kind: 'removed',
      removed: { deploymentId: 'removed', removedAt: NOON },
    });
    await unfinishedRemovals().forget('removed');
    expect(await removedIds()).not.toContain('removed');
  });

  test('is found again where it broke off, on pages of any size, and nothing else is', async () => {
    const broken = aDeployment({ id: 'broken', slug: 'broken', status: 'removing' });
    await anEditor().create(broken);
    await anEditor().create(aDeployment({ id: 'whole', slug: 'whole' }));

    const all = await found();
    expect(all).toContainEqual({ after: 'SLUG#broken', kind: 'removing', deployment: broken });
    expect(all.map(({ kind }) => kind)).not.toContain('unreadable');
    expect(await found(1)).toEqual(all);
  });

  test('is reported where its item cannot be read', async () => {
    const Item = { pk: 'SLUG#garbled', status: 'removing' };
    await store
      .instance()
      .send(new PutCommand({ TableName: store.tableName('deployments'), Item }));

    expect(await found()).toContainEqual({ after: 'SLUG#garbled', kind: 'unreadable' });
  });

  test('leaves alone another one that has the slug by now', async () => {
    await anEditor().create(aDeployment({ id: 'newer', slug: 'passed-on' }));
    await anEditor().remove(aDeployment({ id: 'older', slug: 'passed-on' }), NOON);

    expect(await anEditor().read('passed-on')).toMatchObject({ id: 'newer' });
    expect(await removedIds()).not.toContain('older');
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
    ['may miss a change for 14 seconds', 14, 'active'],
    ['sees a change after 15 seconds', 15, 'paused'],
  ])('%s', async (_, later, status) => {
    const slug = `changing-${later}`;
    const before = aDeployment({ slug });
    await anEditor().create(before);
    const reader = aReader();
    await reader.find(slug);
    await anEditor().replace(before, changed(before, { status: 'paused' }));
    reader.clock.time = NOON + later;

    expect(await reader.find(slug)).toMatchObject({ status });
  });

  test('sees a deletion after 15 seconds', async () => {
    await anEditor().create(aDeployment({ slug: 'leaving' }));
    const reader = aReader();
    await reader.find('leaving');
    const Key = { pk: 'SLUG#leaving' };
    await store.instance().send(new DeleteCommand({ TableName: table(), Key }));
    reader.clock.time = NOON + 15;

    expect(await reader.find('leaving')).toBeUndefined();
  });

  test('looks again after two seconds for one that was not there', async () => {
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

describe('listing the deployments of an owner', () => {
  test('returns all of them, paused ones too, the newest first, and nobody else’s', async () => {
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

  test('returns more than fit into one page', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `paged-${i}`);
    const name = 'x'.repeat(120_000);
    for (const slug of ids) {
      await anEditor().create(aDeployment({ slug, id: slug, ownerId: 'collector', name }));
    }
    store.aws.calls.reset();

    expect(await aReader().listByOwner('collector')).toHaveLength(12);
    expect(store.aws.calls.count({ operation: 'Query' })).toBeGreaterThan(1);
  });

  test('returns none for an owner without any', async () => {
    expect(await aReader().listByOwner('nobody')).toEqual([]);
  });

  test('is reported as a fault when the store is down', async () => {
    store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(aReader().listByOwner('lister')).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });
});

describe('a stored deployment that is not as it was stored', () => {
  const issuer = { issuer: 'i', jwksUri: 'https://i.example', audience: 'a' };
  const { toolCount: _, ...incomplete } = deploymentItem(aDeployment());
  test.each([
    ['an attribute missing', incomplete],
    ['a version of zero', deploymentItem(aDeployment({ version: 0 }))],
    ['an unknown status', { ...deploymentItem(aDeployment()), status: 'gone' }],
    ['an unknown auth method', { ...deploymentItem(aDeployment()), mcpAuthMethod: 'magic' }],
    [
      'a policy without its list',
      { ...deploymentItem(aDeployment()), access: { mode: 'allow_list' } },
    ],
    ['an unknown plan', { ...deploymentItem(aDeployment()), ownerPlan: 'gold' }],
    ...['none', 'HS256', undefined].map(
      (algorithm) =>
        [
          `an issuer that signs with ${algorithm}`,
          {
            ...deploymentItem(aDeployment()),
            jwtIssuer: { ...issuer, algorithms: algorithm === undefined ? [] : [algorithm] },
          },
        ] as const,
    ),
    ['text for a number', { ...deploymentItem(aDeployment()), revision: '1' }],
  ])('is reported as a fault: %s', async (_, item) => {
    const Item = { ...item, pk: 'SLUG#broken' };
    await store.instance().send(new PutCommand({ TableName: table(), Item }));

    await expect(aReader().find('broken')).rejects.toMatchObject({
      neighbour: 'dynamodb',
      message: 'dynamodb: deployment broken is not readable',
    });
    await expect(anEditor().read('broken')).rejects.toMatchObject({ name: 'Fault' });
  });
});

describe('a store that is down', () => {
  test.each(['fail', 'throttle', 'drop'] as const)('is reported as a fault (%s)', async (kind) => {
    store.aws.faults.inject({ kind, on: { service: 'dynamodb' } });

    const editor = anEditor();
    await expect(editor.read('any')).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(editor.create(aDeployment())).rejects.toMatchObject({ neighbour: 'dynamodb' });
    await expect(editor.replace(aDeployment(), aDeployment())).rejects.toMatchObject({
      neighbour: 'dynamodb',
    });
  });

  test('is reported with its cause and without any value: no such table', async () => {
    const none = 'no-such-table';
    const tables = { deployments: none, content: none, users: none };
    const editor = dynamoDeploymentEditor(store.instance(), tables, store.files());

    await expect(editor.read('weather')).rejects.toMatchObject({
      message: 'dynamodb: ResourceNotFoundException',
      cause: { name: 'ResourceNotFoundException' },
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { countedCallStore } from '../../support/aws/counted-calls.ts';
import { aDeployment, NOON } from '../../support/aws/dynamodb-fixtures.ts';
import type { ApiCall, Owner } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

serveTwoOwners();

let deployments = 0;
const aSlug = async (): Promise<string> => {
  const slug = `activity-${(deployments += 1)}`;
  await service.ports.deploymentEditor.create(
    aDeployment({ id: slug, slug, ownerId: owner.user.id }),
  );
  return slug;
};
const activity = (slug: string, query = '', more: ApiCall = {}) =>
  service.call('GET', `/deployments/${slug}/activity`, { as: owner, query, ...more });

/** As the router does, at some time. */
const happened = async (slug: string, at: number, why: string): Promise<void> => {
  const before = service.clock.time;
  service.clock.time = at;
  service.ports.events.record({
    type: 'security',
    event: 'authentication_failed',
    deploymentId: slug,
    slug,
    subject: '192.0.2.1',
    why,
  });
  service.ports.events.record({
    type: 'quota_warning',
    deploymentId: slug,
    slug,
    subject: 'user-1',
    plan: 'free',
    window: 'month',
    limit: 1000,
  });
  await service.ports.events.flush();
  service.clock.time = before;
};

const called = async (slug: string, at: number, tool = 'listPets'): Promise<void> => {
  const store = countedCallStore(service.store);
  const call = {
    at,
    requestId: `request-${at}`,
    deploymentId: slug,
    version: 1,
    tool,
    subject: '192.0.2.1',
    ip: '192.0.2.1',
  };
  await store.store(
    [
      { ...call, index: 0, outcome: 'ok', status: 200, durationMs: 30 },
      { ...call, index: 1, outcome: 'target_error', status: 500, durationMs: 70 },
    ],
    'router-1',
  );
};

describe('GET /deployments/{slug}/activity', () => {
  test('lists security events, quota warnings and daily calls of tools', async () => {
    const slug = await aSlug();
    await happened(slug, NOON - 60, 'expired');
    await called(slug, NOON - 30);

    expect((await activity(slug)).body).toEqual({
      items: [
        expect.objectContaining({ type: expect.any(String), at: '2026-11-20T11:59:00Z' }),
        expect.objectContaining({ type: expect.any(String), at: '2026-11-20T11:59:00Z' }),
        {
          type: 'tool_invocations',
          day: '2026-11-20',
          tool: 'listPets',
          calls: 2,
          outcomes: { ok: 1, target_error: 1, no_answer: 0, refused: 0 },
          errors: 1,
          trials: 0,
          latency_ms: { count: 2, sum: 100, max: 70 },
          hours: [
            {
              hour: 11,
              calls: 2,
              outcomes: { ok: 1, target_error: 1, no_answer: 0, refused: 0 },
              errors: 1,
              trials: 0,
              latency_ms: { count: 2, sum: 100, max: 70 },
            },
          ],
        },
      ],
    });
    expect((await activity(slug, 'type=security')).body.items).toEqual([
      {
        type: 'security',
        at: '2026-11-20T11:59:00Z',
        event: 'authentication_failed',
        subject: '192.0.2.1',
        why: 'expired',
        count: 1,
      },
    ]);
    expect((await activity(slug, 'type=quota_warning')).body.items).toEqual([
      {
        type: 'quota_warning',
        at: '2026-11-20T11:59:00Z',
        subject: 'user-1',
        plan: 'free',
        window: 'month',
        limit: 1000,
      },
    ]);
    expect((await activity(slug, 'type=tool_invocations')).body.items).toHaveLength(1);
    expect((await activity(slug, 'type=credential_access')).body.items).toEqual([]);
  });

  test.each([
    ['a moment', 'since=2026-11-18T00:00:00Z', ['2026-11-19', '2026-11-18']],
    ['a moment elsewhere', 'since=2026-11-19T01:00:00%2B02:00', ['2026-11-19', '2026-11-18']],
    ['a date', 'since=2026-11-19', ['2026-11-19']],
    ['ever', '', ['2026-11-19', '2026-11-18', '2026-08-22']],
    ['longer ago than is kept', 'since=2020-01-01', ['2026-11-19', '2026-11-18', '2026-08-22']],
    ['the future', 'since=2030-01-01', []],
  ])('can start at %s', async (title, query, days) => {
    const slug = await aSlug();
    for (const ago of [1, 2, 90, 91])
      await called(slug, NOON - ago * DAY, title.replace(/\W/g, '_'));

    const { status, body } = await activity(slug, query);
    expect(status).toBe(200);
    expect(body.items?.map(({ day }) => day)).toEqual(days);
  });

  test('lists everything exactly once over several pages', async () => {
    const slug = await aSlug();
    for (let ago = 0; ago < 6; ago += 1) {
      await happened(slug, NOON - ago * DAY, `why-${ago}`);
      await called(slug, NOON - ago * DAY);
    }

    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await activity(slug, `limit=5${cursor && `&cursor=${cursor}`}`);
      for (const item of body.items ?? [])
        seen.push(String(item['day'] ?? item['at']).slice(0, 10));
      cursor = String(body['next_cursor'] ?? '');
    } while (cursor !== '');
    expect(seen).toEqual(seen.toSorted().toReversed());
    const perDay = Map.groupBy(seen, (day) => day);
    expect([...perDay].map(([, entries]) => entries.length)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  test('omits the activity of an earlier deployment with the same slug', async () => {
    const slug = await aSlug();
    await happened(slug, NOON, 'before');
    const { deploymentEditor } = service.ports;
    const before = (await deploymentEditor.read(slug))!;
    await deploymentEditor.remove(before, NOON);
    await deploymentEditor.create(
      aDeployment({ id: `${slug}-new`, slug, ownerId: before.ownerId }),
    );

    expect((await activity(slug)).body).toEqual({ items: [] });
  });

  test.each([
    ['an unknown type', 'type=everything', '/type'],
    ['two types', 'type=security&type=quota_warning', '/type'],
    ['an unreadable time', 'since=yesterday', '/since'],
    ['a page size of zero', 'limit=0', '/limit'],
    ['a cursor of another list', 'cursor=WyJncmFudHMiLCJ4Il0', '/cursor'],
    ['an unknown name', 'until=2026-01-01', '/until'],
  ])('is refused for %s', async (_, query, where) => {
    const { status, body } = await activity(await aSlug(), query);
    expect([status, body['code']]).toEqual([422, 'invalid_request']);
    expect(body['findings']).toMatchObject([{ where }]);
  });

  test('is hidden from other users', async () => {
    const slug = await aSlug();
    await happened(slug, NOON, 'x');
    expect(await activity(slug, '', { as: stranger })).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is no deployment of this name.' },
    });
  });
});

describe('GET /account/activity', () => {
  const ofAccount = (as: Owner, query = '') =>
    service.call('GET', '/account/activity', { as, query });

  const failed = async ({ user }: Owner, at: number): Promise<void> => {
    service.clock.time = at;
    service.ports.events.record({
      type: 'security',
      event: 'login_failed',
      accountId: user.id,
      subject: '192.0.2.1',
      why: 'wrong password',
    });
    await service.ports.events.flush();
    service.clock.time = NOON;
  };

  test('lists the events of the signed-in user in pages with the newest first', async () => {
    const [ann, bob] = [await service.owner(), await service.owner()];
    for (const ago of [30, 20, 10]) await failed(ann, NOON - ago);
    await failed(bob, NOON - 5);

    const { body } = await ofAccount(ann, 'limit=2');
    expect(body.items).toEqual([
      {
        type: 'security',
        at: '2026-11-20T11:59:50Z',
        event: 'login_failed',
        subject: '192.0.2.1',
        why: 'wrong password',
      },
      expect.objectContaining({ at: '2026-11-20T11:59:40Z' }),
    ]);
    const rest = await ofAccount(ann, `limit=2&cursor=${String(body['next_cursor'])}`);
    expect(rest.body).toEqual({ items: [expect.objectContaining({ at: '2026-11-20T11:59:30Z' })] });
  });

  test('can be filtered by type and start', async () => {
    const ann = await service.owner();
    for (const ago of [2, 91]) await failed(ann, NOON - ago * DAY);
    const count = async (query: string) => (await ofAccount(ann, query)).body.items?.length;

    expect(await count('type=security')).toBe(1);
    expect(await count('type=credential_access')).toBe(0);
    expect(await count('since=2026-11-19')).toBe(0);
  });

  test.each([
    ['the type of tool calls', 'type=tool_invocations', '/type'],
    ['a cursor of a deployment', 'cursor=WyJhY3Rpdml0eSIsIngiXQ', '/cursor'],
  ])('is refused for %s', async (_, query, where) => {
    const { status, body } = await ofAccount(owner, query);
    expect([status, body['findings']]).toMatchObject([422, [{ where }]]);
  });

  test('requires a session', async () => {
    expect(await service.call('GET', '/account/activity')).toMatchObject({ status: 401 });
  });
});

import { describe, expect, test } from '@jest/globals';
import { dynamoToolCounts } from '../../../layers/core/adapters/dynamodb/tool-counts.ts';
import { DAY } from '../../../layers/core/domain/time.ts';
import { aDeployment, NOON } from '../../adapters/dynamodb/fixtures.ts';
import type { ApiCall, Owner } from '../../support/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/two-owners.ts';

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
  const { log, mint } = service.ports;
  const clock = { now: () => at, elapsedMs: () => 0 };
  const table = service.store.tableName('security-events');
  const counts = dynamoToolCounts({ clock, log, mint }, service.store.instance(), table, 90);
  const call = { deploymentId: slug, tool };
  counts.ended(call, { outcome: 'ok', durationMs: 30 });
  counts.ended(call, { outcome: 'target_error', durationMs: 70 });
  await counts.began(call);
};

describe('the activity of a deployment', () => {
  test('has security events, warnings and calls by tool and day', async () => {
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
          calls: 1,
          outcomes: { ok: 1, target_error: 1, no_answer: 0 },
          errors: 1,
          latency_ms: { count: 2, sum: 100, max: 70 },
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
  ])('can be asked for since %s', async (title, query, days) => {
    const slug = await aSlug();
    for (const ago of [1, 2, 90, 91])
      await called(slug, NOON - ago * DAY, title.replace(/\W/g, '_'));

    const { status, body } = await activity(slug, query);
    expect(status).toBe(200);
    expect(body.items?.map(({ day }) => day)).toEqual(days);
  });

  test('comes page by page, each thing once', async () => {
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

  test('is not that of a deployment that had the slug before', async () => {
    const slug = await aSlug();
    await happened(slug, NOON, 'before');
    const { deploymentEditor } = service.ports;
    const before = (await deploymentEditor.read(slug))!;
    await deploymentEditor.replace({ ...before, id: before.id, revision: 2 });
    await deploymentEditor.remove(before);
    await deploymentEditor.create(
      aDeployment({ id: `${slug}-new`, slug, ownerId: stranger.user.id }),
    );

    expect((await activity(slug, '', { as: stranger })).body).toEqual({ items: [] });
  });

  test.each([
    ['an unknown type', 'type=everything', '/type'],
    ['two types', 'type=security&type=quota_warning', '/type'],
    ['no time', 'since=yesterday', '/since'],
    ['no page', 'limit=0', '/limit'],
    ['a cursor of another list', 'cursor=WyJncmFudHMiLCJ4Il0', '/cursor'],
    ['an unknown name', 'until=2026-01-01', '/until'],
  ])('is refused for %s', async (_, query, where) => {
    const { status, body } = await activity(await aSlug(), query);
    expect([status, body['code']]).toEqual([422, 'invalid_request']);
    expect(body['findings']).toMatchObject([{ where }]);
  });

  test('of another owner is not there', async () => {
    const slug = await aSlug();
    await happened(slug, NOON, 'x');
    expect(await activity(slug, '', { as: stranger })).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is no deployment of this name.' },
    });
  });
});

describe('the activity of an account', () => {
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

  test('is that of whoever asks, the newest first, page by page', async () => {
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

  test('is asked for by type and time', async () => {
    const ann = await service.owner();
    for (const ago of [2, 91]) await failed(ann, NOON - ago * DAY);
    const count = async (query: string) => (await ofAccount(ann, query)).body.items?.length;

    expect(await count('type=security')).toBe(1);
    expect(await count('type=credential_access')).toBe(0);
    expect(await count('since=2026-11-19')).toBe(0);
  });

  test.each([
    ['calls of tools', 'type=tool_invocations', '/type'],
    ['a cursor of a deployment', 'cursor=WyJhY3Rpdml0eSIsIngiXQ', '/cursor'],
  ])('is refused for %s', async (_, query, where) => {
    const { status, body } = await ofAccount(owner, query);
    expect([status, body['findings']]).toMatchObject([422, [{ where }]]);
  });

  test('is for those with a session', async () => {
    expect(await service.call('GET', '/account/activity')).toMatchObject({ status: 401 });
  });
});

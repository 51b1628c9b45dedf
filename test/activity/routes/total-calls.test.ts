import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { DAY, HOUR } from '../../../layers/platform/rules/time.ts';
import { countedCallStore } from '../../support/aws/counted-calls.ts';
import { aDeployment, NOON } from '../../support/aws/dynamodb-fixtures.ts';
import type { ApiCall, Owner } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

serveTwoOwners();

const aSlug = async (of: Owner = owner): Promise<string> => {
  const slug = `totals-${randomUUID().slice(0, 8)}`;
  await service.ports.deploymentEditor.create(
    aDeployment({ id: slug, slug, ownerId: of.user.id, authMethod: 'oauth' }),
  );
  return slug;
};

const called = async (slug: string, ...all: readonly Partial<CallRecord>[]): Promise<void> => {
  const store = countedCallStore(service.store);
  const calls = all.map((over): CallRecord => ({
    at: NOON - 60,
    requestId: randomUUID(),
    index: 0,
    deploymentId: slug,
    version: 1,
    tool: 'listPets',
    outcome: 'ok',
    status: 200,
    durationMs: 30,
    subject: '192.0.2.1',
    ip: '192.0.2.1',
    ...over,
  }));
  await store.store(calls, 'router-1');
};

const totals = async (query = '', as = owner) =>
  (await service.call('GET', '/account/calls', { as, query })).body.items;

const callers = (slug: string, query = '', more: ApiCall = {}) =>
  service.call('GET', `/deployments/${slug}/callers`, { as: owner, query, ...more });

describe('the calls of an account', () => {
  test('are those of today, by deployment and hour, all tools together', async () => {
    const as = await service.owner();
    const [busy, quiet] = [await aSlug(as), await aSlug(as)];
    await called(
      busy,
      { at: NOON - HOUR, tool: 'a', durationMs: 10 },
      { at: NOON - HOUR, tool: 'b', durationMs: 30, outcome: 'target_error' },
      { at: NOON, tool: 'a', outcome: 'refused', durationMs: 1 },
      { at: NOON - DAY, tool: 'a' },
    );
    const items = await totals('', as);

    expect(items?.find(({ slug }) => slug === quiet)).toMatchObject({ calls: 0, hours: [] });
    expect(items?.find(({ slug }) => slug === busy)).toMatchObject({
      calls: 3,
      errors: 2,
      outcomes: { ok: 1, target_error: 1, no_answer: 0, refused: 1 },
      latency_ms: { count: 2, sum: 40, max: 30 },
      hours: [
        { hour: '2026-11-20T11:00:00Z', calls: 2, errors: 1 },
        { hour: '2026-11-20T12:00:00Z', calls: 1, errors: 1 },
      ],
    });
  });

  test('reach back a week, if that is requested, and no further', async () => {
    const as = await service.owner();
    const slug = await aSlug(as);
    await called(slug, { at: NOON - 6 * DAY }, { at: NOON - 7 * DAY });

    expect(await totals('since=2026-11-14', as)).toMatchObject([{ calls: 1 }]);
    expect(await totals('since=2026-01-01', as)).toMatchObject([{ calls: 1 }]);
    expect(await totals('since=2027-01-01', as)).toMatchObject([{ calls: 0 }]);
  });

  test('come by pages, in the order of the list of deployments', async () => {
    const as = await service.owner();
    const slugs = [await aSlug(as), await aSlug(as)];
    const first = await service.call('GET', '/account/calls', { as, query: 'limit=1' });
    const next = String(first.body['next_cursor']);
    const second = await totals(`limit=1&cursor=${encodeURIComponent(next)}`, as);

    const shown = [...(first.body.items ?? []), ...(second ?? [])].map(({ slug }) => slug);
    expect(shown.toSorted()).toEqual(slugs.toSorted());
  });

  test('are those of nobody else', async () => {
    const as = await service.owner();
    await called(await aSlug(), {});

    expect(await totals('', as)).toEqual([]);
  });
});

describe('the problems of a deployment', () => {
  test('are those of stored calls, also of before, with what mends them', async () => {
    const slug = await aSlug();
    const refused = { outcome: 'refused', reason: 'invalid_params' } as const;
    const wrong = { argument: 'filter', keyword: 'type', sent: 'object' };
    // As calls were stored before: what was missing, and no other fault.
    const before = { ...refused, missing: ['body.length'] };
    await called(
      slug,
      { ...refused, faults: [wrong] },
      { ...refused, faults: [wrong], subject: 'other' },
      { ...refused, faults: [wrong], trial: true },
      before,
      {},
    );

    const { status, body } = await service.call('GET', `/deployments/${slug}/problems`, {
      as: owner,
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ calls: 4, errors: 3, trials: 1, complete: true });
    expect(body.items).toEqual([
      {
        tool: 'listPets',
        cause: 'wrong_argument',
        ...wrong,
        calls: 2,
        callers: 2,
        last_at: '2026-11-20T11:59:00Z',
        what: 'filter is sent as an object',
        remedies: ['lenient_checks', 'describe_tool', 'fix_argument', 'hide_argument', 'overlay'],
      },
      expect.objectContaining({ cause: 'missing_argument', argument: 'body.length' }),
    ]);
  });

  test('are shown to the owner alone', async () => {
    const slug = await aSlug();
    const asked = (as?: Owner) => service.call('GET', `/deployments/${slug}/problems`, { as });

    expect((await asked(stranger)).status).toBe(404);
    expect((await asked()).status).toBe(401);
  });
});

describe('the callers of a deployment', () => {
  test('are counted by person and client, the busiest first', async () => {
    const slug = await aSlug();
    const user = { subject: stranger.user.id, clientId: 'mcp_1', grantId: 'grant-1' };
    await called(
      slug,
      { ...user, at: NOON - 30 },
      { ...user, outcome: 'no_answer' },
      { ...user, outcome: 'refused' },
      { ...user, clientId: 'mcp_2', grantId: 'grant-2' },
      {},
      {},
    );

    expect((await callers(slug)).body).toEqual({
      items: [
        {
          subject: stranger.user.id,
          email: stranger.user.email,
          client_id: 'mcp_1',
          grant_id: 'grant-1',
          calls: 3,
          errors: 2,
          refused: 1,
          last_at: '2026-11-20T11:59:30Z',
        },
        expect.objectContaining({ subject: '192.0.2.1', calls: 2 }),
        expect.objectContaining({ client_id: 'mcp_2', calls: 1 }),
      ],
      calls: 6,
      errors: 2,
      trials: 0,
      complete: true,
    });
  });

  test('are those since a moment', async () => {
    const slug = await aSlug();
    await called(slug, { at: NOON - DAY, subject: 'earlier' }, { subject: 'later' });

    expect((await callers(slug, 'since=2026-11-20')).body.items).toMatchObject([
      { subject: 'later' },
    ]);
  });

  test('are shown to the owner alone', async () => {
    const slug = await aSlug();

    expect((await callers(slug, '', { as: stranger })).status).toBe(404);
    expect((await callers(slug, '', { as: undefined })).status).toBe(401);
  });
});

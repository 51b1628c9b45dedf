import { describe, expect, test } from '@jest/globals';
import { dynamoPublicRequests } from '../../../../layers/limits/store/public-requests.ts';
import { NOON, type Owner } from '../../../support/service/management.ts';
import { serveTwoOwners, service } from '../../../support/service/two-owners.ts';

serveTwoOwners();

/** At a limit of two a minute: five times it is too many for one deployment, fifty times for all. */
const ask = (subject: string, slug: string, times: number) =>
  dynamoPublicRequests(service.store.instance(), service.store.tableName('limits'), 2).count(
    { subject, deploymentId: `dep-${slug}`, slug },
    times,
    NOON,
  );
const anOperator = () => service.owner({ operator: true });
const query = (sent: object) => new URLSearchParams(Object.entries(sent)).toString();
const find = (as: Owner, subject: string) =>
  service.call('GET', '/operator/blocks', { as, query: query({ subject }) });
const lift = (as: Owner, sent: object) =>
  service.call('DELETE', '/operator/blocks', { as, query: query(sent) });

const UNTIL = { until: '2026-11-20T13:00:00Z', limit: 'public_requests_per_minute_per_ip' };

describe('the blocks of a client address', () => {
  test('are found in any spelling, here and everywhere', async () => {
    const as = await anOperator();
    await ask('2001:db8:7:7::/64', 'weather', 10);
    await ask('192.0.2.70', 'weather', 100);

    for (const spelling of ['2001:DB8:7:7::5', '2001:db8:7:7::/64', ' 2001:db8:7:7:0:0:0:1 ']) {
      expect((await find(as, spelling)).body).toEqual({
        subject: '2001:db8:7:7::/64',
        items: [{ slug: 'weather', ...UNTIL }],
      });
    }
    expect((await find(as, '::ffff:192.0.2.70')).body).toEqual({
      subject: '192.0.2.70',
      items: [UNTIL],
    });
    expect((await find(as, '192.0.2.71')).body).toEqual({ subject: '192.0.2.71', items: [] });
  });

  test('are lifted, and the event names the operator', async () => {
    const as = await anOperator();
    await ask('192.0.2.80', 'weather', 10);
    await ask('192.0.2.80', 'books', 10);

    expect((await lift(as, { subject: '192.0.2.80', slug: 'books' })).status).toBe(204);
    expect((await find(as, '192.0.2.80')).body.items).toEqual([{ slug: 'weather', ...UNTIL }]);
    expect((await lift(as, { subject: '192.0.2.80' })).status).toBe(204);
    expect((await find(as, '192.0.2.80')).body.items).toEqual([]);
    const events = () => service.lines.filter(({ event }) => event === 'ip_unblocked');
    expect(events()).toEqual([
      expect.objectContaining({ subject: '192.0.2.80', slug: 'books', operator_id: as.user.id }),
      expect.objectContaining({ subject: '192.0.2.80', operator_id: as.user.id, why: 'operator' }),
    ]);
    expect((await lift(as, { subject: '192.0.2.80' })).status).toBe(204);
    expect(events()).toHaveLength(2);
  });

  test('have ended by themselves an hour later', async () => {
    await ask('192.0.2.90', 'weather', 10);
    service.clock.time = NOON + 3599;
    const as = await anOperator();
    expect((await find(as, '192.0.2.90')).body.items).toHaveLength(1);
    service.clock.time = NOON + 3600;

    expect((await find(as, '192.0.2.90')).body.items).toEqual([]);
    service.clock.time = NOON;
  });

  test.each([
    ['nothing', {}],
    ['an empty text', { subject: '' }],
    ['a name', { subject: 'example.com' }],
    ['another network', { subject: '192.0.2.0/24' }],
    ['a long text', { subject: '1'.repeat(101) }],
    ['a control character', { subject: '192.0.2.1\u0000' }],
    ['what no route takes', { subject: '192.0.2.1', all: 'true' }],
  ])('are refused for %s', async (_, sent) => {
    const as = await anOperator();

    expect((await service.call('GET', '/operator/blocks', { as, query: query(sent) })).status).toBe(
      422,
    );
    expect((await lift(as, sent)).status).toBe(422);
  });
});

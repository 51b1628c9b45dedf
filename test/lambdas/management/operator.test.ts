import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorCommands } from '../../../lambdas/management/operator.ts';
import { functions } from '../../../lambdas/manifest.ts';
import { aDeployment, NOON } from '../../adapters/dynamodb/fixtures.ts';
import { aManagementService, type TestManagement } from '../../support/management.ts';

let service: TestManagement;
let run: ReturnType<typeof operatorCommands>;
beforeAll(async () => {
  service = await aManagementService({ limits: { public_requests_per_minute_per_ip: 2 } });
  run = operatorCommands(service.ports);
});
afterAll(() => service.stop());

const TEN = 10;

describe('the daily event of the stack', () => {
  test.each(functions.management.daily ?? [])('is a valid command: %j', async (command) => {
    expect(await run(command)).toMatchObject({ ok: true });
  });

  test('is logged with what it removed', async () => {
    await run({ operator: 'sweep' });
    const nothing = { deployments: 0, removals: 0, files: 0 };
    expect(service.lines).toContainEqual({ message: 'swept', ...nothing });
  });
});

describe('the operator command set-owner-plan', () => {
  test('changes the plan of all deployments of the owner and of nobody else', async () => {
    const { deploymentEditor } = service.ports;
    for (const [slug, ownerId] of [
      ['plan-one', 'owner-1'],
      ['plan-two', 'owner-1'],
      ['plan-other', 'owner-2'],
    ] as const) {
      await deploymentEditor.create(aDeployment({ id: slug, slug, ownerId }));
    }
    const command = { operator: 'set-owner-plan', ownerId: 'owner-1', plan: 'pro' };

    expect(await run(command)).toEqual({ ok: true, deployments: 2, changed: 2 });
    const plans = ['plan-one', 'plan-two', 'plan-other'].map(
      async (slug) => (await deploymentEditor.read(slug))?.ownerPlan,
    );
    expect(await Promise.all(plans)).toEqual(['pro', 'pro', 'free']);
    expect(await run(command)).toEqual({ ok: true, deployments: 2, changed: 0 });
  });

  test.each([
    ['no owner id', { plan: 'pro' }, 'ownerId'],
    ['an unknown plan', { ownerId: 'owner-1', plan: 'gold' }, 'plan'],
  ])('is refused with %s', async (_, sent, where) => {
    await expect(run({ operator: 'set-owner-plan', ...sent })).rejects.toThrow(
      `not a command of this function: ${where}: `,
    );
  });
});

describe('the blocked addresses of the rate limits', () => {
  const block = (subject: string, slug = 'weather') =>
    service.ports.publicRequests.count({ subject, deploymentId: `dep-${slug}`, slug }, TEN, NOON);

  test('are listed and unblocked by any notation, with a security event', async () => {
    await block('192.0.2.77');
    await block('2001:db8:1:2::/64');
    expect(await run({ operator: 'list-blocked' })).toEqual({
      ok: true,
      blocked: expect.arrayContaining([
        { subject: '192.0.2.77', slug: 'weather', until: NOON + 3600 },
        { subject: '2001:db8:1:2::/64', slug: 'weather', until: NOON + 3600 },
      ]),
    });

    for (const subject of ['192.0.2.77', '2001:DB8:1:2::5']) {
      expect(await run({ operator: 'unblock-ip', subject })).toEqual({ ok: true, lifted: true });
    }
    expect(await run({ operator: 'list-blocked' })).toEqual({ ok: true, blocked: [] });
    expect(service.lines).toContainEqual({
      type: 'security',
      event: 'ip_unblocked',
      subject: '2001:db8:1:2::/64',
      why: 'operator',
    });
  });

  test('are reported as not blocked where they are not', async () => {
    expect(await run({ operator: 'unblock-ip', subject: '192.0.2.78' })).toEqual({
      ok: true,
      lifted: false,
    });
    expect(await run({ operator: 'unblock-ip', subject: 'everybody' })).toMatchObject({
      ok: false,
      code: 'invalid_request',
      findings: [{ where: '/subject' }],
    });
  });

  test('are unblocked by the subject that the security event names', async () => {
    await block('2001:db8:1:3::/64');
    expect(await run({ operator: 'unblock-ip', subject: '2001:db8:1:3::/64' })).toEqual({
      ok: true,
      lifted: true,
    });
  });
});

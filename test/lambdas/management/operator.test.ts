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

describe('what the stack sends once a day', () => {
  test.each(functions.management.daily ?? [])('is a command: %j', async (command) => {
    expect(await run(command)).toMatchObject({ ok: true });
  });

  test('is logged, since nobody sees its answer', async () => {
    await run({ operator: 'sweep' });
    const nothing = { removals: 0, deployments: 0, versions: 0, reservations: 0 };
    expect(service.lines).toContainEqual({ message: 'swept', ...nothing });
  });
});

describe('set-owner-plan', () => {
  test('puts all of an owner’s deployments on the plan, and nobody else’s', async () => {
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
    ['no owner', { plan: 'pro' }, 'ownerId'],
    ['an unknown plan', { ownerId: 'owner-1', plan: 'gold' }, 'plan'],
  ])('is no command with %s', async (_, sent, where) => {
    await expect(run({ operator: 'set-owner-plan', ...sent })).rejects.toThrow(
      `not a command of this function: ${where}: `,
    );
  });
});

describe('blocked addresses', () => {
  const block = (subject: string) => service.ports.publicRequests.count(subject, TEN, NOON);

  test('are listed, and lifted in any spelling, which is remembered', async () => {
    await block('192.0.2.77');
    await block('2001:db8:1:2::/64');
    expect(await run({ operator: 'list-blocked' })).toEqual({
      ok: true,
      blocked: expect.arrayContaining([
        { subject: '192.0.2.77', until: NOON + 3600 },
        { subject: '2001:db8:1:2::/64', until: NOON + 3600 },
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

  test('that are none are told', async () => {
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

  test('are lifted by the subject that the event names', async () => {
    await block('2001:db8:1:3::/64');
    expect(await run({ operator: 'unblock-ip', subject: '2001:db8:1:3::/64' })).toEqual({
      ok: true,
      lifted: true,
    });
  });
});

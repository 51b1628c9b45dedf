import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorCommands } from '../../../layers/management/routes/operator.ts';
import { aDeployment } from '../../support/aws/dynamodb-fixtures.ts';
import { aManagementService, type TestManagement } from '../../support/service/management.ts';

let service: TestManagement;
let run: ReturnType<typeof operatorCommands>;
beforeAll(async () => {
  service = await aManagementService();
  run = operatorCommands(service.ports, []);
});
afterAll(() => service.stop());

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

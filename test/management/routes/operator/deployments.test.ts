import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { aDeployment } from '../../../support/aws/dynamodb-fixtures.ts';
import type { Owner } from '../../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../../support/service/two-owners.ts';

serveTwoOwners();

const anOperator = () => service.owner({ operator: true });
const published = async ({ user }: Owner): Promise<string> => {
  const slug = `d-${randomUUID()}`;
  await service.arranging.deploymentEditor.create(
    aDeployment({ id: slug, slug, ownerId: user.id }),
  );
  return slug;
};
const list = (as: Owner, { user }: Owner, query = '') =>
  service.call('GET', `/operator/accounts/${user.id}/deployments`, { as, query });
const act = (as: Owner, slug: string, action: 'stop' | 'release') =>
  service.call('POST', `/operator/deployments/${slug}/${action}`, { as });

describe('the deployments of an account', () => {
  test('are those of this account alone, page by page, without fields that would repeat the account', async () => {
    const as = await anOperator();
    const slugs = [await published(owner), await published(owner)];
    await published(stranger);
    const first = await list(as, owner, 'limit=1');
    const cursor = String(first.body['next_cursor']);
    const second = await list(as, owner, `limit=1&cursor=${cursor}`);

    const found = [first, second].flatMap(({ body }) => body.items ?? []);
    expect(found.map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted());
    expect(Object.keys(found[0] ?? {})).toEqual([
      'slug',
      'name',
      'status',
      'mcp_auth_method',
      'tool_count',
      'created_at',
      'updated_at',
    ]);
    expect(await list(as, as)).toMatchObject({ status: 200, body: { items: [] } });
  });

  test('are not listed with a cursor of the own list', async () => {
    const cursor = Buffer.from('["deployments","[1,\\"x\\"]"]').toString('base64url');

    expect((await list(await anOperator(), owner, `cursor=${cursor}`)).status).toBe(422);
  });
});

describe('stopping a deployment at the console', () => {
  test('keeps its owner from resuming it until it is released, and events name the operator', async () => {
    const as = await anOperator();
    const slug = await published(owner);
    const resume = () =>
      service.call('PATCH', `/deployments/${slug}`, { as: owner, body: { status: 'active' } });

    expect(await act(as, slug, 'stop')).toMatchObject({ status: 200, body: { status: 'stopped' } });
    expect((await act(as, slug, 'stop')).status).toBe(200);
    expect((await resume()).status).toBeGreaterThanOrEqual(400);
    expect(await act(as, slug, 'release')).toMatchObject({
      status: 200,
      body: { slug, status: 'paused' },
    });
    expect((await resume()).status).toBe(200);
    for (const event of ['deployment_stopped', 'deployment_released']) {
      expect(service.lines.findLast((line) => line['event'] === event)).toMatchObject({
        slug,
        subject: owner.user.id,
        operator_id: as.user.id,
        why: 'operator',
      });
    }
  });

  test('is reported to its owner', async () => {
    const as = await anOperator();
    const slug = await published(owner);
    await act(as, slug, 'stop');
    const { body } = await service.call('GET', `/deployments/${slug}/activity`, { as: owner });

    expect(body.items).toMatchObject([{ event: 'deployment_stopped', operator_id: as.user.id }]);
  });

  test('is refused where there is none, and releasing where nothing is stopped', async () => {
    const as = await anOperator();
    const slug = await published(owner);

    expect((await act(as, 'nothing-there', 'stop')).status).toBe(404);
    expect((await act(as, 'nothing-there', 'release')).status).toBe(404);
    expect(await act(as, slug, 'release')).toMatchObject({
      status: 422,
      body: { detail: 'The deployment is active, not stopped.' },
    });
  });
});

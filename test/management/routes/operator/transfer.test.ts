import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../../layers/deployments/rules/deployment.ts';
import { operatorCommands } from '../../../../layers/management/routes/operator.ts';
import {
  prepareTransfer,
  transferServer,
} from '../../../../layers/management/steps/operator/transfer.ts';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { committed } from '../../../support/aws/committed.ts';
import { aGrant } from '../../../support/oauth/oauth-fixtures.ts';
import { aDeployment } from '../../../support/aws/dynamodb-fixtures.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../../support/service/management.ts';

const MOST = 3;
let service: TestManagement;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: MOST } });
});
afterAll(() => service.stop());

const published = async ({ user }: Pick<Owner, 'user'>, over: Partial<Deployment> = {}) => {
  const slug = `d-${randomUUID()}`;
  const deployment = aDeployment({ id: slug, slug, ownerId: user.id, ...over });
  await service.arranging.deploymentEditor.create(deployment);
  return slug;
};
const twoOwners = () => Promise.all([service.owner(), service.owner()]);
const read = (slug: string) => service.arranging.deploymentEditor.read(slug);
const activeOf = ({ user }: Owner) => service.arranging.deploymentEditor.activeSlugs(user.id);
const give = (from: Owner, to: Owner, slug: string, ports = service.ports) =>
  transferServer(ports, { from: from.user.email, to: to.user.email, slug });

describe('giving a server to another account', () => {
  test('changes owner, plan and usage together, and what is counted for both', async () => {
    const [from, to] = [await service.owner(), await service.owner({ plan: 'pro' })];
    const slug = await published(from);

    expect(await give(from, to, slug)).toBe(true);
    expect(await read(slug)).toMatchObject({
      ownerId: to.user.id,
      ownerPlan: 'pro',
      ownerUsage: expect.any(String),
      sealedFor: from.user.id,
      revision: 2,
    });
    expect([await activeOf(from), await activeOf(to)]).toEqual([[], [slug]]);
    expect(service.lines).toContainEqual(
      expect.objectContaining({ event: 'deployment_transferred', slug, subject: to.user.id }),
    );
  });

  test('keeps a paused one paused and a stopped one stopped, which take no place', async () => {
    const [from, to] = await twoOwners();
    const [paused, stopped] = [
      await published(from, { status: 'paused' }),
      await published(from, { status: 'stopped' }),
    ];
    for (let full = 0; full < MOST; full += 1) await published(to);

    expect([await give(from, to, paused), await give(from, to, stopped)]).toEqual([true, true]);
    expect([(await read(paused))?.status, (await read(stopped))?.status]).toEqual([
      'paused',
      'stopped',
    ]);
    expect(await activeOf(to)).toHaveLength(MOST);
  });

  test('ends what its former owner was granted there, and nothing of anybody else', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);
    const other = await published(from);
    const minted = (deploymentId: string, jti: string) => ({
      jti,
      deploymentId,
      scopes: [],
      createdAt: service.clock.time,
      expiresAt: service.clock.time + 60,
      revoked: false,
      ownKey: true as const,
    });
    const [ended, stays] = [randomUUID(), randomUUID()];
    const granted = async (deploymentId: string, userId: string): Promise<string> => {
      const id = randomUUID();
      const createdAt = service.clock.time;
      const grant = aGrant({ id, deploymentId, slug: deploymentId, userId, createdAt });
      const token = { fingerprint: fingerprint(id), expiresAt: createdAt + 60 };
      await committed(service.store.instance(), service.arranging.grants.beginning(grant, token));
      return id;
    };
    const grants = await Promise.all([
      granted(slug, from.user.id),
      granted(slug, 'somebody'),
      granted(other, from.user.id),
    ]);
    await service.arranging.mintedTokens.put(minted(slug, ended));
    await service.arranging.mintedTokens.put(minted(other, stays));

    await give(from, to, slug);

    expect(await service.arranging.mintedTokens.find(ended)).toMatchObject({ revoked: true });
    expect(await service.arranging.mintedTokens.find(stays)).toMatchObject({ revoked: false });
    const left = await Promise.all(grants.map((id) => service.arranging.grants.find(id)));
    expect(left.map((one) => one !== undefined)).toEqual([false, true, true]);
  });

  test('is done once: again, nothing changes', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);
    await give(from, to, slug);
    const before = await read(slug);

    expect(await give(from, to, slug)).toBe(false);
    expect(await read(slug)).toEqual(before);
    expect(await activeOf(to)).toEqual([slug]);
  });

  test('keeps the first owner’s seal through a second transfer, and back', async () => {
    const [first, second] = await twoOwners();
    const third = await service.owner();
    const slug = await published(first);
    for (const [from, to] of [
      [first, second],
      [second, third],
      [third, first],
    ] as const) {
      await give(from, to, slug);
      expect(await read(slug)).toMatchObject({ ownerId: to.user.id, sealedFor: first.user.id });
    }
  });

  test('is of two at once the one or the other, whole', async () => {
    const [from, to] = await twoOwners();
    const other = await service.owner();
    const slug = await published(from);

    await Promise.allSettled([give(from, to, slug), give(from, other, slug)]);
    const places = await Promise.all([from, to, other].map(activeOf));
    expect(places.flat()).toEqual([slug]);
    expect((await read(slug))?.ownerId).toBe(
      [from, to, other][places.findIndex((one) => one.length > 0)]?.user.id,
    );
  });

  test('is refused once the new owner is gone in between', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);
    const { deploymentEditor } = service.ports;
    const ports = {
      ...service.ports,
      deploymentEditor: {
        ...deploymentEditor,
        replace: async (...args: Parameters<typeof deploymentEditor.replace>) => {
          await service.arranging.users.remove(to.user);
          return deploymentEditor.replace(...args);
        },
      },
    };

    await expect(give(from, to, slug, ports)).rejects.toMatchObject({
      findings: [{ where: '/to', what: 'the e-mail address of nobody here' }],
    });
    expect(await read(slug)).toMatchObject({ ownerId: from.user.id });
  });

  test('ends a change that its former owner had begun', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);
    const before = await read(slug);
    await give(from, to, slug);
    const { changeDeployment } =
      await import('../../../../layers/deployments/steps/change-deployment.ts');

    await expect(
      changeDeployment(service.ports, before!, (current) => ({ ...current, name: 'Mine' })),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect((await read(slug))?.name).not.toBe('Mine');
  });
});

describe('a transfer', () => {
  const refusal = async (from: string, to: string, slug?: string) =>
    prepareTransfer(service.ports, { from, to }, slug === undefined ? undefined : [slug]).then(
      () => undefined,
      ({ code, findings }) => findings[0]?.what ?? code,
    );

  test('is refused for who has no account, had one, is the same, or was ended', async () => {
    const [from, gone] = await twoOwners();
    const ended = await service.owner({
      identities: [
        {
          issuer: 'https://id.acme.example',
          subject: 'f'.repeat(64) as never,
          checkedAt: 1,
          endedAt: 2,
        },
      ],
    });
    await service.arranging.users.remove(gone.user);
    const slug = await published(from);

    expect(await refusal(from.user.email, 'nobody@example.com')).toBe(
      'the e-mail address of nobody here',
    );
    expect(await refusal(from.user.email, gone.user.email)).toBe(
      'the e-mail address of nobody here',
    );
    expect(await refusal('nobody@example.com', from.user.email)).toBe(
      'the e-mail address of nobody here',
    );
    expect(await refusal(from.user.email, from.user.email.toUpperCase())).toBe('the same account');
    expect(await refusal(from.user.id, from.user.email)).toBe('the same account');
    expect(await refusal(from.user.email, ended.user.email)).toBe(
      'an account that its company has ended',
    );
    expect(await read(slug)).toMatchObject({ ownerId: from.user.id, revision: 1 });
  });

  test('is refused for servers of others, and such as are not there', async () => {
    const [from, to] = await twoOwners();
    const other = await published(await service.owner());

    expect(await refusal(from.user.email, to.user.email, other)).toBe('not_found');
    expect(await refusal(from.user.email, to.user.email, 'nothing-there')).toBe('not_found');
    await expect(give(from, to, other)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is refused whole where there is no place for all, and one by one where others took it', async () => {
    const [from, to] = await twoOwners();
    const slugs = [await published(from), await published(from)];
    await published(to);
    expect(await refusal(from.user.email, to.user.email)).toBeUndefined();
    await published(to);
    expect(await refusal(from.user.email, to.user.email)).toBe('limit_reached');

    await give(from, to, slugs[0]!);
    await expect(give(from, to, slugs[1]!)).rejects.toMatchObject({ code: 'limit_reached' });
    expect(await read(slugs[1]!)).toMatchObject({ ownerId: from.user.id });
  });

  test('is refused into an account that may not use the private network', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from, { network: 'orders' });
    const networks = [{ name: 'orders', hosts: [], emails: [from.user.email] }];
    const ports = { ...service.ports, settings: { ...service.ports.settings, networks } };

    await expect(give(from, to, slug, ports as never)).rejects.toMatchObject({
      findings: [
        { what: `${slug} is in the private network orders, which this account may not use` },
      ],
    });
  });

  test('of an owner without an account is by the name that operators have given', async () => {
    const to = await service.owner();
    const name = `team-${randomUUID()}`;
    const slug = await published({ user: { id: name } as never });
    const commands = operatorCommands(service.ports, []);

    expect(
      await commands({ operator: 'prepare-transfer', from: name, to: to.user.email }),
    ).toMatchObject({
      ok: true,
      servers: [{ slug, status: 'active' }],
      there: [],
    });
    expect(
      await commands({ operator: 'transfer-deployment', from: name, to: to.user.email, slug }),
    ).toEqual({ ok: true, transferred: true });
  });
});

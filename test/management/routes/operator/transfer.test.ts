import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../../layers/deployments/rules/deployment.ts';
import { operatorCommands } from '../../../../layers/management/routes/operator.ts';
import {
  prepareTransfer,
  transferServer,
} from '../../../../layers/management/steps/operator/transfer.ts';
import { eraseAccount } from '../../../../layers/management/steps/account/remove-account.ts';
import { setOwnerPlan } from '../../../../layers/management/steps/account/set-owner-plan.ts';
import {
  releaseDeployment,
  stopDeployment,
} from '../../../../layers/servers/steps/deployments/stop-deployment.ts';
import { takeCareOfDeployment } from '../../../../layers/servers/steps/deployments/take-care-of-deployment.ts';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { committed } from '../../../support/aws/committed.ts';
import { aGrant } from '../../../support/oauth/oauth-fixtures.ts';
import { aDeployment, NOON } from '../../../support/aws/dynamodb-fixtures.ts';
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
      revision: 3,
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

describe('what follows from a transfer', () => {
  /** The first mail to one of the two is lost. */
  const losing = (purpose: string) => {
    const sent: string[] = [];
    let lost = false;
    const send = async (mail: { readonly purpose: string; readonly id: string }) => {
      if (mail.purpose === purpose && !lost) {
        lost = true;
        throw new Error('lost');
      }
      sent.push(mail.purpose);
    };
    return { sent, ports: { ...service.ports, mailRequests: { send } } };
  };
  const eventsOf = (slug: string) =>
    service.lines.filter(
      (line) => line['event'] === 'deployment_transferred' && line['slug'] === slug,
    );

  test.each(['server_given', 'server_received'])(
    'is done by a repetition where %s was not sent, and the other mail is',
    async (purpose) => {
      const [from, to] = await twoOwners();
      const slug = await published(from);
      const { ports, sent } = losing(purpose);

      await expect(give(from, to, slug, ports)).rejects.toThrow('lost');
      expect(sent).toHaveLength(1);
      expect(await read(slug)).toMatchObject({
        ownerId: to.user.id,
        transfer: { from: from.user.id },
      });
      expect(await prepareTransfer(ports, { from: from.user.email, to: to.user.email })).toEqual({
        servers: [],
        there: [slug],
      });

      expect(await give(from, to, slug, ports)).toBe(false);
      expect(sent).toContain(purpose);
      expect(eventsOf(slug)).toHaveLength(2);
      const after = await read(slug);
      expect(after?.transfer).toBeUndefined();

      expect(await give(from, to, slug, ports)).toBe(false);
      expect([eventsOf(slug).length, sent.length]).toEqual([2, 3]);
      expect(await read(slug)).toEqual(after);
    },
  );

  test('is done before the server goes to a third', async () => {
    const [from, to] = await twoOwners();
    const third = await service.owner();
    const slug = await published(from);
    const { ports, sent } = losing('server_received');
    await expect(give(from, to, slug, ports)).rejects.toThrow('lost');

    expect(await give(to, third, slug, ports)).toBe(true);
    expect(sent.filter((one) => one === 'server_received')).toHaveLength(2);
    expect((await read(slug))?.transfer).toBeUndefined();
  });

  test('ends nothing of a new owner, and nothing at all where the transfer is refused', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);
    const token = (createdAt: number) => ({
      jti: randomUUID(),
      deploymentId: slug,
      scopes: [],
      createdAt,
      expiresAt: createdAt + 60,
      revoked: false,
      ownKey: true as const,
    });
    const now = service.clock.time;
    const [former, later] = [token(now), token(now + 1)];
    await service.arranging.mintedTokens.put(former);
    const isRevoked = async ({ jti }: { readonly jti: string }) =>
      (await service.arranging.mintedTokens.find(jti))?.revoked;
    const full = await service.owner();
    for (let count = 0; count < MOST; count += 1) await published(full);

    await expect(give(from, full, slug)).rejects.toMatchObject({ code: 'limit_reached' });
    const refusing = {
      ...service.ports.deploymentEditor,
      replace: async () => 'limit_reached' as const,
    };
    await expect(
      give(from, to, slug, { ...service.ports, deploymentEditor: refusing }),
    ).rejects.toMatchObject({ code: 'limit_reached' });
    expect(await isRevoked(former)).toBe(false);

    const { ports } = losing('server_given');
    await expect(give(from, to, slug, ports)).rejects.toThrow('lost');
    await service.arranging.mintedTokens.put(later);
    await give(from, to, slug, ports);
    expect([await isRevoked(former), await isRevoked(later)]).toEqual([true, false]);
  });

  test('takes the plan that the new owner has by then', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);
    const { deploymentEditor } = service.ports;
    let isFirst = true;
    const ports = {
      ...service.ports,
      deploymentEditor: {
        ...deploymentEditor,
        replace: async (...args: Parameters<typeof deploymentEditor.replace>) => {
          if (isFirst) {
            isFirst = false;
            const user = await service.arranging.users.find(to.user.id);
            const revision = (user?.revision ?? 0) + 1;
            await service.arranging.users.replace({ ...user!, plan: 'pro', revision });
          }
          return deploymentEditor.replace(...args);
        },
      },
    };

    await give(from, to, slug, ports);
    expect(await read(slug)).toMatchObject({ ownerId: to.user.id, ownerPlan: 'pro' });
  });

  test('removes what is recorded of a former owner once they are erased', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);
    await give(from, to, slug);
    const removed: unknown[] = [];
    const { recordedCalls } = service.ports;
    const removeOf = async (...args: unknown[]) => void removed.push(args);

    await eraseAccount(
      { ...service.ports, recordedCalls: { ...recordedCalls, removeOf } },
      from.user.email,
    );
    expect(removed).toEqual([[slug, fingerprint(from.user.id)]]);
    expect(await read(slug)).toMatchObject({ ownerId: to.user.id, status: 'active' });
  });
});

describe('a transfer in the middle of', () => {
  /** Given right before the first change. */
  const given = async (from: Owner, to: Owner, slug: string) => {
    const { deploymentEditor } = service.ports;
    let isGiven = false;
    const replace = async (...args: Parameters<typeof deploymentEditor.replace>) => {
      if (!isGiven) {
        isGiven = true;
        await give(from, to, slug);
      }
      return deploymentEditor.replace(...args);
    };
    return { ...service.ports, deploymentEditor: { ...deploymentEditor, replace } };
  };

  test('an operator’s stop and release keeps neither', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);

    await stopDeployment(await given(from, to, slug), slug);
    expect(await read(slug)).toMatchObject({ ownerId: to.user.id, status: 'stopped' });
    await releaseDeployment(await given(to, from, slug), slug);
    expect(await read(slug)).toMatchObject({ ownerId: from.user.id, status: 'paused' });
  });

  test('the note that a credential is refused is made for the new owner', async () => {
    const [from, to] = await twoOwners();
    const credential = {
      type: 'bearer' as const,
      origins: ['https://api.example'],
      version: randomUUID(),
      setAt: NOON,
    };
    const slug = await published(from, { credential });
    const call = { at: NOON, index: 0, status: 401, credentialVersion: credential.version };
    const page = async () => ({ calls: [call as never], next: undefined });
    const ports = await given(from, to, slug);

    expect(
      await takeCareOfDeployment({ ...ports, calls: { ...ports.calls, page } }, slug),
    ).toMatchObject({ isCredentialRefused: true });
    expect(await read(slug)).toMatchObject({
      ownerId: to.user.id,
      credential: { ...credential, refusedAt: expect.any(Number) },
    });
  });

  test('a new plan of the former owner leaves the new owner’s, and reaches their others', async () => {
    const [from, to] = await twoOwners();
    const [other, slug] = [await published(from), await published(from)];

    const ports = await given(from, to, slug);
    await setOwnerPlan(ports, { ownerId: from.user.id, plan: 'pro' });
    expect(await read(slug)).toMatchObject({ ownerId: to.user.id, ownerPlan: to.user.plan });
    expect(await read(other)).toMatchObject({ ownerId: from.user.id, ownerPlan: 'pro' });
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
    const unbelieved = await service.owner({
      identities: [
        { issuer: 'https://id.gone.example', subject: 'e'.repeat(64) as never, checkedAt: 1 },
      ],
    });
    await service.arranging.users.remove(gone.user);
    const slug = await published(from);
    expect(await refusal(from.user.email, unbelieved.user.email)).toBe(
      'an account that its company has ended',
    );

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

  test('counts a server once that is named twice, and says which command names people', async () => {
    const [from, to] = await twoOwners();
    const slug = await published(from);
    const asked = { from: from.user.email, to: to.user.email };

    const { servers } = await prepareTransfer(service.ports, asked, [slug, slug]);
    expect(servers).toHaveLength(1);
    await expect(
      prepareTransfer(service.ports, { ...asked, from: 'nobody@example.com' }),
    ).rejects.toMatchObject({ findings: [{ hint: expect.stringContaining('people') }] });
  });

  test('tells beforehand which settings let its former owner in as before', async () => {
    const [from, to] = await twoOwners();
    const { email } = from.user;
    const jwtIssuer = {
      issuer: 'https://issuer.example',
      jwksUri: 'https://issuer.example/keys',
      audience: 'weather',
      algorithms: ['ES256' as const],
    };
    const over: readonly (readonly [Partial<Deployment>, readonly string[]])[] = [
      [{ authMethod: 'oauth', access: { mode: 'any_user' } }, ['any_user']],
      [
        { authMethod: 'oauth', access: { mode: 'allow_list', emails: [email], domains: [] } },
        ['allow_list'],
      ],
      [
        { authMethod: 'oauth', access: { mode: 'allow_list', emails: ['x@y.zz'], domains: [] } },
        [],
      ],
      [{ authMethod: 'oauth', access: { mode: 'owner' } }, []],
      [{ authMethod: 'jwt', access: { mode: 'owner' }, jwtIssuer }, ['jwt_issuer']],
    ];
    for (const [settings, told] of over) {
      const slug = await published(from, { status: 'paused', ...settings });
      const { servers } = await prepareTransfer(service.ports, { from: email, to: to.user.email }, [
        slug,
      ]);
      expect(servers.map(({ lets_in: by }) => by)).toEqual([told]);
    }
  });

  test('is refused for servers of others, and such as are not there', async () => {
    const [from, to] = await twoOwners();
    const other = await published(await service.owner());

    expect(await refusal(from.user.email, to.user.email, other)).toBe('not_found');
    expect(await refusal(from.user.email, to.user.email, 'nothing-there')).toBe('not_found');
    const slugs = [await published(from), 'nothing-there'];
    await expect(
      prepareTransfer(service.ports, { from: from.user.email, to: to.user.email }, slugs),
    ).rejects.toMatchObject({ description: 'There is no server of the name nothing-there.' });
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

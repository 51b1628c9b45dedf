import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../../layers/deployments/rules/deployment.ts';
import { eraseAccount } from '../../../../layers/management/steps/account/remove-account.ts';
import { PERSONS } from '../../../../layers/accounts/rules/permission.ts';
import { invite as inviting } from '../../../../layers/servers/steps/access/invite.ts';
import { aDeployment } from '../../../support/aws/dynamodb-fixtures.ts';
import { owner, serveTwoOwners, service, stranger } from '../../../support/service/two-owners.ts';

serveTwoOwners();

let deployments = 0;
const publish = async (over: Partial<Deployment> = {}): Promise<string> => {
  const slug = `shared-${(deployments += 1)}`;
  const deployment = aDeployment({
    id: slug,
    slug,
    name: `Shared ${deployments}`,
    ownerId: owner.user.id,
    authMethod: 'oauth',
    access: { mode: 'owner' },
    ...over,
  });
  await service.ports.deploymentEditor.create(deployment);
  return slug;
};
const invite = (slug: string, email: string, as = owner) =>
  service.call('POST', `/deployments/${slug}/invitations`, { as, body: { email } });
const shared = async (as = stranger) =>
  (await service.call('GET', '/account/shared', { as })).body.items;
const accessOf = async (slug: string) => (await service.ports.deploymentEditor.read(slug))?.access;

const REFUSED = { passwords: 'refused', exceptions: ['ci@acme.example'] };

describe('POST /deployments/{slug}/invitations', () => {
  test('lets the address in, and answers the same whether or not it has an account', async () => {
    const slug = await publish();
    const known = await invite(slug, stranger.user.email.toUpperCase());
    const unknown = await invite(slug, 'nobody@example.com');

    expect([known.status, unknown.status]).toEqual([201, 201]);
    expect(known.body).toEqual({ ...unknown.body, email: stranger.user.email });
    expect(unknown.body).toMatchObject({
      email: 'nobody@example.com',
      added: true,
      link: expect.stringMatching(new RegExp(`/mcp-router/${slug}/docs$`)),
    });
    expect(await accessOf(slug)).toEqual({
      mode: 'allow_list',
      emails: [stranger.user.email, 'nobody@example.com'],
      domains: [],
    });
  });

  test.each([
    ['ada@acme.example', { create_accounts: true }, 'on', 'company', true],
    // A password is taken, and the company makes no account.
    ['ada@acme.example', {}, 'on', 'anybody', false],
    ['ada@acme.example', {}, 'off', 'operator', true],
    ['ada@acme.example', REFUSED, 'on', 'operator', true],
    ['ci@acme.example', REFUSED, 'on', 'anybody', false],
    ['ci@acme.example', { ...REFUSED, create_accounts: true }, 'on', 'anybody', false],
    ['ci@acme.example', { ...REFUSED, create_accounts: true }, 'off', 'company', true],
    ['ada@elsewhere.example', { create_accounts: true }, 'on', 'anybody', false],
    ['ada@elsewhere.example', { create_accounts: true }, 'off', 'operator', false],
  ] as const)(
    'says who makes an account for %s with %j and passwords %s: %s, and leads to a door that takes them',
    async (email, over, passwords, by, isLedThere) => {
      const acme = {
        id: 'acme',
        name: 'Acme',
        email_domains: ['acme.example'],
        create_accounts: false,
        sign_in: {},
        endpoints: {},
        ...over,
      };
      const believed = { providers: [acme as never], passwords, breakGlass: [] };
      const mails: object[] = [];
      const { settings } = service.ports;
      const ports = {
        ...service.ports,
        settings: { ...settings, signUp: 'open' as const },
        identityProviders: { list: async () => believed.providers, believed: async () => believed },
        mailRequests: { send: async (mail: object) => void mails.push(mail) },
      };
      const slug = await publish();

      const invited = await inviting(ports, PERSONS, { owner: owner.user, slug, email });
      expect(invited.accountsBy).toBe(by);
      expect(mails).toMatchObject([{ email, maySignUp: by !== 'operator' }]);
      expect(mails[0]).toEqual({
        ...mails[0],
        ...(isLedThere && { company: { id: 'acme', name: 'Acme' } }),
      });
      expect('company' in mails[0]!).toBe(isLedThere);
    },
  );

  test('keeps who is let in already, and narrows nothing', async () => {
    const emails = ['ada@example.com'];
    const slug = await publish({
      access: { mode: 'allow_list', emails, domains: ['acme.example'] },
    });
    expect((await invite(slug, 'bob@acme.example')).body).toMatchObject({ added: false });
    expect((await invite(slug, 'ada@example.com')).body).toMatchObject({ added: false });
    expect(await accessOf(slug)).toMatchObject({ emails, domains: ['acme.example'] });
    const open = await publish({ access: { mode: 'any_user' } });
    expect((await invite(open, 'ada@example.com')).body).toMatchObject({ added: false });
    expect(await accessOf(open)).toEqual({ mode: 'any_user' });
  });

  test.each([
    ['not an address', {}, '/email'],
    ['somebody@gmаil.com', {}, '/email'],
    ['ada@example.com', { authMethod: 'jwt' as const }, '/slug'],
    ['ada@example.com', { authMethod: 'none' as const }, '/slug'],
  ])('refuses %j at %j, and changes nothing', async (email, over, where) => {
    const slug = await publish(over);
    const { status, body } = await invite(slug, email);
    expect([status, body['findings']]).toMatchObject([422, [{ where }]]);
    expect(await accessOf(slug)).toEqual({ mode: 'owner' });
  });

  test.each([
    ['1000 addresses', Array.from({ length: 1000 }, (_, number) => `a${number}@example.com`), []],
    [
      '65,000 characters',
      [],
      Array.from(
        { length: 300 },
        (_, n) =>
          `${`${n}`.repeat(60)}.${'x'.repeat(50)}.${'y'.repeat(50)}.${'z'.repeat(50)}.example`,
      ),
    ],
  ])('says that a list of %s is full, and changes nothing', async (_, emails, domains) => {
    const access = { mode: 'allow_list' as const, emails, domains };
    const slug = await publish({ access });
    const { status, body } = await invite(slug, 'one-more@example.com');
    expect([status, body['findings']]).toMatchObject([
      422,
      [{ where: '/email', hint: expect.stringContaining('Let a domain in') }],
    ]);
    expect(await accessOf(slug)).toEqual(access);
  });

  test('is hidden from other users', async () => {
    const slug = await publish();
    expect((await invite(slug, 'ada@example.com', stranger)).status).toBe(404);
    expect(await accessOf(slug)).toEqual({ mode: 'owner' });
  });

  test('changes no list that a declaration manages, but sends to who is on it', async () => {
    const managedBy = { by: 'github.com/acme/orders:servers.yaml', at: 0 };
    const emails = ['ada@example.com'];
    const slug = await publish({
      managedBy,
      access: { mode: 'allow_list', emails, domains: [] },
    });
    expect((await invite(slug, 'bob@example.com')).body).toMatchObject({ code: 'managed' });
    expect((await invite(slug, 'ada@example.com')).status).toBe(201);
    expect(await accessOf(slug)).toMatchObject({ emails });
  });
});

describe('GET /account/shared', () => {
  test('lists what somebody was invited to, as long as they may use it', async () => {
    const before = await shared();
    const slug = await publish();
    await invite(slug, stranger.user.email);
    expect(await shared()).toContainEqual({
      slug,
      name: `Shared ${deployments}`,
      mcp_url: expect.stringMatching(/messages$/),
      docs_url: expect.stringMatching(/docs$/),
      connected: false,
    });
    const current = (await service.ports.deploymentEditor.read(slug))!;
    await service.ports.deploymentEditor.replace(current, {
      ...current,
      access: { mode: 'owner' },
      revision: current.revision + 1,
    });
    expect(await shared()).toEqual(before);
    expect(await shared(owner)).toEqual([]);
  });

  test('shows names of servers as visible text that cannot imitate what is around it', async () => {
    const slug = await publish({ name: 'moc.live\u202Eevil.com\n\u200B' });
    await invite(slug, stranger.user.email);

    expect(await shared()).toContainEqual(
      expect.objectContaining({ slug, name: 'moc.liveevil.com' }),
    );
  });

  test('says nothing of who has taken the name of a server since', async () => {
    const slug = await publish();
    await invite(slug, stranger.user.email);
    const current = (await service.ports.deploymentEditor.read(slug))!;
    await service.ports.deploymentEditor.replace(current, {
      ...current,
      id: 'another-one',
      access: { mode: 'any_user' },
      revision: current.revision + 1,
    });
    expect((await shared())?.map((one) => one['slug'])).not.toContain(slug);
  });

  test('forgets after ninety days', async () => {
    const slug = await publish();
    await invite(slug, stranger.user.email);
    const names = async () => (await shared())?.map((one) => one['slug']);
    service.clock.time += 90 * 86_400 - 1;
    expect(
      await service.ports.invitations.list(stranger.user.email, service.clock.time),
    ).not.toEqual([]);
    service.clock.time += 1;
    expect(await service.ports.invitations.list(stranger.user.email, service.clock.time)).toEqual(
      [],
    );
    service.clock.time -= 90 * 86_400;
    expect(await names()).toContain(slug);
  });
});

test('to which servers an address was invited goes when it is erased, with or without an account', async () => {
  const slug = await publish();
  const email = 'never-signed-up@example.com';
  await invite(slug, email);
  const kept = () => service.ports.invitations.list(email, service.clock.time);
  expect(await kept()).toEqual([{ slug, deploymentId: slug }]);
  await eraseAccount(service.ports, email);
  expect(await kept()).toEqual([]);
});

test('invitations are counted for who invites', async () => {
  const slug = await publish({ access: { mode: 'any_user' } });
  const limit = 'invitations_per_day_per_user';
  for (let times = 0; times < service.ports.settings.limits[limit]; times += 1) {
    await service.ports.counters.take(limit, owner.user.id, service.clock.time);
  }
  const refused = await invite(slug, 'ada@example.com');
  expect(refused.body).toMatchObject({ code: 'rate_limited', limit });
});

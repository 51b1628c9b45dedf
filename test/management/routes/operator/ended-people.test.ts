import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dynamoIdentityProviders } from '../../../../layers/identity/store/providers.ts';
import type { Believed } from '../../../../layers/identity/rules/password-terms.ts';
import type { IdentityProvider } from '../../../../layers/identity/rules/providers.ts';
import { endedPeople } from '../../../../layers/management/steps/operator/ended-people.ts';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { DAY } from '../../../../layers/platform/rules/time.ts';
import { aDeployment, NOON } from '../../../support/aws/dynamodb-fixtures.ts';
import { aManagementService, type TestManagement } from '../../../support/service/management.ts';
import { ACME_SIGN_IN } from '../../../support/oauth/identity-provider.ts';

const ACME: IdentityProvider = { ...ACME_SIGN_IN, passwords: 'refused' };

let service: TestManagement;
let revision = 0;
const people = new Map<string, string>();
beforeAll(async () => {
  service = await aManagementService();
  const known = (more: object) => ({
    identities: [
      {
        issuer: ACME.issuer,
        subject: fingerprint(randomUUID()),
        signedIn: true as const,
        checkable: true as const,
        checkedAt: NOON - 10,
        lastSignIn: NOON - 10,
        ...more,
      },
    ],
  });
  const accounts = {
    here: known({}),
    ended: known({ endedAt: NOON - 5 }),
    left: known({ endedAt: NOON - 2 * DAY, leftAt: NOON - DAY }),
    brokered: known({ checkable: undefined, lastSignIn: NOON - 2 * DAY }),
    ci: {},
    quiet: {},
  };
  for (const [name, over] of Object.entries(accounts)) {
    const { user } = await service.owner({ email: `${name}@acme.example`, ...over });
    people.set(user.id, name);
    if (name === 'quiet') continue;
    const slug = `${name}-${randomUUID().slice(0, 8)}`;
    await service.arranging.deploymentEditor.create(
      aDeployment({ id: slug, slug, ownerId: user.id, status: 'paused' }),
    );
  }
  await service.owner({ email: 'ben@other.example' });
});
afterAll(() => service.stop());

const told = async (believed: Partial<Believed>) => {
  const register = dynamoIdentityProviders(
    service.store.instance(),
    service.store.tableName('oauth'),
  );
  revision += 1;
  const now = { providers: [], passwords: 'on' as const, breakGlass: [], ...believed };
  await register.replace({ ...now, revision });
  const ports = {
    ...service.ports,
    identityProviders: { list: async () => now.providers, believed: async () => now },
  };
  const { accounts } = await endedPeople(ports, undefined);
  return accounts.map(({ email, what, since, servers }) => [
    email.split('@')[0],
    what,
    since,
    servers.length,
  ]);
};

describe('people who have left', () => {
  beforeEach(() => {
    service.clock.time = NOON;
  });

  test('are told with their servers, and accounts that nobody signs in to, where they have some', async () => {
    const iso = (at: number) => new Date(at * 1000).toISOString();

    expect(await told({ providers: [ACME] })).toEqual([
      ['brokered', 'sign_in_again', iso(NOON - 2 * DAY), 1],
      ['ci', 'nobody_signs_in', undefined, 1],
      ['ended', 'ended', iso(NOON - 5), 1],
      ['left', 'left', iso(NOON - DAY), 1],
    ]);
  });

  test('are all people of a company that signs nobody in any more', async () => {
    const { sign_in: _, endpoints: __, passwords: ___, ...gone } = ACME;

    expect(await told({ providers: [gone] })).toEqual([
      ['brokered', 'ended', undefined, 1],
      ['ended', 'ended', expect.any(String), 1],
      ['here', 'ended', undefined, 1],
      ['left', 'left', expect.any(String), 1],
    ]);
  });

  test('are not who has a password that is an exception, or is kept for emergencies', async () => {
    const ci = [...people].find(([, name]) => name === 'ci')?.[0] ?? '';
    const excepted = await told({
      providers: [{ ...ACME, exceptions: ['ci@acme.example'] }],
    });
    const kept = await told({ providers: [], passwords: 'off', breakGlass: [ci] });

    for (const names of [excepted, kept]) expect(names.map(([name]) => name)).not.toContain('ci');
  });
});

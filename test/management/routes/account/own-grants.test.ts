import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { dynamoAccessTokens } from '../../../../layers/tokens/store/access-tokens.ts';
import { type Fingerprint, fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { HOUR } from '../../../../layers/platform/rules/time.ts';
import { aDeployment, NOON } from '../../../support/aws/dynamodb-fixtures.ts';
import { anAccessToken, aGrant } from '../../../support/oauth/oauth-fixtures.ts';
import type { Owner } from '../../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../../support/service/two-owners.ts';
import { committed } from '../../../support/aws/committed.ts';

serveTwoOwners();

const accessTokens = () =>
  dynamoAccessTokens(service.store.instance(), service.store.tableName('oauth'));

/** A grant of somebody at a deployment that is not theirs, with one access token. */
const granted = async (
  { user }: Owner,
  createdAt = NOON,
  at = { deploymentId: 'somebodys', slug: 'weather' },
) => {
  const id = randomUUID();
  const token = fingerprint(`token of ${id}`);
  const grant = aGrant({
    id,
    userId: user.id,
    // With what cannot be seen, which lists leave out.
    clientName: 'An assis\u200btant\u3164',
    ...at,
    createdAt,
  });
  const expiresAt = createdAt + HOUR;
  await committed(
    service.store.instance(),
    service.arranging.grants.beginning(grant, { fingerprint: token, expiresAt }),
  );
  await accessTokens().put(token, anAccessToken({ grantId: id, expiresAt }));
  return { id, token };
};
const isRevoked = async (token: Fingerprint) => (await accessTokens().find(token))?.revoked;

const list = async (as: Owner) => (await service.call('GET', '/account/grants', { as })).body.items;
const end = (id: string, as: Owner | undefined) =>
  service.call('DELETE', `/account/grants/${id}`, { as });

describe('what somebody lets clients do', () => {
  test('is listed with client, deployment and lifetime', async () => {
    const as = await service.owner();
    const { id } = await granted(as);

    expect(await list(as)).toEqual([
      {
        id,
        slug: 'weather',
        client_id: 'mcp_client',
        client_name: 'An assistant',
        scope: 'mcp.tools.read mcp.tools.execute',
        created_at: '2026-11-20T12:00:00Z',
        expires_at: '2027-02-18T12:00:00Z',
      },
    ]);
  });

  test.each([
    ['says until when calls are recorded', {}, '2026-11-21T12:00:00Z'],
    ['says nothing where those of another are', { subjects: ['b@example.com'] }, undefined],
    ['says nothing once that is over', { until: 1 }, undefined],
  ])('%s', async (_, over, expected) => {
    const [as, owner] = [await service.owner(), await service.owner()];
    const slug = `recorded-${randomUUID()}`;
    const since = service.clock.now();
    const recording = { publicKey: 'key', since, until: since + 86_400, ...over };
    const deployment = aDeployment({ id: slug, slug, ownerId: owner.user.id, recording });
    await service.arranging.deploymentEditor.create(deployment);
    await granted(as, NOON, { deploymentId: slug, slug });

    expect((await list(as))?.[0]?.['recorded_until']).toBe(expected);
  });

  test('ends at once, with its tokens, and may be ended again', async () => {
    const as = await service.owner();
    const { id, token } = await granted(as);

    expect((await end(id, as)).status).toBe(204);
    expect(await isRevoked(token)).toBe(true);
    expect(await list(as)).toEqual([]);
    expect((await end(id, as)).status).toBe(204);
    expect(service.lines.findLast(({ event }) => event === 'grant_revoked')).toMatchObject({
      subject: as.user.id,
      why: id,
    });
  });

  test('is neither shown to nor ended by anybody else', async () => {
    const { id, token } = await granted(stranger);

    expect((await list(owner))?.map((grant) => grant['id'])).not.toContain(id);
    expect((await end(id, owner)).status).toBe(404);
    expect((await end('nothing', owner)).status).toBe(404);
    expect((await end(id, undefined)).status).toBe(401);
    expect(await isRevoked(token)).toBe(false);
  });

  test('is not listed from before a sign-out everywhere', async () => {
    const as = await service.owner({ signedOutAt: NOON - 10 });
    await granted(as, NOON - 11);
    const { id } = await granted(as, NOON - 10);

    expect((await list(as))?.map((grant) => grant['id'])).toEqual([id]);
  });
});

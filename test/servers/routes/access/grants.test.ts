import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoAccessTokens } from '../../../../layers/tokens/store/access-tokens.ts';
import { dynamoNotBefore } from '../../../../layers/tokens/store/not-before.ts';
import {
  NEVER_ENDED,
  withClientEnded,
  withSessionsEnded,
  withTokensEnded,
} from '../../../../layers/tokens/rules/not-before.ts';
import { type Fingerprint, fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { DAY, HOUR } from '../../../../layers/platform/rules/time.ts';
import { aDeployment, NOON } from '../../../support/aws/dynamodb-fixtures.ts';
import { anAccessToken, aGrant, kept } from '../../../support/oauth/oauth-fixtures.ts';
import type { ApiCall, Owner } from '../../../support/service/management.ts';
import {
  owner as signedIn,
  serveTwoOwners,
  service,
  stranger,
} from '../../../support/service/two-owners.ts';
import { committed } from '../../../support/aws/committed.ts';
import { EVENT_LINE } from '../../../support/event-line.ts';

serveTwoOwners();
/** Signs in anew where time passes. */
let owner: Owner;
beforeAll(() => {
  owner = signedIn;
});

const accessTokens = () =>
  dynamoAccessTokens(service.store.instance(), service.store.tableName('oauth'));

let deployments = 0;
const aSlug = async (): Promise<string> => {
  const slug = `grants-${(deployments += 1)}`;
  await service.ports.deploymentEditor.create(
    aDeployment({ id: slug, slug, ownerId: owner.user.id, authMethod: 'oauth' }),
  );
  return slug;
};
const pathOf = (slug: string) => `/deployments/${slug}/grants`;
const call = (method: string, path: string, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...more });

/** A grant with one access token. */
const granted = async (slug: string, createdAt = NOON, userId = 'user-1') => {
  const id = randomUUID();
  const token = fingerprint(`token of ${id}`);
  // With what cannot be seen, which lists leave out.
  const clientName = 'An assis\u200btant\u3164';
  const grant = aGrant({ id, userId, clientName, deploymentId: slug, slug, createdAt });
  const expiresAt = createdAt + HOUR;
  await committed(
    service.store.instance(),
    service.arranging.grants.beginning(grant, { fingerprint: token, expiresAt }),
  );
  await accessTokens().put(token, anAccessToken({ grantId: id, deploymentId: slug, expiresAt }));
  return { id, token };
};
const isRevoked = async (token: Fingerprint) => (await accessTokens().find(token))?.revoked;

describe('GET /deployments/{slug}/grants', () => {
  test('lists the client, the user and the lifetime of each grant', async () => {
    const slug = await aSlug();
    const { id } = await granted(slug);
    const expected = {
      id,
      user_id: 'user-1',
      email: 'ada@example.com',
      client_id: 'mcp_client',
      client_name: 'An assistant',
      scope: 'mcp.tools.read mcp.tools.execute',
      created_at: '2026-11-20T12:00:00Z',
      expires_at: '2027-02-18T12:00:00Z',
    };
    expect((await call('GET', pathOf(slug))).body).toEqual({ items: [expected] });

    const access = { fingerprint: fingerprint('another'), expiresAt: NOON + 2 * HOUR };
    await service.arranging.grants.refresh(id, kept(), access, NOON + HOUR);
    expect((await call('GET', pathOf(slug))).body).toEqual({
      items: [{ ...expected, last_refreshed_at: '2026-11-20T13:00:00Z' }],
    });
  });

  test('returns pages with the newest grant first', async () => {
    const slug = await aSlug();
    const ids: string[] = [];
    for (const hour of [0, 1, 2]) ids.unshift((await granted(slug, NOON + hour * 60)).id);

    const first = await call('GET', pathOf(slug), { query: 'limit=2' });
    expect(first.body.items?.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const query = `limit=2&cursor=${String(first.body['next_cursor'])}`;
    const last = await call('GET', pathOf(slug), { query });
    expect(last.body.items?.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test('omits revoked and expired grants', async () => {
    const slug = await aSlug();
    const [alive, ended, revokedRefresh] = [
      await granted(slug),
      await granted(slug),
      await granted(slug),
    ];
    await service.arranging.grants.end(ended.id, NOON);
    await service.arranging.grants.endRefresh(revokedRefresh.id, NOON);
    const ids = async () =>
      (await call('GET', pathOf(slug))).body.items?.map(({ id }) => id).sort();

    expect(await ids()).toEqual([alive.id, revokedRefresh.id].sort());
    service.clock.time = NOON + HOUR;
    const again = await service.owner(owner.user);
    expect(again.user).toEqual(owner.user);
    owner = again;
    expect(await ids()).toEqual([alive.id]);
    service.clock.time = NOON + 90 * DAY;
    owner = await service.owner(owner.user);
    expect(await ids()).toEqual([]);
    service.clock.time = NOON;
    owner = await service.owner(owner.user);
  });

  test('lists only grants of this deployment and no minted tokens', async () => {
    const slug = await aSlug();
    await granted(await aSlug());
    await service.ports.mintedTokens.put({
      jti: randomUUID(),
      deploymentId: slug,
      scopes: [],
      createdAt: NOON,
      expiresAt: NOON + DAY,
      revoked: false,
    });
    expect((await call('GET', pathOf(slug))).body).toEqual({ items: [] });
  });
});

describe('DELETE /deployments/{slug}/grants/{id}', () => {
  test('revokes all tokens of the grant at once and logs a security event', async () => {
    const slug = await aSlug();
    const { id, token } = await granted(slug);
    expect(await isRevoked(token)).toBe(false);

    expect(await call('DELETE', `${pathOf(slug)}/${id}`)).toMatchObject({ status: 204 });
    expect(await isRevoked(token)).toBe(true);
    expect(await service.arranging.grants.find(id)).toBeUndefined();
    expect((await call('GET', pathOf(slug))).body).toEqual({ items: [] });
    expect(service.lines).toContainEqual({
      ...EVENT_LINE,
      type: 'security',
      event: 'grant_revoked',
      deployment_id: slug,
      slug,
      subject: owner.user.id,
      why: id,
    });
  });

  test('completes a revocation that was interrupted', async () => {
    const slug = await aSlug();
    const { id, token } = await granted(slug);
    service.store.aws.faults.inject({
      kind: 'fail',
      on: { service: 'dynamodb', operation: 'UpdateItem' },
    });
    const broken = await call('DELETE', `${pathOf(slug)}/${id}`);
    service.store.aws.faults.clear();
    expect(broken.status).toBe(503);

    await service.arranging.grants.end(id, NOON);
    await accessTokens().put(fingerprint('unrelated'), anAccessToken());
    expect(await call('DELETE', `${pathOf(slug)}/${id}`)).toMatchObject({ status: 204 });
    expect(await isRevoked(token)).toBe(true);
  });

  test('finds no grant of another deployment', async () => {
    const { id, token } = await granted(await aSlug());
    const other = await aSlug();

    expect(await call('DELETE', `${pathOf(other)}/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'The deployment has no grant of this id.' },
    });
    expect(await isRevoked(token)).toBe(false);
  });

  test('finds no unknown grant', async () => {
    const path = `${pathOf(await aSlug())}/${randomUUID()}`;
    expect(await call('DELETE', path)).toMatchObject({ status: 404 });
    expect(await call('DELETE', path)).toMatchObject({ status: 404 });
  });

  test('is not possible for a deployment of another owner', async () => {
    const slug = await aSlug();
    const { id, token } = await granted(slug);

    const detail = 'There is no deployment of this name.';
    for (const [method, path] of [
      ['GET', pathOf(slug)],
      ['DELETE', `${pathOf(slug)}/${id}`],
    ] as const) {
      expect(await call(method, path, { as: stranger })).toMatchObject({
        status: 404,
        body: { detail },
      });
    }
    expect(await isRevoked(token)).toBe(false);
  });
});

describe('what operators have ended', () => {
  const table = () => service.store.tableName('oauth');
  const register = () => dynamoNotBefore(service.store.instance(), table());
  afterEach(async () => {
    const Key = { pk: 'NOTBEFORE' };
    await service.store.instance().send(new DeleteCommand({ TableName: table(), Key }));
  });
  const ids = async (slug: string) => {
    const { body } = await call('GET', pathOf(slug));
    return (body as { items: readonly { id: string }[] }).items.map(({ id }) => id);
  };

  test('is no grant any more, and what was granted later is one', async () => {
    const slug = await aSlug();
    await granted(slug);
    await register().replace(withTokensEnded(NEVER_ENDED, NOON));
    const { id } = await granted(slug, NOON + 1);

    expect(await ids(slug)).toEqual([id]);
  });

  test('is no grant any more where it is that of one client', async () => {
    const slug = await aSlug();
    await granted(slug);
    const client = { id: 'mcp_client', seconds: HOUR };
    await register().replace(withClientEnded(NEVER_ENDED, client, NOON) ?? NEVER_ENDED);

    expect(await ids(slug)).toEqual([]);
  });

  test('is no grant any more where its user was signed out since', async () => {
    const slug = await aSlug();
    const { user } = await service.owner({ signedOutAt: NOON });
    await granted(slug, NOON - 1, user.id);
    const { id } = await granted(slug, NOON, user.id);

    expect(await ids(slug)).toEqual([id]);
  });

  test('is shown as a revoked token where it was minted', async () => {
    const slug = `minted-${(deployments += 1)}`;
    await service.ports.deploymentEditor.create(
      aDeployment({ id: slug, slug, ownerId: owner.user.id, authMethod: 'jwt' }),
    );
    await call('POST', `/deployments/${slug}/tokens`, { body: {} });
    await register().replace(withTokensEnded(NEVER_ENDED, service.clock.time));
    const { body } = await call('GET', `/deployments/${slug}/tokens`);

    expect(body).toMatchObject({ items: [{ revoked: true }] });
  });

  test('no longer opens the management API, where it is a session', async () => {
    await register().replace(withSessionsEnded(NEVER_ENDED, service.clock.time));

    expect(await call('GET', '/account')).toMatchObject({
      status: 401,
      body: { code: 'invalid_session' },
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { externalUserId } from '../../../layers/platform/rules/subject.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { committed } from '../../support/aws/committed.ts';
import { aGrant } from '../../support/oauth/oauth-fixtures.ts';
import { countedCallStore } from '../../support/aws/counted-calls.ts';
import { aDeployment, NOON } from '../../support/aws/dynamodb-fixtures.ts';
import type { ApiCall } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

serveTwoOwners();

let deployments = 0;
const aSlug = async (over: Partial<Parameters<typeof aDeployment>[0]> = {}): Promise<string> => {
  const slug = `calls-${(deployments += 1)}`;
  await service.ports.deploymentEditor.create(
    aDeployment({ id: slug, slug, ownerId: owner.user.id, ...over }),
  );
  return slug;
};

let requests = 0;
const called = async (slug: string, over: Partial<CallRecord> = {}): Promise<void> => {
  const store = countedCallStore(service.store);
  const call: CallRecord = {
    at: NOON - 60,
    requestId: `request-${(requests += 1)}`,
    index: 0,
    deploymentId: slug,
    version: 1,
    tool: 'listPets',
    outcome: 'ok',
    status: 200,
    durationMs: 30,
    subject: '192.0.2.1',
    ip: '192.0.2.1',
    ...over,
  };
  await store.store([call], 'router-1');
};

const calls = (slug: string, query = '', more: ApiCall = {}) =>
  service.call('GET', `/deployments/${slug}/calls`, { as: owner, query, ...more });
const subjectsOf = async (slug: string, query = '') =>
  (await calls(slug, query)).body.items?.map(({ subject }) => subject);

/** A place that is longer than a key of the store. */
const LONG_CURSOR = Buffer.from(JSON.stringify(['calls', '9'.repeat(1100)])).toString('base64url');

/** Under a grant whose client says who it is. */
const calledByClient = async (slug: string, clientName: string): Promise<void> => {
  const id = `grant of ${slug}`;
  const grant = aGrant({ id, deploymentId: slug, slug, clientName });
  const token = { fingerprint: fingerprint(id), expiresAt: NOON + 3600 };
  await committed(service.store.instance(), service.arranging.grants.beginning(grant, token));
  await called(slug, { clientId: grant.clientId, grantId: id });
};

describe('the name of the client that called', () => {
  test('stands beside its id, in the list and in the totals by caller', async () => {
    const slug = await aSlug();
    await calledByClient(slug, 'Claude Code');
    const named = [{ client_id: 'mcp_client', client_name: 'Claude Code' }];

    expect((await calls(slug)).body.items).toMatchObject(named);
    const callers = await service.call('GET', `/deployments/${slug}/callers`, { as: owner });
    expect(callers.body.items).toMatchObject(named);
  });

  test('is one that can be seen, whatever it was registered with', async () => {
    const slug = await aSlug();
    await calledByClient(slug, `\u200b\u3164a${'\u0300'.repeat(40)}`);

    expect((await calls(slug)).body.items).toMatchObject([{ client_name: 'a\u0300\u0300' }]);
  });
});

describe('the calls of a deployment', () => {
  test('are listed with all that is known of who made them', async () => {
    const slug = await aSlug();
    await called(slug, {
      requestId: 'request-x',
      outcome: 'no_answer',
      reason: 'timeout',
      subject: stranger.user.id,
      clientId: 'mcp_1',
      grantId: 'grant-1',
      credentialVersion: 'version-1',
      answerTokens: 512,
    });

    expect((await calls(slug)).body).toEqual({
      items: [
        {
          at: '2026-11-20T11:59:00Z',
          tool: 'listPets',
          version: 1,
          outcome: 'no_answer',
          status: 200,
          reason: 'timeout',
          duration_ms: 30,
          answer_tokens: 512,
          subject: stranger.user.id,
          email: stranger.user.email,
          client_id: 'mcp_1',
          grant_id: 'grant-1',
          ip: '192.0.2.1',
          request_id: 'request-x',
          index: 0,
          credential_version: 'version-1',
        },
      ],
    });
  });

  test('name the e-mail of a user who has let a client act here, and of nobody else', async () => {
    const slug = await aSlug();
    await called(slug, { subject: stranger.user.id, tokenId: 'jti-1' });

    expect((await calls(slug)).body.items?.[0]).not.toHaveProperty('email');

    await called(slug, { subject: owner.user.id, tokenId: 'jti-2' });
    expect((await calls(slug, 'limit=100')).body.items).toContainEqual(
      expect.objectContaining({ email: owner.user.email, token_id: 'jti-2' }),
    );
  });

  test('are found by the e-mail of a user, as by the id', async () => {
    const slug = await aSlug();
    const { id, email } = stranger.user;
    await called(slug, { subject: id, grantId: 'grant-1' });
    await called(slug);

    expect(await subjectsOf(slug, `subject=${encodeURIComponent(email)}`)).toEqual([id]);
    expect(await subjectsOf(slug, `subject=${id}`)).toEqual([id]);
    expect(await subjectsOf(slug, 'subject=nobody@example.com')).toEqual([]);
  });

  test('are found by the sub that the trusted issuer writes', async () => {
    const issuer = 'https://login.example.com';
    const jwtIssuer = {
      issuer,
      jwksUri: 'https://login.example.com/keys',
      audience: 'pets',
      algorithms: ['RS256'] as const,
    };
    const slug = await aSlug({ authMethod: 'jwt', jwtIssuer });
    await called(slug, { subject: externalUserId(issuer, 'ada') });
    await called(slug, { subject: externalUserId(issuer, 'bob') });

    expect(await subjectsOf(slug, 'subject=ada')).toEqual([externalUserId(issuer, 'ada')]);
  });

  test('begin where logs begin, whatever is requested', async () => {
    const slug = await aSlug();
    for (const ago of [1, 89, 91]) await called(slug, { at: NOON - ago * DAY });

    expect(await subjectsOf(slug)).toHaveLength(2);
    expect(await subjectsOf(slug, 'since=2020-01-01')).toHaveLength(2);
    expect(await subjectsOf(slug, 'since=2026-11-19')).toHaveLength(1);
    expect(await subjectsOf(slug, 'since=2030-01-01')).toHaveLength(0);
  });

  test('come page by page, each once', async () => {
    const slug = await aSlug();
    for (let ago = 0; ago < 7; ago += 1) await called(slug, { at: NOON - ago });

    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await calls(slug, `limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...(body.items ?? []).map(({ at }) => at));
      cursor = String(body['next_cursor'] ?? '');
    } while (cursor !== '');

    expect(seen).toHaveLength(7);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  test.each([
    ['an unknown outcome', 'outcome=fine', '/outcome'],
    ['an empty tool', 'tool=', '/tool'],
    ['a cursor of another list', 'cursor=WyJhY3Rpdml0eSIsIngiXQ', '/cursor'],
    ['a cursor that no page ends with', `cursor=${LONG_CURSOR}`, '/cursor'],
    ['an unknown name', 'ip=192.0.2.1', '/ip'],
  ])('are refused for %s', async (_, query, where) => {
    const { status, body } = await calls(await aSlug(), query);
    expect([status, body['findings']]).toMatchObject([422, [{ where }]]);
  });

  test('are not there for another owner, nor for nobody', async () => {
    const slug = await aSlug();
    await called(slug);

    expect((await calls(slug, '', { as: stranger })).status).toBe(404);
    expect((await calls(slug, '', { as: undefined })).status).toBe(401);
  });
});

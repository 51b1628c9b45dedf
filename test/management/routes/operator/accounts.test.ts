import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { dynamoAccessTokens } from '../../../../layers/tokens/store/access-tokens.ts';
import { usageSubject } from '../../../../layers/limits/rules/windows.ts';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';
import { aDeployment, NOON } from '../../../support/aws/dynamodb-fixtures.ts';
import { aGrant, anAccessToken } from '../../../support/oauth/oauth-fixtures.ts';
import type { ApiAnswer, Owner } from '../../../support/service/management.ts';
import { serveTwoOwners, service } from '../../../support/service/two-owners.ts';
import { committed } from '../../../support/aws/committed.ts';
import { EVENT_LINE } from '../../../support/event-line.ts';

serveTwoOwners();

const anOperator = () => service.owner({ operator: true });
const list = (as: Owner, query: object) =>
  service.call('GET', '/operator/accounts', {
    as,
    query: new URLSearchParams(Object.entries(query)).toString(),
  });
const emails = ({ body }: ApiAnswer) => body.items?.map(({ email }) => email);
const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

describe('the list of accounts', () => {
  const people = async (...names: readonly string[]) => {
    for (const name of names) await service.owner({ email: `${name}@example.com` });
  };

  test('is in the order of the addresses, by their beginning, page by page', async () => {
    await people('paging-b', 'paging-a', 'paging-c', 'pagin');
    const as = await anOperator();
    const first = await list(as, { prefix: ' PAGING-', limit: 2 });
    const next = String(first.body['next_cursor']);
    const second = await list(as, { prefix: 'paging-', limit: 2, cursor: next });

    expect(emails(first)).toEqual(['paging-a@example.com', 'paging-b@example.com']);
    expect(emails(second)).toEqual(['paging-c@example.com']);
    expect(second.body).not.toHaveProperty('next_cursor');
    expect(emails(await list(as, { prefix: 'paging-', limit: 3 }))).toHaveLength(3);
    expect((await list(as, { prefix: 'paging-', limit: 3 })).body).not.toHaveProperty(
      'next_cursor',
    );
  });

  test('shows of each what the index has, and no secret', async () => {
    const { user } = await service.owner({ email: 'shown@example.com', operator: true });
    const answer = await list(await anOperator(), { prefix: 'shown@' });

    expect(answer.body.items).toEqual([
      {
        id: user.id,
        email: 'shown@example.com',
        plan: 'free',
        operator: true,
        created_at: '2026-11-20T12:00:00Z',
      },
    ]);
  });

  test('has everybody where nothing is said, and nobody who is gone', async () => {
    const gone = await service.owner({ email: '!gone@example.com' });
    const as = await anOperator();
    expect(emails(await list(as, { limit: 1 }))).toEqual(['!gone@example.com']);
    await service.call('DELETE', '/account', { as: gone });

    expect(emails(await list(as, {}))).not.toContain('!gone@example.com');
  });

  test.each(["o'brien+a/b=c?d^e_f`g{h|i}~!#$%&*.-", '%', '_', '#', '{{x}}'])(
    'takes %j for what it says and nothing more',
    async (prefix) => {
      await people("o'brien+a/b=c?d^e_f`g{h|i}~!#$%&*.-x");
      const found = await list(await anOperator(), { prefix });

      expect(found.status).toBe(200);
      expect(emails(found)).toEqual(
        prefix.length > 10 ? [`${prefix}x@example.com`] : ([] as string[]),
      );
    },
  );

  test.each([
    'a b',
    'a\u0000',
    'a"',
    'a\\',
    'ä',
    '<script>',
    '(a)',
    'a:b',
    '\u212A',
    '\u202E',
    'a'.repeat(255),
  ])('refuses %j, which no address begins with', async (prefix) => {
    expect(await list(await anOperator(), { prefix })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', findings: [{ where: '/prefix' }] },
    });
  });

  test('refuses two beginnings, and one that is too long', async () => {
    const as = await anOperator();
    const query = 'prefix=a&prefix=b';

    expect((await service.call('GET', '/operator/accounts', { as, query })).status).toBe(422);
    expect((await list(as, { prefix: 'a'.repeat(321) })).status).toBe(422);
  });

  test.each<[string, string]>([
    ['of another list', cursorOf('deployments', '["paging-a@example.com","x"]')],
    ['that is no JSON', 'nonsense'],
    ['without a position', cursorOf('operator-accounts', '')],
  ])('refuses a cursor %s', async (_, cursor) => {
    expect((await list(await anOperator(), { cursor })).status).toBe(422);
  });

  test.each<[string, unknown]>([
    ['outside of what is looked for', ['zz@example.com', 'x']],
    ['that no address has', ['paging-\ud800', 'x']],
    ['that no id has', ['paging-a@example.com', '\u0000']],
    ['that is too long', ['paging-a@example.com', 'x'.repeat(129)]],
    ['of something else', { email: 'paging-a@example.com' }],
    ['with more than it has', ['paging-a@example.com', 'x', 'USER#y']],
    ['that is empty', ['', '']],
  ])('ends where a made-up cursor names a place %s', async (_, position) => {
    const cursor = cursorOf('operator-accounts', JSON.stringify(position));

    expect(await list(await anOperator(), { prefix: 'paging-', cursor })).toMatchObject({
      status: 200,
      body: { items: [] },
    });
  });
});

describe('one account', () => {
  test('is shown with its plan, limits and use', async () => {
    const { user } = await service.owner();
    await service.ports.usage.take(usageSubject(user.email), 'free', 4, NOON);
    const as = await anOperator();
    const answer = await service.call('GET', `/operator/accounts/${user.id}`, { as });

    expect(answer).toMatchObject({
      status: 200,
      body: { id: user.id, plan: 'free', usage: { hour: { used: 4, limit: 20 } } },
    });
    expect(JSON.stringify(answer)).not.toContain('scrypt');
  });

  test.each(['nobody', '%00', 'a'.repeat(5000), `EMAIL%23x`])(
    'that is none is not found, whatever is asked of it: %.20s',
    async (id) => {
      const as = await anOperator();
      for (const [method, rest, body] of [
        ['GET', ''],
        ['PATCH', '', { plan: 'pro' }],
        ['POST', '/end'],
        ['GET', '/deployments'],
      ] as const) {
        expect(
          await service.call(method, `/operator/accounts/${id}${rest}`, { as, body }),
        ).toMatchObject({ status: 404, body: { detail: 'There is no account of this id.' } });
      }
    },
  );
});

describe('another plan', () => {
  const put = (as: Owner, id: string, body: unknown) =>
    service.call('PATCH', `/operator/accounts/${id}`, { as, body });

  test('is that of the account and of its deployments, and the event names the operator', async () => {
    const [as, { user }] = [await anOperator(), await service.owner()];
    const slug = `plan-${randomUUID()}`;
    const { deploymentEditor, users } = service.arranging;
    await deploymentEditor.create(aDeployment({ id: slug, slug, ownerId: user.id }));

    expect(await put(as, user.id, { plan: 'pro' })).toMatchObject({
      status: 200,
      body: { plan: 'pro', limits: { requests_per_hour: expect.any(Number) } },
    });
    expect(await users.find(user.id)).toEqual({ ...user, plan: 'pro', revision: 2 });
    expect((await deploymentEditor.read(slug))?.ownerPlan).toBe('pro');
    expect(service.lines.findLast(({ event }) => event === 'plan_changed')).toMatchObject({
      account_id: user.id,
      operator_id: as.user.id,
      why: 'free to pro',
    });
  });

  test('may be sent again, and reaches deployments that were left', async () => {
    const [as, { user }] = [await anOperator(), await service.owner({ plan: 'pro' })];
    const slug = `left-${randomUUID()}`;
    const { deploymentEditor, users } = service.arranging;
    await deploymentEditor.create(aDeployment({ id: slug, slug, ownerId: user.id }));

    expect((await put(as, user.id, { plan: 'pro' })).status).toBe(200);
    expect((await deploymentEditor.read(slug))?.ownerPlan).toBe('pro');
    expect(await users.find(user.id)).toEqual(user);
  });

  test('may be that of an operator, who stays one', async () => {
    const [as, { user }] = [await anOperator(), await anOperator()];
    await put(as, user.id, { plan: 'pro' });
    await put(as, as.user.id, { plan: 'pro' });

    expect(await service.arranging.users.find(user.id)).toMatchObject({ operator: true });
    expect((await service.call('GET', '/account', { as })).body).toMatchObject({
      plan: 'pro',
      operator: true,
    });
  });

  test.each([
    [{ plan: 'gold' }],
    [{}],
    [{ plan: 'pro', operator: true }],
    [{ plan: ['pro'] }],
    [null],
  ])('is refused as %j', async (body) => {
    const { user } = await service.owner();

    expect((await put(await anOperator(), user.id, body)).status).toBe(422);
    expect(await service.arranging.users.find(user.id)).toEqual(user);
  });
});

describe('ending what an account has begun', () => {
  const end = (as: Owner, id: string) =>
    service.call('POST', `/operator/accounts/${id}/end`, { as });
  const accessTokens = () =>
    dynamoAccessTokens(service.store.instance(), service.store.tableName('oauth'));

  test('ends its sessions, grants, tokens and password at once, and may be repeated', async () => {
    const [as, theirs] = [await anOperator(), await service.owner()];
    const { id: userId, passwordHash } = theirs.user;
    const id = randomUUID();
    const token = fingerprint(`token of ${id}`);
    const expiresAt = NOON + 3600;
    const grant = aGrant({ id, userId, deploymentId: 'somebodys', createdAt: NOON });
    await committed(
      service.store.instance(),
      service.arranging.grants.beginning(grant, { fingerprint: token, expiresAt }),
    );
    await accessTokens().put(token, anAccessToken({ grantId: id, expiresAt }));

    expect((await end(as, userId)).status).toBe(204);
    expect((await service.call('GET', '/account', { as: theirs })).status).toBe(401);
    expect((await accessTokens().find(token))?.revoked).toBe(true);
    const now = await service.arranging.users.find(userId);
    expect(now).toMatchObject({ signedOutAt: NOON + 1, plan: 'free' });
    expect(now?.passwordHash).not.toBe(passwordHash);
    expect(service.lines.findLast(({ event }) => event === 'account_ended')).toEqual({
      ...EVENT_LINE,
      type: 'security',
      event: 'account_ended',
      account_id: userId,
      subject: userId,
      operator_id: as.user.id,
      why: 'operator',
    });
    expect((await end(as, userId)).status).toBe(204);
    expect((await service.call('GET', '/account', { as })).status).toBe(200);
  });

  test('is refused for an operator, another as well as oneself', async () => {
    const [as, other] = [await anOperator(), await anOperator()];

    for (const { user } of [as, other]) {
      expect(await end(as, user.id)).toMatchObject({
        status: 422,
        body: { code: 'invalid_request', detail: expect.stringContaining('admin end-account') },
      });
      expect(await service.arranging.users.find(user.id)).toEqual(user);
    }
  });
});

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/mcp/routes/server.ts';
import { Fault } from '../../../layers/platform/rules/fault.ts';
import { operatorCommands } from '../../../layers/management/routes/operator.ts';
import { dynamoNotBefore } from '../../../layers/tokens/store/not-before.ts';
import {
  NEVER_ENDED,
  type NotBefore,
  withClientEnded,
  withSessionsEnded,
  withTokensEnded,
} from '../../../layers/tokens/rules/not-before.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, post, rpc } from '../../support/mcp/router-events.ts';
import { aUser } from '../../support/oauth/oauth-fixtures.ts';
import { aMintedToken, anAccessToken, bearer } from '../../support/mcp/router-tokens.ts';

let router: TestRouter;
let pets: Deployment;
let birds: Deployment;
beforeAll(async () => {
  router = await startRouter();
  pets = await router.publish('pets', { authMethod: 'oauth', access: { mode: 'any_user' } });
  birds = await router.publish('birds', { authMethod: 'jwt' });
});
/** Long after what an instance remembers of the test before. */
let time = NOON;
beforeEach(async () => {
  time += 100;
  router.clock.time = time;
  const TableName = router.store.tableName('oauth');
  await router.store.instance().send(new DeleteCommand({ TableName, Key: { pk: 'NOTBEFORE' } }));
});
afterAll(() => router.stop());

/** Status and, for the log alone, the reason. */
const outcome = async (token: string, slug = 'pets') => {
  const { statusCode } = await router.send(post(at(slug, '/messages'), rpc('ping'), bearer(token)));
  return statusCode === 200 ? 200 : [statusCode, router.lines.at(-1)?.['why']];
};

/** As the authorization server does it at an operator's command. */
const end = async (change: (known: NotBefore) => NotBefore | undefined) => {
  const register = dynamoNotBefore(router.store.instance(), router.store.tableName('oauth'));
  const next = change(NEVER_ENDED);
  if (next) await register.replace(next);
};
const granted = (over = {}) =>
  anAccessToken(router, pets, { grantedAt: time, expiresAt: time + 3600, ...over });

describe('an access token', () => {
  test('ends with all others at the latest 15 seconds after the command; later ones work', async () => {
    const token = await granted();
    expect(await outcome(token)).toBe(200);
    await end((known) => withTokensEnded(known, time));

    router.clock.time = time + 15;
    expect(await outcome(token)).toEqual([401, 'all tokens ended']);
    expect(await outcome(await granted({ grantedAt: time + 1 }))).toBe(200);
  });

  test('ends at once where the instance has read nothing before', async () => {
    await end((known) => withTokensEnded(known, time));

    expect(await outcome(await granted())).toEqual([401, 'all tokens ended']);
  });

  test('that does not say when it was granted ends as well', async () => {
    await end((known) => withTokensEnded(known, time));

    expect(await outcome(await granted({ grantedAt: 0 }))).toEqual([401, 'all tokens ended']);
  });

  test('of a client ends with it, and those of others stay', async () => {
    const [theirs, others] = [await granted({ clientId: 'mcp_bad' }), await granted()];
    await end((known) => withClientEnded(known, { id: 'mcp_bad', seconds: 60 }, time));

    expect(await outcome(theirs)).toEqual([401, 'client ended']);
    expect(await outcome(others)).toBe(200);
    expect(await outcome(await granted({ clientId: 'mcp_bad', grantedAt: time + 1 }))).toBe(200);
  });

  test('of a user who was ended by an earlier version stays ended, and those of others stay', async () => {
    const [theirs, others] = [await granted({ userId: 'mallory' }), await granted()];
    const party = { kind: 'user', id: 'mallory', before: time + 1, expiresAt: time + 61 } as const;
    await end((known) => ({ ...known, parties: [party], revision: known.revision + 1 }));

    expect(await outcome(theirs)).toEqual([401, 'user ended']);
    expect(await outcome(others)).toBe(200);
    // A client of this name is somebody else.
    expect(await outcome(await granted({ clientId: 'mallory' }))).toBe(200);
  });

  test('is not ended with the sessions', async () => {
    await end((known) => withSessionsEnded(known, time));

    expect(await outcome(await granted())).toBe(200);
  });

  test('is not let in unasked where it cannot be read what has ended', async () => {
    const token = await granted();
    const notBefore = { find: () => Promise.reject(new Fault('dynamodb', 'down')) };
    const send = server({ ...router.ports, notBefore });
    const reply = await send(post(at('pets', '/messages'), rpc('ping'), bearer(token)));

    expect(reply.statusCode).toBe(503);
  });
});

describe('a minted token', () => {
  test('ends with all others, and later ones work', async () => {
    router.clock.time = NOON;
    const before = await aMintedToken(router, birds);
    expect(await outcome(before.text, 'birds')).toBe(200);
    await end((known) => withTokensEnded(known, NOON));

    router.clock.time = NOON + 15;
    expect(await outcome(before.text, 'birds')).toEqual([401, 'all tokens ended']);
    const later = await aMintedToken(router, birds, { createdAt: NOON + 1 });
    expect(await outcome(later.text, 'birds')).toBe(200);
  });
});

describe('a deployment that an operator stops', () => {
  const operate = (operator: string, command: object) =>
    operatorCommands(
      { ...router.owner, events: router.ports.events } as never,
      [],
    )({ operator, ...command });
  const ask = async (slug: string) =>
    (await router.send(post(at(slug, '/messages'), rpc('ping')))).statusCode;

  test('is gone for everybody after 15 seconds, and paused for its owner when it is released', async () => {
    const owner = aUser();
    await router.owner.users.create(owner);
    const fish = await router.publish('fish', { authMethod: 'none', ownerId: owner.id });
    expect(await ask('fish')).toBe(200);

    expect(await operate('stop-deployment', { slug: 'fish' })).toEqual({
      ok: true,
      status: 'stopped',
    });
    router.clock.time += 15;
    expect(await ask('fish')).toBe(404);
    expect(await operate('release-deployment', { slug: 'fish' })).toEqual({
      ok: true,
      status: 'paused',
    });
    expect(await ask('fish')).toBe(404);
    expect(await operate('release-deployment', { slug: 'fish' })).toMatchObject({
      ok: false,
      code: 'invalid_request',
    });
    expect((await router.owner.deploymentEditor.read('fish'))?.id).toBe(fish.id);
  });

  test('goes on when it is released where its owner has no account, who could resume it', async () => {
    await router.publish('canary', { authMethod: 'none', ownerId: 'canary' });
    await operate('stop-deployment', { slug: 'canary' });
    router.clock.time += 15;
    expect(await ask('canary')).toBe(404);

    expect(await operate('release-deployment', { slug: 'canary' })).toEqual({
      ok: true,
      status: 'active',
    });
    router.clock.time += 15;
    expect(await ask('canary')).toBe(200);
  });

  test.each([
    ['paused, and its owner has no account', 'nobody', 'paused', 200, undefined],
    ['stopped', 'nobody', 'stopped', 404, 'hosted-mcp admin release'],
    ['paused by its owner', undefined, 'paused', 404, 'Its owner resumes it.'],
  ] as const)(
    'is served once it is published again, or the answer says why not: %s',
    async (_, ownerName, status, served, hint) => {
      const owner = aUser();
      if (!ownerName) await router.owner.users.create(owner);
      const ownerId = ownerName ?? owner.id;
      const slug = `again-${status}-${ownerName ?? 'account'}`;
      await router.publish(slug, { authMethod: 'none', ownerId, status });

      const openapi = JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Fish', version: '1' },
        servers: [{ url: 'https://api.example.com' }],
        paths: { '/fish': { get: { responses: { 200: { description: 'Fish.' } } } } },
      });
      const published = await operate('publish', { ownerId, slug, authMethod: 'none', openapi });

      router.clock.time += 15;
      expect(await ask(slug)).toBe(served);
      const hints = (published as { warnings: { hint: string }[] }).warnings.map((one) => one.hint);
      expect(hints.join(' ')).toEqual(hint ? expect.stringContaining(hint) : '');
    },
  );

  test('is not found where there is none', async () => {
    const send = operatorCommands(router.owner as never, []);

    expect(await send({ operator: 'stop-deployment', slug: 'nothing' })).toMatchObject({
      ok: false,
      code: 'not_found',
    });
  });
});

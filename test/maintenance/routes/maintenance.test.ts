import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/maintenance/routes/server.ts';
import { functions } from '../../../lambdas/manifest.ts';
import { dynamoResources } from '../../../layers/contents/store/resources.ts';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { dynamoGrants } from '../../../layers/oauth/store/grants.ts';
import { dynamoMintedTokens } from '../../../layers/tokens/store/minted-tokens.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { dynamoUndeliverables } from '../../../layers/accounts/store/undeliverables.ts';
import { dynamoPublicRequests } from '../../../layers/limits/store/public-requests.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type { InvocationContext } from '../../../layers/platform/system/clock.ts';
import { wireMaintenance } from '../../../lambdas/maintenance/wiring.ts';
import {
  aDeployment,
  contentTables,
  home,
  NOON,
  PLENTY,
} from '../../support/aws/dynamodb-fixtures.ts';
import { aGrant, aMintedToken, anAccessToken } from '../../support/oauth/oauth-fixtures.ts';
import { aManagementService } from '../../support/service/management.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import { committed } from '../../support/aws/committed.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

const service = await aManagementService();
afterAll(() => service.stop());
afterEach(() => {
  service.store.aws.faults.clear();
  service.clock.time = NOON;
});

const TEN = 10;
const HOUR = 3600;
const maintain = (command: object, context?: InvocationContext) =>
  service.maintain(command, context);
/** Of an invocation that has time for so many steps, each of which asks once whether there is some. */
const aContext = (steps: number) => {
  // So does what gives a command up before Lambda ends it.
  let asked = -1;
  return { getRemainingTimeInMillis: () => ((asked += 1) <= steps ? 900_000 : 30_000) };
};
const NOTHING = { deployments: 0, removals: 0, files: 0, failed: 0 };
/** Deployments whose removal broke off more than an hour ago. */
const breakOff = async (...slugs: readonly string[]) => {
  for (const slug of slugs) {
    await service.ports.deploymentEditor.create(
      aDeployment({ id: `dep-${slug}`, slug, status: 'removing', updatedAt: NOON - 2 * HOUR }),
    );
  }
};
const left = async (...slugs: readonly string[]) => {
  const found = await Promise.all(slugs.map((slug) => service.ports.deploymentEditor.read(slug)));
  return found.flatMap((one) => one?.slug ?? []);
};

describe('the scheduled events of the stack', () => {
  const commands = (functions.maintenance.schedules ?? []).flatMap((one) =>
    'command' in one ? [one.command] : [],
  );

  test.each(commands)('are valid commands: %j', async (command) => {
    const done = command.operator === 'take-care' ? { asked: 0 } : NOTHING;
    expect(await maintain(command)).toEqual({ ok: true, ...done, complete: true });
    expect(service.lines).toContainEqual({ message: 'swept', ...NOTHING, complete: true });
  });

  test('of other kinds are refused', async () => {
    await expect(maintain({ operator: 'drop-tables' })).rejects.toThrow('operator: unknown');
    await expect(maintain({ operator: 'sweep', now: true })).rejects.toThrow('not a command');
    await expect(maintain({ operator: 'list-blocked', after: 7 })).rejects.toThrow('after');
  });
});

describe('a sweep of a stage that keeps credentials in envelopes', () => {
  test('finishes removals there too', async () => {
    await breakOff('sealed');
    service.store.enforce('envelope');
    const environment = environmentOf(service.store, 'maintenance');
    const sweep = server({
      ...wireMaintenance({ ...environment, CREDENTIAL_STORE: 'envelope' }),
      clock: service.clock,
    });
    const swept = await sweep({ operator: 'sweep' });
    service.store.enforce('secrets-manager');

    expect(swept).toMatchObject({ deployments: 1, failed: 0, complete: true });
    expect(await left('sealed')).toEqual([]);
  });
});

describe('a sweep that runs out of time', () => {
  test('goes on where it ended, by the next command, and does everything once', async () => {
    await breakOff('one', 'two', 'three');
    service.store.aws.calls.reset();

    expect(await maintain({ operator: 'sweep' }, aContext(2))).toMatchObject({
      deployments: 1,
      complete: false,
    });
    expect(await left('one', 'two', 'three')).toHaveLength(2);
    const rest = await maintain({ operator: 'continue-sweep' });

    expect(rest).toMatchObject({ deployments: 2, failed: 0, complete: true });
    expect(await left('one', 'two', 'three')).toEqual([]);
    // One for each of two places where a deployment may have a secret.
    expect(service.store.aws.calls.count({ operation: 'DeleteSecret' })).toBe(3 * 2);
    expect(await maintain({ operator: 'continue-sweep' })).toEqual({
      ok: true,
      ...NOTHING,
      complete: true,
    });
  });

  test('before it has looked at anything loses nothing', async () => {
    await breakOff('early');

    expect(await maintain({ operator: 'sweep' }, aContext(0))).toEqual({
      ok: true,
      ...NOTHING,
      complete: false,
    });
    expect(await maintain({ operator: 'sweep' })).toMatchObject({ deployments: 1, complete: true });
    expect(await left('early')).toEqual([]);
  });

  test('leaves the round to the invocation that was faster', async () => {
    await breakOff('raced-1', 'raced-2');
    await maintain({ operator: 'sweep' }, aContext(0));

    const both = await Promise.all([
      maintain({ operator: 'continue-sweep' }),
      maintain({ operator: 'continue-sweep' }),
    ]);

    expect(both.map((swept) => (swept as { complete: boolean }).complete)).toContain(true);
    expect(await left('raced-1', 'raced-2')).toEqual([]);
    expect(await maintain({ operator: 'sweep' })).toMatchObject({ complete: true });
  });
});

describe('a sweep of a removal that broke off', () => {
  test('ends what gives access, and removes what the deployment holds', async () => {
    await breakOff('holding');
    const { store } = service;
    const dynamo = store.instance();
    const oauth = store.tableName('oauth');
    const deploymentId = 'dep-holding';
    const access = { fingerprint: fingerprint('held'), expiresAt: NOON + HOUR };
    const grants = dynamoGrants(dynamo, oauth, DEFAULT_LIMITS);
    await committed(dynamo, grants.beginning(aGrant({ id: 'held', deploymentId }), access));
    const tokens = dynamoAccessTokens(dynamo, oauth);
    await tokens.put(access.fingerprint, anAccessToken({ grantId: 'held', deploymentId }));
    const minted = dynamoMintedTokens(dynamo, oauth);
    await minted.put(aMintedToken({ jti: 'held', deploymentId }));
    const resources = dynamoResources(dynamo, contentTables(store));
    const held = { name: 'held', uri: 'a:b', content: '', encoding: 'text' } as const;
    await resources.create(home(deploymentId), held, PLENTY);
    store.aws.calls.reset();

    expect(await maintain({ operator: 'sweep' })).toMatchObject({ deployments: 1, failed: 0 });

    expect(await left('holding')).toEqual([]);
    expect(await grants.find('held')).toBeUndefined();
    expect(await tokens.find(access.fingerprint)).toMatchObject({ revoked: true });
    expect(await minted.find('held')).toMatchObject({ revoked: true });
    expect(await resources.list(deploymentId)).toEqual([]);
    const asked = { caller: 'maintenance', operation: 'DeleteSecret' };
    expect(store.aws.calls.count(asked)).toBe(2);
  });
});

describe('what a sweep cannot do', () => {
  test('keeps it from nothing else, is logged, and is done by the next one', async () => {
    await breakOff('stuck', 'free');
    service.store.aws.faults.inject({ kind: 'deny', on: { operation: 'DeleteSecret' }, times: 1 });

    expect(await maintain({ operator: 'sweep' })).toMatchObject({
      deployments: 1,
      failed: 1,
      complete: true,
    });
    expect(service.lines).toContainEqual(
      expect.objectContaining({ message: 'not_swept', what: expect.stringMatching(/^SLUG#/) }),
    );

    expect(await maintain({ operator: 'sweep' })).toMatchObject({ deployments: 1, failed: 0 });
    expect(await left('stuck', 'free')).toEqual([]);
  });

  test('ends it where the table itself cannot be read, so that the event comes again', async () => {
    await breakOff('unread');
    service.store.aws.faults.inject({ kind: 'deny', on: { operation: 'Scan' } });

    await expect(maintain({ operator: 'sweep' })).rejects.toMatchObject({ neighbour: 'dynamodb' });

    service.store.aws.faults.clear();
    expect(await maintain({ operator: 'sweep' })).toMatchObject({ deployments: 1 });
  });
});

describe('the blocked addresses of the rate limits', () => {
  const block = (subject: string, slug = 'weather') =>
    dynamoPublicRequests(service.store.instance(), service.store.tableName('limits'), 2).count(
      { subject, deploymentId: `dep-${slug}`, slug },
      TEN,
      NOON,
    );

  test('are listed and unblocked by any notation, with a security event', async () => {
    await block('192.0.2.77');
    await block('2001:db8:1:2::/64');
    expect(await maintain({ operator: 'list-blocked' })).toEqual({
      ok: true,
      blocked: expect.arrayContaining([
        { subject: '192.0.2.77', slug: 'weather', until: NOON + 3600 },
        { subject: '2001:db8:1:2::/64', slug: 'weather', until: NOON + 3600 },
      ]),
    });

    for (const subject of ['192.0.2.77', '2001:DB8:1:2::5']) {
      expect(await maintain({ operator: 'unblock-ip', subject })).toEqual({
        ok: true,
        lifted: true,
      });
    }
    expect(await maintain({ operator: 'list-blocked' })).toEqual({ ok: true, blocked: [] });
    expect(service.lines).toContainEqual({
      ...EVENT_LINE,
      type: 'security',
      event: 'ip_unblocked',
      subject: '2001:db8:1:2::/64',
      why: 'operator',
    });
  });

  test('are reported as not blocked where they are not', async () => {
    expect(await maintain({ operator: 'unblock-ip', subject: '192.0.2.78' })).toEqual({
      ok: true,
      lifted: false,
    });
    expect(await maintain({ operator: 'unblock-ip', subject: 'everybody' })).toMatchObject({
      ok: false,
      code: 'invalid_request',
      findings: [{ where: '/subject' }],
    });
  });

  test('are unblocked by the subject that the security event names', async () => {
    await block('2001:db8:1:3::/64');
    expect(await maintain({ operator: 'unblock-ip', subject: '2001:db8:1:3::/64' })).toEqual({
      ok: true,
      lifted: true,
    });
  });
});

describe('an address that is not written to any more', () => {
  test('is found and allowed again, in any spelling, with a security event', async () => {
    const { store } = service;
    const undeliverables = dynamoUndeliverables(store.instance(), store.tableName('users'));
    await undeliverables.put('ada@example.com', { reason: 'complaint', since: NOON });
    const email = 'Ada@Example.com';

    expect(await maintain({ operator: 'mail-status', email })).toEqual({
      ok: true,
      deliverable: false,
      reason: 'complaint',
      since: NOON,
    });
    expect(await maintain({ operator: 'allow-mails', email })).toEqual({ ok: true, lifted: true });
    expect(await maintain({ operator: 'allow-mails', email })).toEqual({ ok: true, lifted: false });
    expect(await maintain({ operator: 'mail-status', email })).toEqual({
      ok: true,
      deliverable: true,
    });
    const subject = fingerprint('ada@example.com');
    expect(service.lines.filter(({ event }) => event === 'mail_allowed')).toEqual([
      { ...EVENT_LINE, type: 'security', event: 'mail_allowed', subject, why: 'operator' },
    ]);
  });

  test.each([{}, { email: 7 }, { email: 'a@b.example', all: true }])(
    'is named by one address: %j',
    async (sent) => {
      await expect(maintain({ operator: 'allow-mails', ...sent })).rejects.toThrow('not a command');
    },
  );
});

describe('the list of blocked addresses', () => {
  test('goes on where the time was over', async () => {
    const TableName = service.store.tableName('limits');
    const writing = Array.from({ length: 41 }, (_, batch) =>
      service.store.instance().send(
        new BatchWriteCommand({
          RequestItems: {
            [TableName]: Array.from({ length: 25 }, (__, index) => ({
              PutRequest: { Item: { pk: `of_another_kind#${batch}#${index}` } },
            })),
          },
        }),
      ),
    );
    await Promise.all(writing);
    const noTime = { getRemainingTimeInMillis: () => 5000 };

    const first = await maintain({ operator: 'list-blocked' }, noTime);
    expect(first).toEqual({ ok: true, blocked: expect.any(Array), next: expect.any(String) });
    const { next: after } = first as { next: string };
    expect(await maintain({ operator: 'list-blocked', after })).toEqual({
      ok: true,
      blocked: expect.any(Array),
    });
  });
});

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerProperties } from '../../cdk/provider/event.ts';
import { openDataFolder } from '../../local/run/data-folder.ts';
import { ownerToken, provisionOwner } from '../../local/run/owner.ts';
import { startService } from '../../local/run/service.ts';
import { bundlesOfThisRun } from '../support/aws/bundles.ts';
import { startCloudFormation, type StackOptions } from '../support/cdk/cloudformation.ts';
import { ENCRYPTED, startPackedProvider } from '../support/cdk/packed-provider.ts';
import { startUnsteadyProxy } from '../support/cdk/unsteady-proxy.ts';
import { aDescription } from '../support/openapi/descriptions.ts';

const { path, owner } = await openDataFolder(await mkdtemp(join(tmpdir(), 'hosted-mcp-events-')));
const limits = {
  active_deployments_per_user: 100,
  management_requests_per_minute_per_user: 10_000,
};
const service = await startService({
  port: 0,
  dataFolder: path,
  settings: { LIMITS: JSON.stringify(limits) },
  ...(await bundlesOfThisRun()),
});
await provisionOwner(service, owner);
const session = (await ownerToken(service.baseUrl, owner)) ?? '';
const proxy = await startUnsteadyProxy(service.baseUrl);
const provider = await startPackedProvider();
const cloudFormation = await startCloudFormation(provider.invoke);
afterAll(async () => {
  await cloudFormation.close();
  await provider.close();
  await proxy.close();
  await service.close();
});

const call = async (method: string, at: string, as: string, body?: object) => {
  const answer = await fetch(`${service.baseUrl}/mcp-management${at}`, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
};
const made = await call('POST', '/account/tokens', session, { name: 'stack', scope: 'declare' });
const token = String(made.body['token']);
provider.secrets.set('token', token);
const deployed = (slug: string) => call('GET', `/deployments/${slug}`, token);

beforeEach(() => {
  proxy.fates.length = 0;
  provider.denied.times = 0;
  provider.logged.length = 0;
});

/** What of the function's time is left for the answer. */
const ANSWER_MS = 30_000;
/** Two seconds to try. */
const SHORT: StackOptions = { functionMs: ANSWER_MS + 2000 };

let count = 0;
const stackFor = (options?: StackOptions) => cloudFormation.stack(`Orders${(count += 1)}`, options);

const serverOf = (slug: string, more: Partial<ServerProperties> = {}, tools = ['listPets']) => {
  count += 1;
  const Key = `declaration-${count}`;
  const openapi = JSON.stringify(aDescription(tools));
  provider.objects.set(Key, JSON.stringify({ openapi }));
  return {
    Slug: slug,
    BaseUrl: proxy.baseUrl,
    Token: 'token',
    Declaration: { Bucket: 'assets', Key },
    Adopt: 'false',
    Removal: 'destroy',
    Digest: `digest-${count}`,
    ...more,
  };
};
const down = (times: number) =>
  void proxy.fates.push(...Array.from({ length: times }, () => ({ status: 503 })));

describe('the packed function, told what CloudFormation tells', () => {
  test('makes, changes, takes back, replaces and removes a server', async () => {
    const stack = stackFor();
    const first = serverOf('life-one');
    expect(await stack.create(first)).toBe('CREATE_COMPLETE');
    expect(await stack.update(serverOf('life-one', {}, ['a', 'b']))).toBe('UPDATE_COMPLETE');
    expect((await deployed('life-one')).body).toMatchObject({ tool_count: 2 });
    expect(await stack.update(first, true)).toBe('UPDATE_ROLLBACK_COMPLETE');
    expect((await deployed('life-one')).body).toMatchObject({ tool_count: 2 });

    expect(await stack.update(serverOf('life-two'))).toBe('UPDATE_COMPLETE');
    expect((await deployed('life-one')).status).toBe(404);
    expect(await stack.update(serverOf('life-three'), true)).toBe('UPDATE_ROLLBACK_COMPLETE');
    expect((await deployed('life-three')).status).toBe(404);
    expect((await deployed('life-two')).status).toBe(200);
    expect(await stack.remove()).toBe('DELETE_COMPLETE');
    expect((await deployed('life-two')).status).toBe(404);
  });

  test('comes to the same end where every event comes twice at once', async () => {
    const stack = stackFor({ delivers: 'twice' });
    expect(await stack.create(serverOf('twice'))).toBe('CREATE_COMPLETE');
    expect(await stack.update(serverOf('twice', {}, ['a', 'b']))).toBe('UPDATE_COMPLETE');
    expect((await deployed('twice')).body).toMatchObject({ tool_count: 2 });
    expect(await stack.remove()).toBe('DELETE_COMPLETE');
    expect((await deployed('twice')).status).toBe(404);
  });
});

test('a secret is read in the region that its ARN names', async () => {
  const arn = 'arn:aws:secretsmanager:us-east-1:111122223333:secret:orders-token-AbCdEf';
  provider.secrets.set(arn, token);
  expect(await stackFor(SHORT).create(serverOf('elsewhere', { Token: arn }))).toBe(
    'CREATE_COMPLETE',
  );
});

describe('a first deployment that fails is taken back', () => {
  test.each<readonly [string, Partial<ServerProperties>]>([
    ['the secret is missing', { Token: 'nothing' }],
    ['the service does not take the token', { Token: 'ended' }],
    ['the service is not there', { BaseUrl: 'http://127.0.0.1:9/v1' }],
    ['the service refuses the declaration', { Slug: 'No' }],
  ])('where %s', async (_, wrong) => {
    provider.secrets.set('ended', `${token.slice(0, -4)}AAAA`);
    const stack = stackFor(SHORT);
    expect(await stack.create(serverOf('never', wrong))).toBe('ROLLBACK_COMPLETE');
    expect((await deployed('never')).status).toBe(404);
  });

  test('where a key of theirs encrypts a secret, which the reason says', async () => {
    const stack = stackFor(SHORT);
    expect(await stack.create(serverOf('never', { Token: ENCRYPTED }))).toBe('ROLLBACK_COMPLETE');
    expect(stack.events[0]?.Reason).toContain(
      'The secret encrypted cannot be read. AWS: AccessDeniedException: Access to KMS is not allowed. A key of its own encrypts it',
    );
  });

  test('where the service is down from beginning to end', async () => {
    down(1000);
    const stack = stackFor(SHORT);
    expect(await stack.create(serverOf('down'))).toBe('ROLLBACK_COMPLETE');
  });

  test('and nothing stays of it where its answer was lost', async () => {
    proxy.fates.push('answer lost', ...Array.from({ length: 100 }, () => 'silence' as const));
    const stack = stackFor(SHORT);
    const properties = serverOf('lost');
    const answer = await stack.send('Create', properties);
    expect(answer.Status).toBe('FAILED');
    expect((await deployed('lost')).status).toBe(200);
    proxy.fates.length = 0;
    const { PhysicalResourceId } = answer;
    const gone = await stack.send('Delete', properties, { PhysicalResourceId });
    expect(gone).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId });
    expect((await deployed('lost')).status).toBe(404);
  });

  test('and leaves what may have come to be to the next one, where servers stay', async () => {
    proxy.fates.push('answer lost', ...Array.from({ length: 100 }, () => 'silence' as const));
    const stack = stackFor(SHORT);
    const properties = serverOf('kept', { Removal: 'retain' });
    expect(await stack.create(properties)).toBe('ROLLBACK_COMPLETE');
    expect(provider.logged).toContainEqual({
      level: 'WARN',
      message: expect.stringContaining('the next deployment goes on with it'),
    });
    proxy.fates.length = 0;
    expect(await stack.create(properties)).toBe('CREATE_COMPLETE');
  });

  test('and never removes a server that was there before', async () => {
    const theirs = stackFor();
    await theirs.create(serverOf('theirs'));
    const stack = stackFor();
    expect(await stack.create(serverOf('theirs'))).toBe('ROLLBACK_COMPLETE');
    expect((await deployed('theirs')).status).toBe(200);
  });

  test('and nothing stays of a change of the slug whose answer was lost', async () => {
    const stack = stackFor(SHORT);
    await stack.create(serverOf('slug-old'));
    proxy.fates.push('answer lost', { status: 400 });
    expect(await stack.update(serverOf('slug-new'))).toBe('UPDATE_ROLLBACK_COMPLETE');
    expect((await deployed('slug-old')).status).toBe(200);
    expect((await deployed('slug-new')).status).toBe(404);
  });
});

describe('what fails for a moment is tried again', () => {
  test.each<readonly [string, () => void]>([
    ['the service is unavailable', () => void proxy.fates.push({ status: 503 }, { status: 502 })],
    ['there are too many requests', () => void proxy.fates.push({ status: 429, retryAfter: 1 })],
    ['a connection breaks', () => void proxy.fates.push('broken')],
    ['an answer is lost', () => void proxy.fates.push('answer lost')],
    ['the role is not known everywhere yet', () => void (provider.denied.times = 2)],
  ])('where %s', async (name, goesWrong) => {
    goesWrong();
    const slug = `again-${name.replaceAll(' ', '-')}`.slice(0, 30).replace(/-+$/, '');
    expect(await stackFor().create(serverOf(slug))).toBe('CREATE_COMPLETE');
    expect(proxy.fates).toEqual([]);
  });

  test('not before the service has asked to, and not where that is too late', async () => {
    proxy.fates.push({ status: 429, retryAfter: 60 });
    const stack = stackFor(SHORT);
    const began = performance.now();
    await stack.create(serverOf('too-late'));
    expect(performance.now() - began).toBeLessThan(2000);
    expect(stack.events[0]?.Reason).toContain('The service is busy (429).');
  });

  test('and never what is refused', async () => {
    proxy.seen.length = 0;
    await stackFor().create(serverOf('No'));
    expect(proxy.seen).toHaveLength(1);
  });
});

describe('the end of a stack', () => {
  test('does not wait for a service that is gone, where the server stays', async () => {
    const stack = stackFor(SHORT);
    await stack.create(serverOf('stays', { Removal: 'retain' }));
    down(1000);
    expect(await stack.remove()).toBe('DELETE_COMPLETE');
    expect(provider.logged).toContainEqual({
      level: 'WARN',
      message: expect.stringMatching(/^The server stays stays and still says that arn:aws/),
    });
  });

  test('fails where the server should go and cannot, with what to do', async () => {
    const stack = stackFor(SHORT);
    await stack.create(serverOf('goes'));
    down(1000);
    expect(await stack.remove()).toBe('DELETE_FAILED');
    expect(stack.events.at(-1)?.Reason).toContain('RETAIN');
    proxy.fates.length = 0;
    expect(await stack.remove()).toBe('DELETE_COMPLETE');
  });

  test('ends what is under way with the time', async () => {
    proxy.fates.push('silence');
    const stack = stackFor(SHORT);
    expect(await stack.create(serverOf('silent'))).toBe('ROLLBACK_COMPLETE');
    expect(stack.events[0]).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('did not answer in time'),
    });
    const asked = proxy.seen.length;
    await stackFor().create(serverOf('afterwards'));
    expect(proxy.seen.slice(asked).filter((one) => one.includes('/silent/'))).toEqual([]);
  });
});

test('a construct that has moved is told how it stays what it was', async () => {
  const stack = stackFor();
  const properties = serverOf('moved');
  await stack.create(properties);
  const other = await stack.send('Create', properties, { LogicalResourceId: 'Server8B' });
  expect(other.Reason).toContain("overrideLogicalId('Server7A')");
});

import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { type Listening, listening } from '../support/target/listening.ts';
import { answered } from '../../cdk/provider/answer.ts';
import type { Reached } from '../../cdk/provider/apply.ts';
import type { ServerProperties, ServerRequest } from '../../cdk/provider/event.ts';
import { signedQuestion } from '../../cdk/provider/sign-in.ts';
import { AWS_ROLES } from '../../layers/accounts/rules/caller-identity.ts';
import { ACCOUNT_ID } from '../../local/aws/account.ts';
import { openDataFolder } from '../../local/run/data-folder.ts';
import { ownerToken, provisionOwner } from '../../local/run/owner.ts';
import { type Service, startService } from '../../local/run/service.ts';
import { connectionOf } from '../support/aws/aws.ts';
import { bundlesOfThisRun } from '../support/aws/bundles.ts';
import { aDescription } from '../support/openapi/descriptions.ts';

const STACK = 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Orders/0f1e2d3c';
const CANARY = 'canary-4711-secret';

let dataFolder: string;
let service: Service;
let token: string;
let session: string;
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-provider-'));
  const { path, owner } = await openDataFolder(dataFolder);
  service = await startService({
    port: 0,
    dataFolder: path,
    settings: {
      LIMITS: JSON.stringify({
        active_deployments_per_user: 100,
        management_requests_per_minute_per_user: 10_000,
      }),
    },
    ...(await bundlesOfThisRun()),
  });
  await provisionOwner(service, owner);
  session = (await ownerToken(service.baseUrl, owner)) ?? '';
  const body = { name: 'stack', scope: 'declare', slugs: ['orders-*'] };
  token = String((await call('POST', '/account/tokens', session, body)).body['token']);
});
afterAll(async () => {
  await service.close();
  await rm(dataFolder, { recursive: true });
});

const call = async (method: string, path: string, as = token, body?: object) => {
  const answer = await fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
};
const deployed = (slug: string) => call('GET', `/deployments/${slug}`);

/** Where CloudFormation waits for an answer; each of these statuses comes once, then 200. */
let cloudFormation: Listening;
let told: Record<string, unknown>[];
let refusals: number[];
beforeEach(async () => {
  jest.spyOn(console, 'log').mockReturnValue(undefined);
  [told, refusals] = [[], []];
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const status = refusals.shift() ?? 200;
    const { 'content-type': type } = request.headers;
    if (status === 200) told.push({ ...JSON.parse(sent), type, bytes: Buffer.byteLength(sent) });
    response.writeHead(status).end();
  });
  cloudFormation = await listening(server);
});
afterEach(() => cloudFormation.stop());

const objects = new Map<string, string>();
const secrets = new Map<string, string>();
const reached: Reached = {
  object: async ({ Key }) => objects.get(Key) ?? '',
  secret: async (arn) => secrets.get(arn) ?? '',
  question: (baseUrl) => {
    const { region, credentials, endpoint } = connectionOf(service.aws, 'orders-mcp');
    const { host } = new URL(endpoint ?? '');
    return signedQuestion({ region, ...credentials }, baseUrl, new Date(), host);
  },
  fetch,
};

let count = 0;
const propertiesOf = (slug: string, declaration: object, more: object = {}): ServerProperties => {
  count += 1;
  const Key = `declaration-${count}`;
  objects.set(Key, JSON.stringify({ openapi: JSON.stringify(aDescription()), ...declaration }));
  secrets.set('token', token);
  return {
    Slug: slug,
    BaseUrl: service.baseUrl,
    Token: 'token',
    Declaration: { Bucket: 'assets', Key },
    Adopt: 'false',
    Removal: 'retain',
    Digest: `digest-${count}`,
    ...more,
  };
};

const invocation = (milliseconds = 240_000) => ({
  logStreamName: 'stream-1',
  getRemainingTimeInMillis: () => milliseconds,
});

const sent = async (
  RequestType: ServerRequest['RequestType'],
  ResourceProperties: ServerProperties,
  more: Partial<ServerRequest> = {},
  how: { readonly reached?: Reached; readonly milliseconds?: number } = {},
): Promise<Record<string, unknown>> => {
  const request: ServerRequest = {
    RequestType,
    ResponseURL: `${cloudFormation.url}/answer`,
    StackId: STACK,
    RequestId: `request-${count}`,
    LogicalResourceId: 'Orders7A',
    ResourceProperties,
    ...more,
  };
  await answered(request, invocation(how.milliseconds), how.reached ?? reached, [1, 1]);
  return told.at(-1) ?? {};
};

describe('a stack that declares a server', () => {
  test('makes it, changes it, and finds it done a second time', async () => {
    const first = propertiesOf('orders-one', { name: 'Orders' });
    const made = await sent('Create', first);
    expect(made).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: 'hosted-mcp/orders-one',
      StackId: STACK,
      LogicalResourceId: 'Orders7A',
      Data: { Url: expect.stringContaining('/orders-one/messages'), Version: '1', ToolCount: '2' },
    });
    expect(made['type']).toBe('');
    expect(await sent('Create', first)).toMatchObject({
      Status: 'SUCCESS',
      Data: { Version: '1' },
    });

    const PhysicalResourceId = 'hosted-mcp/orders-one';
    const next = propertiesOf('orders-one', {
      openapi: JSON.stringify(aDescription(['listPets'])),
    });
    const changed = await sent('Update', next, { PhysicalResourceId });
    expect(changed).toMatchObject({ Status: 'SUCCESS', Data: { Version: '2', ToolCount: '1' } });
    const managed = 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Orders/Orders7A';
    expect((await deployed('orders-one')).body).toMatchObject({
      managed_by: managed,
      tool_count: 1,
    });

    // A rollback is an update to the properties of before.
    expect(await sent('Update', first, { PhysicalResourceId })).toMatchObject({
      Status: 'SUCCESS',
      Data: { ToolCount: '2' },
    });
  });

  test('gives the secrets of its credentials, whole or one field of them', async () => {
    secrets.set('key', JSON.stringify({ username: 'ada', password: CANARY }));
    const member = (Member: string) => ({ Credential: 'main', Member, Arn: 'key', Field: Member });
    const properties = propertiesOf(
      'orders-key',
      { credentials: { main: { type: 'basic' } } },
      { Secrets: [member('username'), member('password')] },
    );
    const made = await sent('Create', properties);
    expect(made).toMatchObject({ Status: 'SUCCESS' });
    expect(JSON.stringify(made)).not.toContain(CANARY);
    expect((await deployed('orders-key')).body).toMatchObject({ has_credential: true });

    const wrong = { ...properties, Secrets: [member('username'), member('pin')] };
    const refused = await sent('Update', wrong, { PhysicalResourceId: 'hosted-mcp/orders-key' });
    expect(refused).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('no field pin'),
    });
    expect(JSON.stringify(refused)).not.toContain(CANARY);
  });

  test('leaves it unmanaged when it goes, or takes it along, as it says', async () => {
    const stays = propertiesOf('orders-stays', {});
    await sent('Create', stays);
    const gone = propertiesOf('orders-gone', {}, { Removal: 'destroy' });
    await sent('Create', gone);
    for (const [properties, slug] of [
      [stays, 'orders-stays'],
      [gone, 'orders-gone'],
    ] as const) {
      const PhysicalResourceId = `hosted-mcp/${slug}`;
      expect(await sent('Delete', properties, { PhysicalResourceId })).toMatchObject({
        Status: 'SUCCESS',
        PhysicalResourceId,
      });
      // A second delivery finds nothing to do.
      const again = await sent('Delete', properties, { PhysicalResourceId });
      expect(again).toMatchObject({ Status: 'SUCCESS' });
    }
    expect((await deployed('orders-stays')).body['managed_by']).toBeUndefined();
    expect((await deployed('orders-gone')).status).toBe(404);
  });

  test('signs in by what its role is, without any secret', async () => {
    const claims = { account: ACCOUNT_ID, role: 'orders-mcp' };
    const wanted = { name: 'stack', scope: 'declare', issuer: AWS_ROLES, claims };
    const { body } = await call('POST', '/account/trusts', session, wanted);
    const { Token: _, ...properties } = propertiesOf('orders-role', {});
    const trusted = { ...properties, Trust: String(body['id']) };
    expect(await sent('Create', trusted)).toMatchObject({ Status: 'SUCCESS' });
    expect(await sent('Create', { ...trusted, Trust: 'another' })).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('does not let the role in (HTTP 401)'),
    });
  });

  test('never removes what it has not made', async () => {
    const properties = propertiesOf('orders-theirs', {}, { Removal: 'destroy' });
    await sent('Create', properties, { LogicalResourceId: 'Theirs1' });
    const refused = await sent('Create', properties);
    expect(refused).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringMatching(/^The server is Theirs1 of this stack.*stream-1/),
    });
    const PhysicalResourceId = String(refused['PhysicalResourceId']);
    expect(await sent('Delete', properties, { PhysicalResourceId })).toMatchObject({
      Status: 'SUCCESS',
    });
    expect((await deployed('orders-theirs')).status).toBe(200);
    const other = { PhysicalResourceId: '2026/11/27/[$LATEST]abc' };
    expect(await sent('Delete', properties, other)).toMatchObject({ Status: 'SUCCESS' });
  });

  test('is another resource under another slug, and the old one goes afterwards', async () => {
    const old = propertiesOf('orders-old', {}, { Removal: 'destroy' });
    await sent('Create', old);
    const moved = propertiesOf('orders-new', {}, { Removal: 'destroy' });
    const PhysicalResourceId = 'hosted-mcp/orders-old';
    const answer = await sent('Update', moved, { PhysicalResourceId });
    expect(answer).toMatchObject({ PhysicalResourceId: 'hosted-mcp/orders-new' });
    await sent('Delete', old, { PhysicalResourceId });
    expect((await deployed('orders-old')).status).toBe(404);
    expect((await deployed('orders-new')).status).toBe(200);
  });

  test.each([
    ['a description that is none', {}, { openapi: '{}' }, /description/i],
    ['a slug that the token is not for', { Slug: 'stock' }, {}, /not for a (?:deployment|server)/],
    ['a token that is none', { Token: 'nothing' }, {}, /make a personal access token/],
  ])('fails in words for %s', async (_, more, declaration, why) => {
    const properties = propertiesOf('orders-wrong', declaration, more);
    const answer = await sent('Create', properties);
    expect(answer).toMatchObject({ Status: 'FAILED', Reason: expect.stringMatching(why) });
    expect(Number(answer['bytes'])).toBeLessThan(4096);
    expect(JSON.stringify(answer)).not.toContain(token);
  });

  test('is told of a failure while there is time, where the service does not answer', async () => {
    const slow: Reached = { ...reached, object: () => new Promise(() => undefined) };
    const how = { reached: slow, milliseconds: 30_050 };
    expect(await sent('Create', propertiesOf('orders-slow', {}), {}, how)).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('did not answer in time'),
    });
  });

  test('is told again where its own address fails for a moment', async () => {
    refusals = [500, 503];
    expect(await sent('Create', propertiesOf('orders-told', {}))).toMatchObject({
      Status: 'SUCCESS',
    });
    refusals = [403, 403, 403];
    await expect(sent('Create', propertiesOf('orders-told', {}))).rejects.toThrow('HTTP 403');
  });
});

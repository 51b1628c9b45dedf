import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { FUNCTION_OF } from '../../../cli/admin/functions.ts';
import { dynamoCallStore } from '../../../layers/activity/store/call-store.ts';
import { systemClock, systemPause } from '../../../layers/platform/system/clock.ts';
import { dynamoCalls } from '../../../layers/activity/store/calls.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import { aMachineFor, type Situation, type TestMachine } from '../../support/cli/command-line.ts';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const EMAIL = 'ada.canary@example.com';
const SECRET = 'credential-of-ada-0123456789';
const HASH = fingerprint(EMAIL);

let machine: TestMachine;
let service: WholeService;
let client: DynamoDBClient;
let dynamo: DynamoDBDocumentClient;
let ada: Person;
let bob: Person;
/** Deployments of the two, by slug and id. */
let own: { readonly slug: string };
let others: { readonly slug: string; readonly id: string };
const tokens: string[] = [];

const admin = (line: string, situation: Situation = {}) =>
  machine.run(['admin', ...line.split(' ')], {
    environment: { HOSTED_MCP_DATA: service.dataFolder },
    ...situation,
  });

const table = (name: string) => `hosted-mcp-${name}`;
const put = (name: string, Item: Record<string, unknown>) =>
  dynamo.send(new PutCommand({ TableName: table(name), Item }));

beforeAll(async () => {
  machine = await aMachineFor();
  service = await startWholeService({}, { settings: { CREDENTIAL_STORE: 'envelope' } });
  client = new DynamoDBClient(connectionOf(service.aws, 'test'));
  dynamo = DynamoDBDocumentClient.from(client);
  ada = await service.person(EMAIL);
  bob = await service.person('bob@example.com');
  own = await service.publish(ada);
  const access = { mode: 'allow_list', emails: [EMAIL, bob.email] };
  const published = await service.publish(bob, { access });
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table('deployments'), Key: { pk: `SLUG#${published.slug}` } }),
  );
  others = { slug: published.slug, id: String(Item?.['id']) };

  const management = `${service.baseUrl}/mcp-management`;
  const json = { 'content-type': 'application/json' };
  for (const password of ['wrong', ada.password]) {
    const body = JSON.stringify({ email: EMAIL, password });
    const answer = await service.fetch(`${management}/sessions`, {
      method: 'POST',
      headers: { ...json, 'user-agent': 'canary-browser' },
      body,
    });
    const { access_token } = (await answer.json()) as Record<string, string>;
    if (access_token) tokens.push(access_token);
  }
  const headers = { ...json, authorization: `Bearer ${tokens[0]}` };
  await service.fetch(`${management}/deployments/${own.slug}/credential`, {
    method: 'PUT',
    headers: { ...headers, 'idempotency-key': 'canary' },
    body: JSON.stringify({ type: 'bearer', token: SECRET }),
  });
  const oauth = await aRawClient(service);
  const granted = await oauth.tokens(service.browser(), ada, published);
  tokens.push(granted.access_token, granted.refresh_token);
  await service.fetch(published.messagesUrl, {
    method: 'POST',
    headers: {
      ...json,
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${granted.access_token}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'listBooks', arguments: {} },
    }),
  });
  await admin(`make-operator ${EMAIL}`);
  await admin(`end-account ${EMAIL} --yes`);
  // As earlier versions noted that an account has ended.
  const ended = { kind: 'user', id: ada.id, before: 1, expiresAt: 9_999_999_999 };
  await put('oauth', { pk: 'NOTBEFORE', tokens: 0, sessions: 0, parties: [ended], revision: 1 });

  // What only comes of mails, of identity providers and of time.
  const calls = dynamoCallStore(
    { clock: systemClock(), pause: systemPause() },
    dynamo,
    table('calls'),
    90,
  );
  const now = Math.floor(Date.now() / 1000);
  await calls.store(
    [ada, bob].map(({ id }, index) => ({
      at: now,
      requestId: 'request-1',
      index,
      deploymentId: others.id,
      version: 1,
      tool: 'listBooks',
      outcome: 'ok',
      durationMs: 5,
      subject: id,
      ip: `192.0.2.${index}`,
    })),
    'stream',
  );
  const tokenOf = { name: 'ci', scope: 'read', createdAt: now, expiresAt: now + 900 };
  await put('oauth', { pk: `PAT#${fingerprint('own')}`, userId: `PAT#${ada.id}`, ...tokenOf });
  await put('oauth', { pk: `PAT#${fingerprint('ci')}`, userId: `MACHINE#${ada.id}`, ...tokenOf });
  const trustOf = {
    name: 'ci',
    scope: 'read',
    issuer: 'https://ci.example',
    claims: { a: 'b', c: 'd' },
  };
  await put('oauth', { pk: 'TRUST#ci', userId: `TRUST#${ada.id}`, ...trustOf, createdAt: now });
  await put('users', { pk: `IDENTITY#${fingerprint('subject')}`, userId: ada.id });
  await put('users', { pk: `UNDELIVERABLE#${HASH}`, reason: 'bounce', since: now });
  await put('users', {
    pk: `MAIL#reset_password#${HASH}`,
    purpose: 'reset_password',
    email: EMAIL,
    secret: fingerprint('mailed-secret'),
    expiresAt: now + 3600,
    deleteAfter: now + 90_000,
  });
  await put('deployments', { pk: 'RESERVED#of-before', slug: 'of-before', ownerId: ada.id });
  await put('security-events', {
    pk: `SUBJECT#${bob.id}#20260101`,
    sk: 'x',
    type: 'security',
    event: 'plan_changed',
    accountId: bob.id,
    subject: bob.id,
    operatorId: ada.id,
    at: now,
  });
}, 60_000);
afterAll(async () => {
  client.destroy();
  await service.stop();
  await machine.remove();
});

/** All tables as text, one of each. */
const stored = async (): Promise<ReadonlyMap<string, string>> =>
  new Map((await service.kept()).filter(([name]) => !/\.(?:log|eml)$/.test(name)));

const placesWith = async (text: string): Promise<readonly string[]> =>
  [...(await stored())].filter(([, items]) => items.includes(text)).map(([name]) => name);

/** Everything that is stored on disk: files of buckets, secrets, mails. */
const filesWith = async (folder: string, text: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if (!(await stat(path)).isFile() || /logs|outbox/.test(name)) continue;
    if (name.includes(text) || (await readFile(path)).includes(text)) found.push(name);
  }
  return found;
};

const callersOf = async (deploymentId: string) => {
  const { calls } = await dynamoCalls(dynamo, table('calls')).page({
    deploymentId,
    from: '2020',
    before: '~',
    limit: 100,
    tool: undefined,
    subjects: undefined,
    clientId: undefined,
    outcome: undefined,
  });
  return calls.filter(({ requestId }) => requestId === 'request-1');
};

interface Exported {
  readonly ids: readonly string[];
  readonly account: readonly { readonly path: string }[];
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

const KINDS = [
  'calls CALLS',
  'deployments RESERVED',
  'deployments SLUG',
  'limits USAGE',
  'oauth AT',
  'oauth CODE',
  'oauth GRANT',
  'oauth NOTBEFORE',
  'oauth PAT',
  'oauth SESSION',
  'oauth SIGNEDOUT',
  'oauth TRUST',
  'security-events SUBJECT',
  'users DEVICE',
  'users EMAIL',
  'users IDENTITY',
  'users MAIL',
  'users OPERATOR',
  'users UNDELIVERABLE',
  'users USER',
];

const kindsIn = (records: Exported['records']) =>
  [...new Set(records.map(({ place }) => String(place)))].toSorted();

describe('the export of a person by an operator', () => {
  test('has what every table holds of them, and of nobody else', async () => {
    const said = await admin(`export ${EMAIL} --json`);
    expect(said.out).not.toContain('"error"');
    expect(said.code).toBe(0);
    const { ids, account, records } = said.json() as unknown as Exported;

    expect(ids).toEqual([ada.id]);
    expect(kindsIn(records)).toEqual(expect.arrayContaining(KINDS));
    expect(account.map(({ path }) => path)).toContain(`/deployments/${own.slug}`);
    const text = JSON.stringify({ account, records });
    expect(text).toContain('192.0.2.0');
    for (const foreign of ['192.0.2.1', bob.email]) expect(text).not.toContain(foreign);
  });

  test('has no password, no token and no credential, and nothing that one is compared with', async () => {
    const { code, out } = await admin(`export ${EMAIL}`);
    expect(code).toBe(0);
    const users = JSON.parse((await stored()).get('users') ?? '[]') as { passwordHash?: object }[];
    const hashes = users.flatMap(({ passwordHash }) => Object.values(passwordHash ?? {}));
    const sessions = tokens.flatMap((token) =>
      token.startsWith('ey') ? [String(decodeJwt(token)['sid'])] : [],
    );

    expect(hashes).toHaveLength(2);
    expect(sessions.length).toBeGreaterThan(0);
    const secrets = [...tokens, ...sessions, ada.password, SECRET, 'mailed-secret'];
    for (const secret of [...hashes.map(String), ...secrets]) {
      expect(out).not.toContain(secret);
      expect(out).not.toContain(fingerprint(secret));
    }
  });

  test('goes into a file that only its owner may read, and overwrites none', async () => {
    const out = join(service.dataFolder, 'person.json');
    expect((await admin(`export ${EMAIL} --out ${out}`)).code).toBe(0);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const exported = JSON.parse(await readFile(out, 'utf8')) as Exported;
    expect(exported.ids).toEqual([ada.id]);

    const again = await admin(`export ${EMAIL} --out ${out}`);
    expect(again.code).toBe(1);
    expect(again.errors).toContain('is there already');
    await rm(out);
  });
});

describe('the erasure of a person', () => {
  test('asks before it begins, and changes nothing without an answer', async () => {
    const before = await stored();
    const said = await admin(`erase ${EMAIL}`);

    expect(said.code).toBe(2);
    expect(said.errors).toContain('--yes');
    const without = ([name]: readonly [string, string]) => name !== 'security-events';
    expect([...(await stored())].filter(without)).toEqual([...before].filter(without));
  });

  test.each([
    ['erase', '--yes'],
    ['export', ''],
  ])('%s refuses the id of another person, and changes nothing', async (command, options) => {
    const before = await stored();
    const said = await admin(`${command} ${EMAIL} --id ${ada.id},${bob.id} ${options}`.trim());

    expect(said.code).toBe(2);
    expect(said.out).toBe('');
    expect(said.errors).toContain(`${bob.id} is the account of another address`);
    expect(said.errors).not.toContain(ada.id);
    const without = ([name]: readonly [string, string]) => name !== 'security-events';
    expect([...(await stored())].filter(without)).toEqual([...before].filter(without));
  });

  test('refuses the id of somebody else whose account is gone, as long as a grant names their address', async () => {
    const grant = {
      pk: 'GRANT#canary-grant',
      kind: 'grant',
      userId: 'gone',
      email: 'eve@example.com',
    };
    await put('oauth', grant);
    const said = await admin(`erase ${EMAIL} --id gone --yes`);
    await dynamo.send(new DeleteCommand({ TableName: table('oauth'), Key: { pk: grant.pk } }));

    expect(said.code).toBe(2);
    expect(said.errors).toContain('gone is the account of another address');
  });

  test('that is cut off says how it goes on', async () => {
    const on = { operation: 'DeleteItem', caller: 'maintenance' };
    service.aws.faults.inject({ on, kind: 'fail' });
    const said = await admin(`erase ${EMAIL} --yes --id ${ada.id}`);
    service.aws.faults.clear();

    expect(said.code).not.toBe(0);
    expect(said.errors).toContain(`admin erase ${EMAIL} --id ${ada.id}`);
  });

  test('leaves nothing of them in any table, but what another owner has written', async () => {
    const said = await admin(`erase ${EMAIL} --yes --id ${ada.id} --json`);
    expect(said.errors).toBe('');
    expect(said.code).toBe(0);
    expect(said.json()).toMatchObject({
      ids: [ada.id],
      left: [{ place: 'deployments SLUG', slug: others.slug }],
    });

    expect(await placesWith(ada.id)).toEqual([]);
    expect(await placesWith(EMAIL)).toEqual(['deployments']);
    const named = (await stored()).get('deployments') ?? '';
    expect(named.split(EMAIL)).toHaveLength(2);
    // The reserved slug, and that an operator has published it.
    expect(await placesWith(own.slug)).toEqual(['deployments', 'security-events']);
    const hashes = (await stored()).get('users') ?? '';
    expect(hashes).not.toContain(HASH);
  });

  test('leaves what happened, without a name', async () => {
    const callers = (await callersOf(others.id)).toSorted((one, other) => one.index - other.index);
    expect(callers.map(({ subject, ip }) => [subject, ip])).toEqual([
      ['erased', 'erased'],
      [bob.id, '192.0.2.1'],
    ]);
    const events = (await stored()).get('security-events') ?? '';
    expect(events).toContain('"operatorId":{"S":"erased"}');
    expect(events).toContain(`"target":{"S":"${HASH}"}`);
  });

  test('leaves the other person all they have', async () => {
    const again = (await admin(`export ${bob.email} --json`)).json() as unknown as Exported;
    expect(again.ids).toEqual([bob.id]);
    expect(kindsIn(again.records)).toEqual(
      expect.arrayContaining(['calls CALLS', 'users EMAIL', 'users USER']),
    );
    expect(again.account.map(({ path }) => path)).toContain(`/deployments/${others.slug}`);
  });

  test('may be repeated, and of somebody unknown, too', async () => {
    for (const email of [EMAIL, 'nobody@example.com']) {
      const said = await admin(`erase ${email} --yes --json`);
      expect(said.code).toBe(0);
      expect(said.json()).toMatchObject({ account: false, erased: {} });
    }
  });

  test('finds records of an account that is gone by its id', async () => {
    const now = Math.floor(Date.now() / 1000);
    await put('security-events', {
      pk: `SUBJECT#${ada.id}#20260102`,
      sk: 'x',
      type: 'security',
      accountId: ada.id,
      subject: ada.id,
      at: now,
    });
    expect((await admin(`export ${EMAIL} --json`)).out).not.toContain('20260102');
    const said = await admin(`erase ${EMAIL} --id ${ada.id} --yes --json`);

    expect(said.json()['erased']).toEqual({ 'security-events SUBJECT': 1 });
    expect(await placesWith(ada.id)).toEqual([]);
  });

  test('leaves a party of the list of what has ended, which somebody else is', async () => {
    const key = { pk: 'NOTBEFORE' };
    const party = (id: string) => ({ kind: 'user', id, before: 1, expiresAt: 9_999_999_999 });
    await dynamo.send(
      new UpdateCommand({
        TableName: table('oauth'),
        Key: key,
        UpdateExpression: 'SET parties = :parties',
        ExpressionAttributeValues: { ':parties': [party(bob.id), party(ada.id)] },
      }),
    );
    expect((await admin(`erase ${EMAIL} --id ${ada.id} --yes`)).code).toBe(0);
    const { Item } = await dynamo.send(new GetCommand({ TableName: table('oauth'), Key: key }));

    expect(Item?.['parties']).toEqual([party(bob.id)]);
  });

  test('finds nothing more in files, secrets and what the disk holds of tables', async () => {
    const found = await filesWith(service.dataFolder, ada.id);
    expect(found.filter((name) => !/dynamodb|tables/.test(name))).toEqual([]);
  });
});

describe('an owner whom an operator names', () => {
  const OPENAPI = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Books', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/books': { get: { operationId: 'listBooks', responses: {} } } },
  });
  const publish = (owner: string, slug: string) =>
    admin(`publish - --owner ${owner} --slug ${slug} --auth jwt`, { input: OPENAPI });
  const ownerOf = async (slug: string) => {
    const Key = { pk: `SLUG#${slug}` };
    const { Item } = await dynamo.send(new GetCommand({ TableName: table('deployments'), Key }));
    return Item?.['ownerId'];
  };

  test('by an e-mail address is the account of it, so that its records are found by it', async () => {
    expect((await publish('BOB@example.com', 'by-address')).errors).toBe('');
    expect(await ownerOf('by-address')).toBe(bob.id);
    const minted = await admin(`mint by-address --owner ${bob.email} --json`);
    expect(minted.code).toBe(0);
    const { account } = (await admin(`export ${bob.email} --json`)).json() as unknown as Exported;
    expect(account.map(({ path }) => path)).toContain('/deployments/by-address');
  });

  test('by the address of nobody is refused, with what to do', async () => {
    const said = await publish('nobody@example.com', 'by-nobody');
    expect(said.code).toBe(1);
    expect(said.errors).toMatch(/no account[^]*admin account/);
    expect(await ownerOf('by-nobody')).toBeUndefined();
  });

  test('by another name needs no account', async () => {
    expect((await publish('team-a', 'by-team')).code).toBe(0);
    expect(await ownerOf('by-team')).toBe('team-a');
  });
});

describe('nobody but operators', () => {
  test.each(['find-person', 'export-account', 'export-records', 'erase-account', 'erase-records'])(
    'may send %s: no route takes it',
    async (operator) => {
      const path =
        FUNCTION_OF[operator as keyof typeof FUNCTION_OF] === 'management' ? '/account' : '';
      const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[0]}` },
        body: JSON.stringify({ operator, email: bob.email, ids: [bob.id] }),
      });
      expect([401, 404, 405]).toContain(answer.status);
      expect(await placesWith(bob.id)).toContain('users');
    },
  );

  test('may say them to a function that is not for them', async () => {
    await expect(
      service.operate({ operator: 'erase-records', email: bob.email, ids: [bob.id] }, 'oauth'),
    ).rejects.toThrow('unknown');
  });
});

import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXIT } from '../../cli/failure.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { anApiOfCredentials } from '../support/target/api-of-credentials.ts';
import type { TargetServer } from '../support/target/target-server.ts';

let service: WholeService;
let machine: TestMachine;
let api: TargetServer;
/** What the API was sent as a credential, by path. */
const carried = new Map<string, string | undefined>();

beforeAll(async () => {
  [service, machine, api] = await Promise.all([
    startWholeService({ active_deployments_per_user: 3 }),
    aMachineFor(),
    anApiOfCredentials(carried),
  ]);
});
afterAll(async () => {
  await service.stop();
  await machine.remove();
  await api[Symbol.asyncDispose]();
});

interface Owner extends Person {
  readonly session: string;
}

const anOwner = async (): Promise<Owner> => {
  const person = await service.person();
  const { email, password } = person;
  const { access_token: session } = await asked({ session: '' }, 'POST', '/sessions', {
    email,
    password,
  });
  return { ...person, session: String(session) };
};

const answered = (as: Pick<Owner, 'session'>, method: string, path: string, body?: object) =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(as.session !== '' && { authorization: `Bearer ${as.session}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const asked = async (...request: Parameters<typeof answered>): Promise<Record<string, unknown>> => {
  const answer = await answered(...request);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${request[1]} ${request[2]}: ${answer.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
};

const publish = async (as: Owner, over: object = {}): Promise<string> => {
  const slug = `s-${randomUUID().slice(0, 18)}`;
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'An API', version: '1' },
    servers: [{ url: api.url }],
    paths: { [`/${slug}`]: { get: { operationId: 'get', responses: {} } } },
  };
  await asked(as, 'POST', '/deployments', { slug, openapi, mcp_auth_method: 'none', ...over });
  return slug;
};
const set = async (as: Owner, slug: string, name = 'main'): Promise<string> => {
  const token = `token-${randomUUID()}`;
  await asked(as, 'PUT', `/deployments/${slug}/credentials/${name}`, { type: 'bearer', token });
  return token;
};
const setClient = async (as: Owner, slug: string): Promise<string> => {
  const secret = `secret-${randomUUID()}`;
  await asked(as, 'PUT', `/deployments/${slug}/credential`, {
    type: 'oauth_client',
    token_url: `${api.url}/token`,
    client_id: 'service',
    client_secret: secret,
    client_auth: 'post',
  });
  return secret;
};

const called = (slug: string, token?: string) =>
  service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get', arguments: {} },
    }),
  });
/** @returns what the API was sent as a credential, or why it was not asked */
const sentBy = async (slug: string): Promise<string | undefined> => {
  carried.delete(slug);
  const text = await (await called(slug)).text();
  const { error } = JSON.parse(text) as { error?: { data?: { reason: string } } };
  return error ? (error.data?.reason ?? text) : carried.get(slug)?.replace('Bearer ', '');
};
/** The same of a call that the owner makes to try it. */
const triedBy = async (as: Owner, slug: string): Promise<string | undefined> => {
  carried.delete(slug);
  await asked(as, 'POST', `/deployments/${slug}/tools/get/test`, { arguments: {} });
  return carried.get(slug)?.replace('Bearer ', '');
};

const admin = (...args: readonly string[]) =>
  machine.run(['admin', ...args], { environment: { HOSTED_MCP_DATA: service.dataFolder } });
const transfer = (from: string, to: string, ...more: readonly string[]) =>
  admin('transfer', from, to, '--yes', ...more);

const mailsTo = async (email: string): Promise<readonly string[]> => {
  const folder = join(service.dataFolder, 'outbox');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return mails
    .filter((mail) => mail.includes(`To: ${email}`))
    .map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '');
};

describe('servers of somebody who leaves', () => {
  test('go on as they are, with their credentials, from one owner to the next and back', async () => {
    const [ada, ben, eve] = [await anOwner(), await anOwner(), await anOwner()];
    const [plain, client] = [await publish(ada), await publish(ada)];
    const token = await set(ada, plain);
    const secret = await setClient(ada, client);
    const both = () => Promise.all([plain, client].map(sentBy));

    const given = await transfer(ada.email, ben.email);
    expect(given).toMatchObject({ code: EXIT.ok, errors: expect.stringContaining(plain) });
    expect(await both()).toEqual([token, secret]);
    expect(await asked(ben, 'POST', `/deployments/${plain}/credentials/main/test`)).toMatchObject({
      works: true,
    });
    expect(await asked(ben, 'POST', `/deployments/${client}/credentials/main/test`)).toMatchObject({
      works: true,
    });

    // What the new owner sets is sealed as all of it is. Calls may go by what was before for 15 seconds; trials do not.
    const tried = (as: Owner) => Promise.all([plain, client].map((slug) => triedBy(as, slug)));
    expect(await tried(ben)).toEqual([token, secret]);
    const [next, nextSecret] = [await set(ben, plain), await setClient(ben, client)];
    expect(await tried(ben)).toEqual([next, nextSecret]);
    await transfer(ben.email, eve.email);
    expect(await tried(eve)).toEqual([next, nextSecret]);
    await transfer(eve.email, ada.email);
    expect(await tried(ada)).toEqual([next, nextSecret]);
    const last = await set(ada, plain);
    expect(await tried(ada)).toEqual([last, nextSecret]);
    expect(service.aws.takeDenials()).toEqual([]);
  });

  test('are the former owner’s no more: console, API, tokens that they minted, clients that they let in', async () => {
    const [ada, ben] = [await anOwner(), await anOwner()];
    const slug = await publish(ada, { mcp_auth_method: 'jwt' });
    const { token } = await asked(ada, 'POST', `/deployments/${slug}/tokens`, {});
    expect((await called(slug, String(token))).status).toBe(200);

    await transfer(ada.email, ben.email);
    const { items } = await asked(ben, 'GET', `/deployments/${slug}/tokens`);

    expect((await answered(ada, 'GET', `/deployments/${slug}`)).status).toBe(404);
    expect(
      (
        await answered(ada, 'PUT', `/deployments/${slug}/credential`, {
          type: 'bearer',
          token: 'x',
        })
      ).status,
    ).toBe(404);
    expect(await asked(ada, 'GET', '/deployments')).toMatchObject({ items: [] });
    expect(await asked(ben, 'GET', '/deployments')).toMatchObject({ items: [{ slug }] });
    expect((await called(slug, String(token))).status).toBe(401);
    expect(items).toMatchObject([{ revoked: true }]);
    expect(await mailsTo(ada.email)).toEqual([`The server ${slug} has another owner`]);
    expect(await mailsTo(ben.email)).toEqual([`The server ${slug} is yours now`]);
  });

  test('outlive the erasure of who had them first, with what calls carry', async () => {
    const [ada, ben] = [await anOwner(), await anOwner()];
    const slug = await publish(ada);
    const token = await set(ada, slug);
    await transfer(ada.email, ben.email);

    const erased = await admin('erase', ada.email, '--yes');

    expect(erased.out).toContain('The account is removed');
    expect(erased.out).toContain(`stays: deployments SLUG ${slug}: its credentials are sealed`);
    expect(await sentBy(slug)).toBe(token);
    expect(await asked(ben, 'GET', `/deployments/${slug}`)).toMatchObject({ slug });
    const again = await set(ben, slug);
    expect(await triedBy(ben, slug)).toBe(again);
    expect(await service.operate({ operator: 'restore-check' }, 'maintenance')).toMatchObject({
      items: [],
    });
  });

  test('are shown first, and nothing is given before somebody agrees', async () => {
    const [ada, ben] = [await anOwner(), await anOwner()];
    const slug = await publish(ada);
    const twice = ['--servers', `${slug},${slug}`];
    const asked = await admin('transfer', ada.email, ben.email, ...twice);

    expect(asked.code).not.toBe(EXIT.ok);
    expect(asked.errors).toContain(`give 1 server of ${ada.email} (${slug}) to ${ben.email}`);
    expect((await answered(ada, 'GET', `/deployments/${slug}`)).status).toBe(200);
  });

  test('are given once: the same command again says that it is so already', async () => {
    const [ada, ben] = [await anOwner(), await anOwner()];
    const slug = await publish(ada);

    expect((await transfer(ada.email, ben.email)).out).toContain('1 server transferred');
    expect(await transfer(ada.email, ben.email)).toMatchObject({
      code: EXIT.ok,
      out: `${ada.email} has no server to transfer.\n`,
    });
    expect(await transfer(ada.email, ben.email, '--servers', slug)).toMatchObject({
      code: EXIT.ok,
      out: `${slug} is ${ben.email}'s already.\n`,
    });
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { aRawClient, type RawTokens } from '../support/oauth/raw-oauth-client.ts';
import type { WholeService } from '../support/service/whole-service.ts';

/** What a test may do besides: it changes nothing of what is right. */
export interface Meanwhile {
  /** Starts new instances of the router, which remember nothing: a change is to be seen at once. */
  readonly renewRouter: () => Promise<void>;
  /** Between two parts of the walk. */
  readonly between?: () => Promise<void>;
}

type Json = Readonly<Record<string, unknown>>;

interface Answered {
  readonly status: number;
  readonly body: Json;
}

/**
 * What owners, clients and operators do from the first login to the last removal, each with what comes out
 * of it. Whichever version answers which of its requests, every answer is the one that a single version gives.
 *
 * @throws AssertionError for the first answer that is another
 */
export const walk = async (service: WholeService, meanwhile: Meanwhile): Promise<void> => {
  const { renewRouter, between = () => Promise.resolve() } = meanwhile;
  const { baseUrl, issuer } = service;
  const person = await service.person();

  const send = async (
    method: string,
    url: string,
    { token, body, headers }: { token?: string; body?: object; headers?: object } = {},
  ): Promise<Answered> => {
    const answer = await service.fetch(url, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : { text } };
  };
  let session = '';
  const manage = (method: string, path: string, body?: object, token = session) =>
    send(method, `${baseUrl}/mcp-management${path}`, { token, ...(body && { body }) });
  /** Twice, so that both versions are asked where they take turns. */
  const twice = async (ask: () => Promise<Answered>, status: number): Promise<Json> => {
    const first = await ask();
    assert.equal(first.status, status, JSON.stringify(first.body));
    const second = await ask();
    assert.equal(second.status, status, JSON.stringify(second.body));
    return second.body;
  };
  const once = async (asked: Promise<Answered>, status: number): Promise<Json> => {
    const { status: got, body } = await asked;
    assert.equal(got, status, JSON.stringify(body));
    return body;
  };

  const { email, password } = person;
  const wrong = { email, password: `not ${password}` };
  await once(manage('POST', '/sessions', wrong, ''), 401);
  const signedIn = await once(manage('POST', '/sessions', { email, password }, ''), 200);
  session = String(signedIn['access_token']);
  assert.equal((await twice(() => manage('GET', '/account'), 200))['email'], email);

  const slug = `beside-${person.id.slice(0, 8)}`;
  const openapi = await readFile(SAMPLE_DESCRIPTION, 'utf8');
  const upload = { openapi, api_base_url: service.sampleApiUrl };
  await once(
    manage('POST', '/deployments', {
      ...upload,
      slug,
      mcp_auth_method: 'oauth',
      access: { mode: 'any_user' },
    }),
    201,
  );
  const listed = await twice(() => manage('GET', '/deployments'), 200);
  assert.deepEqual(valuesOf(listed, 'slug'), [slug]);
  const url = `${baseUrl}/mcp-router/${slug}`;
  const server = { slug, url, messagesUrl: `${url}/messages` };
  const rpc = (token: string, method: string, params: object = {}) =>
    send('POST', server.messagesUrl, { token, body: { jsonrpc: '2.0', id: 1, method, params } });
  const call = (token: string) =>
    rpc(token, 'tools/call', { name: 'getBook', arguments: { book_id: 1 } });
  const tools = async (token: string): Promise<readonly unknown[]> =>
    valuesOf((await twice(() => rpc(token, 'tools/list'), 200))['result'], 'name', 'tools');
  const works = async (token: string): Promise<void> => {
    const answer = await twice(() => call(token), 200);
    assert.match(JSON.stringify(answer['result']), /"title/, JSON.stringify(answer));
    assert.doesNotMatch(JSON.stringify(answer), /"isError":true/);
  };
  await between();

  // A login that begins at one version and ends at the other.
  const client = await aRawClient(service);
  const browser = service.browser();
  const tokens = await client.tokens(browser, person, server);
  await twice(() => send('GET', `${issuer}/userinfo`, { token: tokens.access_token }), 200);
  await works(tokens.access_token);
  const before = await tools(tokens.access_token);
  assert.ok(before.includes('removeBook'));
  const refreshed = await client.refresh(tokens.refresh_token);
  assert.equal(refreshed.status, 200);
  const next = (await refreshed.json()) as RawTokens;
  await works(next.access_token);
  await between();

  // What an owner changes, the version beside serves.
  const smaller = { ...upload, operations: { exclude: ['removeBook'] } };
  await once(manage('PATCH', `/deployments/${slug}`, { operations: smaller.operations }), 200);
  await renewRouter();
  assert.ok(!(await tools(next.access_token)).includes('removeBook'));
  await once(manage('POST', `/deployments/${slug}/rollback`, { version: 1 }), 200);
  await renewRouter();
  assert.deepEqual(await tools(next.access_token), before);

  const credential = { type: 'bearer', token: 'of-the-target-api' };
  await once(manage('PUT', `/deployments/${slug}/credential`, credential), 200);
  await renewRouter();
  await works(next.access_token);
  const prompt = { name: 'greet', template: 'Hello {{who}}', arguments: [{ name: 'who' }] };
  await once(manage('POST', `/deployments/${slug}/prompts`, prompt), 201);
  const got = await twice(
    () => rpc(next.access_token, 'prompts/get', { name: 'greet', arguments: { who: 'Ada' } }),
    200,
  );
  assert.match(JSON.stringify(got['result']), /Hello Ada/);
  await once(manage('PATCH', `/deployments/${slug}`, { status: 'paused' }), 200);
  await renewRouter();
  assert.notEqual((await call(next.access_token)).status, 200);
  await once(manage('PATCH', `/deployments/${slug}`, { status: 'active' }), 200);
  await renewRouter();
  await works(next.access_token);
  await between();

  // What happened is told, whoever has stored it.
  for (;;) {
    const calls = await once(manage('GET', `/deployments/${slug}/calls`), 200);
    if (valuesOf(calls, 'tool').length >= 8) break;
    await setTimeout(100);
  }
  const activity = await twice(() => manage('GET', '/account/activity'), 200);
  assert.ok(valuesOf(activity, 'event').includes('login_failed'), JSON.stringify(activity));

  // The console lends tokens of a browser's session, and both ends with it.
  const ownScript = { origin: new URL(baseUrl).origin, 'sec-fetch-site': 'same-origin' };
  const cookie = { ...ownScript, cookie: browser.cookies() };
  const askConsole = (path: string) =>
    send('POST', `${issuer}/console/${path}`, { headers: cookie });
  const lent = String((await twice(() => askConsole('token'), 200))['access_token']);
  await twice(() => manage('GET', '/account', undefined, lent), 200);
  await once(askConsole('sign-out'), 204);
  await twice(() => askConsole('token'), 401);

  // What is ended is ended everywhere.
  const grants = await twice(() => manage('GET', '/account/grants'), 200);
  const [grant] = valuesOf(grants, 'id');
  await once(manage('DELETE', `/account/grants/${String(grant)}`), 204);
  await renewRouter();
  await twice(() => call(next.access_token), 401);
  await twice(() => call(tokens.access_token), 401);
  assert.equal((await client.refresh(next.refresh_token)).status, 400);
  await between();

  const jwt = `${slug}-jwt`;
  await once(manage('POST', '/deployments', { ...upload, slug: jwt, mcp_auth_method: 'jwt' }), 201);
  const minted = await once(manage('POST', `/deployments/${jwt}/tokens`, {}), 201);
  const withMinted = () =>
    send('POST', `${baseUrl}/mcp-router/${jwt}/messages`, {
      token: String(minted['token']),
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
  await twice(withMinted, 200);
  await once(manage('DELETE', `/deployments/${jwt}/tokens/${String(minted['jti'])}`), 204);
  await renewRouter();
  await twice(withMinted, 401);

  // Everything that both have stored fits together, and goes when it is removed.
  await service.operate({ operator: 'sweep' }, 'maintenance');
  const checked: Json = await service.operate({ operator: 'restore-check' }, 'maintenance');
  assert.deepEqual(checked['items'], []);
  for (const one of [slug, jwt]) await once(manage('DELETE', `/deployments/${one}`), 204);
  await renewRouter();
  await twice(() => send('GET', `${url}/.well-known/mcp.json`), 404);
  await once(manage('DELETE', '/sessions/current'), 204);
  await twice(() => manage('GET', '/account'), 401);
};

/** A field of each item of a list. */
const valuesOf = (page: unknown, field: string, list = 'items'): readonly unknown[] => {
  const items = (page as Json | undefined)?.[list];
  assert.ok(Array.isArray(items), JSON.stringify(page));
  return items.map((item: Json) => item[field]);
};

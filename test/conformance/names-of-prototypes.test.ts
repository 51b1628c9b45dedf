import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';

let service: WholeService;
let target: TargetServer;
let owner: SignedIn;
beforeAll(async () => {
  [service, target] = await Promise.all([
    startWholeService({
      active_deployments_per_user: 100,
      management_requests_per_minute_per_user: 10_000,
    }),
    anHttpServer((_, response) => response.setHeader('content-type', 'application/json').end('{}')),
  ]);
  owner = await signedIn(service);
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

/** What every object has from its prototype. */
const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];

/** The fields that a refusal may name in place of the name. */
const FIELDS = [
  '/claims',
  '/name',
  '/slug',
  '/overrides',
  '/request_headers',
  '/server_variables',
  '/network',
];

/** An object with one member, of any name. */
const of = (name: string, value: unknown): object => Object.fromEntries([[name, value]]);

const described = (name: string): object => ({
  openapi: '3.1.0',
  info: { title: 'Names', version: '1' },
  servers: [{ url: `${target.url}/{v}`, variables: { v: { default: 'a' } } }],
  tags: [{ name }],
  paths: {
    '/a': {
      post: {
        operationId: name,
        tags: [name],
        security: [of(name, [])],
        parameters: [
          { name, in: 'query', schema: { type: 'string' } },
          { name, in: 'header', schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
            'multipart/form-data': {
              schema: { properties: of(name, { type: 'string' }) },
              encoding: of(name, { contentType: 'text/plain' }),
            },
          },
        },
        responses: { 200: { description: 'Done' } },
      },
    },
  },
  components: {
    schemas: of(name, {
      properties: of(name, { type: 'string' }),
      dependentRequired: of(name, [name]),
    }),
    securitySchemes: of(name, { type: 'http', scheme: 'bearer' }),
  },
});
const plain = {
  openapi: '3.1.0',
  info: { title: 'Names', version: '1' },
  paths: { '/a': { get: { operationId: 'a', responses: {} } } },
};

interface Asked {
  readonly request: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Asks one after the other, and keeps what each request was answered, however often it is repeated. */
const asking = () => {
  const all: Asked[] = [];
  return {
    all,
    ask: async (method: string, at: string, sent?: object): Promise<Asked> => {
      const { status, body } = await owner.send(method, at, sent);
      const asked = { request: `${method} ${at} ${JSON.stringify(sent) ?? ''}`, status, body };
      all.push(asked);
      return asked;
    },
  };
};

/**
 * What a person can do nothing with: a fault, or a refusal that says neither in its sentence nor in what it has found
 * which name or field it means.
 */
const unhelpful = (all: readonly Asked[], name: string): readonly string[] =>
  all.flatMap(({ request, status, body: { detail, findings = [] } }) => {
    if (status < 400) return [];
    const said = `${String(detail)} ${JSON.stringify(findings)}`;
    const isSentence = typeof detail === 'string' && /^[A-Z][^\n]{10,300}\.$/.test(detail);
    // What stands in an address needs no name: there is nothing of it.
    const isNamed =
      status === 404
        ? /^(?:There is|The deployment has) no /.test(said)
        : [name, ...FIELDS].some((one) => said.includes(one));
    return status < 500 && isSentence && isNamed ? [] : [`${status} ${request}: ${said}`];
  });

/** Of a server that anybody may call. */
const rpc = async (slug: string, method: string, params: object) => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const said: { readonly error?: { readonly code: number }; readonly result?: object } = JSON.parse(
    await answer.text(),
  );
  expect({ method, status: answer.status, said }).not.toMatchObject({
    said: { error: { code: -32603 } },
  });
  expect([200, 400]).toContain(answer.status);
  return said;
};

describe('names that every object has', () => {
  let count = 0;
  const aServer = async (openapi: object): Promise<string> => {
    const slug = `names-${(count += 1)}`;
    const sent = { slug, openapi, api_base_url: target.url, mcp_auth_method: 'none' };
    const { status, body } = await owner.send('POST', '/deployments', sent);
    expect({ status, body }).toMatchObject({ status: 201 });
    return slug;
  };

  test.each(NAMES)(
    'are taken, or refused in a sentence: %s in contents and credentials',
    async (name) => {
      const slug = await aServer(plain);
      const path = `/deployments/${slug}`;
      const { all: asked, ask } = asking();
      const encoded = encodeURIComponent(name);
      const resource = { name, uri: 'docs://a', content: 'A' };
      const prompt = { name, arguments: [{ name, values: [name] }], template: `{{${name}}}` };
      const credential = { type: 'bearer', token: 'sesame-0123' };
      const overlay = {
        overlay: '1.0.0',
        info: { title: name, version: '1' },
        actions: [{ target: `$['${name}']`, remove: true }],
      };
      const cases = [{ wish: name, tool: name, arguments: of(name, name) }];

      await ask('POST', `${path}/resources`, resource);
      const isPrompt = (await ask('POST', `${path}/prompts`, prompt)).status === 201;
      await ask('PUT', `${path}/credentials/${encoded}`, credential);
      for (const kind of ['resources', 'prompts', 'credentials']) {
        await ask('GET', `${path}/${kind}`);
        await ask('GET', `${path}/${kind}/${encoded}`);
      }
      await ask('POST', `${path}/prompts/${encoded}/render`, { arguments: of(name, 'b') });
      await ask('POST', `${path}/credentials/${encoded}/test`);
      await ask('PATCH', path, { overrides: of(name, { hidden: true }) });
      await ask('PATCH', path, { overrides: of(name, { arguments: of(name, { hidden: true }) }) });
      await ask('PATCH', path, { request_headers: of(name, 'a') });
      await ask('PATCH', path, { server_variables: of(name, 'a') });
      await ask('PATCH', path, { network: name });
      await ask('PATCH', path, of(name, 'a'));
      await ask('PUT', `${path}/cases`, { cases });
      await ask('GET', `${path}/cases`);
      await ask('POST', `${path}/tools/${encoded}/test`, { arguments: of(name, 'a') });
      await ask('GET', `${path}/problems`);
      await ask('POST', '/descriptions', { openapi: plain, overlays: [overlay] });
      const claims = { ...of(name, 'a'), ref: 'main' };
      const issuer = 'https://login.example.com';
      await ask('POST', '/account/trusts', { name, issuer, claims, scope: 'read' });
      await ask('GET', '/account/trusts');
      await ask('GET', `/deployments/${encoded}`);

      const ref = { type: 'ref/prompt', name };
      const argument = { name, value: '' };
      const completed = await rpc(slug, 'completion/complete', { ref, argument });
      expect(completed).toMatchObject(
        isPrompt ? { result: { completion: { values: [name] } } } : { error: { code: -32601 } },
      );
      const context = { arguments: of(name, 'a') };
      await rpc(slug, 'completion/complete', { ref, argument, context });
      await rpc(slug, 'prompts/get', { name, arguments: of(name, 'b') });
      await rpc(slug, 'prompts/get', { name });
      await rpc(slug, 'resources/read', { uri: name });
      await rpc(slug, name, of(name, name));
      await rpc(slug, 'tools/list', { _meta: of(name, name) });
      // No operation has the name here, and `hasOwnProperty` of a table does not make one.
      const called = await rpc(slug, 'tools/call', { name, arguments: {} });
      expect(called).toMatchObject({ error: { code: -32602 } });

      const open = { openapi: plain, api_base_url: target.url };
      const all = {
        ...open,
        resources: [resource],
        prompts: [prompt],
        credentials: of(name, credential),
        overrides: of(name, { hidden: true }),
      };
      const kept = { ...all, credentials: of(name, { type: 'bearer', keep: true }) };
      const managed = { managed_by: 'github.com/acme/a:servers.yaml', adopt: true };
      await ask('GET', `${path}/declaration`);
      for (const declaration of [open, kept, all]) {
        await ask('POST', `${path}/declaration/plan`, { declaration });
      }
      for (const declaration of [kept, all, { ...open, overrides: of(name, {}) }]) {
        await ask('PUT', `${path}/declaration`, { declaration, ...managed });
        await ask('GET', `${path}/declaration`);
      }
      const none = await ask('PUT', `${path}/declaration`, { declaration: open, ...managed });
      await ask('DELETE', `${path}/manager`);
      await ask('DELETE', `${path}/resources/${encoded}`);
      await ask('DELETE', `${path}/prompts/${encoded}`);
      await ask('DELETE', `${path}/credentials/${encoded}`);

      expect(unhelpful(asked, name)).toEqual([]);
      expect(none.status).toBeLessThan(300);
    },
  );

  test.each(NAMES)('are slugs, or no slugs in a sentence: %s', async (name) => {
    const { all, ask } = asking();
    const sent = { openapi: plain, api_base_url: target.url, mcp_auth_method: 'none' };
    for (const slug of [name, name.toLowerCase()]) {
      const made = await ask('POST', '/deployments', { ...sent, slug });
      const at = `/deployments/${slug}`;
      for (const below of ['', '/tools', '/credentials', '/declaration', '/doctor']) {
        const { status } = await ask('GET', `${at}${below}`);
        if (made.status === 201) expect(status).toBe(200);
      }
      if (made.status !== 201) continue;
      await ask('PUT', `${at}/openapi`, { openapi: plain });
      expect(await rpc(slug, 'tools/list', {})).toMatchObject({ result: { tools: [{}] } });
      expect(await ask('DELETE', at)).toMatchObject({ status: 204 });
    }
    expect(unhelpful(all, name)).toEqual([]);
  });

  test.each(NAMES)('are taken, or refused in a sentence: %s in a description', async (name) => {
    const slug = `described-${(count += 1)}`;
    const { all, ask } = asking();
    const sent = { openapi: described(name), mcp_auth_method: 'none' };
    const { status, body } = await ask('POST', '/deployments', { slug, ...sent });
    if (name === '__proto__') {
      expect(status).toBe(422);
      expect(unhelpful(all, name)).toEqual([]);
      return;
    }
    expect({ status, body }).toMatchObject({ status: 201 });
    const path = `/deployments/${slug}`;
    const { body: listed } = await owner.send('GET', `${path}/tools`);
    const [tool] = listed['items'] as readonly { readonly name: string }[];
    const called = String(tool?.name);
    const at = target.requests.length;
    const args = { ...of(name, 'in'), body: of(name, 'in') };
    for (const given of [{}, of(name, 'a'), { body: of(name, 'a') }, { body: {} }, args]) {
      await rpc(slug, 'tools/call', { name: called, arguments: given });
    }
    await rpc(slug, 'tools/call', { name, arguments: {} });
    expect(
      target.requests.slice(at).some(({ url, body: got }) => `${url}${got}`.includes(name)),
    ).toBe(true);

    // For the scheme of this name, and for one that the description does not have.
    const bearer = { type: 'bearer', token: 'sesame-0123' };
    await ask('PUT', `${path}/credential`, { ...bearer, schemes: [name], origins: [target.url] });
    const twice = await ask('PUT', `${path}/credentials/other`, {
      ...bearer,
      schemes: [name, 'x'],
    });
    expect(twice.status).toBe(409);
    all.pop();
    await ask('GET', `${path}/credential/origins`);
    await ask('GET', `${path}/credentials`);
    const before = target.requests.length;
    await rpc(slug, 'tools/call', { name: called, arguments: of(name, 'a') });
    expect(target.requests.slice(before).length).toBeLessThanOrEqual(1);

    const override = { arguments: of(name, { value: 'fixed' }) };
    await ask('PATCH', path, { overrides: of(called, override) });
    await ask('PATCH', path, { overrides: of(name, override) });
    await rpc(slug, 'tools/call', { name: called, arguments: {} });
    await ask('GET', `${path}/tools`);
    await ask('GET', `${path}/declaration`);
    await ask('PUT', `${path}/openapi`, { openapi: described('other') });
    await ask('GET', `${path}/versions/2/difference?from=1`);
    await ask('GET', `${path}/problems`);
    expect(unhelpful(all, name)).toEqual([]);
  });

  test.each(NAMES)('reach the target as arguments of calls: %s', async (name) => {
    const parameters = ['query', 'header'].map((where) => ({
      name,
      in: where,
      schema: { type: 'string' },
    }));
    const properties = { free: { type: 'object', additionalProperties: true } };
    const content = { 'application/json': { schema: { type: 'object', properties } } };
    const slug = await aServer({
      ...plain,
      paths: {
        '/a': { post: { operationId: 'a', parameters, requestBody: { content }, responses: {} } },
      },
    });
    const { result } = (await rpc(slug, 'tools/list', {})) as {
      readonly result: { readonly tools: readonly { readonly inputSchema: object }[] };
    };
    const schema = result.tools[0]?.inputSchema as { readonly properties: Record<string, object> };
    const args = Object.keys(schema.properties).map((key): readonly [string, unknown] => [
      key,
      key === 'free' || key === 'body'
        ? key === 'body'
          ? { free: of(name, 'in') }
          : of(name, 'in')
        : 'in',
    ]);
    const at = target.requests.length;

    await rpc(slug, 'tools/call', { name: 'a', arguments: Object.fromEntries(args) });

    const [got] = target.requests.slice(at);
    expect(got?.url).toContain(`${name}=in`);
    // Node's own object of received headers has no place for `__proto__`; what is sent has.
    if (name !== '__proto__') expect(Object.keys(got?.headers ?? {})).toContain(name.toLowerCase());
    expect(got?.body).toContain(`{"${name}":"in"}`);
  });
});

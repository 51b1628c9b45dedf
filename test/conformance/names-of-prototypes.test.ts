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

/** Of no request, whatever it names. */
const expectNoFault = (asked: Readonly<Record<string, number>>): void => {
  expect(Object.entries(asked).filter(([, status]) => status >= 500)).toEqual([]);
};

describe('names that every object has', () => {
  let count = 0;
  const aServer = async (openapi: object): Promise<string> => {
    const slug = `names-${(count += 1)}`;
    const sent = { slug, openapi, api_base_url: target.url, mcp_auth_method: 'none' };
    const { status, body } = await owner.send('POST', '/deployments', sent);
    expect({ status, body }).toMatchObject({ status: 201 });
    return `/deployments/${slug}`;
  };

  test.each(NAMES)(
    'are taken, or refused in a sentence: %s in contents and credentials',
    async (name) => {
      const path = await aServer(plain);
      const asked: Record<string, number> = {};
      const ask = async (method: string, at: string, body?: object) => {
        const answer = await owner.send(method, at, body);
        asked[`${method} ${at}`] = answer.status;
        return answer;
      };
      const encoded = encodeURIComponent(name);
      const resource = { name, uri: 'docs://a', content: 'A' };
      const prompt = { name, arguments: [{ name, values: [name] }], template: `{{${name}}}` };
      const credential = { type: 'bearer', token: 'sesame-0123' };
      const overlay = {
        overlay: '1.0.0',
        info: { title: name, version: '1' },
        actions: [{ target: `$['${name}']`, remove: true }],
      };

      await ask('POST', `${path}/resources`, resource);
      await ask('POST', `${path}/prompts`, prompt);
      await ask('PUT', `${path}/credentials/${encoded}`, credential);
      for (const kind of ['resources', 'prompts', 'credentials']) {
        await ask('GET', `${path}/${kind}`);
        await ask('GET', `${path}/${kind}/${encoded}`);
      }
      await ask('POST', `${path}/prompts/${encoded}/render`, { arguments: of(name, 'b') });
      await ask('PATCH', path, { overrides: of(name, { hidden: true }) });
      await ask('PATCH', path, { request_headers: of(name, 'a') });
      await ask('PATCH', path, { server_variables: of(name, 'a') });
      await ask('PATCH', path, { network: name });
      await ask('PATCH', path, of(name, 'a'));
      await ask('POST', '/descriptions', { openapi: plain, overlays: [overlay] });
      await ask('POST', '/account/trusts', {
        name,
        issuer: 'https://login.example.com',
        claims: { ...of(name, 'a'), ref: 'main' },
        scope: 'read',
      });
      await ask('GET', `/deployments/${encoded}`);

      const open = { openapi: plain, api_base_url: target.url };
      const all = {
        ...open,
        resources: [resource],
        prompts: [prompt],
        credentials: of(name, credential),
      };
      const kept = { ...all, credentials: of(name, { type: 'bearer', keep: true }) };
      const declare = (declaration: object) => ({
        declaration,
        managed_by: 'github.com/acme/a:servers.yaml',
        adopt: true,
      });
      await ask('GET', `${path}/declaration`);
      for (const declaration of [open, kept, all]) {
        const { managed_by: _, ...planned } = declare(declaration);
        await ask('POST', `${path}/declaration/plan`, { declaration: planned.declaration });
      }
      await ask('PUT', `${path}/declaration`, declare(kept));
      asked['apply all'] = (await ask('PUT', `${path}/declaration`, declare(all))).status;
      asked['export'] = (await ask('GET', `${path}/declaration`)).status;
      asked['apply none'] = (await ask('PUT', `${path}/declaration`, declare(open))).status;
      await ask('DELETE', `${path}/resources/${encoded}`);
      await ask('DELETE', `${path}/prompts/${encoded}`);
      await ask('DELETE', `${path}/credentials/${encoded}`);

      expectNoFault(asked);
      expect(asked['apply none']).toBeLessThan(300);
    },
  );

  test.each(NAMES)('are taken, or refused in a sentence: %s in a description', async (name) => {
    const { status, body } = await owner.send('POST', '/deployments', {
      slug: `described-${(count += 1)}`,
      openapi: described(name),
      mcp_auth_method: 'none',
    });
    if (name === '__proto__') {
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain('__proto__');
      return;
    }
    expect({ status, body }).toMatchObject({ status: 201 });
    const path = `/deployments/${String(body['slug'])}`;
    const { body: listed } = await owner.send('GET', `${path}/tools`);
    const [tool] = listed['items'] as readonly { readonly name: string }[];
    const override = { arguments: of(name, { value: 'fixed' }) };

    const asked = {
      override: (await owner.send('PATCH', path, { overrides: of(name, override) })).status,
      tool: (await owner.send('GET', `${path}/tools/${encodeURIComponent(String(tool?.name))}`))
        .status,
      export: (await owner.send('GET', `${path}/declaration`)).status,
    };
    expectNoFault(asked);

    for (const args of [{}, of(name, 'a'), { body: of(name, 'a') }, { body: {} }]) {
      const answer = await service.fetch(`${service.baseUrl}/mcp-router/${path.slice(13)}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: tool?.name, arguments: args },
        }),
      });
      expect(await answer.json()).not.toMatchObject({ error: { code: -32603 } });
      expect(answer.status).toBeLessThan(500);
    }
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anHttpsServer, certificate, type TargetServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

let service: WholeService;
let company: TargetServer;
let session = '';
let owner = '';

/** An API, its description, its login and the authorization server before it, all with one certificate of their own. */
const answers = (): Readonly<Record<string, object>> => ({
  '/openapi.json': description(),
  '/overlay.json': {
    overlay: '1.0.0',
    info: { title: 'Words', version: '1' },
    actions: [{ target: '$.info', update: { title: 'Orders of the company' } }],
  },
  '/.well-known/oauth-authorization-server': {
    issuer: company.url,
    token_endpoint: `${company.url}/token`,
  },
  '/token': { access_token: 'given-for-a-client', token_type: 'Bearer', expires_in: 600 },
  '/login': { token: 'given-at-the-login' },
});

const description = () => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: company.url }],
  paths: {
    '/orders': { get: { operationId: 'orders', responses: {} } },
    '/login': { post: { operationId: 'login', responses: {} } },
  },
});

beforeAll(async () => {
  service = await startWholeService();
  company = await anHttpsServer(({ url = '', headers }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answers()[url] ?? { isTokenShown: headers.authorization !== undefined })),
  );
  const { id, email, password } = await service.person();
  owner = id;
  session = String((await manage('POST', '/sessions', { email, password }))['access_token']);
  const { url } = company;
  await manage('POST', '/deployments', {
    slug: 'trusting',
    openapi_url: `${url}/openapi.json`,
    overlays: [{ url: `${url}/overlay.json` }],
    certificate_authorities: [certificate],
    mcp_auth_method: 'none',
  });
  await manage('POST', '/deployments', {
    slug: 'other',
    openapi: description(),
    mcp_auth_method: 'none',
  });
});
afterAll(async () => {
  await service.stop();
  await company[Symbol.asyncDispose]();
});

const send = (method: string, path: string, body?: object): Promise<Response> =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== '' && { authorization: `Bearer ${session}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

const manage = async (method: string, path: string, body?: object) => {
  const answer = await send(method, path, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

const refused = async (method: string, path: string, body: object): Promise<string> => {
  const answer = await send(method, path, body);
  return answer.ok ? 'not refused' : answer.text();
};

const tried = (slug: string) => manage('POST', `/deployments/${slug}/credentials/main/test`);

const called = async (slug: string): Promise<string> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'orders', arguments: {} },
    }),
  });
  return answer.text();
};

const LOGIN = { type: 'session', login: 'POST /login', fields: {}, token: '/token' };

describe('the authorities that an owner has named for one server', () => {
  test('are trusted where an operator publishes it, then and later', async () => {
    const command = {
      operator: 'publish',
      ownerId: owner,
      slug: 'operated',
      authMethod: 'none',
      openapiUrl: `${company.url}/openapi.json`,
    };
    await expect(service.operate(command)).rejects.toThrow('certificate_self_signed');

    const certificateAuthorities = [certificate];
    expect(await service.operate({ ...command, certificateAuthorities })).toMatchObject({
      created: true,
    });
    expect(await service.operate(command)).toMatchObject({ created: false });
  });

  test('are trusted where its description and its overlays are fetched, and for no other server', async () => {
    expect(await manage('GET', '/deployments/trusting')).toMatchObject({
      name: 'Orders of the company',
    });
    const next = { openapi_url: `${company.url}/openapi.json` };
    expect(await refused('POST', '/descriptions', { ...next, deployment: 'trusting' })).toBe(
      'not refused',
    );
    expect(await refused('POST', '/descriptions', { ...next, deployment: 'other' })).toContain(
      'its certificate is signed by itself (certificate_self_signed)',
    );
    expect(await refused('PATCH', '/deployments/other', next)).toContain(
      'Then name its authority in the settings of the server (`certificate_authorities`',
    );
    const overlays = [{ url: `${company.url}/overlay.json` }];
    expect(await refused('PATCH', '/deployments/other', { overlays })).toContain('/overlays/0/url');
  });

  test('are trusted where a token is asked for at a login, and for no other server', async () => {
    for (const slug of ['trusting', 'other']) {
      await manage('PUT', `/deployments/${slug}/credential`, LOGIN);
    }
    expect(await tried('trusting')).toMatchObject({ works: true });
    expect(await called('trusting')).toContain('isTokenShown\\":true');
    expect(await tried('other')).toMatchObject({ works: false });
  });

  test('are trusted at the authorization server, whose metadata are remembered for no other server', async () => {
    const client = {
      type: 'oauth_client',
      client_id: 'orders',
      client_auth: 'basic',
      client_secret: 'CANARY-secret-of-a-client-0123456789',
    };
    const byIssuer = { ...client, issuer: company.url };
    await manage('PUT', '/deployments/trusting/credential', byIssuer);
    expect(await tried('trusting')).toMatchObject({ works: true });
    expect(await called('trusting')).toContain('isTokenShown\\":true');
    expect(await refused('PUT', '/deployments/other/credential', byIssuer)).toContain(
      'no token endpoint was found: certificate_self_signed',
    );

    const byAddress = { ...client, token_url: `${company.url}/token` };
    await manage('PUT', '/deployments/other/credential', byAddress);
    expect(await tried('other')).toMatchObject({ works: false });
  });

  test('are trusted no more once they are taken away', async () => {
    await manage('PATCH', '/deployments/trusting', { certificate_authorities: [] });
    await manage('PUT', '/deployments/trusting/credential', LOGIN);
    expect(await tried('trusting')).toMatchObject({ works: false });
    expect(
      await refused('PATCH', '/deployments/trusting', {
        openapi_url: `${company.url}/openapi.json`,
      }),
    ).toContain('its certificate is signed by itself (certificate_self_signed)');
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { aMachine } from '../local/fixtures/start.ts';
import { bundlesFolder } from '../support/aws/bundles.ts';
import { aFormBrowser, authorize, type SignIn } from '../support/oauth/form-browser.ts';
import {
  anApplication,
  type Application,
  letIn,
  SDKS,
} from '../support/oauth/oauth-sdk-clients.ts';
import { anHttpsServer, type TargetServer } from '../support/target/target-server.ts';

const CERTIFICATE = fileURLToPath(new URL('../support/tls/localhost.cert.pem', import.meta.url));
const machine = aMachine(await bundlesFolder());

let site: TargetServer;
let baseUrl: string;
let server: string;
let owner: SignIn;

const GOOD = '/application.json';

interface Served {
  readonly status?: number;
  readonly location?: string;
  readonly body?: string;
}

/** What stands at the addresses of the application's site. Each is wrong in one thing only. */
const SITE: Readonly<Record<string, (document: object) => Served>> = {
  [GOOD]: (document) => ({ body: JSON.stringify(document) }),
  '/copied.json': (document) => ({
    body: JSON.stringify({ ...document, client_id: `${site.url}${GOOD}` }),
  }),
  '/large.json': (document) => ({
    body: JSON.stringify({ ...document, filling: 'x'.repeat(5 * 1024) }),
  }),
  '/moved.json': () => ({ status: 302, location: '/moved/here.json' }),
  '/moved/here.json': (document) => ({
    body: JSON.stringify({ ...document, client_id: `${site.url}/moved.json` }),
  }),
  '/broken.json': (document) => ({ body: JSON.stringify(document).slice(0, -1) }),
};

beforeAll(async () => {
  site = await anHttpsServer(({ url = '' }, response) => {
    const { clientMetadata } = anApplication();
    const document = { client_id: `${site.url}${url}`, ...clientMetadata };
    const { status = 200, location, body = '' } = SITE[url]?.(document) ?? { status: 404 };
    const moved = location === undefined ? {} : { location };
    response.writeHead(status, { 'content-type': 'application/json', ...moved }).end(body);
  });
  const data = await machine.folder();
  const api = [
    '--openapi',
    fileURLToPath(SAMPLE_DESCRIPTION),
    '--slug',
    'guarded',
    '--auth',
    'oauth',
  ];
  const started = machine.start({ HOSTED_MCP_DATA: data, NODE_EXTRA_CA_CERTS: CERTIFICATE }, [
    ...api,
    '--api-base',
    'https://api.example.com',
  ]);
  baseUrl = await started.ready();
  server = `${baseUrl}/mcp-router/guarded/messages`;
  owner = JSON.parse(await readFile(join(data, 'owner.json'), 'utf8')) as SignIn;
});
afterAll(async () => {
  await machine.cleanUp();
  await site[Symbol.asyncDispose]();
});

const visit = (address: URL): Promise<URL> =>
  authorize(aFormBrowser(address.origin), address, owner);

describe.each(SDKS.map((sdk) => [sdk.name, sdk] as const))('%s', (_name, sdk) => {
  const enter = (application: Application) =>
    letIn(sdk, server, application, { fetch, clientMetadataUrl: `${site.url}${GOOD}` }, visit);

  test('is let in by its client id metadata document without registration', async () => {
    const application = anApplication();

    const client = await enter(application);

    expect(application.sentTo?.searchParams.get('client_id')).toBe(`${site.url}${GOOD}`);
    expect((await client.listTools()).tools).toHaveLength(7);
    expect(application.tokens?.refresh_token).toMatch(/^mcp_refresh_/);
    await client.close();
  });
});

describe('the authorization endpoint', () => {
  const ask = (clientId: string, redirectUri = 'http://127.0.0.1/callback') => {
    const address = new URL(`${baseUrl}/mcp-oauth-server/authorize`);
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      resource: server,
    }).toString();
    return fetch(address, { redirect: 'manual' });
  };

  test.each([
    ['whose document has another client_id', () => `${site.url}/copied.json`],
    ['whose document is larger than 5 KB', () => `${site.url}/large.json`],
    ['whose document is a redirect', () => `${site.url}/moved.json`],
    ['whose document is truncated', () => `${site.url}/broken.json`],
    ['without a document', () => `${site.url}/none.json`],
    ['whose document is not behind TLS', () => `http://localhost:${site.port}${GOOD}`],
    ['whose site is this service', () => `${baseUrl.replace('http:', 'https:')}/mcp-router`],
  ])('does not redirect to a client %s', async (_, clientId) => {
    const answer = await ask(clientId());

    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('does not redirect to a URI that is not in the document of the client', async () => {
    const answer = await ask(`${site.url}${GOOD}`, 'https://elsewhere.example.com/callback');

    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });
});

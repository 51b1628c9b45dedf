import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  Client,
  CrossAppAccessProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { seedRunning } from '../support/aws/data-folder.ts';
import { authorize, type Decision } from '../support/oauth/form-browser.ts';
import {
  anIdentityProvider,
  type TestIdentityProvider,
} from '../support/oauth/identity-provider.ts';
import type { McpClient } from '../support/mcp/mcp-clients.ts';
import {
  anApplication,
  type Application,
  isUnauthorized,
  letIn,
  SDKS,
} from '../support/oauth/oauth-sdk-clients.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const ACCESS_TOKEN_SECONDS = 5;

let acme: TestIdentityProvider;
let service: WholeService;
let person: Person;
let server: PublishedServer;

beforeAll(async () => {
  acme = await anIdentityProvider(() => Math.floor(Date.now() / 1000));
  const providers = [{ ...acme.config, email_domains: ['example.com'] }];
  service = await startWholeService({ access_token_seconds: ACCESS_TOKEN_SECONDS });
  const applied = { operator: 'apply-providers', providers, revision: 0 };
  await service.operate(applied, 'maintenance');
  person = await service.person();
  server = await service.publish(person);
  await seedRunning(service.aws, server.slug, { resources: [HOURS], prompts: [] });
});
afterAll(async () => {
  await service.stop();
  await acme[Symbol.asyncDispose]();
});

const HOURS = {
  name: 'hours',
  uri: 'file:///hours.txt',
  mimeType: 'text/plain',
  content: 'Nine to five.',
  encoding: 'text',
} as const;

/** The user of an application, who has a browser without JavaScript. */
const visit = (address: URL, decision?: Decision): Promise<URL> =>
  authorize(service.browser(), address, person, decision);

const callOf = async (client: McpClient): Promise<unknown> => {
  const { content } = await client.callTool({ name: 'getBook', arguments: { book_id: 1 } });
  return JSON.parse(content[0]?.text ?? '');
};

/** Puts a token in the place of its own that no server knows. */
const spoil = (application: Application): void => {
  const { tokens } = application;
  if (tokens) application.tokens = { ...tokens, access_token: 'mcp_access_of-nobody' };
};

const forgetRefreshToken = (application: Application): void => {
  const { refresh_token: _, ...tokens } = application.tokens ?? {
    access_token: '',
    token_type: '',
  };
  application.tokens = tokens;
};

describe('an official MCP client at an oauth deployment', () => {
  interface Life {
    readonly application: Application;
    readonly client: McpClient;
    readonly url: string;
  }
  const FORMS = [
    ['/messages', ({ messagesUrl }: PublishedServer) => messagesUrl],
    ['the base URL', ({ url }: PublishedServer) => url],
  ] as const;
  const CASES = SDKS.flatMap((sdk) =>
    FORMS.map(([form, urlOf]) => [`${sdk.name} at ${form}`, sdk, urlOf] as const),
  );
  const lives = new Map<string, Life>();
  const lifeOf = (name: string): Life => lives.get(name)!;

  beforeAll(async () => {
    // One after another, as a person signs in: of more than five at once, the lock refuses some.
    for (const [name, sdk, urlOf] of CASES) {
      const application = anApplication();
      const url = urlOf(server);
      const client = await letIn(sdk, url, application, { fetch: service.fetch }, visit);
      lives.set(name, { application, client, url });
    }
  });
  afterAll(() => Promise.all([...lives.values()].map(({ client }) => client.close())));

  test.each(CASES)('%s: discovers the authorization server and sends the user there', (name) => {
    const { application, url } = lifeOf(name);
    const asked = application.sentTo?.searchParams;

    expect(application.client?.client_id).toMatch(/^mcp_/);
    expect(application.sentTo?.href).toMatch(`${service.issuer}/authorize?`);
    expect(asked?.get('resource')).toBe(url);
    expect(asked?.get('scope')).toBe('mcp.tools.read mcp.tools.execute');
    expect(asked?.get('code_challenge_method')).toBe('S256');
  });

  test.each(CASES)(
    '%s: gets tokens, lists the tools, calls one and reads a resource',
    async (name) => {
      const { application, client } = lifeOf(name);

      expect(application.tokens).toMatchObject({
        access_token: expect.stringMatching(/^mcp_access_[\da-f-]{36}$/),
        refresh_token: expect.stringMatching(/^mcp_refresh_/),
        token_type: 'Bearer',
        scope: 'mcp.tools.read mcp.tools.execute',
      });
      expect((await client.listTools()).tools).toHaveLength(7);
      expect(await callOf(client)).toMatchObject({ id: 1 });
      expect(await client.readResource({ uri: HOURS.uri })).toMatchObject({
        contents: [{ uri: HOURS.uri, text: HOURS.content }],
      });
    },
  );

  test.each(CASES)('%s: refreshes an expired access token by itself', async (name) => {
    const { application, client, url } = lifeOf(name);
    const before = application.tokens;
    await refused(url, before?.access_token);

    expect(await callOf(client)).toMatchObject({ id: 1 });

    expect(application.tokens?.access_token).not.toBe(before?.access_token);
    expect(application.tokens?.refresh_token).not.toBe(before?.refresh_token);
  });

  test.each(CASES)('%s: sends the user again once the refresh token is revoked', async (name) => {
    const { application, client } = lifeOf(name);
    const { refresh_token = '' } = application.tokens ?? {};
    const { client_id = '' } = application.client ?? {};
    const metadata = await service.fetch(
      `${service.issuer}/.well-known/oauth-authorization-server`,
    );
    const { revocation_endpoint } = (await metadata.json()) as { revocation_endpoint: string };
    const body = new URLSearchParams({ token: refresh_token, client_id });
    expect((await service.fetch(revocation_endpoint, { method: 'POST', body })).status).toBe(200);
    application.sentTo = undefined;
    spoil(application);
    // Version 2 warns of what it does next.
    jest.spyOn(console, 'warn').mockReturnValueOnce();

    await expect(callOf(client).catch(isUnauthorized)).resolves.toBe(true);

    expect(application.sentTo).toBeInstanceOf(URL);
  });
});

/** As API Gateway is reported to hand answers on. */
const renamingFetch: typeof fetch = async (...request) => {
  const answer = await service.fetch(...request);
  const challenge = answer.headers.get('www-authenticate');
  if (challenge === null) return answer;
  const headers = new Headers(answer.headers);
  headers.delete('www-authenticate');
  headers.set('x-amzn-remapped-www-authenticate', challenge);
  return new Response(await answer.text(), { status: answer.status, headers });
};

/** And as it does where the template has it copy the challenge back, whatever came of the header. */
const mappingFetch: typeof fetch = async (...request) => {
  const answer = await renamingFetch(...request);
  const challenge = answer.headers.get('x-mcp-challenge');
  if (challenge === null || ![401, 403].includes(answer.status)) return answer;
  const headers = new Headers(answer.headers);
  headers.set('www-authenticate', challenge);
  return new Response(await answer.text(), { status: answer.status, headers });
};

describe('an official MCP client behind a gateway that renames WWW-Authenticate', () => {
  test.each(
    SDKS.flatMap((sdk) => [[sdk.name, '/messages', sdk] as const, [sdk.name, '', sdk] as const]),
  )('%s: finds the way in by the usual addresses, at <base>%s', async (_, path, sdk) => {
    const url = `${server.url}${path}`;
    const client = await letIn(sdk, url, anApplication(), { fetch: renamingFetch }, visit);
    const called = await callOf(client);
    await client.close();

    expect(called).toMatchObject({ id: 1 });
  });
});

/** Waits until the server refuses a token. */
const refused = async (url: string, token = ''): Promise<void> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  while ((await fetch(url, { method: 'POST', headers, body })).status !== 401) {
    await setTimeout(200);
  }
};

describe.each(SDKS.map((sdk) => [sdk.name, sdk] as const))('%s', (_name, sdk) => {
  test.each(['client_secret_basic', 'client_secret_post'])(
    'keeps its refresh token as a confidential client with %s',
    async (authMethod) => {
      const application = anApplication({ authMethod });
      const options = { fetch: service.fetch };
      const client = await letIn(sdk, server.messagesUrl, application, options, visit);
      const before = application.tokens;
      spoil(application);

      expect(await callOf(client)).toMatchObject({ id: 1 });

      expect(application.tokens?.access_token).not.toBe(before?.access_token);
      expect(application.tokens?.refresh_token).toBe(before?.refresh_token);
      await client.close();
    },
  );

  test('connects to the server that its user chooses if it names no resource', async () => {
    const [chosen, other] = [await service.publish(person), await service.publish(person)];
    const application = anApplication();
    const options = { fetch: service.fetch, noResource: true };

    const client = await letIn(sdk, chosen.messagesUrl, application, options, (address) =>
      visit(address, { server: chosen.slug }),
    );

    expect(application.sentTo?.searchParams.has('resource')).toBe(false);
    expect(await callOf(client)).toMatchObject({ id: 1 });
    await refused(other.messagesUrl, application.tokens?.access_token);
    await client.close();
  });

  test.each<[string, typeof fetch]>([
    ['', (...request) => service.fetch(...request)],
    [', behind a gateway that renames WWW-Authenticate and maps it back', mappingFetch],
  ])('sends its user again for the scope that a call needs%s', async (_, send) => {
    const application = anApplication();
    const options = { fetch: send };
    const granting = (scope: string) => (address: URL) => {
      const asked = new URL(address);
      asked.searchParams.set('scope', scope);
      return visit(asked);
    };
    const url = server.messagesUrl;
    const reading = await letIn(sdk, url, application, options, granting('mcp.tools.read'));
    expect((await reading.listTools()).tools).toHaveLength(7);
    expect(application.tokens?.scope).toBe('mcp.tools.read');
    await reading.close();
    application.sentTo = undefined;
    if (sdk.refreshesFirst) forgetRefreshToken(application);

    const calling = sdk.open(url, application, options);
    await calling.connect();
    await expect(callOf(calling.client).catch(isUnauthorized)).resolves.toBe(true);

    const asked = application.sentTo as URL | undefined;
    expect(asked?.searchParams.get('scope')?.split(' ').toSorted()).toEqual([
      'mcp.tools.execute',
      'mcp.tools.read',
    ]);
    await calling.finish(await visit(asked as URL));
    expect(await callOf(calling.client)).toMatchObject({ id: 1 });
    await calling.client.close();
  });

  test('is refused if its user denies', async () => {
    const application = anApplication();
    let answer: URL | undefined;
    const deny = async (address: URL) => (answer = await visit(address, { decision: 'deny' }));

    const entering = letIn(sdk, server.messagesUrl, application, { fetch: service.fetch }, deny);

    await expect(entering).rejects.toThrow();
    expect(answer?.searchParams.get('error')).toBe('access_denied');
    expect(application.tokens).toBeUndefined();
  });
});

describe("the official client of people whose company's identity provider lets them in", () => {
  const registered = async () => {
    const answer = await service.fetch(`${service.issuer}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'An enterprise application',
        redirect_uris: ['https://app.example.com/callback'],
        token_endpoint_auth_method: 'client_secret_basic',
      }),
    });
    return (await answer.json()) as { client_id: string; client_secret: string };
  };

  test('shows assertions instead of a browser, a new one for each access token', async () => {
    const { client_id, client_secret } = await registered();
    let shown = 0;
    const authProvider = new CrossAppAccessProvider({
      clientId: client_id,
      clientSecret: client_secret,
      expectedIssuer: service.issuer,
      fetchFn: service.fetch,
      assertion: ({ authorizationServerUrl, resourceUrl, scope }) => {
        shown += 1;
        const { email } = person;
        const who = { sub: 'U-of-the-person', email, email_verified: true, client_id };
        return acme.sign({ ...who, aud: authorizationServerUrl, resource: resourceUrl, scope });
      },
    });
    const client = new Client({ name: 'enterprise', version: '1.0.0' });
    const { fetch } = service;
    const url = new URL(server.messagesUrl);
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider, fetch }));

    expect(await callOf(client)).toMatchObject({ id: 1 });
    expect(shown).toBe(1);
    const tokens = authProvider.tokens();
    expect(tokens).toMatchObject({ scope: 'mcp.tools.read mcp.tools.execute' });
    expect(tokens).not.toHaveProperty('refresh_token');

    await refused(server.messagesUrl, tokens?.access_token);
    expect(await callOf(client)).toMatchObject({ id: 1 });
    expect(shown).toBe(2);
    await client.close();
  });
});

test('no secret was logged, stored or answered where it should not be', async () => {
  expect(service.wire.secrets().length).toBeGreaterThan(50);
  expect(await service.leaks()).toEqual([]);
});

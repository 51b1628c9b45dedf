import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anIdentityProviderOf } from '../../support/oauth/identity-provider.ts';
import { server } from '../../../layers/mcp/routes/server.ts';
import { aReport } from '../../support/aws/dynamodb-fixtures.ts';
import { BASE_URL, startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anEvent, at, get, post } from '../../support/mcp/router-events.ts';
import { aTool } from '../../support/mcp/router-tools.ts';

let router: TestRouter;

const NOTED = [
  { name: 'getPet', notes: [{ what: 'allOf is merged', why: 'so it is', arguments: ['id'] }] },
];

beforeAll(async () => {
  router = await startRouter();
  await router.publish('open');
  await router.publish('one', {}, { tools: [] });
  await router.publish('login', { authMethod: 'oauth' });
  await router.publish('token', { authMethod: 'jwt' });
  await router.publish('resting', { status: 'paused' });
  await router.publish('told', {
    authMethod: 'oauth',
    description: 'Pets of ours',
    websiteUrl: 'https://pets.example/',
  });
  await router.publish('silent', {
    authMethod: 'oauth',
    apiTexts: { instructions: 'Secret plans', description: 'Secret plans' },
  });
  await router.publish('noted', {}, { report: aReport(...NOTED) });
});

afterAll(() => router.stop());

const ACME = anIdentityProviderOf();
const PROTECTED = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
const LITERAL_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type',
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'mcp-protocol-version': '2025-03-26',
};
const read = async (path: string, headers = {}) => {
  const reply = await router.send(get(path, headers));
  expect(reply.statusCode).toBe(200);
  return { headers: reply.headers, document: JSON.parse(reply.body) };
};

describe('the MCP discovery document', () => {
  test('describes the server at each of its URLs', async () => {
    for (const path of [at('open', '/.well-known/mcp-server'), at('open'), at('open', '/')]) {
      const { headers, document } = await read(path);

      expect(headers).toMatchObject(LITERAL_HEADERS);
      expect(document).toEqual({
        protocol_version: '2025-03-26',
        server_info: {
          name: 'open-mcp-server',
          version: '0.1.0',
          description: 'Pet <Store>: 10 tools',
        },
        capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, streaming: true },
        endpoints: { messages: `${BASE_URL}/mcp-router/open/messages` },
        authentication: {
          required: false,
          methods: [],
          description: 'This server is public: no authentication is needed.',
        },
        _meta: {
          health: `${BASE_URL}/mcp-router/open/health`,
          docs: `${BASE_URL}/mcp-router/open/docs`,
          tool_count: 10,
          api_base: router.target.url,
          protocol_versions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
        },
      });
    }
  });

  test.each([
    ['login', 'oauth'],
    ['token', 'jwt'],
  ])('of a protected deployment is public and names the auth method: %s', async (slug, mode) => {
    const { document } = await read(at(slug, '/.well-known/mcp-server'));
    expect(document.authentication).toMatchObject({ required: true, methods: [mode] });
  });

  test.each([
    ['plain text', 'hello', 'text/plain'],
    ['JSON that is not JSON-RPC', '{"hello":"world"}', 'application/json'],
    ['an empty batch', '[]', 'application/json'],
    ['another version', '{"jsonrpc":"1.0","method":"ping","id":1}', 'application/json'],
    ['a response', '{"jsonrpc":"2.0","result":{},"id":1}', 'application/json'],
    ['an empty body', '', undefined],
  ])('is the answer to POST / with %s', async (_, body, type) => {
    const reply = await router.send(post(at('login'), body, { 'content-type': type }));

    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject(LITERAL_HEADERS);
    expect(JSON.parse(reply.body)).toHaveProperty('protocol_version', '2025-03-26');
  });

  test('takes its URLs from the configuration and not from the Host header', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const { document } = await read(at('open', '/.well-known/mcp-server'), headers);

    expect(JSON.stringify(document)).not.toContain('evil.example');
  });
});

describe('the card of a server', () => {
  const ENDS = ['/messages/server-card', '/server-card'];
  const withCards = (path: string, headers = {}) => {
    const settings = { ...router.ports.settings, serverCards: true };
    return server({ ...router.ports, settings })(get(path, headers));
  };

  test.each(ENDS)('is not there at %s unless the operator says so', async (end) => {
    expect((await router.send(get(at('open', end)))).statusCode).toBe(404);
  });

  test.each(ENDS)(
    'says at %s who it is and which versions it speaks, without tools',
    async (end) => {
      const reply = await withCards(at('open', end));

      expect(reply.statusCode).toBe(200);
      expect(reply.headers).toMatchObject({
        'content-type': 'application/mcp-server-card+json',
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, OPTIONS',
        'cache-control': 'public, max-age=3600',
        etag: expect.stringMatching(/^"[\w-]{43}"$/),
      });
      expect(JSON.parse(reply.body)).toEqual({
        $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
        name: 'com.example.mcp/open',
        version: '0.1.0',
        title: 'Pet <Store>',
        description: 'Pet <Store>: 10 tools',
        websiteUrl: `${BASE_URL}/mcp-router/open/docs`,
        remotes: [
          {
            type: 'streamable-http',
            url: `${BASE_URL}/mcp-router/open/messages`,
            supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
          },
        ],
      });
    },
  );

  test('says what the owner says of it, and never what the description of the API says', async () => {
    const [told, silent] = await Promise.all(
      ['told', 'silent'].map(async (slug) =>
        JSON.parse((await withCards(at(slug, '/server-card'))).body),
      ),
    );

    expect(told).toMatchObject({
      description: 'Pets of ours',
      websiteUrl: 'https://pets.example/',
    });
    expect(silent).toMatchObject({
      description: 'Pet <Store>: 10 tools',
      websiteUrl: `${BASE_URL}/mcp-router/silent/docs`,
    });
  });

  test('of a protected server is public, and asks for a token that its owner hands out', async () => {
    const [login, token] = await Promise.all(
      ['login', 'token'].map(async (slug) => {
        const { body } = await withCards(at(slug, '/server-card'));
        return JSON.parse(body).remotes[0].headers;
      }),
    );

    expect(login).toBeUndefined();
    expect(token).toMatchObject([{ name: 'Authorization', isSecret: true }]);
  });

  test('is not sent again to those who have it', async () => {
    const { headers } = await withCards(at('open', '/server-card'));
    const etag = headers['etag'] ?? '';

    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await withCards(at('open', '/server-card'), { 'if-none-match': tags });
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    }
    const other = await withCards(at('one', '/server-card'), { 'if-none-match': etag });
    expect(other.statusCode).toBe(200);
  });

  test.each(['resting', 'nobody'])('is not there for %s', async (slug) => {
    expect((await withCards(at(slug, '/server-card'))).statusCode).toBe(404);
  });
});

describe('the protected resource metadata', () => {
  test.each([
    ['before the path of /messages', `${PROTECTED}${at('login', '/messages')}`, '/messages'],
    ['before the path of the base URL', `${PROTECTED}${at('login')}`, ''],
    ['after the base URL', at('login', PROTECTED), ''],
    ['before the path, with a slash', `${PROTECTED}${at('login', '/messages/')}`, '/messages/'],
    ['before the base URL, with a slash', `${PROTECTED}${at('login', '/')}`, '/'],
    ['after the base URL, with a slash', `${at('login', PROTECTED)}/`, ''],
  ])('is served %s', async (_, path, end) => {
    const { headers, document } = await read(path);

    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    });
    expect(document).toEqual({
      resource: `${BASE_URL}/mcp-router/login${end}`,
      authorization_servers: [`${BASE_URL}/mcp-oauth-server`],
      bearer_methods_supported: ['header'],
      resource_documentation: `${BASE_URL}/mcp-router/login/docs`,
      scopes_supported: ['openid', 'email', 'mcp.tools.read', 'mcp.tools.execute'],
    });
  });
});

describe('the protected resource metadata of an address with a query', () => {
  const resourceAt = async (rawQueryString: string) => {
    const event = get(`${PROTECTED}${at('login', '/messages')}`);
    return JSON.parse((await router.send({ ...event, rawQueryString })).body).resource;
  };

  test.each(['tenant=acme', 'a=%20b&c', `x=${'y'.repeat(497)}`])(
    'names the resource with it: ?%.20s',
    async (query) => {
      expect(await resourceAt(query)).toBe(`${BASE_URL}/mcp-router/login/messages?${query}`);
    },
  );

  test.each([`x=${'y'.repeat(498)}`, 'a="b', 'a=\\b', 'a=\u{e9}'])(
    'leaves out what no header could repeat: ?%.20s',
    async (query) => {
      expect(await resourceAt(query)).toBe(`${BASE_URL}/mcp-router/login/messages`);
    },
  );
});

describe('the protected resource metadata of an address whose query has a secret', () => {
  test.each(['access_token=x', 'a=b&Client_Secret=x', 'code=x', 'to%6Ben=x', 'apikey=x'])(
    'leaves the query out: ?%s',
    async (rawQueryString) => {
      const event = get(`${PROTECTED}${at('login', '/messages')}`);
      const { resource } = JSON.parse((await router.send({ ...event, rawQueryString })).body);

      expect(resource).toBe(`${BASE_URL}/mcp-router/login/messages`);
    },
  );
});

describe('the authorization server metadata below a deployment', () => {
  test.each([`${SERVER}${at('login')}`, `${SERVER}${at('login', '/messages')}`])(
    'is served at %s',
    async (path) => {
      const { document } = await read(path);
      const issuer = `${BASE_URL}/mcp-oauth-server`;

      expect(document).toMatchObject({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        revocation_endpoint: `${issuer}/revoke`,
        userinfo_endpoint: `${issuer}/userinfo`,
        registration_endpoint: `${issuer}/register`,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        scopes_supported: [
          'openid',
          'email',
          'mcp.tools.read',
          'mcp.tools.execute',
          'profile',
          'offline_access',
        ],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: [
          'client_secret_post',
          'client_secret_basic',
          'none',
          'private_key_jwt',
        ],
      });
    },
  );
});

describe('the authorization server metadata where identity providers are named', () => {
  test('names the grant for their assertions', async () => {
    const identityProviders = { ...router.ports.identityProviders, list: async () => [ACME] };
    const served = server({ ...router.ports, identityProviders });
    const { body } = await served(get(`${SERVER}${at('login')}`));

    expect(JSON.parse(body)).toMatchObject({
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    });
  });
});

describe('the OAuth metadata of other deployments', () => {
  test.each(['open', 'token', 'resting', 'nobody'])('does not exist for %s', async (slug) => {
    for (const path of [
      `${PROTECTED}${at(slug, '/messages')}`,
      `${PROTECTED}${at(slug)}`,
      at(slug, PROTECTED),
      `${SERVER}${at(slug)}`,
      `${SERVER}${at(slug, '/messages')}`,
    ]) {
      const { statusCode, body } = await router.send(get(path));
      expect([statusCode, JSON.parse(body).error]).toEqual([404, 'not_found']);
    }
  });

  test('does not exist at the root', async () => {
    for (const path of [PROTECTED, SERVER, '/.well-known/openid-configuration']) {
      expect((await router.send(get(path))).statusCode).toBe(404);
    }
  });
});

describe('the health and docs endpoints', () => {
  test('report that the deployment is served', async () => {
    expect((await read(at('login', '/health'))).document).toEqual({
      status: 'ok',
      slug: 'login',
      tool_count: 10,
      version: '0.1.0',
    });
  });

  test('serve docs as a page that cannot run or load anything', async () => {
    const { statusCode, headers, body } = await router.send(get(at('open', '/docs')));

    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
    ]);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(body).not.toMatch(/<script|javascript:|\son\w+=/i);
  });

  test('show in docs the arguments, the model APIs and the notes of a tool', async () => {
    const { body } = await router.send(get(at('noted', '/docs')));

    expect(body).toContain('Claude, OpenAI, Gemini, and Bedrock take it as it is.');
    expect(body).toContain('<li>id: allOf is merged <span class="why">(so it is)</span></li>');
    expect(body.match(/<li>id: allOf/g)).toHaveLength(1);
  });

  test('serve the same docs at each request and separate docs for each server', async () => {
    const described = (description: string) => {
      const tool = aTool('one', 'https://api.example.com');
      const listed = JSON.stringify({ ...JSON.parse(tool.listed), description });
      return { tools: [{ ...tool, listed }] };
    };
    await router.publish('wordy', {}, described('x'.repeat(1025)));
    await router.publish('terse', {}, described('x'));
    const page = async (slug: string) => (await router.send(get(at(slug, '/docs')))).body;
    const first = await page('wordy');

    expect(first).toContain('OpenAI may refuse it.');
    expect(await page('wordy')).toBe(first);
    expect(await page('terse')).toContain('and Bedrock take it as it is.');
  });

  test.each(['open', 'login', 'token'])('serve docs for %s', async (slug) => {
    expect((await router.send(get(at(slug, '/docs')))).body).toContain(
      `${BASE_URL}/mcp-router/${slug}/messages`,
    );
  });

  test('answer HEAD without a body', async () => {
    for (const end of ['/health', '/docs']) {
      const reply = await router.send(anEvent('HEAD', at('open', end)));
      expect([reply.statusCode, reply.body]).toEqual([200, '']);
    }
  });
});

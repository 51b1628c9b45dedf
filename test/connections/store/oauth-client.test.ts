import { afterAll, describe, expect, test } from '@jest/globals';
import { oauthClientTokens } from '../../../layers/connections/store/oauth-client.ts';
import { tokenEndpoints } from '../../../layers/connections/store/token-endpoints.ts';
import { guardedFetch } from '../../../layers/target/client/guarded-fetch.ts';
import { web } from '../../../layers/target/client/web.ts';
import type { TargetPolicy } from '../../../layers/target/rules/target.ts';
import {
  aMockProvider,
  anOAuthClient,
  CLIENT_SECRET,
  type OAuthClient,
  ORIGINS,
} from '../../support/oauth/connections.ts';
import { aClock } from '../../support/aws/dynamodb-fixtures.ts';
import { anHttpServer, aRawServer } from '../../support/target/target-server.ts';

const provider = await aMockProvider();
const { answering, issuer, tokenUrl } = provider;
const closing: AsyncDisposable[] = [];
afterAll(async () => {
  for (const one of closing) await one[Symbol.asyncDispose]();
  await provider.close();
});

const LOOPBACK: TargetPolicy = { loopback: { exceptPorts: [] } };
const USE = { user: 'user-1', ip: '192.0.2.7', requestId: 'request-1' };

const ask = (
  client: OAuthClient,
  {
    policy = LOOPBACK,
    timeoutSeconds = 8,
    worked,
    elapsedMs = () => 0,
  }: {
    policy?: TargetPolicy;
    timeoutSeconds?: number;
    worked?: 'basic' | 'post';
    elapsedMs?: () => number;
  } = {},
) => {
  const endpoints = tokenEndpoints({ clock: aClock(), web: web({ policy }) });
  const fetch = guardedFetch({ policy, timeoutSeconds });
  const source = oauthClientTokens({ clock: { elapsedMs }, fetch, endpoints });
  const place = { deploymentId: 'dep-1', name: 'main', from: 'connections' } as const;
  return source.ask({ ...client, origins: ORIGINS }, { ...USE, worked }, place, {});
};

const TOKEN = { access_token: 'CANARY-token', token_type: 'Bearer' };
const FAILED = { name: 'TokenUnavailable', reason: 'token_endpoint_failed' };

describe('a token endpoint', () => {
  test('is sent what the client is and wants, its secret where the client authenticates', async () => {
    const given = await ask(
      anOAuthClient(tokenUrl, {
        scopes: ['a', 'b'],
        audience: 'orders',
        resource: 'https://orders.example.com/',
        extra: { tenant: 'seven' },
      }),
    );
    expect(given.sent.type).toBe('bearer');
    expect(provider.seen()).toMatchObject({
      body: {
        grant_type: 'client_credentials',
        scope: 'a b',
        audience: 'orders',
        resource: 'https://orders.example.com/',
        tenant: 'seven',
      },
      headers: {
        authorization: `Basic ${btoa(`service:${CLIENT_SECRET}`)}`,
      },
    });
  });

  test.each<[string, object, number | undefined]>([
    ['nothing of its life', {}, undefined],
    ['its life as a text', { expires_in: '120' }, 120],
    ['a life of thirty thousand years', { expires_in: 1e12 }, 1e12],
  ])('says of a token %s', async (_, more, lifeSeconds) => {
    await answering(200, { ...TOKEN, ...more });
    expect(await ask(anOAuthClient(tokenUrl))).toMatchObject({ lifeSeconds });
  });

  test.each<[string, number, unknown]>([
    ['a fault', 500, { error: 'server_error' }],
    ['a gateway’s page', 502, '<html>CANARY</html>'],
    ['a page where a token is wanted', 200, '<html>CANARY</html>'],
    ['too many requests', 429, { error: 'slow_down' }],
    ['no token', 200, { token_type: 'Bearer' }],
    ['a token of another type', 200, { ...TOKEN, token_type: 'mac' }],
    ['a token bound to a key', 200, { ...TOKEN, token_type: 'DPoP' }],
    ['a life below zero', 200, { ...TOKEN, expires_in: -5 }],
    ['a life that is no number', 200, { ...TOKEN, expires_in: 'CANARY' }],
    ['a token with a line break', 200, { ...TOKEN, access_token: 'CANARY\r\nX-Other: 1' }],
    ['a token that no header takes', 200, { ...TOKEN, access_token: 'a'.repeat(8193) }],
    ['five megabytes', 200, { ...TOKEN, access_token: 'a'.repeat(5_000_000) }],
    ['a refusal in words of its own', 400, { error: { CANARY: 1 } }],
  ])('that answers with %s has failed', async (_, status, body) => {
    await answering(status, body);
    const failure: Error = await ask(anOAuthClient(tokenUrl)).then(fail, (error) => error);
    expect(failure).toMatchObject(FAILED);
    expect(`${failure.message} ${JSON.stringify(failure)}`).not.toContain('CANARY');
  });

  test.each(['invalid_client', 'unauthorized_client', 'invalid_scope', 'access_denied'])(
    'that refuses the client by %s is told by that code and its own words, without the secret',
    async (error) => {
      await answering(400, {
        error,
        error_description: `The secret ${CLIENT_SECRET} of service is wrong.`,
        error_uri: 'https://canary.example',
      });
      const client = anOAuthClient(tokenUrl, { clientAuth: 'basic' });
      const failure = await ask(client).then(fail, (refused) => refused);
      expect(failure).toMatchObject({
        reason: 'token_refused',
        code: error,
        said: 'The secret [masked] of service is wrong.',
      });
      expect(failure.message).not.toContain('is wrong');
      expect(JSON.stringify(failure)).not.toMatch(/canary/i);
    },
  );

  test('that asks for another way to authenticate refuses the client', async () => {
    const challenging = await anHttpServer((_, response) =>
      response
        .writeHead(401, {
          'content-type': 'application/json',
          'www-authenticate': 'Basic realm="CANARY"',
        })
        .end('{"error":"invalid_client"}'),
    );
    closing.push(challenging);
    await expect(ask(anOAuthClient(challenging.url))).rejects.toMatchObject({
      reason: 'token_refused',
      code: 'invalid_client',
    });
  });

  test('that redirects has failed, and nothing is sent to where it leads', async () => {
    const thief = await anHttpServer((_, response) => response.end(JSON.stringify(TOKEN)));
    const redirecting = await anHttpServer((_, response) =>
      response.writeHead(307, { location: `${thief.url}/token` }).end(),
    );
    closing.push(thief, redirecting);
    await expect(ask(anOAuthClient(redirecting.url))).rejects.toMatchObject(FAILED);
    expect(thief.requests).toEqual([]);
  });

  test('that says nothing in time, breaks off or is not there has failed', async () => {
    const silent = await aRawServer(() => undefined);
    const breaking = await aRawServer((socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
      ),
    );
    closing.push(silent, breaking);
    const limits = { timeoutSeconds: 0.2 };
    await expect(ask(anOAuthClient(silent.url), limits)).rejects.toMatchObject(FAILED);
    await expect(ask(anOAuthClient(breaking.url))).rejects.toMatchObject(FAILED);
    await expect(ask(anOAuthClient('http://127.0.0.1:1/token'))).rejects.toMatchObject(FAILED);
  });

  test.each([
    'https://127.0.0.1/token',
    'https://10.0.0.1/token',
    'https://169.254.169.254/latest',
    'https://[::ffff:10.0.0.1]/token',
    'http://93.184.216.34/token',
  ])('at %s is not asked: it is not public, or not encrypted', async (url) => {
    await expect(ask(anOAuthClient(url), { policy: {} })).rejects.toMatchObject({
      reason: 'token_endpoint_refused',
    });
  });

  test('on another origin than was sealed, or none, is not asked', async () => {
    const another = anOAuthClient(tokenUrl, { tokenOrigin: 'https://login.example.com' });
    const { tokenOrigin: _, ...none } = anOAuthClient(tokenUrl);
    for (const client of [another, none]) {
      await expect(ask(client)).rejects.toMatchObject({ reason: 'token_endpoint_refused' });
    }
  });
});

/** A token endpoint that knows one client; how it reads `Authorization`, and whether it reads a body. */
const aServer = async ({
  id,
  secret,
  reads = (text: string) => text,
  takes = ['basic', 'post'],
  refuses = 'invalid_client',
}: {
  id: string;
  secret: string;
  reads?: (text: string) => string;
  takes?: readonly ('basic' | 'post')[];
  refuses?: string;
}) => {
  const asked: ('basic' | 'post')[] = [];
  const listening = await anHttpServer(({ headers, body }, response) => {
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
    const form = new URLSearchParams(String(body));
    const way = basic === undefined ? 'post' : 'basic';
    asked.push(way);
    const shown =
      basic === undefined
        ? [form.get('client_id'), form.get('client_secret')]
        : Buffer.from(basic, 'base64').toString().split(':').map(reads);
    const isKnown = takes.includes(way) && shown[0] === id && shown[1] === secret;
    response
      .writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
      .end(JSON.stringify(isKnown ? TOKEN : { error: refuses }));
  });
  closing.push(listening);
  return { url: `${listening.url}/token`, asked };
};

const UUID = '3f0b7c5e-91d2-4a7b-8c55-0f2a9e6d1b34';

describe('the secret of a client', () => {
  const decodesUrl = (text: string) => decodeURIComponent(text);
  const decodesForm = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

  test.each([
    ['compares literally', UUID, 's3cret-value_1.0*', (text: string) => text],
    ['decodes URLs', `${UUID}:a b`, "p%ss+w/rd ~!'()=ü", decodesUrl],
    ['decodes forms', `${UUID}:a b`, "p%ss+w/rd ~!'()=ü", decodesForm],
  ])('is known again in Authorization by a server that %s', async (_, id, secret, reads) => {
    const { url, asked } = await aServer({ id, secret, reads, takes: ['basic'] });
    await ask(anOAuthClient(url, { clientId: id, clientSecret: secret }));
    expect(asked).toEqual(['basic']);
  });

  test.each(['invalid_client', 'invalid_request'])(
    'is sent in the body where it is refused in Authorization by %s, and there from then on',
    async (refuses) => {
      const { url, asked } = await aServer({ id: 'me', secret: 's', takes: ['post'], refuses });
      const client = anOAuthClient(url, { clientId: 'me', clientSecret: 's' });
      const { works } = await ask(client);
      expect([works, asked]).toEqual(['post', ['basic', 'post']]);
      await ask(client, { worked: works ?? 'basic' });
      expect(asked).toEqual(['basic', 'post', 'post']);
    },
  );

  test('is sent twice at most, and the more telling refusal is told', async () => {
    const { url, asked } = await aServer({ id: 'me', secret: 's' });
    const failure = await ask(anOAuthClient(url, { clientId: 'me', clientSecret: 'x' })).then(
      fail,
      (refused) => refused,
    );
    expect([failure.code, asked]).toEqual(['invalid_client', ['basic', 'post']]);
  });

  test.each<[string, Partial<OAuthClient>, string, number]>([
    ['where its owner has said', { clientAuth: 'basic' }, 'invalid_client', 0],
    ['where the client was known, and its scope refused', {}, 'invalid_scope', 0],
    ['after a refusal that took long', {}, 'invalid_client', 2500],
  ])('is not sent elsewhere %s', async (_, over, refuses, takesMs) => {
    const { url, asked } = await aServer({ id: 'me', secret: 's', takes: [], refuses });
    let at = -takesMs;
    const elapsedMs = () => (at += takesMs);
    const refused = await ask(anOAuthClient(url, over), { elapsedMs }).then(fail, (one) => one);
    expect([refused.code, asked]).toEqual([refuses, ['basic']]);
  });

  test('is sent to no other origin, wherever a refusal points', async () => {
    const thief = await anHttpServer((_, response) => response.end(JSON.stringify(TOKEN)));
    const pointing = await anHttpServer((_, response) =>
      response
        .writeHead(401, { location: thief.url, 'content-type': 'application/json' })
        .end('{"error":"invalid_client"}'),
    );
    closing.push(thief, pointing);
    await expect(ask(anOAuthClient(pointing.url))).rejects.toMatchObject({
      reason: 'token_refused',
    });
    expect([thief.requests.length, pointing.requests.length]).toEqual([0, 2]);
  });
});

describe('an issuer', () => {
  const byIssuer = (name = issuer): OAuthClient => {
    const { tokenUrl: _, ...client } = anOAuthClient(tokenUrl);
    return { ...client, issuer: name };
  };

  test('is found by its OpenID configuration where it has no metadata of RFC 8414', async () => {
    expect(await ask(byIssuer())).toMatchObject({ sent: { type: 'bearer' } });
  });

  test('that calls itself otherwise is refused', async () => {
    await expect(ask(byIssuer(`${issuer}/`))).rejects.toMatchObject({
      reason: 'token_endpoint_refused',
    });
  });

  test.each<[string, number, string]>([
    ['nothing', 404, ''],
    ['a fault', 503, ''],
    ['a page', 200, '<html>'],
    ['no endpoint', 200, '{"issuer":"x"}'],
    ['more than a document', 200, JSON.stringify({ issuer: 'a'.repeat(70_000) })],
  ])('that has %s in place of metadata has failed', async (_, status, body) => {
    const strange = await anHttpServer((_request, response) =>
      response.writeHead(status).end(body),
    );
    closing.push(strange);
    await expect(ask(byIssuer(strange.url))).rejects.toMatchObject(FAILED);
  });
});

const fail = (): never => {
  throw new Error('a token was given');
};

import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CredentialKind } from '../../../layers/target/rules/credential.ts';
import { roleArn } from '../../../local/aws/iam/evaluate.ts';
import { readerFinds } from '../../support/spelling/reader.ts';
import { SPELLINGS } from '../../support/spelling/spellings.ts';
import {
  anHttpServer,
  certificate,
  type TargetServer,
} from '../../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

let service: WholeService;
let target: TargetServer;
let session = '';
/** What the API tells whoever calls it, and the token that its logins give. */
let told: { status?: number; headers?: Record<string, string>; body: string | Buffer };
let token = '';

beforeAll(async () => {
  [service, target] = await Promise.all([
    startWholeService({ active_deployments_per_user: 200 }),
    anHttpServer(({ url = '', headers, body }, response) => {
      const json = { 'content-type': 'application/json' };
      if (url === '/login') return void response.writeHead(200, json).end(`{"token":"${token}"}`);
      if (url === '/token') {
        const given = { access_token: token, token_type: 'bearer', expires_in: 3600 };
        return void response.writeHead(200, json).end(JSON.stringify(given));
      }
      if (url.startsWith('/echo')) {
        return void response
          .writeHead(200, json)
          .end(JSON.stringify({ headers, url, body: body.toString() }));
      }
      response.writeHead(told.status ?? 200, { ...json, ...told.headers }).end(told.body);
    }),
  ]);
  const { email, password } = await service.person();
  session = String((await api('POST', '/sessions', { email, password }))['access_token']);
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

const api = async (method: string, path: string, body: object) => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== '' && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
};

const operation = (operationId: string, security: readonly object[]) => ({
  operationId,
  security,
  responses: { 200: { description: 'Told.' } },
});
const noting = {
  requestBody: {
    content: {
      'application/json': { schema: { type: 'object', properties: { note: { type: 'string' } } } },
    },
  },
};
const description = () => ({
  openapi: '3.1.0',
  info: { title: 'An API that knows secrets', version: '1' },
  servers: [{ url: target.url }],
  components: {
    securitySchemes: {
      own: { type: 'http', scheme: 'bearer' },
      other: { type: 'apiKey', in: 'header', name: 'X-Other' },
    },
  },
  paths: {
    '/open': { get: operation('open', []), head: operation('openHead', []) },
    '/own': { get: operation('own', [{ own: [] }]) },
    '/other': { get: operation('other', [{ other: [] }]) },
    '/echo/open': { post: { ...operation('echoOpen', []), ...noting } },
    '/echo/own': { post: { ...operation('echoOwn', [{ own: [] }]), ...noting } },
    '/login': { post: { ...operation('login', []), ...noting } },
  },
});

/** A server for everybody, whose credential goes with the operation `own` alone. */
const published = async (credential: object) => {
  const slug = `s-${randomUUID().slice(0, 18)}`;
  const made = { slug, openapi: description(), mcp_auth_method: 'none' };
  const { id } = await api('POST', '/deployments', made);
  const set = (body: object, name = 'main') =>
    api('PUT', `/deployments/${slug}/credentials/${name}`, { schemes: ['own'], ...body });
  await set(credential);
  const call = async (name: string, args: object = {}): Promise<string> => {
    const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
    return answer.text();
  };
  return { slug, id: String(id), set, call };
};

interface Row {
  readonly name: string;
  readonly credential: (slug: string) => object;
  /** What the API knows of it, once a call has been made. */
  readonly secret: () => string;
  /** It goes over https alone. */
  readonly isOpenOnly?: true;
}

const KEY = randomBytes(24).toString('base64url');
const key = (name: string, place: string, header: string, prefix: string, behind = ''): Row => ({
  name,
  secret: () => KEY,
  credential: () => ({
    type: 'api_key',
    in: place,
    name: header,
    value: `${prefix}${KEY}${behind}`,
  }),
});
const sessionRow = (name: string, place: object): Row => ({
  name,
  secret: () => KEY,
  credential: () => ({
    type: 'session',
    login: 'POST /login',
    token: '/token',
    fields: { note: 'CANARY-login' },
    ...place,
  }),
});
const PASSWORD = 'kestrel-umbrella-19';
const privateKey = readFileSync(
  new URL('../../support/tls/localhost.key.pem', import.meta.url),
  'utf8',
);
const pair = Buffer.from(`reports:${PASSWORD}`).toString('base64');

/** A new kind of credentials has to say here what of it nobody may read. */
const ROWS: { readonly [Kind in CredentialKind]: readonly Row[] } = {
  bearer: [
    { name: 'bearer', secret: () => KEY, credential: () => ({ type: 'bearer', token: KEY }) },
  ],
  api_key: [
    key('api_key in a header', 'header', 'X-Key', ''),
    key('api_key behind a scheme', 'header', 'Authorization', 'GenieKey '),
    key('api_key behind a scheme in a header of its own', 'header', 'X-Auth', 'Key '),
    key('api_key with a name of its own', 'header', 'Authorization', 'Token token="', '", v=1'),
    key('api_key behind a user', 'header', 'Authorization', 'ApiKey reports:'),
    key('api_key in the query', 'query', 'key', 'user:'),
    key('api_key in a cookie', 'cookie', 'sid', 's:'),
    {
      ...key('api_key that is a user and a password', 'header', 'Authorization', ''),
      credential: () => ({
        type: 'api_key',
        in: 'header',
        name: 'Authorization',
        value: `Basic ${pair}`,
      }),
      secret: () => PASSWORD,
    },
  ],
  basic: [
    {
      name: 'basic, the password',
      secret: () => PASSWORD,
      credential: () => ({ type: 'basic', username: 'reports', password: PASSWORD }),
    },
    {
      name: 'basic, the pair',
      secret: () => pair,
      credential: () => ({ type: 'basic', username: 'reports', password: PASSWORD }),
    },
  ],
  session: [
    sessionRow('session behind Bearer', {}),
    sessionRow('session behind Token', { name: 'Authorization', prefix: 'Token ' }),
    sessionRow('session behind Splunk in a header', { name: 'X-Session', prefix: 'Splunk ' }),
    sessionRow('session in the query', { in: 'query', name: 'key', prefix: 'k-' }),
    sessionRow('session in a cookie', { in: 'cookie', name: 'sid', prefix: 'v1-' }),
  ],
  oauth_client: [
    {
      name: 'oauth_client',
      secret: () => KEY,
      credential: () => ({
        type: 'oauth_client',
        token_url: `${target.url}/token`,
        client_id: 'service',
        client_auth: 'post',
        client_secret: 'CANARY-client-secret',
      }),
    },
  ],
  hmac: [
    {
      name: 'hmac',
      secret: () => KEY,
      credential: () => ({
        type: 'hmac',
        algorithm: 'sha256',
        signed: '{timestamp}.{method}.{target}',
        headers: { 'x-time': '{timestamp}', 'x-signature': '{signature}' },
        secret: KEY,
      }),
    },
  ],
  mutual_tls: [
    {
      name: 'mutual_tls',
      isOpenOnly: true,
      secret: () => privateKey,
      credential: () => ({ type: 'mutual_tls', certificate, private_key: privateKey }),
    },
  ],
  aws: (['secretAccessKey', 'sessionToken'] as const).map((member) => ({
    name: `aws, ${member}`,
    secret: () => service.aws.assumed().at(-1)?.[member] ?? '',
    credential: (slug) => ({
      type: 'aws',
      role_arn: `arn:aws:iam::000000000000:role/assumable/${slug}`,
      region: 'eu-central-1',
      service: 'execute-api',
    }),
  })),
};

const trusting = (slug: string): void =>
  service.aws.addRole({
    arn: `arn:aws:iam::000000000000:role/assumable/${slug}`,
    maxSessionSeconds: 3600,
    trust: [
      { Effect: 'Allow', Principal: { AWS: roleArn('connections') }, Action: ['sts:AssumeRole'] },
    ],
  });

const inJson = (text: string): string => {
  try {
    return JSON.stringify({ told: JSON.parse(`"${text}"`) as unknown }) && `{"told":"${text}"}`;
  } catch {
    return JSON.stringify({ told: text });
  }
};

/** Of a key in PEM, each line of it. */
const pieces = (secret: string): readonly string[] =>
  secret.includes('-----BEGIN')
    ? secret.split('\n').filter((line) => /^[A-Za-z0-9+/]{40,}$/.test(line))
    : [secret];

const EACH = Object.values(ROWS)
  .flat()
  .map((row, index) => ({ ...row, index }));

describe('an API that repeats what is secret of a credential, without what it is sent with', () => {
  test.each(EACH)(
    'shows it to nobody, whether the call carries it or not: $name',
    async ({ credential, secret, isOpenOnly, index }) => {
      token = KEY;
      const slug = `k-${randomUUID().slice(0, 18)}`;
      trusting(slug);
      const { call } = await published(credential(slug));
      told = { body: '{}' };
      await call('open');
      const seen: string[] = [];
      for (const [at, { name, encode }] of SPELLINGS.entries()) {
        // Others take turns with the rows, since all of them are made of each in the tests of masking.
        if (at > 3 && at % 8 !== index % 8) continue;
        for (const operation of isOpenOnly ? ['open'] : ['open', 'own']) {
          told = { body: inJson(encode(secret())) };
          const answer = await call(operation);
          if (pieces(secret()).some((piece) => readerFinds(answer, piece))) {
            seen.push(`${operation}: ${name}`);
          }
          if (!answer.includes('[masked]')) seen.push(`${operation}: ${name} is untouched`);
        }
      }
      expect(seen).toEqual([]);
    },
  );
});

describe('two credentials that go with different operations', () => {
  const OTHER = randomBytes(24).toString('base64url');
  const aServer = async () => {
    const server = await published({ type: 'bearer', token: KEY });
    const other = { type: 'api_key', in: 'header', name: 'X-Other', value: OTHER };
    await server.set({ ...other, schemes: ['other'] }, 'other');
    return server;
  };
  const places: Readonly<Record<string, (text: string) => typeof told>> = {
    'a text': (text) => ({ body: JSON.stringify({ told: text }) }),
    'an error': (text) => ({ status: 403, body: `Not with ${text}` }),
    'the address of a redirect': (text) => ({
      status: 302,
      headers: { location: `https://elsewhere.example/?return=${text}` },
      body: '',
    }),
    bytes: (text) => ({
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(`\u0001\u0002${text}`),
    }),
    'a long answer': (text) => ({
      body: JSON.stringify(Array.from({ length: 4000 }, (_, n) => `${n} ${text}`)),
    }),
  };

  test.each(Object.keys(places))(
    'are both masked in every answer, whichever it carried: %s',
    async (place) => {
      const { call, slug } = await aServer();
      for (const secret of [KEY, OTHER]) {
        for (const name of ['open', 'own', 'other']) {
          told = places[place]?.(secret) ?? { body: '' };
          const answer = await call(name);
          const bytes = [...answer.matchAll(/"blob":"([^"]+)"/g)].map(([, data = '']) =>
            Buffer.from(data, 'base64').toString('latin1'),
          );
          const shown = [answer, ...bytes].join('\n');
          expect(shown).toContain('[masked]');
          expect(shown).not.toContain(secret);
        }
        told = places[place]?.(secret) ?? { body: '' };
        const trial = await api('POST', `/deployments/${slug}/tools/open/test`, { arguments: {} });
        expect(JSON.stringify(trial)).not.toContain(secret);
      }
    },
  );

  test('are masked in the headers of an answer', async () => {
    const { call } = await aServer();
    told = { headers: { 'x-told': OTHER }, body: '' };

    expect(await call('openHead')).toContain('x-told: [masked]');
  });
});

describe('who guesses a secret', () => {
  const GUESSED = 'kestrel-umbrella-19';
  const other = { type: 'api_key', in: 'header', name: 'X-Other', value: GUESSED };

  test.each<[string, object, string]>([
    ['one that goes with another operation', { ...other, schemes: ['other'] }, 'echoOpen'],
    [
      'one behind a scheme',
      { ...other, name: 'Authorization', value: `Token ${GUESSED}` },
      'echoOwn',
    ],
    ['one behind a user', { ...other, value: `reports:${GUESSED}` }, 'echoOwn'],
    ['a part of one', { ...other, value: `Key ${GUESSED} more-of-it-4711` }, 'echoOwn'],
  ])('sees the same for the right one and a wrong one: %s', async (_, credential, name) => {
    const { call } = await published(credential);
    const answers = await Promise.all(
      [GUESSED, 'kestrel-umbrella-18'].map(async (note) =>
        (await call(name, { note })).replaceAll(note, '(guess)'),
      ),
    );

    expect(answers[0]).toContain('(guess)');
    expect(answers[0]).toBe(answers[1]);
  });
});

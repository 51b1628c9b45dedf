import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { dynamoTrusts } from '../../layers/accounts/store/trusts.ts';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';
import { dynamoGrants } from '../../layers/oauth/store/grants.ts';
import { startSession } from '../../layers/accounts/steps/sessions.ts';
import { fingerprint } from '../../layers/platform/rules/fingerprint.ts';
import { anEvent } from '../support/mcp/router-events.ts';
import { aSigner, type Signer } from '../support/oauth/client-assertions.ts';
import {
  anIdentityProvider,
  type TestIdentityProvider,
} from '../support/oauth/identity-provider.ts';
import {
  aClient,
  anOAuthService,
  BASE_URL,
  ISSUER,
  type TestOAuth,
} from '../support/oauth/oauth.ts';
import { bodyOf, exchangeOf, form, redeem, refreshOf } from '../support/oauth/oauth-requests.ts';
import { aPerson, mailTo, PASSWORD } from '../support/oauth/people.ts';
import { aVisitor, ORIGIN, pathTo, type Visitor } from '../support/oauth/visits.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import { aManagementService, type TestManagement } from '../support/service/management.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';

let service: TestOAuth;
let management: TestManagement;
let acme: TestIdentityProvider;
let signer: Signer;
let machine: TargetServer;
let machineKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
beforeAll(async () => {
  acme = await anIdentityProvider(() => service.clock.time);
  const limits = {
    authorize_per_minute_per_client: 10_000,
    logins_per_minute_per_ip: 10_000,
    mails_per_hour_per_recipient: 10_000,
  };
  service = await anOAuthService({ limits, identityProviders: [acme.config] });
  management = await aManagementService();
  signer = await aSigner();
  const pair = await generateKeyPair('ES256');
  machineKey = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' };
  machine = await anHttpServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys: [jwk] })),
  );
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await acme[Symbol.asyncDispose]();
  await management.stop();
  await service.stop();
});
afterEach(() => {
  service.store.aws.faults.clear();
  management.store.aws.faults.clear();
});

/** A thing that is good once, in the hands of somebody who is about to use it. */
interface InHand {
  /** The request that uses it, and the same again. @returns whether it succeeded */
  readonly use: () => Promise<boolean>;
  /**
   * Whether what it buys is there, or nothing is left of it that somebody could use: for a request that was carried
   * out, whose answer nobody got, and that is refused when it is repeated.
   */
  readonly isSettled: () => Promise<boolean>;
  /** When the request is repeated. */
  readonly laterSeconds?: number;
}

const isOk = ({ statusCode }: { readonly statusCode: number }): boolean =>
  statusCode >= 200 && statusCode < 300;
const never = async (): Promise<boolean> => false;

/** The form of a page, and what it leads to: its status, whatever is shown then. */
const submitted =
  (visitor: Visitor, page: Awaited<ReturnType<Visitor['open']>>, path: string, filled: object) =>
  async () => {
    const { left, status } = await visitor.submit(page, path, { ...filled });
    return left || status < 300;
  };

/** By the first column of the table in docs/storage.md. */
const GOOD_ONCE: Readonly<Record<string, () => Promise<InHand>>> = {
  'authorization code': async () => {
    const code = await service.code();
    return {
      use: async () => isOk(await service.send(form('/token', exchangeOf(code)))),
      // Whoever shows a code again may have stolen it: what it bought ends.
      isSettled: async () => (await service.ports.grants.find(code.grant.id)) === undefined,
    };
  },

  'answer on the consent page': async () => {
    const owner = await aPerson(service);
    const client = await service.client();
    const { slug } = await service.deployment({ ownerId: owner.id });
    const visitor = aVisitor(service);
    const resource = `${ORIGIN}/v1/mcp-router/${slug}`;
    const login = await visitor.authorize({ client_id: client.id, resource });
    const page = await visitor.submit(login, '/login', { email: owner.email, password: PASSWORD });
    return {
      use: submitted(visitor, page, '/authorize', { decision: 'approve' }),
      isSettled: never,
    };
  },

  'link of a mail, to sign up': async () => {
    const email = `${randomUUID()}@example.com`;
    const visitor = aVisitor(service);
    await visitor.submit(await visitor.open(`${ORIGIN}${pathTo('/signup')}`), '/signup', { email });
    const page = await visitor.open((await mailTo(service, email)).link);
    return {
      use: submitted(visitor, page, '/verify', { password: PASSWORD, repeated: PASSWORD }),
      isSettled: () => signsIn(email, PASSWORD),
    };
  },

  'link of a mail, for a new password': async () => {
    const { email } = await aPerson(service);
    const password = 'tidy lamp quartz seven';
    const visitor = aVisitor(service);
    await visitor.submit(await visitor.open(`${ORIGIN}${pathTo('/reset')}`), '/reset', { email });
    const page = await visitor.open((await mailTo(service, email)).link);
    return {
      use: submitted(visitor, page, '/reset/confirm', { password, repeated: password }),
      isSettled: () => signsIn(email, password),
    };
  },

  'link to the console': async () => {
    const user = await aPerson(service);
    const { token } = await startSession(service.ports, user, 'api');
    const made = await service.send(
      anEvent('POST', '/v1/mcp-management/sessions/console-links', {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ expires_in: 600 }),
      }),
    );
    const visitor = aVisitor(service);
    const page = await visitor.open(String(bodyOf(made)['url']));
    return {
      use: async () => {
        await visitor.submit(page, '/open');
        return visitor.replies.some(({ statusCode }) => statusCode === 303);
      },
      // A session that no browser has; its maker makes another link.
      isSettled: async () => {
        const { items } = await service.ports.sessions.pageOfUser(user.id, { limit: 10 });
        return items.some(({ session }) => session.kind === 'browser');
      },
    };
  },

  'identity assertion': async () => {
    const secret = `secret_${randomUUID()}`;
    const client = await service.client({
      authMethod: 'client_secret_post',
      secret: fingerprint(secret),
    });
    const { slug } = await service.deployment({ access: { mode: 'any_user' } });
    const { id: userId, email } = await service.user({ email: `${randomUUID()}@acme.example` });
    const assertion = await acme.sign({
      aud: ISSUER,
      client_id: client.id,
      resource: `${BASE_URL}/mcp-router/${slug}/messages`,
      scope: 'mcp.tools.read',
      sub: randomUUID(),
      email,
      email_verified: true,
    });
    const sent = {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
      client_id: client.id,
      client_secret: secret,
    };
    return {
      use: async () => isOk(await service.send(form('/token', sent))),
      // A grant of one token that ends within the hour, and is in the person's list.
      isSettled: async () => {
        const { store, clock } = service;
        const grants = dynamoGrants(store.instance(), store.tableName('oauth'), DEFAULT_LIMITS);
        const page = await grants.pageOfUser(userId, { limit: 10 }, clock.time);
        return page.items.length === 1;
      },
    };
  },

  'token of a machine': async () => {
    const { id: userId } = await aPerson(service);
    const issuer = `https://ci-${randomUUID()}.example`;
    const id = randomUUID();
    await dynamoTrusts(service.store.instance(), service.store.tableName('oauth')).put(id, {
      userId,
      name: 'orders',
      issuer,
      jwksUri: `${machine.url}/keys`,
      claims: { project_id: '4711', ref: 'main' },
      scope: 'declare',
      createdAt: service.clock.time,
    });
    const now = service.clock.time;
    const token = await new SignJWT({ project_id: '4711', ref: 'main', jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
      .setIssuer(issuer)
      .setAudience(BASE_URL)
      .setIssuedAt(now)
      .setExpirationTime(now + 600)
      .sign(machineKey);
    const exchange = () =>
      service.send(
        anEvent('POST', '/v1/mcp-management/sessions/machine', {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ trust: id, token }),
        }),
      );
    return {
      use: async () => isOk(await exchange()),
      // A personal access token that nobody has, and that ends within a quarter of an hour.
      isSettled: async () => bodyOf(await exchange())['code'] === 'machine_refused',
    };
  },

  'refresh token of a public client': async () => {
    const code = await service.code();
    const tokens = await redeem(service, code);
    return {
      use: async () => isOk(await service.send(form('/token', refreshOf(code, tokens)))),
      isSettled: never,
    };
  },

  '`Idempotency-Key`': async () => {
    const as = await management.owner();
    const slug = `d-${randomUUID()}`;
    const headers = { 'idempotency-key': randomUUID() };
    const body = { openapi: aDescription(), slug };
    const publish = () => management.call('POST', '/deployments', { as, body, headers });
    const use = async () => (await publish()).status === 201;
    // Until then the first request counts as being under way.
    return { use, isSettled: never, laterSeconds: 61 };
  },

  'client assertion': async () => {
    const clientId = `https://app.example.com/${randomUUID()}.json`;
    const authMethod = 'private_key_jwt';
    await service.ports.clients.put(
      aClient({
        id: clientId,
        source: 'metadata_document',
        authMethod,
        keys: { list: [signer.jwk] },
      }),
    );
    const code = await service.code({}, { clientId, clientAuthMethod: authMethod });
    return {
      use: async () => {
        const { time } = service.clock;
        const signed = await signer.sign(clientId, { iat: time, exp: time + 60 });
        return isOk(await service.send(form('/token', exchangeOf(code, signed))));
      },
      isSettled: async () => (await service.ports.grants.find(code.grant.id)) === undefined,
    };
  },
};

const signsIn = async (email: string, password: string): Promise<boolean> => {
  const visitor = aVisitor(service);
  const { id } = await service.client();
  const login = await visitor.authorize({ client_id: id });
  return (await visitor.submit(login, '/login', { email, password })).status === 200;
};

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

/** What a function does from one of its writes on: it is killed there, or its answers and those to it are lost. */
const fromWriteOn = (nth: number) => {
  let writes = 0;
  return ({ operation }: { readonly operation: string }): boolean => {
    if (!WRITES.has(operation)) return false;
    writes += 1;
    return writes >= nth;
  };
};

/** Writes of a request that nothing disturbs. */
const writesOf = async ({ use }: InHand): Promise<number> => {
  let writes = 0;
  const clear = [service, management].map(({ store }) =>
    store.aws.faults.inject({
      kind: 'delay',
      ms: 0,
      on: ({ operation }) => {
        if (WRITES.has(operation)) writes += 1;
        return false;
      },
    }),
  );
  expect(await use()).toBe(true);
  for (const end of clear) end();
  return writes;
};

/** Longer than a link is held by a request that broke off, and shorter than a consent may be repeated for. */
const LATER_SECONDS = 31;

describe('what is good once', () => {
  test('is all in the table of docs/storage.md', async () => {
    const document = await readFile('docs/storage.md', 'utf8');
    const [, section = ''] = document.split('## What is good once');
    const [table = ''] = section.split('\n## ');
    const rows = table
      .split('\n')
      .flatMap((line) => /^\| (?!Good once|-)([^|]+?) \|/.exec(line)?.[1] ?? []);

    expect(rows).toEqual(Object.keys(GOOD_ONCE));
  });

  describe.each(Object.entries(GOOD_ONCE))('%s', (_, inHand) => {
    test.each(['fail', 'lose'] as const)(
      'is spent with what it buys, whichever of its writes begins to %s',
      async (kind) => {
        const writes = await writesOf(await inHand());
        expect(writes).toBeGreaterThan(0);

        for (let nth = 1; nth <= writes; nth += 1) {
          const { use, isSettled, laterSeconds = LATER_SECONDS } = await inHand();
          const on = fromWriteOn(nth);
          for (const { store } of [service, management]) store.aws.faults.inject({ kind, on });
          const first = await use();
          for (const { store } of [service, management]) store.aws.faults.clear();
          for (const { clock } of [service, management]) clock.time += laterSeconds;
          const again = first || (await use());

          expect([nth, again || (await isSettled())]).toEqual([nth, true]);
          for (const { clock } of [service, management]) clock.time -= laterSeconds;
        }
      },
    );
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoSignOuts } from '../../layers/accounts/store/sign-outs.ts';
import { startSession } from '../../layers/accounts/steps/sessions.ts';
import { server as managementServer } from '../../layers/management/routes/server.ts';
import { eraseAccount } from '../../layers/management/steps/account/remove-account.ts';
import { endOwner } from '../../layers/management/steps/operator/accounts.ts';
import { server as routerServer } from '../../layers/mcp/routes/server.ts';
import { endAccount } from '../../layers/oauth/steps/tokens/end-tokens.ts';
import { dynamoClient } from '../../layers/platform/dynamodb/client.ts';
import type { HttpReply } from '../../layers/platform/http/reply.ts';
import type { Deployment } from '../../layers/deployments/rules/deployment.ts';
import { dynamoDeployments } from '../../layers/deployments/store/deployments.ts';
import { NOT_BEFORE_CACHE_SECONDS } from '../../layers/tokens/rules/not-before.ts';
import { rememberedNotBefore } from '../../layers/tokens/store/not-before.ts';
import { dayOf } from '../../layers/platform/rules/time.ts';
import {
  MACHINE_TOKEN_SECONDS,
  machineTokenId,
  machineTokenText,
} from '../../layers/accounts/rules/personal-token.ts';
import type { User } from '../../layers/accounts/rules/user.ts';
import { wireManagement } from '../../lambdas/management/wiring.ts';
import { wireRouter } from '../../lambdas/router/wiring.ts';
import { environmentOf } from '../lambdas/wiring/environments.ts';
import { connectionOf } from '../support/aws/aws.ts';
import { at, post, rpc } from '../support/mcp/router-events.ts';
import { anOAuthService, BASE_URL, type TestOAuth } from '../support/oauth/oauth.ts';
import {
  bodyOf,
  exchangeOf,
  form,
  opens,
  redeem,
  refreshOf,
} from '../support/oauth/oauth-requests.ts';
import { aPerson, mailTo, PASSWORD } from '../support/oauth/people.ts';
import { aVisitor, ORIGIN, pathTo } from '../support/oauth/visits.ts';
import { requestOf } from '../support/service/management.ts';

type Management = ReturnType<typeof wireManagement>;

let service: TestOAuth;
/** What the functions write is of no interest here. */
const quiet = { log: { write: () => {} }, events: { record: () => {}, flush: async () => {} } };

let management: Management & Pick<TestOAuth['ports'], 'clock' | 'passwords'>;
let router: (event: ReturnType<typeof post>) => Promise<HttpReply>;
let stopRouter: () => void;
beforeAll(async () => {
  const limits = { logins_per_minute_per_ip: 10_000, mails_per_hour_per_recipient: 10_000 };
  service = await anOAuthService({ limits });
  const { clock, store } = service;
  const options = { targets: { loopback: { exceptPorts: store.aws.ports } } };
  management = {
    ...wireManagement({ ...environmentOf(store, 'management'), BASE_URL }, options),
    clock,
    ...quiet,
    passwords: service.ports.passwords,
  };
  const wired = wireRouter({ ...environmentOf(store, 'router'), BASE_URL }, options);
  const dynamo = dynamoClient(connectionOf(store.aws, 'router'));
  const oauth = store.tableName('oauth');
  router = routerServer({
    ...wired,
    clock,
    ...quiet,
    deployments: dynamoDeployments(dynamo, store.tableName('deployments'), clock),
    notBefore: rememberedNotBefore(dynamo, oauth, clock),
    signOuts: dynamoSignOuts(dynamo, oauth, clock),
  });
  stopRouter = () => {
    wired.targetApi.close();
    dynamo.destroy();
  };
});
afterAll(async () => {
  stopRouter();
  await service.stop();
});

/** Where somebody is let in, or something of theirs is good. @returns whether it is now */
type Door = () => Promise<boolean>;

const OF_CLIENTS = [
  'an access token for a server of somebody else',
  'a refresh token',
  'an authorization code',
] as const;
const OWN_SERVERS = ['an access token for a server of their own', 'a minted token'] as const;
const OF_PROGRAMS = ['a personal access token', 'a token of a machine'] as const;
const DOORS = [
  ...OF_CLIENTS,
  ...OWN_SERVERS,
  ...OF_PROGRAMS,
  'an access token at userinfo',
  'a session of a program',
  'a session of a browser',
] as const;
type DoorName = (typeof DOORS)[number];

/** Somebody, and what they have begun. */
interface Somebody {
  readonly user: User;
  /** A session of theirs. */
  readonly session: string;
  /** By whom they are let in, at a server that lets nobody else in. */
  readonly host: { readonly session: string; readonly shared: Deployment };
  readonly own: readonly Deployment[];
  readonly doors: Readonly<Record<DoorName, Door>>;
}

const isOk = ({ statusCode }: HttpReply): boolean => statusCode >= 200 && statusCode < 300;

const manage = (token: string, method: string, path: string, body?: unknown) =>
  managementServer(management)(
    requestOf(method, path, { headers: { authorization: `Bearer ${token}` }, body }),
  );

/** What a person has just consented to. */
const aCode = ({ id: userId, email }: User, { id: deploymentId, slug }: Deployment) => {
  const { time: createdAt } = service.clock;
  const grant = { userId, email, deploymentId, slug, createdAt };
  return service.code({ expiresAt: createdAt + 600 }, grant);
};

const calls = async ({ slug }: Deployment, token: unknown): Promise<boolean> => {
  const headers = { authorization: `Bearer ${String(token)}` };
  return isOk(await router(post(at(slug, '/messages'), rpc('ping'), headers)));
};

const somebody = async (): Promise<Somebody> => {
  const [user, host] = [await aPerson(service), await aPerson(service)];
  const { ports } = service;
  const access = { mode: 'allow_list' as const, emails: [user.email], domains: [] };
  const shared = await service.deployment({ ownerId: host.id, access });
  const oauth = await service.deployment({ ownerId: user.id });
  const jwt = await service.deployment({ ownerId: user.id, authMethod: 'jwt' });

  const abroad = await redeem(service, await aCode(user, shared));
  const home = await redeem(service, await aCode(user, oauth));
  const refreshed = await aCode(user, shared);
  let { refresh_token } = await redeem(service, refreshed);
  const codes = [await aCode(user, shared), await aCode(user, shared)];

  const { token: session } = await startSession(ports, user, 'api');
  const visitor = aVisitor(service);
  const { id: client_id } = await service.client();
  const login = await visitor.authorize({ client_id });
  await visitor.submit(login, '/login', { email: user.email, password: PASSWORD });
  const program = { name: 'one', scope: 'read' };
  const made = bodyOf(await manage(session, 'POST', '/account/tokens', program))['token'];
  const minted = bodyOf(await manage(session, 'POST', `/deployments/${jwt.slug}/tokens`, {}));
  const secret = ports.random.secret();
  const createdAt = service.clock.time;
  await ports.transactions.commit({
    session: ports.personalTokens.storing(machineTokenId(secret), {
      userId: user.id,
      name: 'trust: one',
      scope: 'read',
      trust: randomUUID(),
      createdAt,
      expiresAt: createdAt + MACHINE_TOKEN_SECONDS,
      // Nothing is noted of a day that is known.
      usedOn: dayOf(createdAt),
    }),
  });
  const lists = async (token: string) => isOk(await manage(token, 'GET', '/deployments'));

  return {
    user,
    session,
    host: { session: (await startSession(ports, host, 'api')).token, shared },
    own: [oauth, jwt],
    doors: {
      'an access token for a server of somebody else': () => calls(shared, abroad.access_token),
      'an access token for a server of their own': () => calls(oauth, home.access_token),
      'an access token at userinfo': () => opens(service, abroad.access_token),
      'a refresh token': async () => {
        const reply = await service.send(form('/token', refreshOf(refreshed, { refresh_token })));
        if (isOk(reply)) refresh_token = String(bodyOf(reply)['refresh_token']);
        return isOk(reply);
      },
      'an authorization code': async () => {
        const [code] = codes.splice(0, 1);
        return code !== undefined && isOk(await service.send(form('/token', exchangeOf(code))));
      },
      'a session of a program': async () => isOk(await manage(session, 'GET', '/account')),
      'a session of a browser': async () =>
        !(await visitor.authorize({ client_id })).html.includes('type="password"'),
      'a personal access token': () => lists(String(made)),
      'a token of a machine': () => lists(machineTokenText(secret)),
      'a minted token': () => calls(jwt, minted['token']),
    },
  };
};

/** What ends something, and which doors it closes: all of them, where it says nothing. */
interface Ending {
  readonly end: (one: Somebody) => Promise<unknown>;
  readonly closes?: readonly DoorName[];
}

const change = ({ slug }: Deployment, session: string, body: object) =>
  manage(session, 'PATCH', `/deployments/${slug}`, body);

const ENDINGS: Readonly<Record<string, Ending>> = {
  'the account is removed by its person': {
    end: ({ session }) => manage(session, 'DELETE', '/account'),
  },
  'the account is removed by an operator': {
    end: ({ user }) => eraseAccount(management, user.email),
  },
  'the account is ended by an operator at the console': {
    end: async ({ user }) => endOwner(management, await aPerson(service), user.id),
  },
  'the account is ended by a command of operators': {
    end: ({ user }) => endAccount(service.ports, user.email),
  },
  'a new password is chosen': {
    end: async ({ user: { email } }) => {
      const password = 'tidy lamp quartz seven';
      const visitor = aVisitor(service);
      await visitor.submit(await visitor.open(`${ORIGIN}${pathTo('/reset')}`), '/reset', { email });
      const page = await visitor.open((await mailTo(service, email)).link);
      await visitor.submit(page, '/reset/confirm', { password, repeated: password });
    },
  },
  'a server is removed by its owner': {
    end: ({ own, session }) =>
      Promise.all(own.map(({ slug }) => manage(session, 'DELETE', `/deployments/${slug}`))),
    closes: OWN_SERVERS,
  },
  'a person is taken off the list of a server': {
    end: ({ host: { shared, session } }) => change(shared, session, { access: { mode: 'owner' } }),
    closes: OF_CLIENTS,
  },
};

describe('while indexes lag behind what is stored', () => {
  test.each(Object.entries(ENDINGS))(
    'every door that is to close closes where %s',
    async (_, { end, closes = DOORS }) => {
      const follow = service.store.aws.lagIndexes();
      try {
        const one = await somebody();
        const open = async (): Promise<readonly string[]> => {
          const opened: string[] = [];
          for (const name of DOORS) if (await one.doors[name]()) opened.push(name);
          return opened;
        };
        expect(await open()).toEqual(DOORS);

        await end(one);
        service.clock.time += NOT_BEFORE_CACHE_SECONDS;

        // Of two codes the first was good before.
        expect(await open()).toEqual(DOORS.filter((name) => !closes.includes(name)));
      } finally {
        await follow();
      }
    },
  );

  test('an account that is made again of the same address has what it begins', async () => {
    const follow = service.store.aws.lagIndexes();
    try {
      const { user, session } = await somebody();
      await manage(session, 'DELETE', '/account');
      const again = await aPerson(service, { email: user.email });
      const deployment = await service.deployment({ ownerId: again.id });
      const tokens = await redeem(service, await aCode(again, deployment));

      expect(await calls(deployment, tokens.access_token)).toBe(true);
    } finally {
      await follow();
    }
  });

  test('a person who was signed out begins anew in the same second', async () => {
    const { user, host } = await somebody();
    await endOwner(management, await aPerson(service), user.id);
    const now = (await service.ports.users.find(user.id)) ?? user;
    const createdAt = now.signedOutAt;
    const { id: userId, email } = user;
    const { id: deploymentId, slug } = host.shared;
    const begun = await service.code(
      { expiresAt: createdAt + 600 },
      { userId, email, deploymentId, slug, createdAt },
    );
    const { access_token } = await redeem(service, begun);

    expect(await calls(host.shared, access_token)).toBe(true);
  });
});

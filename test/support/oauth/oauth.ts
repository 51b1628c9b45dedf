import { createHash, randomUUID } from 'node:crypto';
import { server as mailsServer } from '../../../layers/accounts/mails/server.ts';
import { server } from '../../../layers/oauth/routes/server.ts';
import type { IdentityProvider } from '../../../layers/identity/rules/providers.ts';
import { applyProviders } from '../../../layers/identity/steps/apply-providers.ts';
import {
  dynamoIdentityProviders,
  rememberedIdentityProviders,
} from '../../../layers/identity/store/providers.ts';
import { companyStandings } from '../../../layers/identity/steps/company-standing.ts';
import { scryptPasswords } from '../../../layers/accounts/store/passwords.ts';
import { dynamoClients } from '../../../layers/oauth/store/clients.ts';
import { dynamoDeployments } from '../../../layers/deployments/store/deployments.ts';
import { dynamoEvents } from '../../../layers/events/store/events.ts';
import { DEFAULT_LIMITS, type LimitName } from '../../../layers/limits/rules/limits.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type {
  AuthorizationCode,
  Grant,
  OAuthClient,
} from '../../../layers/tokens/rules/oauth-records.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { companies } from '../../../lambdas/wiring/companies.ts';
import { wireIdentity } from '../../../lambdas/identity/wiring.ts';
import { server as identityServer } from '../../../layers/identity/routes/server.ts';
import type { Log } from '../../../layers/platform/rules/log.ts';
import { wireMails } from '../../../lambdas/mails/wiring.ts';
import { wireOAuth } from '../../../lambdas/oauth/wiring.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import * as fixtures from './oauth-fixtures.ts';
import {
  aClock,
  aDeployment,
  NOON,
  type SettableClock,
  startStore,
  type Store,
  editorOf,
} from '../aws/dynamodb-fixtures.ts';

export { NOON };

export const BASE_URL = 'https://mcp.example.com/v1';
export const ISSUER = `${BASE_URL}/mcp-oauth-server`;
export const VERIFIER = 'a-verifier-of-more-than-forty-three-characters';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const REDIRECT_URI = 'https://app.example.com/callback';

export interface TestOAuth {
  readonly store: Store;
  /** Stands still until it is set. */
  readonly clock: SettableClock;
  readonly ports: ReturnType<typeof wireOAuth>;
  /** What was logged so far, security events among it. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly send: (event: HttpEvent) => Promise<HttpReply>;
  /** The function that redeems codes of providers, on the same clock. */
  readonly identity: (event: unknown) => Promise<object>;
  /** Stores it, and gives it back. */
  client(over?: Partial<OAuthClient>): Promise<OAuthClient>;
  user(over?: Partial<User>): Promise<User>;
  deployment(over?: Partial<Deployment>): Promise<Deployment>;
  /** A change by its owner; give it the next revision. */
  replaceDeployment(before: Deployment, after: Deployment): Promise<unknown>;
  /** A code for a new user's consent to a new public client, unless it is given others. */
  code(over?: Partial<AuthorizationCode>, grant?: Partial<Grant>): Promise<TestCode>;
  stop(): Promise<void>;
}

export interface TestCode {
  readonly text: string;
  readonly grant: Grant;
}

export interface OAuthSettings {
  readonly limits?: Partial<Record<LimitName, number>>;
  readonly allowedRedirectUris?: readonly string[];
  readonly rootAuthorizationServer?: boolean;
  readonly signUp?: string;
  /** Are applied. */
  readonly identityProviders?: readonly IdentityProvider[];
  readonly clientDocumentHosts?: object;
  readonly baseUrl?: string;
  /** Between commas. */
  readonly originSecrets?: string;
}

/** More requests than any test sends. */
const NO_LIMITS = { token_per_minute_per_client: 100_000, registration_per_hour_per_ip: 100_000 };

/** Tests that are about something else do not wait for hashes; `passwords.test.ts` knows the real cost. */
const LOW_COST = { N: 2 ** 4, r: 1, p: 1 };

/** The authorization server as it is deployed, on the embedded AWS, with a clock of its own and a log that can be read. */
export const anOAuthService = async (settings: OAuthSettings = {}): Promise<TestOAuth> => {
  const store = await startStore();
  const wired = wireOAuth(
    {
      ...environmentOf(store, 'oauth'),
      BASE_URL: settings.baseUrl ?? BASE_URL,
      ORIGIN_SECRETS: settings.originSecrets ?? '',
      LIMITS: JSON.stringify({ ...NO_LIMITS, ...settings.limits }),
      SIGN_UP: settings.signUp ?? 'open',
      ALLOWED_REDIRECT_URIS: JSON.stringify(settings.allowedRedirectUris ?? []),
      CLIENT_DOCUMENT_HOSTS: settings.clientDocumentHosts
        ? JSON.stringify(settings.clientDocumentHosts)
        : '',
      ROOT_AUTHORIZATION_SERVER: String(settings.rootAuthorizationServer ?? false),
    },
    { targets: { loopback: { exceptPorts: store.aws.ports } } },
  );

  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { write: (record: Readonly<Record<string, unknown>>) => void lines.push(record) };
  const clock = aClock();
  const dynamo = store.instance();
  const { random } = wired;
  const identityProviders = rememberedIdentityProviders(dynamo, store.tableName('oauth'), clock);
  const events = dynamoEvents(
    { clock, log, random },
    dynamo,
    store.tableName('security-events'),
    90,
  );
  const ports = {
    ...wired,
    clock,
    log,
    passwords: scryptPasswords(LOW_COST),
    clients: dynamoClients(dynamo, store.tableName('oauth'), clock),
    deployments: dynamoDeployments(dynamo, store.tableName('deployments'), clock),
    ...companies(identityProviders, settings.baseUrl ?? BASE_URL),
    events,
    standings: companyStandings({ ...wired, clock, events, identityProviders }),
  };
  const { identityProviders: providers } = settings;
  if (providers) {
    // The authorization server itself may not.
    const identityProviderRegister = dynamoIdentityProviders(dynamo, store.tableName('oauth'));
    await applyProviders({ identityProviderRegister }, { providers, revision: 0 });
  }
  const editor = editorOf(store, dynamo);
  const mails = wireMails({
    ...environmentOf(store, 'mails'),
    BASE_URL,
    LIMITS: JSON.stringify(settings.limits ?? {}),
  });
  const sendMail = mailsServer({ ...mails, clock, log });
  const identity = identityOf(store, clock, log);
  store.aws.onInvoke(
    async (name, payload) => {
      const invoked = name === 'mails' ? sendMail : identity;
      return { payload: JSON.stringify((await invoked(JSON.parse(payload))) ?? null) };
    },
    (name) => name === 'mails' || name === 'identity',
  );

  const service: TestOAuth = {
    store,
    clock,
    ports,
    lines,
    send: server(ports),
    identity,
    client: async (over) => {
      const client = aClient(over);
      await ports.clients.put(client);
      return client;
    },
    user: async (over) => {
      const user = aUser(over);
      await ports.users.create(user);
      return user;
    },
    deployment: async (over) => {
      const id = randomUUID();
      const deployment = aDeployment({ id, slug: `d-${id}`, authMethod: 'oauth', ...over });
      await editor.create(deployment);
      return deployment;
    },
    replaceDeployment: (before, after) => editor.replace(before, after),
    code: async (over = {}, grant = {}) => {
      const consent = await consented(service, grant);
      const text = `mcp_code_${randomUUID()}`;
      await ports.transactions.commit({
        code: ports.codes.storing(fingerprint(text), aCode({ grant: consent, ...over })),
      });
      return { text, grant: consent };
    },
    stop: () => store.stop(),
  };
  return service;
};

const identityOf = (store: Store, clock: SettableClock, log: Log): TestOAuth['identity'] => {
  const wired = wireIdentity(
    { ...environmentOf(store, 'identity'), BASE_URL },
    { targets: { loopback: { exceptPorts: store.aws.ports } } },
  );
  const dynamo = store.instance();
  const identityProviders = rememberedIdentityProviders(dynamo, store.tableName('oauth'), clock);
  return identityServer({ ...wired, clock, log, identityProviders });
};

/** Makes whoever and whatever a grant does not name. */
const consented = async (service: TestOAuth, over: Partial<Grant>): Promise<Grant> => {
  const { id: userId, email } =
    over.userId === undefined ? await service.user() : { id: over.userId, email: 'a@example.com' };
  const { id: clientId } =
    over.clientId === undefined ? await service.client() : { id: over.clientId };
  const { id: deploymentId, slug } =
    over.deploymentId === undefined || over.slug === undefined
      ? await service.deployment({ ownerId: userId })
      : { id: over.deploymentId, slug: over.slug };
  return aGrant({ userId, email, clientId, deploymentId, slug, ...over });
};

/** A public one. */
export const aClient = (over: Partial<OAuthClient> = {}): OAuthClient =>
  fixtures.aClient({
    id: `mcp_${randomUUID()}`,
    name: 'A client',
    redirectUris: [REDIRECT_URI],
    ...over,
  });

export const aUser = (over: Partial<User> = {}): User => {
  const id = randomUUID();
  const passwordHash = 'scrypt$1$1$1$c2FsdA$aGFzaA';
  const somebody = { id, email: `${id}@example.com`, name: 'Ada Lovelace', passwordHash };
  return fixtures.aUser({ ...somebody, ...over });
};

export const aGrant = (over: Partial<Grant> = {}): Grant =>
  fixtures.aGrant({
    id: randomUUID(),
    email: 'user-1@example.com',
    clientId: 'mcp_client-1',
    clientName: 'A client',
    scopes: ['openid', 'mcp.tools.read', 'mcp.tools.execute'],
    ...over,
  });

const aCode = (over: Partial<AuthorizationCode> = {}): AuthorizationCode =>
  fixtures.aCode({
    grant: aGrant(),
    redirectUri: REDIRECT_URI,
    codeChallenge: CHALLENGE,
    expiresAt: NOON + DEFAULT_LIMITS.authorization_code_seconds,
    ...over,
  });

import { createHash, randomUUID } from 'node:crypto';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { server } from '../../lambdas/oauth/server.ts';
import { dynamoClients } from '../../layers/core/adapters/dynamodb/clients.ts';
import { dynamoDeploymentEditor } from '../../layers/core/adapters/dynamodb/deployment-editor.ts';
import { dynamoDeployments } from '../../layers/core/adapters/dynamodb/deployments.ts';
import { dynamoEvents } from '../../layers/core/adapters/dynamodb/events.ts';
import { DEFAULT_LIMITS, type LimitName } from '../../layers/core/domain/access/limits.ts';
import type { User } from '../../layers/core/domain/accounts/user.ts';
import type { Deployment } from '../../layers/core/domain/deployment.ts';
import {
  type AuthorizationCode,
  fingerprint,
  type Grant,
  type OAuthClient,
} from '../../layers/core/domain/oauth/records.ts';
import type { HttpEvent, HttpReply } from '../../layers/core/http/index.ts';
import { wireOAuth } from '../../layers/core/wiring/oauth.ts';
import {
  aClock,
  aDeployment,
  NOON,
  type SettableClock,
  startStore,
  type Store,
} from '../adapters/dynamodb/fixtures.ts';

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
  /** Stores it, and gives it back. */
  client(over?: Partial<OAuthClient>): Promise<OAuthClient>;
  user(over?: Partial<User>): Promise<User>;
  deployment(over?: Partial<Deployment>): Promise<Deployment>;
  /** A change by its owner; give it the next revision. */
  replaceDeployment(deployment: Deployment): Promise<boolean>;
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
}

/** More requests than any test sends. */
const NO_LIMITS = { token_per_minute_per_client: 100_000, registration_per_hour_per_ip: 100_000 };

/** The authorization server as it is deployed, on the embedded AWS, with a clock of its own and a log that can be read. */
export const anOAuthService = async (settings: OAuthSettings = {}): Promise<TestOAuth> => {
  const store = await startStore();
  const kms = store.client(KMSClient);
  const { KeyMetadata } = await kms.send(
    new CreateKeyCommand({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' }),
  );
  const wired = wireOAuth(
    {
      ...store.aws.environment('oauth'),
      BASE_URL,
      LIMITS: JSON.stringify({ ...NO_LIMITS, ...settings.limits }),
      DEPLOYMENTS_TABLE: store.tableName('deployments'),
      USERS_TABLE: store.tableName('users'),
      OAUTH_TABLE: store.tableName('oauth'),
      LIMITS_TABLE: store.tableName('limits'),
      SECURITY_EVENTS_TABLE: store.tableName('security-events'),
      SIGNING_KEY_ID: KeyMetadata?.KeyId,
      MAIL_FROM: 'service@mcp.example.com',
      ALLOWED_REDIRECT_URIS: JSON.stringify(settings.allowedRedirectUris ?? []),
      ROOT_AUTHORIZATION_SERVER: String(settings.rootAuthorizationServer ?? false),
    },
    { targets: { loopback: { exceptPorts: store.aws.ports } } },
  );

  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { write: (record: Readonly<Record<string, unknown>>) => void lines.push(record) };
  const clock = aClock();
  const dynamo = store.instance();
  const { mint } = wired;
  const ports = {
    ...wired,
    clock,
    log,
    clients: dynamoClients(dynamo, store.tableName('oauth'), clock),
    deployments: dynamoDeployments(dynamo, store.tableName('deployments'), clock),
    events: dynamoEvents({ clock, log, mint }, dynamo, store.tableName('security-events'), 90),
  };
  const editor = dynamoDeploymentEditor(dynamo, store.tableName('deployments'));

  const service: TestOAuth = {
    store,
    clock,
    ports,
    lines,
    send: server(ports),
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
    replaceDeployment: (deployment) => editor.replace(deployment),
    code: async (over = {}, grant = {}) => {
      const consent = await consented(service, grant);
      const text = `mcp_code_${randomUUID()}`;
      await ports.codes.put(fingerprint(text), aCode({ grant: consent, ...over }));
      return { text, grant: consent };
    },
    stop: () => store.stop(),
  };
  return service;
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
export const aClient = (over: Partial<OAuthClient> = {}): OAuthClient => ({
  id: `mcp_${randomUUID()}`,
  source: 'registration',
  name: 'A client',
  redirectUris: [REDIRECT_URI],
  authMethod: 'none',
  scopes: [],
  createdAt: NOON,
  ...over,
});

export const aUser = (over: Partial<User> = {}): User => {
  const id = randomUUID();
  return {
    id,
    email: `${id}@example.com`,
    emailVerified: true,
    name: 'Ada Lovelace',
    plan: 'free',
    passwordHash: 'scrypt$1$1$1$c2FsdA$aGFzaA',
    signedOutAt: 0,
    createdAt: NOON,
    revision: 1,
    ...over,
  };
};

export const aGrant = (over: Partial<Grant> = {}): Grant => ({
  id: randomUUID(),
  userId: 'user-1',
  email: 'user-1@example.com',
  plan: 'free',
  clientId: 'mcp_client-1',
  clientName: 'A client',
  deploymentId: 'dep-1',
  slug: 'weather',
  scopes: ['openid', 'mcp.tools.read', 'mcp.tools.execute'],
  createdAt: NOON,
  ...over,
});

export const aCode = (over: Partial<AuthorizationCode> = {}): AuthorizationCode => ({
  grant: aGrant(),
  redirectUri: REDIRECT_URI,
  challenge: CHALLENGE,
  expiresAt: NOON + DEFAULT_LIMITS.authorization_code_seconds,
  ...over,
});

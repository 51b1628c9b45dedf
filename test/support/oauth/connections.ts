import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { exportJWK, generateKeyPair } from 'jose';
import { wireConnections } from '../../../lambdas/connections/wiring.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { dynamoEvents } from '../../../layers/events/store/events.ts';
import type { CredentialStore } from '../../../layers/credentials/rules/credential-stores.ts';
import type { CredentialRef } from '../../../layers/credentials/rules/credential-access.ts';
import { server } from '../../../layers/connections/routes/server.ts';
import type { Credential, StoredCredential } from '../../../layers/target/rules/credential.ts';
import { kmsClient } from '../../../layers/platform/kms/client.ts';
import { connectionOf } from '../aws/aws.ts';
import { storedCredential } from '../aws/stored-credential.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import { aClock, type SettableClock, type Store } from '../aws/dynamodb-fixtures.ts';
import { anHttpServer, type TargetServer } from '../target/target-server.ts';

export type OAuthClient = Extract<Credential, { type: 'oauth_client' }>;

/** What the tests look for where no secret belongs. */
export const CLIENT_SECRET = 'CANARY-client-secret-0123456789abcdef';
export const ORIGINS = ['https://api.example.com'];

type Change = Readonly<Record<string, unknown>>;

/** Its seconds are whole, however short the waits are that it goes on by. */
const aWaitingClock = (): SettableClock => ({
  ...aClock(),
  now() {
    return Math.floor(this.time);
  },
});

/** One function that gives tokens, whose clock goes on only while somebody waits. */
export const aConnection = (
  store: Store,
  {
    credentialStore = 'envelope',
    limits = {},
    clock = aWaitingClock(),
  }: {
    readonly credentialStore?: CredentialStore;
    readonly limits?: Readonly<Record<string, number>>;
    readonly clock?: SettableClock;
  } = {},
) => {
  store.enforce(credentialStore);
  const more = { CREDENTIAL_STORE: credentialStore, LIMITS: JSON.stringify(limits) };
  const lines: Change[] = [];
  const log = { write: (record: Change) => void lines.push(record) };
  const { credentialVault, random } = wireManagement({
    ...environmentOf(store, 'management'),
    ...more,
  });
  const wired = wireConnections(
    { ...environmentOf(store, 'connections'), ...more },
    { targets: { loopback: { exceptPorts: [...store.aws.ports] } } },
  );
  const events = dynamoEvents(
    { clock, log, random },
    store.instance(),
    store.tableName('security-events'),
    90,
  );
  const pause = async (ms: number): Promise<void> => {
    clock.time += ms / 1000;
    await new Promise((over) => setImmediate(over));
  };
  const ports = { ...wired, clock, log, events, pause };
  /** The same as time goes on. */
  const inTime = server({ ...wired, log, events });
  return {
    clock,
    lines,
    ports,
    vault: credentialVault,
    keyService: kmsClient(connectionOf(store.aws, 'connections')),
    answer: server(ports),
    inTime,
    /** Sets a credential as management does. @returns what the router asks with */
    set: async (
      credential: Credential,
      { deploymentId = randomUUID() as string, name = 'main' } = {},
    ) => {
      const ref: CredentialRef = {
        deploymentId,
        ownerId: 'user-1',
        sealedFor: 'user-1',
        name,
        from: 'connections',
        version: randomUUID(),
      };
      const stored = { ...credential, origins: ORIGINS } as StoredCredential;
      await storedCredential(store.instance(), credentialVault, ref, stored);
      return eventOf(ref, credential.type);
    },
  };
};

export const eventOf = (ref: CredentialRef, kind: string, over: Change = {}) => ({
  deployment_id: ref.deploymentId,
  owner_id: ref.ownerId,
  name: ref.name,
  version: ref.version,
  kind,
  instance: 'router-1',
  caller: {
    user: 'user-2',
    ip: '192.0.2.7',
    user_agent: 'agent/1 (tester)',
    request_id: 'request-1',
  },
  ...over,
});

export const anOAuthClient = (tokenUrl: string, over: Partial<OAuthClient> = {}): OAuthClient => ({
  type: 'oauth_client',
  tokenUrl,
  clientId: 'service',
  clientSecret: CLIENT_SECRET,
  tokenOrigin: new URL(tokenUrl).origin,
  ...over,
});

/** A token endpoint that answers as a test has it. */
export const aTokenEndpoint = async (
  answer: (asked: number) => {
    readonly status?: number;
    readonly body: unknown;
    readonly type?: string;
  },
) => {
  let asked = 0;
  const listening = await anHttpServer((_, response) => {
    asked += 1;
    const { status = 200, body, type = 'application/json' } = answer(asked);
    response
      .writeHead(status, { 'content-type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { ...listening, url: `${listening.url}/token`, asked: () => asked };
};

export type TokenEndpoint = TargetServer & { asked(): number };

/** The strict authorization server `oidc-provider`, with a client for each way to authenticate. */
export const aStrictProvider = async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const named = { kid: 'client-key', alg: 'ES256' };
  const client = (id: string, method: string, more: Change = {}) => ({
    client_id: id,
    token_endpoint_auth_method: method,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    scope: 'orders:read orders:write',
    ...more,
  });
  const secret = { client_secret: CLIENT_SECRET };
  const clients = [
    client('basic', 'client_secret_basic', secret),
    client('post', 'client_secret_post', secret),
    client('signed', 'private_key_jwt', {
      jwks: { keys: [{ ...(await exportJWK(publicKey)), ...named }] },
    }),
  ];
  const thread = new Worker(new URL('strict-provider-thread.ts', import.meta.url), {
    workerData: { clients },
    // It warns of what a test is free to do.
    stdout: true,
    stderr: true,
  });
  const issuer = await new Promise<string>((ready, failed) => {
    thread.once('message', ready);
    thread.once('error', failed);
  });
  return {
    issuer,
    tokenUrl: `${issuer}/token`,
    privateJwk: { ...(await exportJWK(privateKey)), ...named },
    /** How often its token endpoint was asked. */
    asked: async () => Number(await (await fetch(`${issuer}/asked`)).text()),
    /** What it knows of a token: RFC 7662. */
    introspect: async (token: string): Promise<Change> => {
      const authorization = `Basic ${btoa(`basic:${CLIENT_SECRET}`)}`;
      const answer = await fetch(`${issuer}/token/introspection`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ token }),
      });
      return (await answer.json()) as Change;
    },
    close: () => thread.terminate(),
  };
};

/** The authorization server `oauth2-mock-server`, whose next answer a test may choose. */
export const aMockProvider = async () => {
  const thread = new Worker(new URL('mock-provider-thread.ts', import.meta.url), {
    stdout: true,
    stderr: true,
  });
  let seen: Change | undefined;
  const message = async (name: string): Promise<unknown> => {
    for (;;) {
      const [told] = (await once(thread, 'message')) as [Change];
      if (name in told) return told[name];
    }
  };
  thread.on('message', (told: Change) => {
    if ('seen' in told) seen = told['seen'] as Change;
  });
  const issuer = (await message('issuer')) as string;
  return {
    issuer,
    tokenUrl: `${issuer}/token`,
    /** Headers and form of the request before. */
    seen: () => seen,
    /** What the token endpoint answers next, in place of what it would. */
    answering: async (status: number, body: unknown): Promise<void> => {
      const ready = message('ready');
      thread.postMessage({ status, body });
      await ready;
    },
    close: () => thread.terminate(),
  };
};

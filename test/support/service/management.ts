import { randomUUID } from 'node:crypto';
import { server as brokerServer } from '../../../layers/credentials/routes/server.ts';
import { server as connectionsServer } from '../../../layers/connections/routes/server.ts';
import { server as maintenanceServer } from '../../../layers/maintenance/routes/server.ts';
import { server } from '../../../layers/management/routes/server.ts';
import { operatorCommands as routerCommands } from '../../../layers/mcp/routes/operator.ts';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { type CallLog, dynamoEvents } from '../../../layers/events/store/events.ts';
import type { LimitName } from '../../../layers/limits/rules/limits.ts';
import type { CredentialStore } from '../../../layers/credentials/rules/credential-stores.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { eventBody } from '../../../local/gateway/event-body.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { rememberedIdentityProviders } from '../../../layers/identity/store/providers.ts';
import { companyStandings } from '../../../layers/identity/steps/company-standing.ts';
import { wireConnections } from '../../../lambdas/connections/wiring.ts';
import { wireCredentials } from '../../../lambdas/credentials/wiring.ts';
import type { InvocationContext } from '../../../layers/platform/system/clock.ts';
import { wireMaintenance } from '../../../lambdas/maintenance/wiring.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { wireRouter } from '../../../lambdas/router/wiring.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import {
  aClock,
  NOON,
  type SettableClock,
  startStore,
  type Store,
} from '../aws/dynamodb-fixtures.ts';
import { aUser, BASE_URL } from '../oauth/oauth.ts';

export { BASE_URL, NOON };

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty if there is none. */
  readonly body: Readonly<Record<string, unknown>> & { readonly items?: readonly ApiItem[] };
}

type ApiItem = Readonly<Record<string, unknown>>;

/** Somebody with a session. */
export interface Owner {
  readonly user: User;
  readonly token: string;
}

export interface ApiCall {
  readonly as?: Owner | undefined;
  /** Sent as JSON, unless it is bytes or text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

export interface TestManagement {
  readonly store: Store;
  /** Stands still until it is set. */
  readonly clock: SettableClock;
  readonly ports: ReturnType<typeof wireManagement>;
  /** The same for what a test arranges and no policy lets the function do. */
  readonly arranging: ReturnType<typeof wireManagement>;
  /** What was logged so far. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** The calls that the router has made for owners who try tools. */
  readonly calls: readonly CallRecord[];
  readonly send: (event: HttpEvent) => Promise<HttpReply>;
  /** Stores a user and signs it in. */
  owner(over?: Partial<User>): Promise<Owner>;
  /** A request as the gateway hands it on; the path is below `/v1/mcp-management`. */
  call(method: string, path: string, call?: ApiCall): Promise<ApiAnswer>;
  /** A command to the maintenance function, on the same clock and log. */
  maintain(command: object, context?: InvocationContext): Promise<object>;
  stop(): Promise<void>;
}

export interface ManagementSettings {
  readonly limits?: Partial<Record<LimitName, number>>;
  /** `secrets-manager` if omitted. */
  readonly credentialStore?: CredentialStore;
  /** Milliseconds before each retry of an event. */
  readonly eventRetryMs?: readonly number[];
}

/** More requests than any test sends. */
const NO_LIMITS = {
  management_requests_per_minute_per_user: 1_000_000,
  description_fetches_per_hour_per_user: 1_000_000,
  compilations_at_once_per_user: 1000,
};

/** The management function as it is deployed, on the embedded AWS, with a clock of its own and a log that can be read. */
export const aManagementService = async ({
  limits = {},
  credentialStore = 'secrets-manager',
  ...options
}: ManagementSettings = {}): Promise<TestManagement> => {
  const store = await startStore(options);
  store.enforce(credentialStore);
  const stores = { CREDENTIAL_STORE: credentialStore };
  const wired = wireManagement(
    {
      ...environmentOf(store, 'management'),
      ...stores,
      BASE_URL,
      LIMITS: JSON.stringify({ ...NO_LIMITS, ...limits }),
    },
    { targets: { loopback: { exceptPorts: store.aws.ports } } },
  );
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { write: (record: Readonly<Record<string, unknown>>) => void lines.push(record) };
  const clock = aClock();
  const calls: CallRecord[] = [];
  const others = serveOthers(store, { write: (record) => void calls.push(record) });
  const { random } = wired;
  const securityEvents = store.tableName('security-events');
  const events = dynamoEvents({ clock, log, random }, store.instance(), securityEvents, 90);
  const identityProviders = rememberedIdentityProviders(
    store.instance(),
    store.tableName('oauth'),
    clock,
  );
  const standings = companyStandings({ ...wired, clock, events, identityProviders });
  const ports = { ...wired, clock, log, events, standings };
  const send = server(ports);
  const maintenance = wireMaintenance({ ...environmentOf(store, 'maintenance'), ...stores });
  const maintain = maintenanceServer({ ...maintenance, clock, log, events });
  const administrator = { ...environmentOf(store, 'management'), ...store.aws.environment('test') };
  // What it signs are sessions, as the authorization server does.
  const MINTING_KEY_IDS = store.signingKey;
  const arranging = { ...wireManagement({ ...administrator, BASE_URL, MINTING_KEY_IDS }), clock };

  return {
    store,
    clock,
    ports,
    arranging,
    lines,
    calls,
    send,
    owner: async (over) => {
      const user = aUser(over);
      await arranging.users.create(user);
      if (user.operator) await arranging.operatorMarks.put(user.id);
      return { user, token: await sessionToken(arranging, user) };
    },
    call: async (method, path, call = {}) => answerOf(await send(requestOf(method, path, call))),
    maintain,
    stop: async () => {
      others.close();
      await store.stop();
    },
  };
};

/** The functions that management has others invoke, and that these invoke; what they log is of no interest here. */
const serveOthers = (store: Store, callLog: CallLog) => {
  const options = { targets: { loopback: { exceptPorts: store.aws.ports } } };
  const router = wireRouter({ ...environmentOf(store, 'router'), BASE_URL }, options);
  const broker = wireCredentials(environmentOf(store, 'credentials'));
  const answerRouter = routerCommands({
    ...router,
    log: NO_LOG,
    events: NO_EVENTS,
    callLog,
  });
  const answerBroker = brokerServer({ ...broker, log: NO_LOG, events: NO_EVENTS });
  const connections = wireConnections(environmentOf(store, 'connections'), options);
  const answerConnections = connectionsServer({ ...connections, log: NO_LOG, events: NO_EVENTS });
  store.aws.onInvoke(async (name, payload) => {
    const event = JSON.parse(payload);
    const answers = { router: answerRouter, connections: answerConnections }[name] ?? answerBroker;
    return { payload: JSON.stringify(await answers(event)) };
  });
  return { close: () => router.targetApi.close() };
};

const NO_LOG = { write: () => {} };
const NO_EVENTS = { record: () => {}, flush: async () => {} };

/** The token of a new session. @param claims - replace those of a good one */
export const sessionToken = async (
  { clock, sessions, signer }: Pick<TestManagement['ports'], 'clock' | 'sessions' | 'signer'>,
  user: User,
  claims: object = {},
): Promise<string> => {
  const sid = randomUUID();
  const createdAt = clock.now();
  const expiresAt = createdAt + 3600;
  const { id: userId, email } = user;
  await sessions.put(fingerprint(sid), { kind: 'api', userId, email, createdAt, expiresAt });
  return signer.sign('session+jwt', {
    iss: `${BASE_URL}/mcp-oauth-server`,
    aud: `${BASE_URL}/mcp-management`,
    sub: user.id,
    sid,
    iat: createdAt,
    exp: expiresAt,
    ...claims,
  });
};

export const requestOf = (method: string, path: string, call: ApiCall): HttpEvent => {
  const { as, body, headers: given = {}, query = '' } = call;
  const bytes = bytesOf(body);
  const headers = { ...(bytes && { 'content-type': 'application/json' }), ...given };
  return {
    rawPath: `/v1/mcp-management${path}`,
    rawQueryString: query,
    headers: {
      ...(as && { authorization: `Bearer ${as.token}` }),
      ...(bytes && { 'content-length': String(bytes.length) }),
      ...headers,
    },
    ...(bytes ? eventBody(bytes, headers['content-type']) : { isBase64Encoded: false }),
    requestContext: { requestId: 'request-1', http: { method, sourceIp: '203.0.113.7' } },
  };
};

const bytesOf = (body: unknown): Buffer | undefined => {
  if (body === undefined) return undefined;
  const isAsItIs = typeof body === 'string' || body instanceof Uint8Array;
  return Buffer.from(isAsItIs ? body : JSON.stringify(body));
};

export const answerOf = ({ statusCode, headers, body, isBase64Encoded }: HttpReply): ApiAnswer => {
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  return { status: statusCode, headers, body: text === '' ? {} : JSON.parse(text) };
};

import type { BucketName, QueueName, TableName } from './storage-manifest.ts';

/** Functions and routes, as data: the stack deploys them, the local run serves them, tests walk them. */

export type FunctionName =
  | 'router'
  | 'oauth'
  | 'identity'
  | 'mails'
  | 'management'
  | 'maintenance'
  | 'credentials'
  | 'connections'
  | 'activity'
  | 'tally'
  | 'console';

type UpperCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Uppercase<First>}_${UpperCase<Rest>}`
  : Uppercase<Name>;

/**
 * Environment variables of functions, without the settings of operators (`lib/stage/settings.ts`); `wiring/` reads
 * them. `..._TABLE` and `..._BUCKET` are names, `..._QUEUE` URLs, and `..._FUNCTION` aliases of functions to invoke.
 * - `BASE_URL` ends in `/v1`.
 * - `ORIGIN_SECRETS`, between commas, are what the distribution before the gateway may show; empty without one.
 * - `SIGNING_KEY_IDS` are the KMS keys (ids, ARNs or aliases, between commas) that sign sessions, one after the
 * other; `MINTING_KEY_IDS` those that sign minted tokens, each used together with the key at the same place.
 * - `MAIL_FROM` is the sender of mails, `MAIL_CONFIGURATION_SET` the SES set that reports bounces and complaints.
 * - `CONNECTIONS_ROLE` is the ARN of the role that assumes the roles that owners choose.
 * - `NETWORK_FUNCTIONS` is a JSON object with the alias of each private network's function, may be empty.
 * - `CREDENTIAL_PREFIX` and a slash begin the names of secrets; `CREDENTIALS_KEY_ID` encrypts credentials in either
 * store.
 */
export type EnvironmentName =
  | `${UpperCase<TableName>}_TABLE`
  | `${UpperCase<BucketName>}_BUCKET`
  | `${UpperCase<QueueName>}_QUEUE`
  | `${UpperCase<FunctionName>}_FUNCTION`
  | OtherName;

export type OtherName =
  | 'BASE_URL'
  | 'ORIGIN_SECRETS'
  | 'SIGNING_KEY_IDS'
  | 'MINTING_KEY_IDS'
  | 'MAIL_FROM'
  | 'MAIL_CONFIGURATION_SET'
  | 'CONNECTIONS_ROLE'
  | 'NETWORK_FUNCTIONS'
  | 'CREDENTIAL_PREFIX'
  | 'CREDENTIALS_KEY_ID';

export interface FunctionManifest {
  /** Exports `handler` for Lambda, and `start` for a given environment. */
  readonly entry: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Variables besides the settings of operators, whose rows name the function. */
  readonly environment: readonly EnvironmentName[];
  /** Greedy API Gateway routes let the function's own table answer 404 and 405; calls have their own throttle. */
  readonly routes: readonly string[];
  /** Throttle of its routes; the stage's `requests_per_second` and `burst` if omitted (docs/aws.md, "Throttles"). */
  readonly throttle?: { readonly requestsPerSecond: number; readonly burst: number };
  /** Log lines of another function that CloudWatch Logs sends to it. */
  readonly subscription?: SubscriptionManifest;
  /** The function's log has events of the service, and the router's also calls. Source: docs/stream.md. */
  readonly logsEvents?: true;
  readonly events?: EventsManifest;
  /** The function receives SES notifications of bounces and complaints. */
  readonly mailFeedback?: true;
  /** Events that EventBridge sends to it periodically. */
  readonly schedules?: readonly ScheduleManifest[];
}

export type ScheduleManifest =
  | {
      readonly everyHours: number;
      readonly command: { readonly operator: string; readonly claimedActor: string };
    }
  /** Periodic events that fail are not retried: the next one comes as soon. */
  | { readonly everyMinutes: number; readonly event: object };

interface SubscriptionManifest {
  readonly to: FunctionName;
  /** Values of `message` in the JSON lines to send. */
  readonly messages: readonly string[];
}

export interface EventsManifest {
  /** Number of attempts after the first one. */
  readonly retries: number;
  readonly maxAgeSeconds: number;
  /** Queue of events that failed at last; an alarm goes off while it is not empty. */
  readonly failed: string;
}

// Variables that several functions have, as `wiring/environment.ts` groups them.
const HTTP: readonly EnvironmentName[] = ['BASE_URL', 'ORIGIN_SECRETS', 'DEPLOYMENTS_TABLE'];
const COUNTING: readonly EnvironmentName[] = ['LIMITS_TABLE', 'SECURITY_EVENTS_TABLE'];
const FILES: readonly EnvironmentName[] = ['DESCRIPTIONS_BUCKET', 'ANSWERS_BUCKET'];
const SIGNING: readonly EnvironmentName[] = ['SIGNING_KEY_IDS', 'MINTING_KEY_IDS'];
const CREDENTIALS: readonly EnvironmentName[] = [
  'CREDENTIAL_PREFIX',
  'CREDENTIALS_TABLE',
  'CREDENTIALS_KEY_ID',
];

/** Actor recorded for commands that EventBridge sends; operators' commands record their ARN. */
const claimedActor = 'events.amazonaws.com';

export const functions: Readonly<Record<FunctionName, FunctionManifest>> = {
  router: {
    entry: 'lambdas/router/index.ts',
    description: 'MCP endpoints of all deployments',
    // The router waits nearly all of its time. Source: docs/costs.md, "Memory".
    memoryMb: 384,
    timeoutSeconds: 29,
    environment: [
      ...HTTP,
      ...COUNTING,
      ...FILES,
      ...SIGNING,
      'DEPLOYMENT_CONTENT_TABLE',
      'OAUTH_TABLE',
      'CREDENTIALS_FUNCTION',
      'CONNECTIONS_FUNCTION',
      'NETWORK_FUNCTIONS',
    ],
    logsEvents: true,
    routes: [
      'ANY /v1/mcp-router/{slug}',
      'ANY /v1/mcp-router/{slug}/messages',
      'ANY /v1/mcp-router/{slug}/tool',
      'ANY /v1/mcp-router/{rest+}',
      'ANY /.well-known/oauth-protected-resource/v1/mcp-router/{rest+}',
      'ANY /.well-known/oauth-authorization-server/v1/mcp-router/{rest+}',
    ],
  },
  oauth: {
    entry: 'lambdas/oauth/index.ts',
    description: 'Authorization server, accounts and sessions',
    // Memory for one whole processor: a sign-in computes one scrypt, which takes 128 MiB besides.
    memoryMb: 1769,
    timeoutSeconds: 29,
    environment: [
      ...HTTP,
      ...COUNTING,
      ...FILES,
      ...SIGNING,
      'USERS_TABLE',
      'OAUTH_TABLE',
      'MAILS_FUNCTION',
      'IDENTITY_FUNCTION',
    ],
    logsEvents: true,
    routes: [
      'ANY /v1/mcp-oauth-server/{rest+}',
      'ANY /.well-known/oauth-authorization-server',
      'ANY /.well-known/oauth-authorization-server/v1/mcp-oauth-server',
      'ANY /.well-known/openid-configuration/v1/mcp-oauth-server',
      'ANY /v1/mcp-management/accounts',
      'ANY /v1/mcp-management/accounts/{rest+}',
      'ANY /v1/mcp-management/sessions',
      'ANY /v1/mcp-management/sessions/{rest+}',
    ],
    schedules: [{ everyHours: 1, command: { operator: 'check-people', claimedActor } }],
  },
  identity: {
    entry: 'lambdas/identity/index.ts',
    description:
      'Redeems codes of identity providers and asks them about people; direct invocation by oauth, management and operators',
    memoryMb: 256,
    // The provider has eight seconds for the token, and eight more where it has to be asked for the address.
    timeoutSeconds: 20,
    environment: [
      ...FILES,
      'BASE_URL',
      'OAUTH_TABLE',
      'CONNECTIONS_TABLE',
      'SECURITY_EVENTS_TABLE',
      'CREDENTIALS_KEY_ID',
    ],
    logsEvents: true,
    routes: [],
  },
  mails: {
    entry: 'lambdas/mails/index.ts',
    description: 'Sends the mails that others ask for, and hears of those that come back',
    memoryMb: 256,
    timeoutSeconds: 30,
    environment: [...COUNTING, 'BASE_URL', 'USERS_TABLE', 'MAIL_FROM', 'MAIL_CONFIGURATION_SET'],
    logsEvents: true,
    routes: [],
    events: { retries: 2, maxAgeSeconds: 3600, failed: 'unsent-mails' },
    mailFeedback: true,
  },
  management: {
    entry: 'lambdas/management/index.ts',
    description: 'Management API for owners; direct invocation by operators',
    memoryMb: 2048,
    timeoutSeconds: 29,
    environment: [
      ...HTTP,
      ...COUNTING,
      ...FILES,
      ...SIGNING,
      ...CREDENTIALS,
      'DEPLOYMENT_CONTENT_TABLE',
      'USERS_TABLE',
      'OAUTH_TABLE',
      'CALLS_TABLE',
      'RECORDED_CALLS_TABLE',
      'CONNECTIONS_ROLE',
      'ROUTER_FUNCTION',
      'MAILS_FUNCTION',
      'IDENTITY_FUNCTION',
    ],
    logsEvents: true,
    routes: ['ANY /v1/mcp-management/{rest+}'],
  },
  maintenance: {
    entry: 'lambdas/maintenance/index.ts',
    description: 'Reads whole tables: the sweep, and commands of operators',
    memoryMb: 256,
    // Lambda's longest timeout: what an invocation does not finish, a later one does.
    timeoutSeconds: 900,
    environment: [
      ...COUNTING,
      ...CREDENTIALS,
      'DEPLOYMENTS_TABLE',
      'DEPLOYMENT_CONTENT_TABLE',
      'USERS_TABLE',
      'OAUTH_TABLE',
      'CALLS_TABLE',
      'DESCRIPTIONS_BUCKET',
      'MAILS_FUNCTION',
      'MANAGEMENT_FUNCTION',
      'UNSENT_MAILS_QUEUE',
      'UNSTORED_CALLS_QUEUE',
      'UNSTORABLE_CALLS_QUEUE',
      'UNDELIVERED_COMMANDS_QUEUE',
    ],
    logsEvents: true,
    routes: [],
    schedules: [
      { everyHours: 24, command: { operator: 'sweep', claimedActor } },
      { everyHours: 1, command: { operator: 'continue-sweep', claimedActor } },
      { everyHours: 1, command: { operator: 'take-care', claimedActor } },
    ],
  },
  credentials: {
    entry: 'lambdas/credentials/index.ts',
    description: 'Credential broker; direct invocation by the router',
    memoryMb: 256,
    timeoutSeconds: 10,
    environment: [...COUNTING, ...CREDENTIALS],
    logsEvents: true,
    routes: [],
  },
  connections: {
    entry: 'lambdas/connections/index.ts',
    description: 'Asks others for the tokens that calls carry; direct invocation by the router',
    memoryMb: 256,
    // Timeout that suffices to wait for a token under way and then to ask for one.
    timeoutSeconds: 20,
    environment: [
      ...COUNTING,
      ...FILES,
      ...CREDENTIALS,
      'BASE_URL',
      'CONNECTIONS_TABLE',
      'OAUTH_TABLE',
    ],
    logsEvents: true,
    routes: [],
  },
  activity: {
    entry: 'lambdas/activity/index.ts',
    description: 'Stores the calls that the router has logged',
    // Memory for a large part of a processor: events wait for it, and it costs by processor time.
    memoryMb: 512,
    // Invocations end before `tally` counts their minute for good. Source: layers/activity/steps/tally-calls.ts.
    timeoutSeconds: 60,
    environment: ['CALLS_TABLE', 'RECORDED_CALLS_TABLE'],
    routes: [],
    subscription: { to: 'router', messages: ['tool_call', 'recorded_call'] },
  },
  tally: {
    entry: 'lambdas/tally/index.ts',
    description: 'Counts the calls that activity has stored; direct invocation by operators',
    // Memory that gives one whole processor.
    memoryMb: 1769,
    timeoutSeconds: 60,
    environment: ['CALLS_TABLE', 'DEPLOYMENTS_TABLE', 'SECURITY_EVENTS_TABLE', 'UNTALLIED_QUEUE'],
    logsEvents: true,
    routes: [],
    schedules: [{ everyMinutes: 1, event: { tally: 'now' } }],
  },
  console: {
    entry: 'lambdas/console/index.ts',
    description:
      'Serves the console: files, from memory; and says of unknown addresses that there is nothing',
    memoryMb: 256,
    timeoutSeconds: 10,
    environment: [],
    // The gateway takes no route that ends in a slash. `$default` gets what no other route takes.
    routes: ['GET /', 'GET /v1', 'GET /v1/console', 'ANY /v1/console/{rest+}', '$default'],
    throttle: { requestsPerSecond: 100, burst: 300 },
  },
};

/** The function of each private network of a stage, which the router alone invokes. Source: docs/networks.md. */
export const networkFunction = {
  entry: 'lambdas/network/index.ts',
  description: 'Makes requests to target APIs in a private network',
  // The function waits nearly all of its time. Source: docs/costs.md, "Private networks".
  memoryMb: 256,
  timeoutSeconds: 29,
} as const satisfies Pick<
  FunctionManifest,
  'description' | 'entry' | 'memoryMb' | 'timeoutSeconds'
>;

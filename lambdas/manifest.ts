import type { BucketName, QueueName, TableName } from './storage-manifest.ts';

/**
 * Which functions and routes exist: data only. The stack deploys it, the local service serves it, a test
 * walks it. What functions keep things in is in `storage-manifest.ts`.
 */

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
 * Names of the environment variables that functions are given, beside the settings of operators
 * (`lib/stage/settings.ts`); `wiring/` reads them. `..._TABLE` and `..._BUCKET` are names, `..._QUEUE` URLs, and
 * `..._FUNCTION` the aliases of functions that are invoked.
 * `BASE_URL` ends in `/v1`; `ORIGIN_SECRETS` are what the distribution before the gateway may show (between commas), empty
 * where there is none; `SIGNING_KEY_IDS` are the KMS keys (ids, ARNs or aliases, between commas) that sign sessions, one
 * after the other, and `MINTING_KEY_IDS` those that sign minted tokens, each beside the one in its place; `MAIL_FROM` the
 * address that mails come from, `MAIL_CONFIGURATION_SET` the name of the set of SES by which we hear of bounces and
 * complaints. `CONNECTIONS_ROLE` is the ARN of the role that assumes those that owners choose; `NETWORK_FUNCTIONS` a JSON
 * object with the alias of the function of each private network, may be empty. Names of secrets begin with
 * `CREDENTIAL_PREFIX` and a slash; `CREDENTIALS_KEY_ID` encrypts credentials in either store.
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
  /** From the repository's root; exports `handler` for Lambda and `start` for a given environment. */
  readonly entry: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Beside the settings that name the function. */
  readonly environment: readonly EnvironmentName[];
  /**
   * API Gateway route keys. They are greedy, so that every form of a path (a trailing slash, an
   * unknown end, any method) reaches the function's own route table, which alone says 404 or 405.
   * The gateway throttles each route by itself: calls have routes of their own.
   */
  readonly routes: readonly string[];
  /**
   * What the gateway lets through to each of its routes; what the stage says (`requests_per_second`, `burst`)
   * if omitted. Source: docs/aws.md, "Throttles".
   */
  readonly throttle?: { readonly requestsPerSecond: number; readonly burst: number };
  /** It receives those log lines of another function that CloudWatch Logs finds by this. */
  readonly subscription?: SubscriptionManifest;
  /** Its lines have events of the service in them, and those of the router calls. Source: docs/stream.md. */
  readonly logsEvents?: true;
  /** Others invoke it without waiting. */
  readonly events?: EventsManifest;
  /** It receives what SES tells of mails that came back. */
  readonly mailFeedback?: true;
  /** What it is sent again and again, as it is. */
  readonly schedules?: readonly ScheduleManifest[];
}

export type ScheduleManifest =
  | {
      readonly everyHours: number;
      /** Of an operator's. */
      readonly command: { readonly operator: string; readonly claimedActor: string };
    }
  /** One that fails is not repeated: the next one comes as soon. */
  | { readonly everyMinutes: number; readonly event: object };

interface SubscriptionManifest {
  readonly to: FunctionName;
  /** Of the lines, which are JSON: what their `message` may be. */
  readonly messages: readonly string[];
}

export interface EventsManifest {
  /** Attempts after the first one. */
  readonly retries: number;
  /** Older ones are not tried again. */
  readonly maxAgeSeconds: number;
  /** Name of the queue that keeps what failed at last; an alarm goes off while there is something in it. */
  readonly failed: string;
}

// What several functions are given, as `wiring/environment.ts` reads it.
const HTTP: readonly EnvironmentName[] = ['BASE_URL', 'ORIGIN_SECRETS', 'DEPLOYMENTS_TABLE'];
const COUNTING: readonly EnvironmentName[] = ['LIMITS_TABLE', 'SECURITY_EVENTS_TABLE'];
const FILES: readonly EnvironmentName[] = ['DESCRIPTIONS_BUCKET', 'ANSWERS_BUCKET'];
const SIGNING: readonly EnvironmentName[] = ['SIGNING_KEY_IDS', 'MINTING_KEY_IDS'];
const CREDENTIALS: readonly EnvironmentName[] = [
  'CREDENTIAL_PREFIX',
  'CREDENTIALS_TABLE',
  'CREDENTIALS_KEY_ID',
];

/** EventBridge, as it is called where it stands in for a person. */
const claimedActor = 'events.amazonaws.com';

export const functions: Readonly<Record<FunctionName, FunctionManifest>> = {
  router: {
    entry: 'lambdas/router/index.ts',
    description: 'MCP endpoints of all deployments',
    // It waits nearly all of its time. Source: docs/costs.md, "Memory".
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
    // One whole processor: a sign-in is one scrypt, which takes 128 MiB besides.
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
    // The provider has eight seconds for the token, and as many again where it has to be asked for the address.
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
    // The longest there is: what an invocation does not finish, a later one does.
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
    // Longer than who waits for a token under way and then has to ask for one.
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
    // A large part of a processor: events wait for it, and it is charged by what it uses.
    memoryMb: 512,
    // What it has begun is over when `tally` counts the minute for good. Source: layers/activity/steps/tally-calls.ts.
    timeoutSeconds: 60,
    environment: ['CALLS_TABLE', 'RECORDED_CALLS_TABLE'],
    routes: [],
    subscription: { to: 'router', messages: ['tool_call', 'recorded_call'] },
  },
  tally: {
    entry: 'lambdas/tally/index.ts',
    description: 'Counts the calls that activity has stored; direct invocation by operators',
    // One whole processor.
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
    // The gateway takes no route that ends in a slash. `$default` has what no other route takes.
    routes: ['GET /', 'GET /v1', 'GET /v1/console', 'ANY /v1/console/{rest+}', '$default'],
    throttle: { requestsPerSecond: 100, burst: 300 },
  },
};

/**
 * The function that each private network of a stage has: their number depends on the stage. The router alone invokes
 * them, and what each is given is its network and `LIMITS`. Source: docs/networks.md.
 */
export const networkFunction = {
  entry: 'lambdas/network/index.ts',
  description: 'Makes requests to target APIs in a private network',
  // It waits nearly all of its time. Source: docs/costs.md, "Private networks".
  memoryMb: 256,
  timeoutSeconds: 29,
} as const satisfies Pick<
  FunctionManifest,
  'description' | 'entry' | 'memoryMb' | 'timeoutSeconds'
>;

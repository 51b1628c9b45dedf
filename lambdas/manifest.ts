/**
 * Which functions and routes exist: data only. The stack deploys it, the local service serves it, a test
 * walks it. What functions keep things in is in `storage-manifest.ts`.
 */

export type FunctionName =
  | 'router'
  | 'oauth'
  | 'mails'
  | 'management'
  | 'maintenance'
  | 'credentials'
  | 'connections'
  | 'activity'
  | 'console';

/**
 * Names of the environment variables that functions are given; `wiring/` reads them.
 * `BASE_URL` ends in `/v1`; `ORIGIN_SECRETS` are what the distribution before the gateway may show (between commas), empty
 * where there is none; `LIMITS` is a JSON object of overrides, may be empty; `SIGNING_KEY_IDS` are
 * the KMS keys (ids, ARNs or aliases, between commas) that sign sessions, one after the other, and `MINTING_KEY_IDS` those
 * that sign minted tokens, each beside the one in its place; `MAIL_FROM` the address that mails come from,
 * `MAIL_CONFIGURATION_SET` the name of the set of SES by which we hear of bounces and complaints.
 * `SIGN_UP` is `open`, `closed` or a JSON object with `domains`: who may make an account without an operator.
 * `NEW_ACCOUNT_PLAN` is the plan of accounts that people make themselves: `free` or `pro`.
 * `ALLOWED_REDIRECT_URIS` is a JSON list of private-use URIs, may be empty;
 * `ROOT_AUTHORIZATION_SERVER` is `true` where the document is served at the origin's root too.
 * `PROTOCOL_VERSIONS` are the versions of MCP that are served, between commas; all if it is empty.
 * `SERVER_CARDS` is `true` where deployments have a card.
 * `LOG_LEVEL` is the least level of lines of requests, `info` if empty: of functions whose lines are no record of what was
 * changed. Source: docs/operations.md, "The level of the log".
 * `IDENTITY_PROVIDERS` is a JSON list of the providers whose assertions buy access tokens, may be empty.
 * `CLIENT_DOCUMENT_HOSTS` is a JSON object with `allow` or `deny`, hosts of client metadata documents; all if empty.
 * `MODEL_HOSTS` is a JSON list of hosts of models beside the vendors, may be empty.
 * `ASSUMABLE_ROLES` is a JSON list of roles that owners may choose, and `CONNECTIONS_ROLE` the ARN of the role that assumes
 * them.
 * `NETWORKS` is a JSON list of the private networks that owners may choose, `NETWORK_FUNCTIONS` a JSON object with the
 * alias of the function of each; both may be empty.
 * `CREDENTIAL_STORE` is `envelope` or `secrets-manager`, `CREDENTIAL_STORE_FORMER` the other one where it was that
 * before, or empty; names of secrets begin with
 * `CREDENTIAL_PREFIX` and a slash; `CREDENTIALS_KEY_ID` encrypts credentials in either store;
 * `CREDENTIALS_FUNCTION` is the broker's alias, `CONNECTIONS_FUNCTION` that of the function that gives tokens,
 * `ROUTER_FUNCTION` the router's, `MAILS_FUNCTION` that of
 * the function that sends mails, `MANAGEMENT_FUNCTION` that of management; `..._QUEUE` are URLs of queues.
 */
export type EnvironmentName =
  | 'BASE_URL'
  | 'ORIGIN_SECRETS'
  | 'LIMITS'
  | 'DEPLOYMENTS_TABLE'
  | 'DEPLOYMENT_CONTENT_TABLE'
  | 'USERS_TABLE'
  | 'OAUTH_TABLE'
  | 'LIMITS_TABLE'
  | 'SECURITY_EVENTS_TABLE'
  | 'CALLS_TABLE'
  | 'RECORDED_CALLS_TABLE'
  | 'DESCRIPTIONS_BUCKET'
  | 'ANSWERS_BUCKET'
  | 'SIGNING_KEY_IDS'
  | 'MINTING_KEY_IDS'
  | 'MAIL_FROM'
  | 'MAIL_CONFIGURATION_SET'
  | 'SIGN_UP'
  | 'NEW_ACCOUNT_PLAN'
  | 'ALLOWED_REDIRECT_URIS'
  | 'ROOT_AUTHORIZATION_SERVER'
  | 'PROTOCOL_VERSIONS'
  | 'SERVER_CARDS'
  | 'LOG_LEVEL'
  | 'IDENTITY_PROVIDERS'
  | 'CLIENT_DOCUMENT_HOSTS'
  | 'MODEL_HOSTS'
  | 'ASSUMABLE_ROLES'
  | 'CONNECTIONS_ROLE'
  | 'NETWORKS'
  | 'NETWORK_FUNCTIONS'
  | 'CREDENTIAL_STORE'
  | 'CREDENTIAL_STORE_FORMER'
  | 'CREDENTIAL_PREFIX'
  | 'CREDENTIALS_TABLE'
  | 'CREDENTIALS_KEY_ID'
  | 'CONNECTIONS_TABLE'
  | 'CREDENTIALS_FUNCTION'
  | 'CONNECTIONS_FUNCTION'
  | 'ROUTER_FUNCTION'
  | 'MAILS_FUNCTION'
  | 'MANAGEMENT_FUNCTION'
  | 'UNSENT_MAILS_QUEUE'
  | 'UNSTORED_CALLS_QUEUE'
  | 'UNSTORABLE_CALLS_QUEUE'
  | 'UNDELIVERED_COMMANDS_QUEUE';

/**
 * Those that may be as long as the stage's file says. They stand in a file beside the function's code, since Lambda takes
 * no more than 4 KB of variables. The function of a private network has its `NETWORK` there, too.
 */
export const SETTINGS = [
  'LIMITS',
  'SIGN_UP',
  'ALLOWED_REDIRECT_URIS',
  'IDENTITY_PROVIDERS',
  'CLIENT_DOCUMENT_HOSTS',
  'MODEL_HOSTS',
  'ASSUMABLE_ROLES',
  'NETWORKS',
] as const satisfies readonly EnvironmentName[];

export interface FunctionManifest {
  /** From the repository's root; exports `handler` for Lambda and `start` for a given environment. */
  readonly entry: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
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
  /** Others invoke it without waiting. */
  readonly events?: EventsManifest;
  /** It receives what SES tells of mails that came back. */
  readonly mailFeedback?: true;
  /** An operator's commands that it is sent again and again, as they are. */
  readonly schedules?: readonly ScheduleManifest[];
}

interface ScheduleManifest {
  readonly everyHours: number;
  readonly command: { readonly operator: string; readonly claimedActor: string };
}

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
      'BASE_URL',
      'ORIGIN_SECRETS',
      'LIMITS',
      'DEPLOYMENTS_TABLE',
      'DEPLOYMENT_CONTENT_TABLE',
      'OAUTH_TABLE',
      'LIMITS_TABLE',
      'SECURITY_EVENTS_TABLE',
      'DESCRIPTIONS_BUCKET',
      'ANSWERS_BUCKET',
      'SIGNING_KEY_IDS',
      'MINTING_KEY_IDS',
      'CREDENTIALS_FUNCTION',
      'CONNECTIONS_FUNCTION',
      'PROTOCOL_VERSIONS',
      'SERVER_CARDS',
      'LOG_LEVEL',
      'IDENTITY_PROVIDERS',
      'NETWORK_FUNCTIONS',
    ],
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
      'BASE_URL',
      'ORIGIN_SECRETS',
      'LIMITS',
      'DEPLOYMENTS_TABLE',
      'USERS_TABLE',
      'OAUTH_TABLE',
      'LIMITS_TABLE',
      'SECURITY_EVENTS_TABLE',
      'DESCRIPTIONS_BUCKET',
      'ANSWERS_BUCKET',
      'SIGNING_KEY_IDS',
      'MINTING_KEY_IDS',
      'MAILS_FUNCTION',
      'SIGN_UP',
      'NEW_ACCOUNT_PLAN',
      'ALLOWED_REDIRECT_URIS',
      'ROOT_AUTHORIZATION_SERVER',
      'IDENTITY_PROVIDERS',
      'CLIENT_DOCUMENT_HOSTS',
    ],
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
  },
  mails: {
    entry: 'lambdas/mails/index.ts',
    description: 'Sends the mails that others ask for, and hears of those that come back',
    memoryMb: 256,
    timeoutSeconds: 30,
    environment: [
      'BASE_URL',
      'LIMITS',
      'USERS_TABLE',
      'LIMITS_TABLE',
      'SECURITY_EVENTS_TABLE',
      'MAIL_FROM',
      'MAIL_CONFIGURATION_SET',
    ],
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
      'BASE_URL',
      'ORIGIN_SECRETS',
      'LIMITS',
      'DEPLOYMENTS_TABLE',
      'DEPLOYMENT_CONTENT_TABLE',
      'USERS_TABLE',
      'OAUTH_TABLE',
      'LIMITS_TABLE',
      'SECURITY_EVENTS_TABLE',
      'CALLS_TABLE',
      'RECORDED_CALLS_TABLE',
      'DESCRIPTIONS_BUCKET',
      'ANSWERS_BUCKET',
      'SIGNING_KEY_IDS',
      'MINTING_KEY_IDS',
      'ASSUMABLE_ROLES',
      'CONNECTIONS_ROLE',
      'CREDENTIAL_STORE',
      'CREDENTIAL_STORE_FORMER',
      'CREDENTIAL_PREFIX',
      'CREDENTIALS_TABLE',
      'CREDENTIALS_KEY_ID',
      'ROUTER_FUNCTION',
      'MAILS_FUNCTION',
      'PROTOCOL_VERSIONS',
      'NETWORKS',
    ],
    routes: ['ANY /v1/mcp-management/{rest+}'],
  },
  maintenance: {
    entry: 'lambdas/maintenance/index.ts',
    description: 'Reads whole tables: the sweep, and commands of operators',
    memoryMb: 256,
    // The longest there is: what an invocation does not finish, a later one does.
    timeoutSeconds: 900,
    environment: [
      'LIMITS',
      'DEPLOYMENTS_TABLE',
      'DEPLOYMENT_CONTENT_TABLE',
      'USERS_TABLE',
      'OAUTH_TABLE',
      'LIMITS_TABLE',
      'SECURITY_EVENTS_TABLE',
      'CALLS_TABLE',
      'DESCRIPTIONS_BUCKET',
      'CREDENTIAL_STORE',
      'CREDENTIAL_STORE_FORMER',
      'CREDENTIAL_PREFIX',
      'CREDENTIALS_TABLE',
      'CREDENTIALS_KEY_ID',
      'MAILS_FUNCTION',
      'MANAGEMENT_FUNCTION',
      'UNSENT_MAILS_QUEUE',
      'UNSTORED_CALLS_QUEUE',
      'UNSTORABLE_CALLS_QUEUE',
      'UNDELIVERED_COMMANDS_QUEUE',
    ],
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
    environment: [
      'LIMITS',
      'LIMITS_TABLE',
      'SECURITY_EVENTS_TABLE',
      'CREDENTIAL_STORE',
      'CREDENTIAL_STORE_FORMER',
      'CREDENTIAL_PREFIX',
      'CREDENTIALS_TABLE',
      'CREDENTIALS_KEY_ID',
    ],
    routes: [],
  },
  connections: {
    entry: 'lambdas/connections/index.ts',
    description: 'Asks others for the tokens that calls carry; direct invocation by the router',
    memoryMb: 256,
    // Longer than who waits for a token under way and then has to ask for one.
    timeoutSeconds: 20,
    environment: [
      'BASE_URL',
      'LIMITS',
      'LIMITS_TABLE',
      'SECURITY_EVENTS_TABLE',
      'DESCRIPTIONS_BUCKET',
      'ANSWERS_BUCKET',
      'ASSUMABLE_ROLES',
      'CREDENTIAL_STORE',
      'CREDENTIAL_STORE_FORMER',
      'CREDENTIAL_PREFIX',
      'CREDENTIALS_TABLE',
      'CREDENTIALS_KEY_ID',
      'CONNECTIONS_TABLE',
      'OAUTH_TABLE',
    ],
    routes: [],
  },
  activity: {
    entry: 'lambdas/activity/index.ts',
    description: 'Stores the calls that the router has logged',
    memoryMb: 256,
    timeoutSeconds: 60,
    environment: ['LIMITS', 'CALLS_TABLE', 'RECORDED_CALLS_TABLE'],
    routes: [],
    subscription: { to: 'router', messages: ['tool_call', 'recorded_call'] },
  },
  console: {
    entry: 'lambdas/console/index.ts',
    description:
      'Serves the console: files, from memory; and says of unknown addresses that there is nothing',
    memoryMb: 256,
    timeoutSeconds: 10,
    environment: ['MODEL_HOSTS', 'LOG_LEVEL'],
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

import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { decodeJwt } from 'jose';
import { tables } from '../../../lambdas/storage-manifest.ts';
import { dynamoUsers } from '../../../layers/accounts/store/users.ts';
import { DEFAULT_LIMITS, type LimitName } from '../../../layers/limits/rules/limits.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import type { EmbeddedAws } from '../../../local/aws/index.ts';
import { INTEGRATION_TIMEOUT_MS } from '../../../local/gateway/quotas.ts';
import { localFunction } from '../../../local/functions/index.ts';
import { SAMPLE_DESCRIPTION } from '../../../local/sample/index.ts';
import { type ServiceSettings, startService } from '../../../local/run/service.ts';
import { connectionOf } from '../aws/aws.ts';
import { bundlesOfThisRun } from '../aws/bundles.ts';
import { aFormBrowser, type FormBrowser, type SignIn } from '../oauth/form-browser.ts';
import { hashOf } from '../oauth/people.ts';
import { type Leak, leaksIn, recordWire, type Wire } from './wire.ts';

/** The whole service in this process, as `npm start` has it, with people and deployments. */
export interface WholeService {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly sampleApiUrl: string;
  readonly issuer: string;
  readonly aws: EmbeddedAws;
  readonly dataFolder: string;
  readonly wire: Wire;
  readonly fetch: typeof fetch;
  /** Somebody new with an account, whose password costs little to check. */
  person(email?: string): Promise<Person>;
  /** Publishes the sample for an owner, open to everybody unless `over` says otherwise. */
  publish(owner: Person, over?: Readonly<Record<string, unknown>>): Promise<PublishedServer>;
  /** Sends an operator's command, to management unless it says otherwise. @throws Error if it is refused */
  operate(
    command: Readonly<Record<string, unknown>>,
    functionName?: 'identity' | 'management' | 'oauth' | 'maintenance' | 'tally',
  ): Promise<Readonly<Record<string, string>>>;
  /** Has the calls counted that are stored so far, as the schedule does each minute. */
  tally(): Promise<void>;
  browser(): FormBrowser;
  /** All that stays of requests: logs, tables and mails, each with its name. */
  kept(): Promise<readonly Kept[]>;
  /** Secrets that stand in an answer, a log or a table. */
  leaks(): Promise<readonly Leak[]>;
  stop(): Promise<void>;
}

export interface Person extends SignIn {
  readonly id: string;
}

export interface PublishedServer {
  readonly slug: string;
  /** Without an end: the base URL of the deployment. */
  readonly url: string;
  /** The same with `/messages`. */
  readonly messagesUrl: string;
}

/** Calls a tool of a server that is open to everybody. @returns the JSON-RPC answer */
export const callTool = async (
  { messagesUrl }: Pick<PublishedServer, 'messagesUrl'>,
  name: string,
  args: object,
): Promise<{ readonly result?: object; readonly error?: object }> => {
  const answer = await fetch(messagesUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });
  return (await answer.json()) as { readonly result?: object; readonly error?: object };
};

/** Functions and the gateway time out after so many times as long as on AWS. */
const TIMEOUT_FACTOR = 5;

const MANY = 1_000_000;

/** More of everything than any test asks for. */
const NO_LIMITS: Partial<Record<LimitName, number>> = {
  registration_per_hour_per_ip: MANY,
  authorize_per_hour_per_ip: MANY,
  authorize_per_minute_per_client: MANY,
  token_per_minute_per_client: MANY,
  logins_per_minute_per_ip: MANY,
  invalid_tokens_per_minute_per_ip: MANY,
  account_requests_per_hour_per_ip: MANY,
  free_requests_per_hour: MANY,
  free_requests_per_month: MANY,
  free_issuer_requests_per_hour: MANY,
  free_issuer_requests_per_month: MANY,
  public_requests_per_minute_per_ip: MANY,
  management_requests_per_minute_per_user: MANY,
  description_fetches_per_hour_per_user: MANY,
  compilations_at_once_per_user: MANY,
  endpoints_per_deployment: 1000,
};

export const startWholeService = async (
  limits: Partial<Record<LimitName, number>> = {},
  settings: Pick<ServiceSettings, 'allowedOrigins' | 'networks' | 'runFunction' | 'settings'> = {},
): Promise<WholeService> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-whole-'));
  const service = await startService({
    // Each from its first event on, as on Lambda: many tests need two of them. A busy machine is slow.
    runFunction: (one) =>
      localFunction({
        ...one,
        onDemand: true,
        timeoutSeconds: TIMEOUT_FACTOR * one.timeoutSeconds,
      }),
    integrationTimeoutMs: TIMEOUT_FACTOR * INTEGRATION_TIMEOUT_MS,
    ...settings,
    port: 0,
    dataFolder,
    settings: { LIMITS: JSON.stringify({ ...NO_LIMITS, ...limits }), ...settings.settings },
    eventRetryMs: [20, 40],
    ...(await bundlesOfThisRun()),
  }).catch(async (error: unknown) => {
    await rm(dataFolder, { recursive: true });
    throw error;
  });
  const { aws, baseUrl, sampleApiUrl } = service;
  const wire = recordWire();
  const openapi = await readFile(SAMPLE_DESCRIPTION, 'utf8');

  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await wire.fetch(`${baseUrl}/mcp-management${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const operate: WholeService['operate'] = async (command, functionName = 'management') => {
    const answer = await service.invoke(functionName, command);
    const { ok, ...given } = answer as Record<string, string> & { readonly ok: boolean };
    if (!ok) throw new Error(`refused: ${JSON.stringify(given)}`);
    return given;
  };

  const database = new DynamoDBClient(connectionOf(aws, 'test'));
  const users = dynamoUsers(
    DynamoDBDocumentClient.from(database),
    { users: 'hosted-mcp-users', oauth: 'hosted-mcp-oauth' },
    DEFAULT_LIMITS,
  );

  return {
    baseUrl,
    sampleApiUrl,
    issuer: `${baseUrl}/mcp-oauth-server`,
    aws,
    dataFolder,
    wire,
    fetch: wire.fetch,
    person: async (email = `${randomUUID()}@example.com`) => {
      const password = `kestrel umbrella ${randomUUID()}`;
      await users.create(aUser(email, password));
      const { access_token: session = '' } = await post('/sessions', { email, password });
      const { sub: id = '', sid } = decodeJwt<{ sid: string }>(session);
      wire.plant('session', sid);
      return { id, email, password };
    },
    publish: async ({ id: ownerId }, over = {}) => {
      const slug = String(over['slug'] ?? `d-${randomUUID()}`);
      await operate({
        operator: 'publish',
        ownerId,
        slug,
        authMethod: 'oauth',
        apiBaseUrl: sampleApiUrl,
        access: { mode: 'any_user' },
        openapi,
        ...over,
      });
      const url = `${baseUrl}/mcp-router/${slug}`;
      return { slug, url, messagesUrl: `${url}/messages` };
    },
    operate,
    tally: async () => void (await service.invoke('tally', { tally: 'now' })),
    browser: () => aFormBrowser(new URL(baseUrl).origin, wire.fetch),
    kept: () => keptIn(aws, dataFolder),
    leaks: async () => {
      // A mail gives its own token out.
      const kept = (await keptIn(aws, dataFolder)).filter(([where]) => !where.endsWith('.eml'));
      const secrets = wire.secrets();
      return [...wire.leaks(), ...kept.flatMap(([where, text]) => leaksIn(where, text, secrets))];
    },
    stop: async () => {
      database.destroy();
      await service.close();
      await rm(dataFolder, { recursive: true });
    },
  };
};

const aUser = (email: string, password: string): User => ({
  id: randomUUID(),
  email,
  name: 'Ada Lovelace',
  plan: 'free',
  passwordHash: hashOf(password),
  signedOutAt: 0,
  createdAt: Math.floor(Date.now() / 1000),
  revision: 0,
});

/** Something that stays, and where. */
type Kept = readonly [where: string, text: string];

const keptIn = async (aws: EmbeddedAws, dataFolder: string): Promise<readonly Kept[]> => {
  const folders = ['logs', 'outbox'].map((name) => filesIn(join(dataFolder, name)));
  return [...(await Promise.all(folders)).flat(), ...(await itemsIn(aws))];
};

/** Without those that are being written, which have another name in a moment. */
const filesIn = async (folder: string): Promise<readonly Kept[]> =>
  Promise.all(
    (await readdir(folder))
      .filter((name) => !name.endsWith('.unfinished'))
      .map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  );

/** Everything that is stored, a table each: only fingerprints of secrets may be there. */
const itemsIn = async (aws: EmbeddedAws): Promise<readonly Kept[]> => {
  const dynamo = new DynamoDBClient(connectionOf(aws, 'test'));
  const scan = async (table: string): Promise<Kept> => {
    const pages: string[] = [];
    let from: Record<string, never> | undefined;
    do {
      const page: { Items?: unknown; LastEvaluatedKey?: unknown } = await dynamo.send(
        new ScanCommand({ TableName: `hosted-mcp-${table}`, ExclusiveStartKey: from }),
      );
      pages.push(JSON.stringify(page.Items));
      from = page.LastEvaluatedKey as typeof from;
    } while (from);
    return [table, pages.join('\n')];
  };
  try {
    return await Promise.all(Object.keys(tables).map(scan));
  } finally {
    dynamo.destroy();
  }
};

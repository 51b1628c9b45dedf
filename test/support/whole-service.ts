import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { decodeJwt } from 'jose';
import { tables } from '../../lambdas/manifest.ts';
import type { LimitName } from '../../layers/core/domain/access/limits.ts';
import type { EmbeddedAws } from '../../local/aws/index.ts';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { startService } from '../../local/run/service.ts';
import { connectionOf } from './aws.ts';
import { aFormBrowser, type FormBrowser, type SignIn } from './form-browser.ts';
import { mailsIn } from './people.ts';
import { type Leak, leaksIn, recordWire, type Wire } from './wire.ts';

/** The whole service in this process, as `npm start` has it, with people and deployments. */
export interface WholeService {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly issuer: string;
  readonly aws: EmbeddedAws;
  readonly wire: Wire;
  readonly fetch: typeof fetch;
  /** Somebody new, signed up and verified over HTTP. */
  person(): Promise<Person>;
  /** Publishes the sample for an owner, open to everybody unless `over` says otherwise. */
  publish(owner: Person, over?: Readonly<Record<string, unknown>>): Promise<PublishedServer>;
  /** Sends an operator's command. @throws Error if it is refused */
  operate(command: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, string>>>;
  browser(): FormBrowser;
  /** All that the functions logged so far, each with its name. */
  logs(): Promise<readonly Kept[]>;
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

const MANY = 1_000_000;

/** More of everything than any test asks for. */
const NO_LIMITS: Partial<Record<LimitName, number>> = {
  registration_per_hour_per_ip: MANY,
  authorize_per_hour_per_ip: MANY,
  authorize_per_minute_per_client: MANY,
  token_per_minute_per_client: MANY,
  logins_per_minute_per_ip: MANY,
  account_requests_per_hour_per_ip: MANY,
  free_requests_per_hour: MANY,
  free_requests_per_month: MANY,
  public_requests_per_minute_per_ip: MANY,
  endpoints_per_deployment: 1000,
};

export const startWholeService = async (
  limits: Partial<Record<LimitName, number>> = {},
): Promise<WholeService> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-whole-'));
  const service = await startService({
    port: 0,
    dataFolder,
    limits: JSON.stringify({ ...NO_LIMITS, ...limits }),
    show: () => undefined,
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
  const operate: WholeService['operate'] = async (command) => {
    const answer = await service.invoke('management', command);
    const { ok, ...given } = answer as Record<string, string> & { readonly ok: boolean };
    if (!ok) throw new Error(`refused: ${JSON.stringify(given)}`);
    return given;
  };

  return {
    baseUrl,
    issuer: `${baseUrl}/mcp-oauth-server`,
    aws,
    wire,
    fetch: wire.fetch,
    person: async () => {
      const email = `${randomUUID()}@example.com`;
      const password = `kestrel umbrella ${randomUUID()}`;
      await post('/accounts', { email, password, name: 'Ada Lovelace' });
      const mail = (await mailsIn(dataFolder)).findLast(({ to }) => to === email);
      if (!mail) throw new Error(`no mail to ${email}`);
      await post('/accounts/verify', { token: mail.token });
      const { access_token: session = '' } = await post('/sessions', { email, password });
      const { sub: id = '', sid } = decodeJwt<{ sid: string }>(session);
      wire.plant('session', sid);
      return { id, email, password };
    },
    publish: async ({ id: ownerId }, over = {}) => {
      const slug = `d-${randomUUID()}`;
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
    browser: () => aFormBrowser(new URL(baseUrl).origin, wire.fetch),
    logs: () => logsIn(join(dataFolder, 'logs')),
    leaks: async () => {
      const kept = [...(await logsIn(join(dataFolder, 'logs'))), ...(await itemsIn(aws))];
      const secrets = wire.secrets();
      return [...wire.leaks(), ...kept.flatMap(([where, text]) => leaksIn(where, text, secrets))];
    },
    stop: async () => {
      await service.close();
      await rm(dataFolder, { recursive: true });
    },
  };
};

/** Something that stays, and where. */
export type Kept = readonly [where: string, text: string];

const logsIn = async (folder: string): Promise<readonly Kept[]> =>
  Promise.all(
    (await readdir(folder)).map(
      async (name) => [name, await readFile(join(folder, name), 'utf8')] as const,
    ),
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

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamoUsers } from '../../../layers/accounts/store/users.ts';
import { dynamoDeploymentEditor } from '../../../layers/deployments/store/deployment-editor.ts';
import { dynamoClient } from '../../../layers/platform/dynamodb/client.ts';
import { transact } from '../../../layers/platform/dynamodb/transact.ts';
import { versionWrites } from '../../../layers/deployments/store/versions/version-item.ts';
import { s3Files } from '../../../layers/platform/s3/files.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import type { IndexedTool, ToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { NotedTool, ToolReport } from '../../../layers/openapi/tool-note.ts';
import type { ContentLimits } from '../../../layers/contents/rules/placement.ts';
import type { Clock } from '../../../layers/platform/system/clock.ts';
import type { DeploymentEditor } from '../../../layers/deployments/store/deployment-store.ts';
import type { VersionNotes } from '../../../layers/deployments/rules/version-notes.ts';
import type { StoredVersion } from '../../../layers/deployments/rules/versions.ts';
import type { Users } from '../../../layers/accounts/store/users.ts';
import { connectionOf, startTestAws, type TestAws } from './aws.ts';

/** 2026-11-20T12:00:00Z, the first second of a minute. */
export const NOON = 1_795_176_000;

export interface SettableClock extends Clock {
  time: number;
}

export const aClock = (time = NOON): SettableClock => ({
  time,
  now() {
    return this.time;
  },
  elapsedMs() {
    return this.time * 1000;
  },
});

export interface Store extends TestAws {
  /** An instance of a function: a client of its own, as production makes it. */
  instance(): DynamoDBDocumentClient;
  files(): ReturnType<typeof s3Files>;
}

export const startStore = async (options?: Parameters<typeof startTestAws>[0]): Promise<Store> => {
  const aws = await startTestAws(options);
  const { endpoint, region, credentials } = connectionOf(aws.aws, 'test');
  const access = { endpoint, region, credentials };
  const opened: DynamoDBDocumentClient[] = [];
  return {
    ...aws,
    instance: () => {
      const client = dynamoClient(access);
      opened.push(client);
      return client;
    },
    files: () => s3Files(access, aws.bucket),
    stop: async () => {
      for (const client of opened) client.destroy();
      await aws.stop();
    },
  };
};

export const editorOf = (store: Store, dynamo = store.instance()): DeploymentEditor =>
  dynamoDeploymentEditor(
    dynamo,
    {
      deployments: store.tableName('deployments'),
      content: store.tableName('deployment-content'),
      users: store.tableName('users'),
    },
    store.files(),
  );

export const usersOf = (store: Store, dynamo = store.instance()): Users =>
  dynamoUsers(
    dynamo,
    { users: store.tableName('users'), oauth: store.tableName('oauth') },
    DEFAULT_LIMITS,
  );

/** Stores a version without a deployment. @returns whether its number was free */
export const putVersion = async (store: Store, version: StoredVersion): Promise<boolean> => {
  const table = store.tableName('deployment-content');
  const writes = await versionWrites(table, store.files(), version);
  return (await transact(store.instance(), writes)).size === 0;
};

/** Room for whatever a test stores. */
export const PLENTY: ContentLimits = { maxCount: 1000, maxBytes: 100_000_000 };

export const aDeployment = (over: Partial<Deployment> = {}): Deployment => ({
  id: 'dep-1',
  slug: 'weather',
  ownerId: 'user-1',
  ownerPlan: 'free',
  name: 'Weather',
  status: 'active',
  authMethod: 'none',
  access: { mode: 'owner' },
  allowedOrigins: [],
  docs: 'protected',
  traceContext: 'withheld',
  argumentChecks: 'strict',
  requestHeaders: {},
  certificateAuthorities: [],
  fetchWith: 'nothing',
  refresh: 'off',
  apiBaseUrl: 'https://api.example.com',
  version: 1,
  history: [1],
  publication: {},
  toolCount: 2,
  sourceHash: 'a'.repeat(64),
  createdAt: NOON,
  updatedAt: NOON,
  revision: 1,
  ...over,
});

export const aReport = (...tools: readonly NotedTool[]): ToolReport => ({ format: 1, tools });

export const aVersionNotes = (over: Partial<VersionNotes> = {}): VersionNotes => ({
  toolCount: 2,
  apiBaseUrl: 'https://api.example.com',
  sourceHash: 'a'.repeat(64),
  publication: {},
  warnings: [],
  createdAt: NOON,
  upload: { mediaType: 'application/json', encoding: { name: 'utf-8', hasMark: false } },
  ...over,
});

const aTool = (name: string): IndexedTool => ({
  name,
  listed: JSON.stringify({ name, inputSchema: { type: 'object' } }),
  operation: {
    method: 'POST',
    path: '/forecasts/{id}',
    serverUrl: 'https://api.example.com/v2',
    operationId: name,
    parameters: [
      {
        argument: 'id',
        name: 'id',
        in: 'path',
        required: true,
        style: 'simple',
        explode: false,
        allowReserved: false,
      },
      {
        argument: 'filter',
        name: 'filter[x]',
        in: 'query',
        required: false,
        style: 'deepObject',
        explode: true,
        allowReserved: true,
        mediaType: 'application/json',
      },
    ],
    body: {
      required: false,
      mediaType: 'multipart/form-data',
      form: 'multipart',
      source: {
        kind: 'properties',
        properties: [{ argument: 'photo', name: 'photo' }],
        additional: true,
      },
      encoding: { photo: { contentType: 'image/png', style: 'form', explode: true } },
    },
    accept: ['application/json'],
    wireNames: { '/properties/a_b': 'a b' },
  },
});

export const anIndex = (...names: readonly string[]): ToolIndex => ({
  format: 1,
  tools: names.map(aTool),
});

/** Text that no compressor makes smaller, the same for the same seed. */
export const incompressible = (bytes: number, seed = 1): string => {
  let state = seed;
  return Array.from({ length: bytes }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String.fromCharCode(33 + ((state >>> 16) % 90));
  }).join('');
};

/** Where contents belong, of a deployment that need not be there unless there is something to complete. */
export const home = (id: string) => ({ id, slug: id });

export const contentTables = (store: Store) => ({
  content: store.tableName('deployment-content'),
  deployments: store.tableName('deployments'),
});

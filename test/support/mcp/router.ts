import { createHash } from 'node:crypto';
import { server } from '../../../layers/mcp/routes/server.ts';
import { server as broker } from '../../../layers/credentials/routes/server.ts';
import { server as connections } from '../../../layers/connections/routes/server.ts';
import { cachedTokens } from '../../../layers/connections/store/cached-tokens.ts';
import { lambdaTokenBroker } from '../../../layers/connections/store/token-broker.ts';
import { dynamoSignOuts } from '../../../layers/accounts/store/sign-outs.ts';
import { dynamoClient } from '../../../layers/platform/dynamodb/client.ts';
import { dynamoDeployments } from '../../../layers/deployments/store/deployments.ts';
import { rememberedNotBefore } from '../../../layers/tokens/store/not-before.ts';
import { dynamoEvents } from '../../../layers/events/store/events.ts';
import { lambdaCredentialBroker } from '../../../layers/credentials/store/credential-broker.ts';
import { cachedCredentials } from '../../../layers/credentials/store/cached-credentials.ts';
import type { FunctionName } from '../../../lambdas/manifest.ts';
import { stdoutCallLog } from '../../../layers/events/store/events.ts';
import type { LimitName } from '../../../layers/limits/rules/limits.ts';
import type { Prompt, Resource } from '../../../layers/contents/rules/contents.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { buildSearchIndex } from '../../../layers/search/build-index.ts';
import type { CompiledTool, IndexedTool } from '../../../layers/openapi/tool-index.ts';
import type { ToolReport } from '../../../layers/openapi/tool-note.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import type { StoredVersion } from '../../../layers/deployments/rules/versions.ts';
import type { RouterPorts } from '../../../layers/mcp/steps/ports.ts';
import { wireConnections } from '../../../lambdas/connections/wiring.ts';
import { wireCredentials } from '../../../lambdas/credentials/wiring.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { wireRouter } from '../../../lambdas/router/wiring.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import {
  aClock,
  aDeployment,
  aReport,
  aVersionNotes,
  NOON,
  type SettableClock,
  startStore,
  type Store,
  PLENTY,
} from '../aws/dynamodb-fixtures.ts';
import { connectionOf } from '../aws/aws.ts';
import { startTarget, type TestTarget } from './router-target.ts';
import { tools } from './router-tools.ts';

export const BASE_URL = 'https://mcp.example.com/v1';

export interface TestRouter {
  readonly store: Store;
  readonly target: TestTarget;
  /** Stands still until it is set. */
  readonly clock: SettableClock;
  readonly ports: RouterPorts;
  /** What an owner acts through, with the router's clock. */
  readonly owner: ReturnType<typeof wireManagement>;
  /** The same, but that it signs with the key of sessions. */
  readonly sessionSigner: ReturnType<typeof wireManagement>;
  /** What was logged so far. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly send: (event: HttpEvent) => Promise<HttpReply>;
  /** Publishes a deployment with the tools of `router-tools.ts`, unless it is given others. */
  publish(
    slug: string,
    over?: Partial<Deployment>,
    content?: {
      readonly tools?: readonly IndexedTool[];
      readonly report?: ToolReport;
      readonly resources?: readonly Resource[];
      readonly prompts?: readonly Prompt[];
    },
  ): Promise<Deployment>;
  stop(): Promise<void>;
}

/** The router function as it is deployed, on the embedded AWS, with a clock of its own and a log that can be read. */
export const startRouter = async (
  limits: Partial<Record<LimitName, number>> = {},
): Promise<TestRouter> => {
  const store = await startStore();
  const target = await startTarget();
  const environment = (name: FunctionName) => ({
    ...environmentOf(store, name),
    BASE_URL,
    LIMITS: JSON.stringify(limits),
  });
  const lines: Readonly<Record<string, unknown>>[] = [];
  const log = { write: (record: Readonly<Record<string, unknown>>) => void lines.push(record) };
  const clock = aClock();
  const options = { targets: { loopback: { exceptPorts: store.aws.ports } } };
  const wired = wireRouter(environment('router'), options);
  const { random } = wired;
  const securityEvents = store.tableName('security-events');
  const events = dynamoEvents({ clock, log, random }, store.instance(), securityEvents, 90);
  const callLog = stdoutCallLog({ write: (line) => void lines.push(JSON.parse(line)) });
  const { endpoint, region, credentials: us } = connectionOf(store.aws, 'router');
  const dynamo = dynamoClient({ endpoint, region, credentials: us });
  const deployments = dynamoDeployments(dynamo, store.tableName('deployments'), clock);
  const access = { endpoint, region, credentials: us };
  const asked = lambdaCredentialBroker(access, 'credentials:live', 'router-1');
  const askedTokens = lambdaTokenBroker(access, 'connections:live', 'router-1');
  const remembered = {
    credentials: cachedCredentials(asked, { clock, log }),
    connectedTokens: cachedTokens(askedTokens, { clock, log }),
  };
  const notBefore = rememberedNotBefore(dynamo, store.tableName('oauth'), clock);
  const signOuts = dynamoSignOuts(dynamo, store.tableName('oauth'), clock);
  const ended = { notBefore, signOuts };
  const ports = { ...wired, clock, log, events, deployments, ...ended, callLog, ...remembered };
  const brokerPorts = wireCredentials(environment('credentials'));
  const answer = broker({ ...brokerPorts, clock, log, events });
  const connectionPorts = wireConnections(environment('connections'), options);
  const give = connections({ ...connectionPorts, clock, log, events });
  store.aws.onInvoke(async (name, payload) => {
    const invoked = { credentials: answer, connections: give }[name];
    return invoked && { payload: JSON.stringify(await invoked(JSON.parse(payload))) };
  });
  const administrator = { ...environment('management'), ...store.aws.environment('test') };
  const owner = { ...wireManagement(administrator), clock };
  const sessionKeys = { ...administrator, MINTING_KEY_IDS: store.signingKey };
  const sessionSigner = { ...wireManagement(sessionKeys), clock };

  return {
    store,
    target,
    clock,
    ports,
    owner,
    sessionSigner,
    lines,
    send: server(ports),
    publish: async (slug, over = {}, content = {}) => {
      const index = { format: 1 as const, tools: content.tools ?? tools(target.url) };
      const deployment = aDeployment({
        id: `dep-${slug}`,
        slug,
        name: 'Pet <Store>',
        apiBaseUrl: target.url,
        toolCount: index.tools.length,
        createdAt: NOON,
        sourceHash: createHash('sha256').update(slug).digest('hex'),
        ...over,
      });
      const { id } = deployment;
      const version: StoredVersion = {
        deploymentId: id,
        version: deployment.version,
        index,
        ...(deployment.publication.toolMode === 'search' && {
          searchIndex: buildSearchIndex(index.tools.map(searchable)),
        }),
        report: content.report ?? aReport(),
        description: '{}',
        inline: true,
        notes: aVersionNotes({ toolCount: index.tools.length }),
      };
      await owner.deploymentEditor.create(deployment, { version });
      const { resources, prompts } = owner;
      for (const one of content.resources ?? []) await resources.create(deployment, one, PLENTY);
      for (const one of content.prompts ?? []) await prompts.create(deployment, one, PLENTY);
      return deployment;
    },
    stop: async () => {
      wired.targetApi.close();
      dynamo.destroy();
      await target.stop();
      await store.stop();
    },
  };
};

const searchable = (tool: IndexedTool): { tool: CompiledTool; tags: readonly string[] } => ({
  tool: { ...tool, listed: JSON.parse(tool.listed) },
  tags: [],
});

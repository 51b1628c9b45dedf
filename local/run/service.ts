import { join } from 'node:path';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { EmbeddedAws, InvokeHandler } from '../aws/index.ts';
import { readLimits } from '../../layers/limits/rules/limits.ts';
import { type LocalFunction, localFunction, type StartArguments } from '../functions/index.ts';
import {
  type LogSubscription,
  openLogSubscription,
  type SubscriptionSettings,
} from '../functions/log-subscription.ts';
import { type Gateway, startGateway } from '../gateway/index.ts';
import { startSampleApi } from '../sample/index.ts';
import { type FunctionSettings, openAws, startArguments } from './aws-resources.ts';
import { startFault } from './data-folder.ts';
import { networkFunctionOf } from './networks.ts';
import { offerOperatorAccess } from './operator-access.ts';
import { codeOf, inWords, StartRefused } from './start-refused.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

export interface ServiceSettings extends FunctionSettings {
  /** 0 picks a free port. */
  readonly port: number;
  readonly dataFolder: string;
  readonly verbose?: boolean;
  /** Milliseconds before the first and the second retry of an event; those of AWS if omitted. */
  readonly eventRetryMs?: readonly number[];
  /** Deployed files of the functions, to be run instead of the sources. */
  readonly bundles?: Readonly<Record<FunctionName, URL>>;
  readonly runFunction?: typeof localFunction;
  /** How long the gateway waits for a function; as long as on AWS if omitted. */
  readonly integrationTimeoutMs?: number;
}

export interface Service {
  /** Ends in `/v1`. Source: docs/decisions/mcp.md, "Base URL". */
  readonly baseUrl: string;
  readonly sampleApiUrl: string;
  readonly aws: EmbeddedAws;
  /** Arguments with which a function was started, for another instance of it. */
  startArguments(functionName: FunctionName): Promise<StartArguments>;
  /** Invokes a function directly, as an operator may. @throws FunctionFailed */
  invoke(functionName: FunctionName, event: unknown): Promise<unknown>;
  /** Lets running requests finish within a moment, and closes everything. */
  close(): Promise<void>;
}

const REPOSITORY = new URL('../../', import.meta.url);
const GRACE_MS = 700;
/** The sample's port follows the service's, so that its published address holds over restarts. */
const SAMPLE_PORT_OFFSET = 10_000;

/**
 * The whole service on this machine: embedded AWS, each function in its thread (those without routes from
 * their first event on), the gateway before them, and the sample target API behind them.
 * @throws StartRefused if the port or the data folder cannot be used
 * @throws FunctionFailed if a function with routes does not start. Nothing is left running in either case.
 */
export const startService = async (settings: ServiceSettings): Promise<Service> => {
  const running = new Map<string, LocalFunction>();
  const invoke = (name: string, event: string): Promise<string> => {
    const found = running.get(name);
    return found ? found.invoke(event) : Promise.reject(new Error(`there is no function ${name}`));
  };
  // The gateway is opened first: every address contains its port.
  const gateway = await openGateway(settings, invoke);
  const baseUrl = `http://127.0.0.1:${gateway.port}/v1`;

  const openingAws = openAws(settings, invoking(running), (name) => running.has(name));
  const openingSample = startSampleApi((gateway.port + SAMPLE_PORT_OFFSET) % 65_536);
  const start = async (name: FunctionName): Promise<StartArguments> =>
    startArguments(name, baseUrl, settings, await openingAws, gateway.port);

  const subscriptions = new Map<FunctionName, LogSubscription>();
  let withdrawOperatorAccess = () => {};

  const close = async () => {
    withdrawOperatorAccess();
    await gateway.close(GRACE_MS);
    await openingAws.then((aws) => aws.pauseEvents(GRACE_MS)).catch(() => undefined);
    await Promise.all([...subscriptions.values()].map((one) => one.close()));
    await Promise.all([...running.values()].map((fn) => fn.close()));
    const opened = await Promise.allSettled([openingAws, openingSample]);
    await Promise.all(opened.map((part) => part.status === 'fulfilled' && part.value.close()));
  };
  try {
    for (const name of functionNames()) {
      const { entry, memoryMb, timeoutSeconds, routes } = functions[name];
      const own = {
        name,
        entry: settings.bundles?.[name] ?? new URL(entry, REPOSITORY),
        memoryMb,
        timeoutSeconds,
        start: start(name),
        logged: () => subscriptions.get(name)?.notice(),
        // Functions without routes are never waited for by a page, and most of them run seldom.
        onDemand: routes.length === 0,
      };
      running.set(name, openFunction(settings, own));
    }
    for (const network of settings.networks ?? []) {
      const exceptPorts = openingAws.then(({ ports }) => [...ports, gateway.port]);
      const { entry, ...own } = networkFunctionOf(network, settings, exceptPorts);
      const fn = { ...own, entry: new URL(entry, REPOSITORY), onDemand: true };
      running.set(fn.name, openFunction(settings, fn));
    }
    const [aws, sample] = await Promise.all([
      openingAws,
      openingSample,
      ...[...running.values()].map((fn) => fn.ready()),
    ]);
    aws.freezeCallers(async (name) => running.get(name)?.thawed());
    for (const name of functionNames()) {
      const { subscription } = functions[name];
      if (!subscription) continue;
      const send = (event: object) => invoke(name, JSON.stringify(event));
      const { to: from, messages } = subscription;
      subscriptions.set(from, openSubscription(settings.dataFolder, { from, messages, send }));
    }
    withdrawOperatorAccess = await offerOperatorAccess(settings.dataFolder, aws);
    return {
      baseUrl,
      sampleApiUrl: sample.url,
      aws,
      startArguments: start,
      invoke: async (name, event) => parsedJson(await invoke(name, JSON.stringify(event))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

const functionNames = () => Object.keys(functions) as FunctionName[];

const openGateway = (
  { port, integrationTimeoutMs }: Pick<ServiceSettings, 'integrationTimeoutMs' | 'port'>,
  invoke: (name: string, event: string) => Promise<string>,
): Promise<Gateway> => {
  const routes = functionNames().flatMap((functionName) =>
    functions[functionName].routes.map((key) => ({ key, functionName })),
  );
  const waits = integrationTimeoutMs !== undefined && { integrationTimeoutMs };
  return startGateway({ port, routes, invoke, ...waits }).catch((error: unknown) => {
    const why =
      codeOf(error) === 'EADDRINUSE' ? 'something else listens there already' : inWords(error);
    throw new StartRefused(
      `Port ${port} cannot be used: ${why}. Set PORT to another one, or to 0 for any free port.`,
    );
  });
};

const invoking =
  (running: ReadonlyMap<string, LocalFunction>): InvokeHandler =>
  async (name, payload) => {
    const found = running.get(name);
    if (!found) return undefined;
    return found.invoke(payload).then(
      (result) => ({ payload: result }),
      (error: unknown) => ({
        payload: JSON.stringify({ errorMessage: inWords(error) }),
        functionError: 'Unhandled',
      }),
    );
  };

const openFunction = (
  { dataFolder, settings, verbose: isShown = false, runFunction = localFunction }: ServiceSettings,
  own: Omit<Parameters<typeof localFunction>[0], 'log'>,
): LocalFunction => {
  const retentionDays = readLimits(settings?.LIMITS).log_retention_days;
  try {
    return runFunction({ ...own, log: { folder: logsIn(dataFolder), retentionDays, isShown } });
  } catch (error) {
    throw startFault(dataFolder, error);
  }
};

const logsIn = (dataFolder: string): string => join(dataFolder, 'logs');

/** Sends a function's log lines to a subscriber. The position is in a file beside the folder of logs. */
const openSubscription = (
  dataFolder: string,
  settings: Omit<SubscriptionSettings, 'folder' | 'positionFile'>,
): LogSubscription =>
  openLogSubscription({
    ...settings,
    folder: logsIn(dataFolder),
    positionFile: join(dataFolder, `${settings.from}-lines-sent.json`),
  });

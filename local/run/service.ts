import { join } from 'node:path';
import { buckets, type FunctionName, functions, tables } from '../../lambdas/manifest.ts';
import { type EmbeddedAws, type InvokeHandler, startEmbeddedAws } from '../aws/index.ts';
import { type LocalFunction, localFunction, type StartArguments } from '../functions/index.ts';
import { openLogFile } from '../functions/log-file.ts';
import { type Gateway, startGateway } from '../gateway/index.ts';
import { startSampleApi } from '../sample/index.ts';
import { unusable } from './data-folder.ts';
import { codeOf, inWords, StartRefused } from './start-refused.ts';

export interface ServiceSettings {
  /** 0 picks a free one. */
  readonly port: number;
  readonly dataFolder: string;
  /** JSON */
  readonly limits: string;
  /** JSON */
  readonly allowedRedirectUris?: string;
  /** Receives what the functions write, besides their log files. */
  readonly show: (chunk: Uint8Array) => void;
}

export interface Service {
  /** Ends in `/v1`. Source: D1. */
  readonly baseUrl: string;
  readonly sampleApiUrl: string;
  readonly aws: EmbeddedAws;
  /** What a function was started with, for whoever starts another instance of it. */
  startArguments(functionName: FunctionName): Promise<StartArguments>;
  /** Invokes a function directly, as an operator may. @throws FunctionFailed */
  invoke(functionName: FunctionName, event: unknown): Promise<unknown>;
  /** Lets requests under way finish, unless they take longer than a moment, and closes everything. */
  close(): Promise<void>;
}

const REPOSITORY = new URL('../../', import.meta.url);
const NAME_PREFIX = 'hosted-mcp-';
const SIGNING_KEY = `alias/${NAME_PREFIX}signing`;
const CREDENTIALS_KEY = `alias/${NAME_PREFIX}credentials`;
const MAIL_FROM = 'hosted-mcp@localhost';
const MAX_LOG_BYTES = 5 * 1024 * 1024;
const GRACE_MS = 700;
/** The sample's port goes with the service's, so that its published address holds over restarts. */
const SAMPLE_PORT_OFFSET = 10_000;

/**
 * The whole service on this machine: embedded AWS, each function in its thread, the gateway before
 * them, and the sample target API behind them.
 *
 * @throws StartRefused if the port or the data folder cannot be used
 * @throws FunctionFailed if a function does not start. Nothing is left running in either case.
 */
export const startService = async (settings: ServiceSettings): Promise<Service> => {
  const running = new Map<string, LocalFunction>();
  const invoke = (name: string, event: string): Promise<string> => {
    const found = running.get(name);
    return found ? found.invoke(event) : Promise.reject(new Error(`there is no function ${name}`));
  };
  // The port first: every address is made of it.
  const gateway = await openGateway(settings.port, invoke);
  const baseUrl = `http://127.0.0.1:${gateway.port}/v1`;

  const openingAws = openAws(settings.dataFolder, invoking(running));
  const openingSample = startSampleApi((gateway.port + SAMPLE_PORT_OFFSET) % 65_536);
  const start = async (name: FunctionName): Promise<StartArguments> =>
    startArguments(name, baseUrl, settings, await openingAws, gateway.port);

  const close = async () => {
    await gateway.close(GRACE_MS);
    await Promise.all([...running.values()].map((fn) => fn.close()));
    const opened = await Promise.allSettled([openingAws, openingSample]);
    await Promise.all(opened.map((part) => part.status === 'fulfilled' && part.value.close()));
  };
  try {
    for (const name of functionNames())
      running.set(name, openFunction(name, settings, start(name)));
    const [aws, sample] = await Promise.all([
      openingAws,
      openingSample,
      ...[...running.values()].map((fn) => fn.ready()),
    ]);
    return {
      baseUrl,
      sampleApiUrl: sample.url,
      aws,
      startArguments: start,
      invoke: async (name, event) => JSON.parse(await invoke(name, JSON.stringify(event))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

const functionNames = () => Object.keys(functions) as FunctionName[];

const openGateway = (
  port: number,
  invoke: (name: string, event: string) => Promise<string>,
): Promise<Gateway> => {
  const routes = functionNames().flatMap((functionName) =>
    functions[functionName].routes.map((key) => ({ key, functionName })),
  );
  return startGateway({ port, routes, invoke }).catch((error: unknown) => {
    const why =
      codeOf(error) === 'EADDRINUSE' ? 'something else listens there already' : inWords(error);
    throw new StartRefused(
      `Port ${port} cannot be used: ${why}. Set PORT to another one, or to 0 for any free port.`,
    );
  });
};

/** Functions invoke each other as they would on AWS. */
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

const openAws = async (dataFolder: string, onInvoke: InvokeHandler): Promise<EmbeddedAws> => {
  try {
    const aws = await startEmbeddedAws({ dataFolder });
    aws.onInvoke(onInvoke);
    await aws.createTables(tables, NAME_PREFIX);
    await aws.createBucket(`${NAME_PREFIX}descriptions`, buckets.descriptions.expires);
    await aws.createSigningKey(SIGNING_KEY);
    await aws.createEncryptionKey(CREDENTIALS_KEY);
    return aws;
  } catch (error) {
    throw unusable(dataFolder, error);
  }
};

const openFunction = (
  name: FunctionName,
  { dataFolder, show }: ServiceSettings,
  start: Promise<StartArguments>,
): LocalFunction => {
  const { entry, memoryMb, timeoutSeconds } = functions[name];
  const file = openLog(dataFolder, name);
  const log = (chunk: Uint8Array) => {
    file.write(chunk);
    show(chunk);
  };
  const url = new URL(entry, REPOSITORY);
  const fn = localFunction({ name, entry: url, memoryMb, timeoutSeconds, start, log });
  const close = async () => {
    await fn.close();
    file.close();
  };
  return { ...fn, close };
};

const openLog = (dataFolder: string, name: FunctionName) => {
  try {
    return openLogFile(join(dataFolder, 'logs', `${name}.log`), MAX_LOG_BYTES);
  } catch (error) {
    throw unusable(dataFolder, error);
  }
};

const startArguments = (
  name: FunctionName,
  baseUrl: string,
  { limits, allowedRedirectUris = '' }: ServiceSettings,
  aws: EmbeddedAws,
  gatewayPort: number,
): StartArguments => {
  const values: Readonly<Record<string, string>> = {
    BASE_URL: baseUrl,
    LIMITS: limits,
    DESCRIPTIONS_BUCKET: `${NAME_PREFIX}descriptions`,
    SIGNING_KEY_ID: SIGNING_KEY,
    MAIL_FROM,
    ALLOWED_REDIRECT_URIS: allowedRedirectUris,
    ROOT_AUTHORIZATION_SERVER: 'false',
    CREDENTIAL_STORE: 'secrets-manager',
    CREDENTIAL_PREFIX: `${NAME_PREFIX}credentials`,
    CREDENTIALS_KEY_ID: CREDENTIALS_KEY,
    CREDENTIALS_FUNCTION: 'credentials:live' satisfies `${FunctionName}:live`,
    ROUTER_FUNCTION: 'router:live' satisfies `${FunctionName}:live`,
    ...Object.fromEntries(Object.keys(tables).map((table) => tableVariable(table))),
  };
  const own = functions[name].environment.map((variable) => {
    const value = values[variable];
    if (value === undefined) throw new Error(`${name} asks for ${variable}, which nothing sets`);
    return [variable, value] as const;
  });
  return {
    environment: { ...Object.fromEntries(own), ...aws.environment(name) },
    // Target APIs may be on this machine, but neither the embedded AWS nor the service itself.
    options: { targets: { loopback: { exceptPorts: [...aws.ports, gatewayPort] } } },
  };
};

/** `deployment-content` is what `DEPLOYMENT_CONTENT_TABLE` names. */
const tableVariable = (table: string) => [
  `${table.toUpperCase().replaceAll('-', '_')}_TABLE`,
  `${NAME_PREFIX}${table}`,
];

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aMachine } from '../../local/fixtures/start.ts';
import { bundlesFolder } from '../aws/bundles.ts';
import type { SignIn } from '../oauth/form-browser.ts';

/** The service as a person starts it, in a process of its own; it runs what is deployed. */
export interface RunningService extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly port: number;
  /** The account that the first start made. */
  owner(): Promise<SignIn>;
  /** What a function has logged so far. */
  log(functionName: string): Promise<string>;
  /** Stops it as Ctrl-C does and starts it again, on the same port and data. */
  restart(meanwhile?: (dataFolder: string) => Promise<void>): Promise<RunningService>;
  stop(): Promise<void>;
}

export interface ServiceSettings {
  /** Of the command line. */
  readonly args?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
}

/** More requests than any test sends. */
export const NO_REQUEST_LIMIT = {
  public_requests_per_minute_per_ip: 1_000_000,
  invalid_tokens_per_minute_per_ip: 1_000_000,
  management_requests_per_minute_per_user: 1_000_000,
};

/**
 * Starts the service on a free port and a new data folder.
 *
 * @throws Error with what it printed, if it ends before it is ready
 */
export const startService = async (settings: ServiceSettings = {}): Promise<RunningService> => {
  const { args = [], limits = NO_REQUEST_LIMIT } = settings;
  const machine = aMachine(await bundlesFolder());
  const dataFolder = await machine.folder();
  const environment = {
    HOSTED_MCP_DATA: dataFolder,
    HOSTED_MCP_LIMITS: JSON.stringify(limits),
  };

  const start = async (wantedPort: number): Promise<RunningService> => {
    const started = machine.start({ ...environment, PORT: String(wantedPort) }, args);
    const baseUrl = await started.ready();
    const port = Number(new URL(baseUrl).port);
    const end = () => {
      started.process.kill('SIGINT');
      return started.ended();
    };
    const stop = async () => {
      await end();
      await machine.cleanUp();
    };
    return {
      baseUrl,
      port,
      owner: async () => JSON.parse(await readFile(join(dataFolder, 'owner.json'), 'utf8')),
      log: (name) => logOf(dataFolder, name),
      restart: async (meanwhile) => {
        await end();
        await meanwhile?.(dataFolder);
        return start(port);
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  };
  return start(0);
};

/** All that a function has logged, day after day. */
export const logOf = async (dataFolder: string, name: string): Promise<string> => {
  const folder = join(dataFolder, 'logs');
  const files = (await readdir(folder)).filter((file) => file.startsWith(`${name}-`)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.join('');
};

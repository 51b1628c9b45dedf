import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aMachine } from '../local/fixtures/start.ts';

/** The service as a person starts it, in a process of its own. */
export interface RunningService {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly port: number;
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
export const NO_REQUEST_LIMIT = { public_requests_per_minute_per_ip: 1_000_000 };

/**
 * Starts the service on a free port and a new data folder.
 *
 * @throws Error with what it printed, if it ends before it is ready
 */
export const startService = async (settings: ServiceSettings = {}): Promise<RunningService> => {
  const { args = [], limits = NO_REQUEST_LIMIT } = settings;
  const machine = aMachine();
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
    return {
      baseUrl,
      port,
      log: (name) => readFile(join(dataFolder, 'logs', `${name}.log`), 'utf8'),
      restart: async (meanwhile) => {
        await end();
        await meanwhile?.(dataFolder);
        return start(port);
      },
      stop: async () => {
        await end();
        await machine.cleanUp();
      },
    };
  };
  return start(0);
};

import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** All that the program knows of the machine it runs on, besides files. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** How the person starts this program; `npx --no-install hosted-mcp` if omitted. */
  readonly program?: string;
  /** The data folder of `npm start`, where there is a checkout. */
  readonly localData?: string;
  /** The folder of the files of stages, where there is a checkout. */
  readonly stages?: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly fetch: Fetch;
  /** Shows an address in the person's browser, if that can be; nobody waits for it. */
  readonly browse?: (address: string) => void;
  /** Aborted once the person ends the program, as with Ctrl-C; a second time ends it at once. */
  readonly interrupted?: () => AbortSignal;
  readonly now: () => number;
  /** A session's token, where the program runs inside of another that signs in by itself. */
  readonly token?: () => Promise<string>;
}

export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

export type Screen = Writable & { readonly isTTY?: boolean };

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // `start` of the shell would read what is in the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Does nothing where there is no browser: the address was printed, too. */
export const browse = (address: string): void => {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
};

/** Aborted by the first signal that ends programs; the next one has its usual effect. */
export const interrupted = (): AbortSignal => {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => ending.abort());
  }
  return ending.signal;
};

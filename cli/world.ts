import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** The machine as the program sees it, besides files. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** How the person starts this program; `npx --no-install hosted-mcp` if omitted. */
  readonly program?: string;
  readonly localData?: string;
  readonly stages?: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly fetch: Fetch;
  /** Opens an address in the person's browser if possible, without waiting. */
  readonly browse?: (address: string) => void;
  /** Aborted by the first Ctrl-C or signal; a second one ends the program. */
  readonly interrupted?: () => AbortSignal;
  readonly now: () => number;
  /** Gives a session's token, where another program runs this one and signs in by itself. */
  readonly token?: () => Promise<string>;
}

export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

export type Screen = Writable & { readonly isTTY?: boolean };

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // The shell's `start` would interpret the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Without a browser nothing happens: the address was printed, too. */
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

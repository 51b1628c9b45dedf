import type { Ended } from './program.ts';

/** What one client is given to connect. */
export interface Visit {
  /** Of a deployment that is this client's alone. */
  readonly url: string;
  /** The beginning of an address that a person is sent to for a login. */
  readonly issuer: string;
  /** Where the client keeps what it keeps. */
  readonly home: string;
  /** Runs a file of the client's package. */
  run(file: string, ...args: readonly string[]): Promise<Ended>;
  /** The same; a person signs in as soon as it asks for that. */
  runWithLogin(file: string, ...args: readonly string[]): Promise<Ended>;
  /** The path of a file of the client's package. */
  path(file: string): Promise<string>;
  /** What a client is started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Signs in at an address of the authorization server. @returns where the browser is sent back to */
  signIn(address: string): Promise<URL>;
}

export interface RealClient {
  /** As it is chosen on the command line. */
  readonly id: string;
  readonly name: string;
  /** On npm, with its version; a dependency of this repository if omitted. */
  readonly package?: string;
  /** Connects to a public deployment. @returns what it said, of which a word or two @throws Error if it could not */
  open(visit: Visit): Promise<string>;
  /** The same where there is a login; omitted if it signs in within a session with a model only. */
  login?(visit: Visit): Promise<string>;
}

/** @throws Error with the end of what a client wrote, if that is not as expected */
export const expecting = ({ text, isLate }: Ended, expected: RegExp): string => {
  const found = expected.exec(text)?.[0];
  if (found !== undefined) return found.replaceAll(/\s+/g, ' ').trim();
  const said = text.trim().split('\n').slice(-3).join(' ').replaceAll(/\s+/g, ' ');
  throw new Error(`${isLate ? 'never ended: ' : ''}${said.slice(-300)}`);
};

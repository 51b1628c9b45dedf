import { Fault, type Neighbour } from '../../domain/fault.ts';

/** Where a service of AWS is and who we are to it. Without `endpoint`: AWS itself. */
export interface AwsAccess {
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  readonly endpoint?: string;
}

/** Milliseconds. */
const CONNECT_MS = 1000;

/** How long a client waits: for a whole answer, and for something new of it. */
export const patience = (answerMs: number, silenceMs = answerMs) => ({
  connectionTimeout: CONNECT_MS,
  requestTimeout: answerMs,
  throwOnRequestTimeout: true,
  socketTimeout: silenceMs,
});

/** Opens something at its first use, since most requests need none of it, and keeps it. */
export const onDemand = <Opened>(open: () => Promise<Opened>): (() => Promise<Opened>) => {
  let opened: Promise<Opened> | undefined;
  return () => (opened ??= open());
};

export const nameOf = (error: unknown): string =>
  error instanceof Error ? error.name : 'unknown error';

/** What a failed call ends in. Only the error's name goes into the message: its text may quote values. */
export const faultOf =
  (neighbour: Neighbour) =>
  (cause: unknown): never => {
    throw new Fault(neighbour, nameOf(cause), cause);
  };

import { DeadlineExceeded, Fault, type Neighbour } from '../rules/fault.ts';
import type { TimeLeft } from '../rules/time-left.ts';
import { inTime, type SdkClient } from '../system/clock.ts';

/** Where a service of AWS is and who we are to it. Without `endpoint`: AWS itself. */
export interface AwsAccess {
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  readonly endpoint?: string;
  /** No call takes longer; if omitted, calls know only the limits of their clients. */
  readonly timeLeft?: TimeLeft;
}

const CONNECT_MS = 1000;
/** A stand-in shares a machine with all that asks it. */
const LONGER_FOR_A_STAND_IN = 4;

/** How long a client waits, in milliseconds: for a whole answer, and for something new of it. */
export const timeouts = (
  { endpoint }: Pick<AwsAccess, 'endpoint'>,
  answerMs: number,
  silenceMs = answerMs,
) => {
  const times = endpoint === undefined ? 1 : LONGER_FOR_A_STAND_IN;
  return {
    connectionTimeout: CONNECT_MS * times,
    requestTimeout: answerMs * times,
    throwOnRequestTimeout: true,
    socketTimeout: silenceMs * times,
  };
};

export interface ClientSettings extends Omit<AwsAccess, 'timeLeft'> {
  readonly maxAttempts: number;
  readonly requestHandler: ReturnType<typeof timeouts>;
}

export interface ClientOptions {
  readonly answerMs: number;
  /** Milliseconds without anything new; as long as the answer if omitted. */
  readonly silenceMs?: number;
  /** Two if omitted. */
  readonly maxAttempts?: number;
}

/** Opens something at its first use, since most requests need none of it, and keeps it. */
const onDemand = <Opened>(open: () => Promise<Opened>): (() => Promise<Opened>) => {
  let opened: Promise<Opened> | undefined;
  return () => (opened ??= open());
};

/**
 * A client of the SDK, loaded and made at its first use: most requests need none, and it would take a good
 * part of a cold start.
 *
 * @param load - imports what is used of the SDK
 */
export const sdkClient = <Sdk, Client extends SdkClient>(
  load: () => Promise<Sdk>,
  make: (sdk: Sdk, settings: ClientSettings) => Client,
  { timeLeft, ...access }: AwsAccess,
  { answerMs, silenceMs, maxAttempts = 2 }: ClientOptions,
): (() => Promise<{ readonly sdk: Sdk; readonly client: Client }>) =>
  onDemand(async () => {
    const sdk = await load();
    const requestHandler = timeouts(access, answerMs, silenceMs);
    const client = make(sdk, { ...access, maxAttempts, requestHandler });
    return { sdk, client: inTime(client, timeLeft) };
  });

export const errorName = (error: unknown): string =>
  error instanceof Error ? error.name : 'unknown error';

/** What a failed call ends in. Only the error's name goes into the message: its text may quote values. */
export const faultOf =
  (neighbour: Neighbour) =>
  (cause: unknown): never => {
    if (cause instanceof DeadlineExceeded) throw new DeadlineExceeded(neighbour);
    throw new Fault(neighbour, errorName(cause), cause);
  };

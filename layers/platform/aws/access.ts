import { DeadlineExceeded, Fault, type Neighbour } from '../rules/fault.ts';
import { once } from '../rules/once.ts';
import type { TimeLeft } from '../rules/time-left.ts';
import { inTime, type SdkClient } from '../system/clock.ts';

export interface AwsAccess {
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  readonly endpoint?: string;
  /** Limits the duration of calls; if omitted, only the clients' timeouts do. */
  readonly timeLeft?: TimeLeft;
}

const CONNECT_MS = 1000;
/** Factor for emulated endpoints, which share a machine with their callers. */
const LONGER_FOR_A_STAND_IN = 4;

/** Timeouts of a client in milliseconds: for the complete answer, and between two chunks of it. */
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
  /** Milliseconds between two chunks; as `answerMs` if omitted. */
  readonly silenceMs?: number;
  readonly maxAttempts?: number;
}

/** Creates an SDK client at its first use, to keep it out of cold starts. @param load - imports the used parts */
export const sdkClient = <Sdk, Client extends SdkClient>(
  load: () => Promise<Sdk>,
  make: (sdk: Sdk, settings: ClientSettings) => Client,
  { timeLeft, ...access }: AwsAccess,
  { answerMs, silenceMs, maxAttempts = 2 }: ClientOptions,
): (() => Promise<{ readonly sdk: Sdk; readonly client: Client }>) =>
  once(async () => {
    const sdk = await load();
    const requestHandler = timeouts(access, answerMs, silenceMs);
    const client = make(sdk, { ...access, maxAttempts, requestHandler });
    return { sdk, client: inTime(client, timeLeft) };
  });

export const errorName = (error: unknown): string =>
  error instanceof Error ? error.name : 'unknown error';

/** Turns an error into a Fault whose message contains the error's name only, since its text may quote values. */
export const faultOf =
  (neighbour: Neighbour) =>
  (cause: unknown): never => {
    if (cause instanceof DeadlineExceeded) throw new DeadlineExceeded(neighbour);
    throw new Fault(neighbour, errorName(cause), cause);
  };

import type {
  SecretsManagerClient,
  SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { Fault } from '../../domain/fault.ts';

/** Where the service is and who we are to it. Without `endpoint`: AWS itself. */
export type SecretsAccess = Required<Pick<SecretsManagerClientConfig, 'credentials' | 'region'>> &
  Pick<SecretsManagerClientConfig, 'endpoint'>;

export interface Secrets {
  readonly sdk: typeof import('./sdk.ts');
  readonly client: SecretsManagerClient;
}

/** Milliseconds. Short, so that two attempts end before whoever waits for them gives up. */
const CONNECT_MS = 1000;
const ANSWER_MS = 1500;

/** The SDK is loaded at the first use. */
export const secretsClient = (access: SecretsAccess): (() => Promise<Secrets>) => {
  let opened: Promise<Secrets> | undefined;
  return () => (opened ??= connect(access));
};

const connect = async (access: SecretsAccess): Promise<Secrets> => {
  const sdk = await import('./sdk.ts');
  const client = new sdk.SecretsManagerClient({
    ...access,
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: ANSWER_MS,
    },
  });
  return { sdk, client };
};

export const nameOf = (error: unknown): string =>
  error instanceof Error ? error.name : 'unknown error';

/** The cause is not kept: what the SDK throws may carry the request, and in it the secret. */
export const secretsFault = (cause: unknown): never => {
  throw new Fault('secrets-manager', nameOf(cause));
};

import type { KMSClient, KMSClientConfig } from '@aws-sdk/client-kms';
import { Fault } from '../../domain/fault.ts';

/** Where the service is and who we are to it. Without `endpoint`: AWS itself. */
export type KmsAccess = Required<Pick<KMSClientConfig, 'credentials' | 'region'>> &
  Pick<KMSClientConfig, 'endpoint'>;

export interface Kms {
  readonly sdk: typeof import('./sdk.ts');
  readonly client: KMSClient;
}

/** Milliseconds. */
const CONNECT_MS = 1000;
const ANSWER_MS = 3000;

/** The SDK is loaded at the first use: most requests need no key. */
export const kmsClient = (access: KmsAccess): (() => Promise<Kms>) => {
  let opened: Promise<Kms> | undefined;
  return () => (opened ??= connect(access));
};

const connect = async (access: KmsAccess): Promise<Kms> => {
  const sdk = await import('./sdk.ts');
  const client = new sdk.KMSClient({
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

export const kmsFault = (cause: unknown): never => {
  throw new Fault('kms', cause instanceof Error ? cause.name : 'unknown error', cause);
};

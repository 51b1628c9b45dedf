import { Fault } from '../../domain/fault.ts';
import { type AwsAccess, nameOf, onDemand, patience } from '../aws/access.ts';

export type Secrets = Awaited<ReturnType<ReturnType<typeof secretsClient>>>;

/** Milliseconds. Short, so that two attempts end before whoever waits for them gives up. */
const ANSWER_MS = 1500;

/** Loads the SDK at the first use. */
export const secretsClient = (access: AwsAccess) =>
  onDemand(async () => {
    const sdk = await import('./sdk.ts');
    const requestHandler = patience(ANSWER_MS);
    const client = new sdk.SecretsManagerClient({ ...access, maxAttempts: 2, requestHandler });
    return { sdk, client };
  });

/** The cause is not kept: what the SDK throws may carry the request, and in it the secret. */
export const secretsFault = (cause: unknown): never => {
  throw new Fault('secrets-manager', nameOf(cause));
};

import { Fault } from '../../platform/rules/fault.ts';
import { type AwsAccess, errorName, sdkClient } from '../../platform/aws/access.ts';

export type Secrets = Awaited<ReturnType<ReturnType<typeof secretsClient>>>;

/** Milliseconds. Short, so that two attempts end before whoever waits for them gives up. */
const ANSWER_MS = 1500;

export const secretsClient = (access: AwsAccess) =>
  sdkClient(
    () => import('./secrets-sdk.ts'),
    (sdk, settings) => new sdk.SecretsManagerClient(settings),
    access,
    { answerMs: ANSWER_MS },
  );

/** Without the cause: what the SDK throws may carry the request, and in it the secret. */
export const secretsFault = (cause: unknown): never => {
  throw new Fault('secrets-manager', errorName(cause));
};

/** No such secret, no such version, or it is being deleted. */
export const GONE: readonly string[] = ['ResourceNotFoundException', 'InvalidRequestException'];

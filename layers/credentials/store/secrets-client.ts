import { connectedPrefix } from '../rules/credential-stores.ts';
import type { CredentialPlace } from '../rules/credential-access.ts';
import { MAIN } from '../rules/credential-name.ts';
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

/**
 * Below the prefix, the deployment's id, and the credential's name where it has one. What `connections` alone may read
 * has a prefix of its own, which policies tell apart.
 */
export const secretName = (prefix: string, { deploymentId, name, from }: CredentialPlace): string =>
  from === 'connections'
    ? `${connectedPrefix(prefix)}/${deploymentId}/${name}`
    : `${prefix}/${deploymentId}${name === MAIN ? '' : `/${name}`}`;

/** No such secret, no such version, or it is being deleted. */
export const GONE: readonly string[] = ['ResourceNotFoundException', 'InvalidRequestException'];

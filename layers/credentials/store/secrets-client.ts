import { connectedPrefix } from '../rules/credential-stores.ts';
import type { CredentialPlace } from '../rules/credential-access.ts';
import { MAIN } from '../rules/credential-name.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { type AwsAccess, errorName, sdkClient } from '../../platform/aws/access.ts';

export type Secrets = Awaited<ReturnType<ReturnType<typeof secretsClient>>>;

/** Milliseconds: short, so that two attempts end before the caller's timeout. */
const ANSWER_MS = 1500;

export const secretsClient = (access: AwsAccess) =>
  sdkClient(
    () => import('./secrets-sdk.ts'),
    (sdk, settings) => new sdk.SecretsManagerClient(settings),
    access,
    { answerMs: ANSWER_MS },
  );

/** Drops the cause: errors of the SDK may carry the request, and with it the secret. */
export const secretsFault = (cause: unknown): never => {
  throw new Fault('secrets-manager', errorName(cause));
};

/** Credentials that only `connections` may read have a prefix of their own, by which policies tell them apart. */
export const secretName = (prefix: string, { deploymentId, name, from }: CredentialPlace): string =>
  from === 'connections'
    ? `${connectedPrefix(prefix)}/${deploymentId}/${name}`
    : `${prefix}/${deploymentId}${name === MAIN ? '' : `/${name}`}`;

/** Secret or version missing, or scheduled for deletion. */
export const GONE: readonly string[] = ['ResourceNotFoundException', 'InvalidRequestException'];

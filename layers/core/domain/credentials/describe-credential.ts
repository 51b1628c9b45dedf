import type { DeploymentCredential } from '../deployment.ts';
import type { Credential } from '../target.ts';
import type { EpochSeconds } from '../time.ts';

/** What a deployment says of its credential: everything but what is secret. */
export const describeCredential = (
  credential: Credential,
  version: string,
  setAt: EpochSeconds,
): DeploymentCredential =>
  credential.type === 'api_key'
    ? { type: credential.type, name: credential.name, in: credential.in, version, setAt }
    : { type: credential.type, version, setAt };

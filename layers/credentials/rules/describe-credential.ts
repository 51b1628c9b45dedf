import type { DeploymentCredential } from './deployment-credential.ts';
import type { StoredCredential } from '../../target/rules/target.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

/** What a deployment says of its credential: everything but what is secret. */
export const describeCredential = (
  credential: StoredCredential,
  version: string,
  setAt: EpochSeconds,
): DeploymentCredential => {
  const { type, origins } = credential;
  return type === 'api_key'
    ? { type, name: credential.name, in: credential.in, origins, version, setAt }
    : { type, origins, version, setAt };
};

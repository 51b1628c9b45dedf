import type { CredentialPlace } from '../../credentials/rules/credential-access.ts';
import {
  credentialPlaces,
  type DeploymentCredential,
  namedCredentials,
  namedRef,
} from '../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

/** A possible place of a deployment's credential, and the credential in use there, if any. */
export interface StoredCredentialPlace {
  readonly place: CredentialPlace;
  readonly used: DeploymentCredential | undefined;
}

export const storedCredentials = (deployment: Deployment): readonly StoredCredentialPlace[] => {
  const named = namedCredentials(deployment).map((one) => ({
    place: namedRef(deployment, one),
    credential: one[1],
  }));
  return credentialPlaces(deployment.id, deployment.credentialNames).map((place) => ({
    place,
    used: named.find(({ place: at }) => at.name === place.name && at.from === place.from)
      ?.credential,
  }));
};

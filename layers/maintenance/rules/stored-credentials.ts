import type { CredentialPlace } from '../../credentials/rules/credential-access.ts';
import {
  credentialPlaces,
  type DeploymentCredential,
  namedCredentials,
  namedRef,
} from '../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

/** Where a deployment may have a credential stored, and which it uses of what is there. */
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

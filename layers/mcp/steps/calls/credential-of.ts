import type { Deployment } from '../../../servers/rules/deployment.ts';
import type { StoredCredential } from '../../../target/rules/credential.ts';
import type { Ports } from '../../../ports.ts';
import type { Caller } from './caller.ts';
import type { Sender } from './sender.ts';

/**
 * The credential that calls to a deployment's target carry, if it has one. However often it is called
 * for one request, it asks once.
 *
 * @throws CredentialUnavailable
 */
export type CredentialOf = () => Promise<StoredCredential | undefined>;

export const credentialOf = (
  { credentials }: Pick<Ports, 'credentials'>,
  { id, ownerId, credential }: Deployment,
  { subject }: Caller,
  sender: Sender,
): CredentialOf => {
  let found: Promise<StoredCredential | undefined> | undefined;
  const find = async () =>
    credential &&
    credentials.find(
      { deploymentId: id, ownerId, version: credential.version },
      { user: subject, ...sender },
    );
  return () => (found ??= find());
};

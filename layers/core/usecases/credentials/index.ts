import type { Ports } from '../../ports.ts';
import type { RetrieveCredentialPorts } from './retrieve-credential.ts';

export {
  type CredentialFailure,
  type CredentialRef,
  CredentialUnavailable,
  type CredentialUse,
} from '../../domain/credentials/credential-access.ts';
export { retrieveCredential, type Retrieval } from './retrieve-credential.ts';

export type BrokerPorts = RetrieveCredentialPorts & Pick<Ports, 'log'>;

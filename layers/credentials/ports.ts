import type { EventsPorts } from '../events/ports.ts';
import type { LimitsPorts } from '../limits/ports.ts';
import type { Credentials } from './store/cached-credentials.ts';
import type { CredentialMarks } from './store/credential-marks.ts';
import type {
  CredentialReader,
  CredentialVault,
  CredentialVersions,
  FormerCredentials,
} from './store/stores.ts';

export interface CredentialsPorts extends EventsPorts, LimitsPorts {
  readonly credentialVault: CredentialVault;
  readonly credentialReader: CredentialReader;
  readonly credentials: Credentials;
  readonly credentialVersions: CredentialVersions;
  /** Store that the stage used before, while credentials move out of it. */
  readonly formerCredentials: FormerCredentials | undefined;
  readonly credentialMarks: CredentialMarks;
}

export interface CredentialsSettings {
  /** ARNs of AWS roles that owners may choose; none if absent. */
  readonly assumableRoles?: readonly string[];
  /** ARN of the role that assumes them. */
  readonly connectionsRole?: string;
}

import type { Sealing } from '../../credentials/rules/deployment-credential.ts';
import type { ConnectedKind } from '../../target/rules/credential.ts';
import type { Trust } from '../../target/rules/target.ts';

export interface FetchingDeployment extends Sealing, Trust {
  readonly slug: string;
  /** Version of the credential that descriptions are fetched with; absent: none. */
  readonly version?: string;
  readonly type?: ConnectedKind;
  readonly perCaller?: true;
  /** Names of its other credentials, which are masked as well. */
  readonly names?: readonly string[];
  /** Private network; absent: the public internet. */
  readonly network?: string;
}

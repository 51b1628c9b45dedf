import type { Sealing } from '../../credentials/rules/deployment-credential.ts';
import type { ConnectedKind } from '../../target/rules/credential.ts';
import type { Trust } from '../../target/rules/target.ts';

export interface FetchingDeployment extends Sealing, Trust {
  readonly slug: string;
  /** Of its credential; absent: it is fetched without. */
  readonly version?: string;
  /** Set where others give tokens for it. */
  readonly type?: ConnectedKind;
  readonly perCaller?: true;
  /** Of its other credentials, of which nothing may be told either. */
  readonly names?: readonly string[];
  /** Its private network; absent: it is fetched over the public internet. */
  readonly network?: string;
}

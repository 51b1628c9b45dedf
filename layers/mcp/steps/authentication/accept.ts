import type { TokenHolder } from '../rpc-call.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { AccessToken } from '../../../tokens/rules/oauth-records.ts';

/** Who holds a token that a deployment was shown. @throws InvalidToken */
export type Accept<AcceptPorts> = (
  ports: AcceptPorts,
  token: string,
  shown: { readonly deployment: Deployment; readonly prefetched: PrefetchedToken },
) => Promise<Accepted>;

export type Accepted = Omit<TokenHolder, 'kind' | 'resourceMetadataUrl'>;

/** An access token that is being read; undefined if none is. */
export type PrefetchedToken = Promise<AccessToken | undefined> | undefined;

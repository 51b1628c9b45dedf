import type { TokenHolder } from '../rpc-call.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { AccessToken } from '../../../tokens/rules/oauth-records.ts';

/** Identifies the holder of a token. @throws InvalidToken */
export type Accept<AcceptPorts> = (
  ports: AcceptPorts,
  token: string,
  shown: { readonly deployment: Deployment; readonly prefetched: PrefetchedToken },
) => Promise<Accepted>;

export type Accepted = Omit<TokenHolder, 'kind' | 'resourceMetadataUrl'>;

/** A read of the access token that is under way; undefined if none was started. */
export type PrefetchedToken = Promise<AccessToken | undefined> | undefined;

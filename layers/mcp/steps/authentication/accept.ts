import type { Deployment } from '../../../servers/rules/deployment.ts';
import type { TokenHolder } from '../calls/caller.ts';
import type { PrefetchedToken } from '../prefetch-access-token.ts';

/** Who holds a token that a deployment was shown. @throws InvalidToken */
export type Accept<AcceptPorts> = (
  ports: AcceptPorts,
  token: string,
  shown: { readonly deployment: Deployment; readonly prefetched: PrefetchedToken },
) => Promise<Accepted>;

export type Accepted = Omit<TokenHolder, 'kind' | 'resourceMetadataUrl'>;

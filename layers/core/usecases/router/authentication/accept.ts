import type { Deployment } from '../../../domain/deployments/deployment.ts';
import type { Holder } from '../calls/caller.ts';
import type { Ahead } from '../read-ahead.ts';

/** Who holds a token that a deployment was shown. @throws InvalidToken */
export type Accept<AcceptPorts> = (
  ports: AcceptPorts,
  token: string,
  shown: { readonly deployment: Deployment; readonly ahead: Ahead },
) => Promise<Accepted>;

export type Accepted = Omit<Holder, 'kind' | 'resourceMetadataUrl'>;

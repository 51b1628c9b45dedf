import {
  authenticationFault,
  challengeOf,
  invalidClient,
  isDocumentUrl,
  isRegisteredId,
  type OAuthClient,
  type PresentedClient,
} from '../../domain/oauth/index.ts';
import type { Ports } from '../../ports.ts';
import { clientAtAddress, countRequest, type CountRequestPorts } from './count-request.ts';

export type AuthenticateClientPorts = CountRequestPorts & Pick<Ports, 'clients' | 'events'>;

/** What /token needs to know of a client. */
export type ProvenClient =
  | (Pick<OAuthClient, 'id' | 'authMethod' | 'expiresAt'> & { readonly source: 'registration' })
  | (Pick<OAuthClient, 'id' | 'authMethod'> & { readonly source: 'metadata_document' });

/**
 * The client that a request to /token comes from, proven with the method it registered. Clients
 * with a metadata document are public: that a code or token is theirs is all there is to prove, so
 * the document is not needed here.
 *
 * @param sourceIp - as the gateway saw it
 * @throws OAuthRefusal invalid_client, too_many_requests
 *
 * Source: RFC 6749 §3.2.1; docs/decisions.md, "Client authentication", "Client metadata documents".
 */
export const authenticateClient = async (
  ports: AuthenticateClientPorts,
  presented: PresentedClient,
  sourceIp: string,
): Promise<ProvenClient> => {
  const { id, method } = presented;
  const challenge = challengeOf(method);
  if (isDocumentUrl(id) && method === 'none') {
    return { id, source: 'metadata_document', authMethod: 'none' };
  }
  const client = isRegisteredId(id) ? await ports.clients.find(id) : undefined;
  if (!client) throw invalidClient('unknown client', challenge);

  const fault = authenticationFault(presented, client);
  if (fault === undefined) return { ...client, source: 'registration' };
  // Counted per address, so that a stranger's failures never keep the client itself out.
  await countRequest(ports, 'token_per_minute_per_client', clientAtAddress(id, sourceIp));
  ports.events.record({
    type: 'security',
    event: 'client_authentication_failed',
    subject: id,
    why: fault,
  });
  throw invalidClient(fault, challenge);
};

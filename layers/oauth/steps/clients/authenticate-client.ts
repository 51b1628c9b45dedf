import {
  authenticationFault,
  challengeOf,
  invalidClient,
  type PresentedClient,
} from '../../rules/clients/client-authentication.ts';
import type { Grant, OAuthClient } from '../../../tokens/rules/oauth-records.ts';
import { isDocumentUrl } from '../../rules/clients/client-document.ts';
import { isRegisteredId } from '../../rules/tokens/tokens.ts';
import { checkAssertion, type CheckAssertionPorts } from './check-assertion.ts';
import { clientAtAddress, countRequest } from '../count-request.ts';
import { checkDocumentHost } from './find-client.ts';

export type AuthenticateClientPorts = CheckAssertionPorts;

/** What /token needs to know of a client. */
export type ProvenClient =
  | (Pick<OAuthClient, 'id' | 'authMethod' | 'expiresAt'> & { readonly source: 'registration' })
  | {
      readonly id: string;
      readonly source: 'metadata_document';
      /** What it proved itself with this time. */
      readonly authMethod: 'none' | 'private_key_jwt';
    };

/**
 * The client that a request to /token comes from, proven with the method it registered. Clients
 * with a metadata document sign, or prove nothing here but that a code or token is theirs: whether that
 * will do stands with the consent, so that the document is not needed again.
 *
 * @param sourceIp - the client's address
 * @throws OAuthRefusal invalid_client, too_many_requests
 *
 * Source: RFC 6749 §3.2.1; docs/decisions/oauth.md, "Client authentication", "Client metadata documents".
 */
export const authenticateClient = async (
  ports: AuthenticateClientPorts,
  presented: PresentedClient,
  sourceIp: string,
): Promise<ProvenClient> => {
  const { id, method } = presented;
  const challenge = challengeOf(method);
  checkDocumentHost(ports, id);
  if (presented.method === 'private_key_jwt') {
    await checkAssertion(ports, presented, sourceIp);
    return { id, source: 'metadata_document', authMethod: 'private_key_jwt' };
  }
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

/**
 * Whether a client has proven itself as its user's consent wants it to: one whose document offered signatures
 * alone does not pass without, or its id would be all that a thief of its codes needs.
 *
 * @throws OAuthRefusal invalid_client
 */
export const checkProof = (
  { authMethod }: ProvenClient,
  { clientAuthMethod }: Pick<Grant, 'clientAuthMethod'>,
): void => {
  if (clientAuthMethod === undefined || authMethod === clientAuthMethod) return;
  throw invalidClient('not signed by a client that must sign');
};

/** Whether a client is a public one, whose refresh tokens change with each use. */
export const isPublicClient = (
  { source, authMethod }: ProvenClient,
  { clientAuthMethod }: Pick<Grant, 'clientAuthMethod'>,
): boolean => (source === 'registration' ? authMethod === 'none' : clientAuthMethod === undefined);

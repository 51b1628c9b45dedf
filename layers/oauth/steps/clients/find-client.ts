import { addressSubject } from '../../../platform/rules/subject.ts';
import {
  DOCUMENT_LIMITS,
  isDocumentUrl,
  readClientDocument,
  refusedDocumentHost,
} from '../../rules/clients/client-document.ts';
import { invalidClient } from '../../rules/clients/client-authentication.ts';
import { isRegisteredId } from '../../rules/tokens/tokens.ts';
import type { OAuthClient } from '../../../tokens/rules/oauth-records.ts';
import { takesDocumentOf } from '../../rules/clients/client-document-hosts.ts';
import { unreachable } from '../../rules/clients/client-document-failure.ts';
import { NoAnswer } from '../../../target/rules/target.ts';
import type { Ports } from '../../../ports.ts';
import { countRequest, type CountRequestPorts } from '../count-request.ts';
import { metadataRules } from './metadata-rules.ts';

export type FindClientPorts = Pick<Ports, 'clients' | 'clock' | 'settings' | 'web'>;

/**
 * The client behind an id: registered, or described by the document that the id is the URL of. A
 * document is kept for a while; one that cannot be used is not, and is fetched again when somebody
 * asks. So whoever lets strangers ask counts them first.
 *
 * @throws OAuthRefusal invalid_client, its description fit for a page
 *
 * Source: draft-ietf-oauth-client-id-metadata-document §4; docs/decisions/oauth.md, "Client metadata
 * documents".
 */
export const findClient = async (ports: FindClientPorts, id: string): Promise<OAuthClient> => {
  if (!isRegisteredId(id) && !isDocumentUrl(id)) throw invalidClient('no client id');
  checkDocumentHost(ports, id);
  const known = await ports.clients.find(id);
  if (known) return known;
  if (isRegisteredId(id)) throw invalidClient('unknown client');
  return describedClient(ports, id);
};

/**
 * The same for whoever asks at /token. A document that is known costs nothing; for another one the address is
 * counted, since ids can be made up without end.
 *
 * @param sourceIp - the client's address
 * @throws OAuthRefusal invalid_client, too_many_requests
 */
export const findClientFor = async (
  ports: FindClientPorts & CountRequestPorts,
  id: string,
  sourceIp: string,
): Promise<OAuthClient> => {
  const known = await ports.clients.find(id);
  if (known) return known;
  await countRequest(ports, 'token_per_minute_per_client', addressSubject(sourceIp));
  return findClient(ports, id);
};

/**
 * That the operator takes documents of that host, also one that is remembered.
 *
 * @throws OAuthRefusal invalid_client
 */
export const checkDocumentHost = (
  { settings: { clientDocumentHosts = 'all' } }: Pick<Ports, 'settings'>,
  id: string,
): void => {
  if (isDocumentUrl(id) && !takesDocumentOf(clientDocumentHosts, id)) throw refusedDocumentHost(id);
};

const describedClient = async (
  { clients, clock, settings, web }: FindClientPorts,
  url: string,
): Promise<OAuthClient> => {
  const answer = await web.fetchExactly(url, DOCUMENT_LIMITS).catch((error: unknown) => {
    if (error instanceof NoAnswer) throw unreachable(url, error.reason);
    throw error;
  });
  const client = readClientDocument(url, answer, metadataRules(settings), clock.now());
  await clients.put(client);
  return client;
};

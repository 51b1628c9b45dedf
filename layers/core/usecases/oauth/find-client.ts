import {
  DOCUMENT_LIMITS,
  invalidClient,
  isDocumentUrl,
  isRegisteredId,
  type OAuthClient,
  readClientDocument,
  unreachable,
} from '../../domain/oauth/index.ts';
import { NoAnswer } from '../../domain/target/target.ts';
import type { Ports } from '../../ports.ts';
import { metadataRules } from './metadata-rules.ts';

export type FindClientPorts = Pick<Ports, 'clients' | 'clock' | 'settings' | 'web'>;

/**
 * The client behind an id: registered, or described by the document that the id is the URL of. A
 * document is kept for a while; one that cannot be used is not, and is fetched again when somebody
 * asks. So whoever lets strangers ask counts them first.
 *
 * @throws OAuthRefusal invalid_client, its description fit for a page
 *
 * Source: draft-ietf-oauth-client-id-metadata-document §4; docs/decisions.md, "Client metadata
 * documents".
 */
export const findClient = async (ports: FindClientPorts, id: string): Promise<OAuthClient> => {
  if (!isRegisteredId(id) && !isDocumentUrl(id)) throw invalidClient('no client id');
  const known = await ports.clients.find(id);
  if (known) return known;
  if (isRegisteredId(id)) throw invalidClient('unknown client');
  return describedClient(ports, id);
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

import type { ProvenClient } from '../clients/authenticate-client.ts';
import { clientAtAddress, countRequest, type CountRequestPorts } from '../count-request.ts';

/**
 * Counts a request to /token, so that no stranger spends what a client may ask for. A confidential client is
 * proven and counted by itself. Anybody may speak for a public one: each address is counted apart; where the
 * client is one that all the world shares, each user, once something was shown that is a user's.
 *
 * @throws OAuthRefusal too_many_requests
 *
 * Source: docs/decisions.md, "Limits of the OAuth server", "Client metadata documents".
 */
export const countTokenRequest = (
  ports: CountRequestPorts,
  client: ProvenClient,
  userId: string | undefined,
  sourceIp: string,
): Promise<void> =>
  countRequest(ports, 'token_per_minute_per_client', subjectOf(client, userId, sourceIp));

const subjectOf = (
  { id, source, authMethod }: ProvenClient,
  userId: string | undefined,
  sourceIp: string,
): string => {
  if (source === 'registration' && authMethod !== 'none') return id;
  const user = source === 'metadata_document' ? userId : undefined;
  return user === undefined ? clientAtAddress(id, sourceIp) : `${id} ${user}`;
};

import { addressSubject } from '../../../platform/rules/subject.ts';
import type { Grant } from '../../../tokens/rules/oauth-records.ts';
import type { ProvenClient } from '../clients/authenticate-client.ts';
import { clientAtAddress, countRequest, type CountRequestPorts } from '../count-request.ts';

/**
 * Counts a request to /token, so that no stranger spends what a client may ask for. A confidential client is
 * proven and counted by itself. Anybody may speak for a public one: each address is counted apart; where the
 * client is one that all the world shares, each user, once something was shown that is a user's. Until then the
 * address alone, since such clients can be made up without end.
 *
 * @throws OAuthRefusal too_many_requests
 *
 * Source: docs/decisions/limits.md, "Limits of the OAuth server"; docs/decisions/oauth.md, "Client
 * metadata documents".
 */
export const countTokenRequest = (
  ports: CountRequestPorts,
  client: ProvenClient,
  shown: ShownGrant | undefined,
  sourceIp: string,
): Promise<void> =>
  countRequest(ports, 'token_per_minute_per_client', subjectOf(client, shown, sourceIp));

/** Whose code or token it is that was shown. */
type ShownGrant = Pick<Grant, 'clientId' | 'userId'>;

const subjectOf = (
  { id, source, authMethod }: ProvenClient,
  shown: ShownGrant | undefined,
  sourceIp: string,
): string => {
  if (source === 'registration' && authMethod !== 'none') return id;
  if (source === 'registration') return clientAtAddress(id, sourceIp);
  return shown?.clientId === id ? `${id} ${shown.userId}` : addressSubject(sourceIp);
};

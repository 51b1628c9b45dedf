import { addressSubject } from '../../domain/access/subject.ts';
import type { ProvenClient } from './authenticate-client.ts';
import { countRequest, type CountRequestPorts } from './count-request.ts';

/**
 * Counts a request to /token per client. All the world shares a client that has a metadata document,
 * so that there each user is counted apart, or the address of who shows nothing that is a user's.
 *
 * @throws OAuthRefusal too_many_requests
 *
 * Source: spec, "Limits"; D27.
 */
export const countTokenRequest = (
  ports: CountRequestPorts,
  { id, source }: ProvenClient,
  userId: string | undefined,
  sourceIp: string,
): Promise<void> => {
  const subject = source === 'registration' ? id : `${id} ${userId ?? addressSubject(sourceIp)}`;
  return countRequest(ports, 'token_per_minute_per_client', subject);
};

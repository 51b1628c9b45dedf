import { addressSubject } from '../../domain/access/subject.ts';
import {
  clientIdOf,
  clientSecretOf,
  fingerprint,
  type OAuthClient,
  readRegistration,
} from '../../domain/oauth/index.ts';
import type { Ports } from '../../ports.ts';
import { countRequest, type CountRequestPorts } from './count-request.ts';
import { metadataRules } from './metadata-rules.ts';

export type RegisterPorts = CountRequestPorts & Pick<Ports, 'clients' | 'mint' | 'settings'>;

export interface RegistrationRequest {
  /** JSON, whatever it is. */
  readonly metadata: unknown;
  /** As the gateway saw it. */
  readonly sourceIp: string;
}

export interface Registered {
  readonly client: OAuthClient;
  readonly grantTypes: readonly string[];
  /** Shown this once; undefined for a public client. */
  readonly secret: string | undefined;
}

/**
 * Registers a client.
 *
 * @throws OAuthRefusal too_many_requests, invalid_redirect_uri, invalid_client_metadata
 *
 * Source: RFC 7591 §3; R1 to R4.
 */
export const register = async (
  ports: RegisterPorts,
  { metadata, sourceIp }: RegistrationRequest,
): Promise<Registered> => {
  const { clients, clock, mint, settings } = ports;
  await countRequest(ports, 'registration_per_hour_per_ip', addressSubject(sourceIp));

  const { grantTypes, ...wanted } = readRegistration(metadata, metadataRules(settings));
  const secret = wanted.authMethod === 'none' ? undefined : clientSecretOf(mint.secret());
  const client: OAuthClient = {
    ...wanted,
    id: clientIdOf(mint.id()),
    source: 'registration',
    ...(secret !== undefined && { secret: fingerprint(secret) }),
    createdAt: clock.now(),
  };
  await clients.put(client);
  return { client, grantTypes, secret };
};

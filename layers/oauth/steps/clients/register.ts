import { addressSubject } from '../../../platform/rules/subject.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { clientIdOf, clientSecretOf } from '../../rules/tokens/tokens.ts';
import type { OAuthClient } from '../../../tokens/rules/oauth-records.ts';
import { isHosted } from '../../rules/clients/hosted-clients.ts';
import { readRegistration } from '../../rules/clients/registration.ts';
import { doesWithoutRefresh } from '../../rules/clients/client-metadata.ts';
import { registrationExpiry } from '../../rules/clients/clients.ts';
import type { OauthPorts } from '../../ports.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import { countRequest } from '../count-request.ts';
import { metadataRules } from './metadata-rules.ts';

export interface Registered {
  readonly client: OAuthClient;
  readonly grantTypes: readonly string[];
  readonly offlineAccess: boolean;
  /** Returned only here; undefined for a public client. */
  readonly secret: string | undefined;
}

/**
 * @throws OAuthRefusal too_many_requests, invalid_redirect_uri, invalid_client_metadata
 * Source: RFC 7591 §3; docs/protocol.md, "Registration".
 */
export const register = async (
  ports: PortsOf<typeof countRequest | typeof metadataRules> &
    Pick<OauthPorts, 'clients' | 'random'> & { readonly settings: PlatformSettings },
  { metadata, sourceIp }: { readonly metadata: unknown; readonly sourceIp: string },
): Promise<Registered> => {
  const { clients, clock, random } = ports;
  const limit = isHosted(metadata)
    ? 'hosted_registration_per_hour_per_ip'
    : 'registration_per_hour_per_ip';
  await countRequest(ports, limit, addressSubject(sourceIp));

  const { grantTypes, offlineAccess, ...wanted } = readRegistration(
    metadata,
    await metadataRules(ports),
  );
  const secret = wanted.authMethod === 'none' ? undefined : clientSecretOf(random.secret());
  const createdAt = clock.now();
  const client: OAuthClient = {
    ...wanted,
    id: clientIdOf(random.id()),
    source: 'registration',
    ...(secret !== undefined && { secret: fingerprint(secret) }),
    ...(doesWithoutRefresh(grantTypes) && { withoutRefresh: true }),
    createdAt,
    expiresAt: registrationExpiry(createdAt),
  };
  await clients.put(client);
  return { client, grantTypes, offlineAccess, secret };
};

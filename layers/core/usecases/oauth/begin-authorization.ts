import { addressSubject } from '../../domain/access/subject.ts';
import { authorizationServer } from '../../domain/addresses.ts';
import {
  type AuthorizationRequest,
  fingerprint,
  isDocumentUrl,
  matchesRedirectUri,
  type OAuthClient,
  readWish,
  type SentParameters,
  slugOfResource,
} from '../../domain/oauth/index.ts';
import { OAuthRefusal, PageRefusal, type ReturnTo } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { countRequest, type CountRequestPorts } from './count-request.ts';
import { findClient, type FindClientPorts } from './find-client.ts';
import { findLoginDeployment } from './find-login-deployment.ts';

export type BeginAuthorizationPorts = CountRequestPorts &
  FindClientPorts &
  Pick<Ports, 'authorizationRequests' | 'deployments' | 'mint'>;

export interface AuthorizationQuery {
  readonly sent: SentParameters;
  /** As `encodedState` read it. */
  readonly state: string | undefined;
  /** As the gateway saw it. */
  readonly sourceIp: string;
}

/** How long somebody has for login and consent. Source: D34. */
const TICKET_SECONDS = 600;

/**
 * Checks what a client's browser redirect asks for and keeps it under a ticket: the pages that follow
 * post only that.
 *
 * @throws PageRefusal before client and redirect URI are proven; OAuthRefusal too_many_requests
 * @throws OAuthRefusal with the way back to the client, afterwards
 *
 * Source: OAuth 2.1 §4.1.1; A1, A3; D12, D22, D24, D34.
 */
export const beginAuthorization = async (
  ports: BeginAuthorizationPorts,
  { sent, state, sourceIp }: AuthorizationQuery,
): Promise<{ readonly ticket: string; readonly request: AuthorizationRequest }> => {
  const { authorizationRequests, clock, mint, settings } = ports;
  const address = addressSubject(sourceIp);

  await countRequest(ports, 'authorize_per_hour_per_ip', address);
  const client = await provenClient(ports, sent);
  const redirectUri = provenRedirectUri(client, sent);
  // All the world shares a client that has a metadata document.
  const subject = client.source === 'registration' ? client.id : `${client.id} ${address}`;
  await countRequest(ports, 'authorize_per_minute_per_client', subject);

  const request: AuthorizationRequest = {
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    ...(state !== undefined && { state }),
    expiresAt: clock.now() + TICKET_SECONDS,
    ...(await wishOf(ports, sent, state, client).catch(
      throwBackTo({
        redirectUri,
        ...(state !== undefined && { state }),
        issuer: authorizationServer(settings.baseUrl),
      }),
    )),
  };
  const ticket = mint.secret();
  await authorizationRequests.put(fingerprint(ticket), request);
  return { ticket, request };
};

/** @throws PageRefusal unknown_client */
const provenClient = async (ports: FindClientPorts, sent: SentParameters): Promise<OAuthClient> => {
  const [id = '', ...others] = sent.get('client_id') ?? [];
  if (others.length > 0 || typeof id !== 'string') throw unknownClient('client_id sent twice');
  return findClient(ports, id).catch((error: unknown) => {
    if (!(error instanceof OAuthRefusal)) throw error;
    // What is wrong with a document helps whoever wrote it.
    throw unknownClient(error.why, isDocumentUrl(id) ? error.description : undefined);
  });
};

const unknownClient = (
  why: string,
  description = 'The application that sent you here is not registered with this service.',
) => new PageRefusal('unknown_client', description, why);

/** @throws PageRefusal unregistered_redirect_uri */
const provenRedirectUri = ({ redirectUris }: OAuthClient, sent: SentParameters): string => {
  const [uri, ...others] = sent.get('redirect_uri') ?? [];
  if (others.length === 0 && typeof uri === 'string' && matchesRedirectUri(redirectUris, uri)) {
    return uri;
  }
  throw new PageRefusal(
    'unregistered_redirect_uri',
    'The address that the application wants your answer at is not one that it registered.',
  );
};

/** @throws OAuthRefusal */
const wishOf = async (
  { deployments, settings }: Pick<Ports, 'deployments' | 'settings'>,
  sent: SentParameters,
  state: string | undefined,
  client: OAuthClient,
): Promise<Pick<AuthorizationRequest, 'challenge' | 'scopes' | 'slug'>> => {
  const { challenge, scopes, resource } = readWish(sent, state, client.scopes);
  if (resource === undefined) return { challenge, scopes };
  const slug = slugOfResource(settings.baseUrl, resource) ?? '';
  if (await findLoginDeployment({ deployments }, slug)) return { challenge, scopes, slug };
  throw new OAuthRefusal('invalid_target', 'The resource is no server that one can log in to.');
};

const throwBackTo = (returnTo: ReturnTo) => (error: unknown) => {
  if (!(error instanceof OAuthRefusal)) throw error;
  const { code, description, why, details } = error;
  throw new OAuthRefusal(code, description, why, { ...details, returnTo });
};

import { addressSubject } from '../../../platform/rules/subject.ts';
import { authorizationServer } from '../../../platform/rules/addresses.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { answersOnDevice } from '../../rules/authorization/consent-display.ts';
import { authorizationResponse } from '../../../platform/http/authorization-response.ts';
import type { AuthorizationRequest, OAuthClient } from '../../../tokens/rules/oauth-records.ts';
import {
  checkPrompt,
  checkResponseType,
  checkState,
  readCodeChallenge,
  readNonce,
  readRequestedScopes,
} from '../../rules/authorization/authorization.ts';
import { matchesRedirectUri } from '../../rules/clients/redirect-uri.ts';
import { readResource, slugOfResource } from '../../rules/parameters.ts';
import { optionalParameter, type SentParameters } from '../../../platform/rules/sent-parameters.ts';
import { asksOfflineAccess } from '../../../tokens/rules/oauth-scopes.ts';
import { OAuthRefusal, type ReturnTo } from '../../../platform/rules/refusal/oauth-refusal.ts';
import { PageRefusal } from '../../../platform/rules/refusal/page-refusal.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { OauthPorts } from '../../ports.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import { findBrowserSession, type FindSessionPorts } from '../../../accounts/steps/sessions.ts';
import { clientAtAddress, countRequest } from '../count-request.ts';
import { findClient } from '../clients/authenticate-client.ts';
import { findLoginDeployment } from './find-login-deployment.ts';

export interface AuthorizationQuery {
  readonly sent: SentParameters;
  /** As `encodedState` read it. */
  readonly state: string | undefined;
  readonly session: string | undefined;
  readonly sourceIp: string;
}

/** Time for login and consent. */
const TICKET_SECONDS = 600;

/**
 * Checks an authorization request of a client and stores it under a ticket, which is all that the following pages
 * post.
 * @throws PageRefusal before client and redirect URI are proven, and where nobody has signed in; OAuthRefusal
 *   too_many_requests
 * @throws OAuthRefusal with the redirect to the client, otherwise
 * Source: OAuth 2.1 §4.1.1; RFC 7636 §4.3; RFC 8707 §2; RFC 9700 §4.11.2.
 */
export const beginAuthorization = async (
  ports: PortsOf<typeof countRequest | typeof findClient> &
    FindSessionPorts &
    Pick<OauthPorts, 'authorizationRequests' | 'deployments' | 'random'>,
  { sent, state, session, sourceIp }: AuthorizationQuery,
): Promise<{ readonly ticket: string; readonly request: AuthorizationRequest }> => {
  // Client and redirect URI are unproven: a refusal is shown as a page, never sent by redirect.
  await countRequest(ports, 'authorize_per_hour_per_ip', addressSubject(sourceIp));
  const client = await provenClient(ports, sent);
  const redirectUri = provenRedirectUri(client, sent);
  // With the address, since nobody has proven to be the client yet.
  const subject = clientAtAddress(client.id, sourceIp);
  await countRequest(ports, 'authorize_per_minute_per_client', subject);

  // Both are proven: from here on a refusal may be sent to the redirect URI.
  const returned = { redirectUri, ...(state !== undefined && { state }) };
  const issuer = authorizationServer(ports.settings.baseUrl);
  const mayRedirect = async (): Promise<boolean> =>
    ports.settings.allowedRedirectUris?.includes(redirectUri) ||
    (await findBrowserSession(ports, session)) !== undefined;
  const asked = await refusingTo({ ...returned, issuer }, mayRedirect, async () => {
    checkState(sent, state);
    checkResponseType(sent);
    const codeChallenge = readCodeChallenge(sent);
    const scopes = readRequestedScopes(sent, client.scopes);
    const resource = readResource(sent);
    const nonce = scopes.includes('openid') ? readNonce(sent) : undefined;
    checkPrompt(sent);
    const slug = await loginSlug(ports, resource);
    return {
      codeChallenge,
      scopes,
      ...refreshing(client, sent),
      ...(nonce !== undefined && { nonce }),
      ...(slug !== undefined && { slug }),
    };
  });

  return keepUnderTicket(ports, {
    clientId: client.id,
    clientName: client.name,
    ...(client.authMethod === 'private_key_jwt' && { clientAuthMethod: client.authMethod }),
    ...(client.source === 'metadata_document' &&
      answersOnDevice(client.redirectUris) && { onDevice: true }),
    ...returned,
    ...asked,
  });
};

/** `offline_access` is granted to clients that get a refresh token. Source: OpenID Connect Core 1.0 §11. */
const refreshing = (
  { withoutRefresh }: OAuthClient,
  sent: SentParameters,
): Pick<AuthorizationRequest, 'withoutRefresh' | 'offlineAccess'> => {
  if (withoutRefresh) return { withoutRefresh };
  return asksOfflineAccess(optionalParameter(sent, 'scope')) ? { offlineAccess: true } : {};
};

/** @throws PageRefusal unknown_client */
const provenClient = async (
  ports: PortsOf<typeof findClient>,
  sent: SentParameters,
): Promise<OAuthClient> => {
  const [id = '', ...others] = sent.get('client_id') ?? [];
  if (others.length > 0 || typeof id !== 'string') throw unknownClient('client_id sent twice');
  return findClient(ports, id).catch((error: unknown) => {
    if (!(error instanceof OAuthRefusal)) throw error;
    const { document } = error.details;
    if (document === undefined) throw unknownClient(error.why);
    // Details about a metadata document help its author, or the operator of this service.
    throw new PageRefusal(`${document}_document`, error.description, error.why);
  });
};

const unknownClient = (why: string) =>
  new PageRefusal(
    'unknown_client',
    'The application that sent you here is not registered with this service.',
    why,
  );

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

/** @throws OAuthRefusal invalid_target */
const loginSlug = async (
  ports: Pick<DeploymentsPorts, 'deployments'> & {
    readonly settings: PlatformSettings;
  },
  resource: string | undefined,
): Promise<string | undefined> => {
  if (resource === undefined) return undefined;
  const slug = slugOfResource(ports.settings.baseUrl, resource) ?? '';
  if (await findLoginDeployment(ports, slug)) return slug;
  throw new OAuthRefusal('invalid_target', 'The resource is no server that one can sign in to.');
};

/**
 * Prevents an open redirector. Anybody can register a client and send people here with a deliberately wrong request;
 * an automatic redirect would lend our name to an unknown site. Errors are redirected only to URIs that the operator
 * listed, or for users who have signed in. Source: RFC 9700 §4.11.2; docs/decisions/oauth.md, "Errors of an
 * authorization request".
 */
const refusingTo = async <Found>(
  returnTo: ReturnTo,
  mayRedirect: () => Promise<boolean>,
  check: () => Promise<Found>,
): Promise<Found> => {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    const { code, description, why, details } = error;
    if (await mayRedirect()) {
      throw new OAuthRefusal(code, description, why, { ...details, returnTo });
    }
    const answer = { error: code, error_description: description };
    const wayBack = authorizationResponse(returnTo, answer);
    throw new PageRefusal('refused_request', description, why, wayBack);
  }
};

const keepUnderTicket = async (
  {
    authorizationRequests,
    clock,
    random,
  }: Pick<OauthPorts, 'authorizationRequests' | 'clock' | 'random'>,
  asked: Omit<AuthorizationRequest, 'expiresAt'>,
) => {
  const request = { ...asked, expiresAt: clock.now() + TICKET_SECONDS };
  const ticket = random.secret();
  await authorizationRequests.put(fingerprint(ticket), request);
  return { ticket, request };
};

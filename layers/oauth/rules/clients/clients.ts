import { timingSafeEqual } from 'node:crypto';
import { InvalidToken } from '../../../tokens/rules/authorization.ts';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import {
  assertedClient,
  ASSERTION_TYPE,
  readClientKeys,
  HTTPS_OR_LOOPBACK,
} from './client-assertion.ts';
import { optionalParameter, type SentParameters } from '../../../platform/rules/sent-parameters.ts';
import { type Fingerprint, fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { OAuthClient, TokenEndpointAuthMethod } from '../../../tokens/rules/oauth-records.ts';
import { NO_ANSWER_CAUSES } from '../../../target/rules/no-answer-causes.ts';
import type { NoAnswerReason, TargetAnswer } from '../../../target/rules/target.ts';
import { DAY, type EpochSeconds, HOUR, MINUTE } from '../../../platform/rules/time.ts';
import {
  doesWithoutRefresh,
  type MetadataRules,
  readClientName,
  readClientScopes,
  readGrantTypes,
  readMetadata,
  readRedirectUris,
  type SentMetadata,
} from './client-metadata.ts';
import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';

export type PresentedClient = PresentedSecret | PresentedAssertion;

interface PresentedSecret {
  readonly id: string;
  readonly method: Exclude<TokenEndpointAuthMethod, 'private_key_jwt'>;
  readonly secret?: Fingerprint;
}

export interface PresentedAssertion {
  readonly id: string;
  readonly method: 'private_key_jwt';
  /** A JWT in its compact form, not verified yet. */
  readonly assertion: string;
}

/**
 * Reads the client's id and proof from the `Authorization` header and the body.
 * @throws OAuthRefusal invalid_client; invalid_request for malformed parameters
 * Source: RFC 6749 §2.3, §3.2.1; docs/decisions/oauth.md, "Client authentication".
 */
export const readPresentedClient = (
  authorization: string | undefined,
  sent: SentParameters,
): PresentedClient => {
  const id = optionalParameter(sent, 'client_id');
  const secret = optionalParameter(sent, 'client_secret');
  const presented = presentedAssertion(sent);
  if (presented) {
    if (isSent(authorization) || secret !== undefined) throw invalidClient('two methods at once');
    if (id !== undefined && id !== presented.id) throw invalidClient('two ids');
    return presented;
  }
  if (isSent(authorization)) {
    const basic = basicCredentials(authorization);
    if (!basic) throw invalidClient('malformed Authorization header', 'Basic');
    if (secret !== undefined) throw invalidClient('two methods at once', 'Basic');
    if (id !== undefined && id !== basic.id) throw invalidClient('two ids', 'Basic');
    return { ...basic, method: 'client_secret_basic' };
  }
  if (id === undefined) throw invalidClient('no client');
  if (secret === undefined) return { id, method: 'none' };
  return { id, method: 'client_secret_post', secret: fingerprint(secret) };
};

/**
 * The client assertion of a request, whose client may be any.
 * @returns undefined if there is none
 * @throws OAuthRefusal invalid_client for one that cannot be read, for an unknown `client_assertion_type`, and for one
 *   of the two parameters alone
 * Source: RFC 7521 §4.2; RFC 7523 §2.2.
 */
export const presentedAssertion = (sent: SentParameters): PresentedAssertion | undefined => {
  const assertion = optionalParameter(sent, 'client_assertion');
  const type = optionalParameter(sent, 'client_assertion_type');
  if (assertion === undefined && type === undefined) return undefined;
  if (assertion === undefined || type !== ASSERTION_TYPE) {
    throw invalidClient('not a client assertion of a known type');
  }
  try {
    return { id: assertedClient(assertion), method: 'private_key_jwt', assertion };
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    throw invalidClient(`client assertion: ${error.why}`);
  }
};

/**
 * Why a client's secret, or its lack of one, is refused, for the log; undefined if it is accepted. Source:
 * docs/decisions/oauth.md, "Client authentication".
 */
export const authenticationFault = (
  presented: PresentedSecret,
  client: Pick<OAuthClient, 'authMethod' | 'secret'>,
): string | undefined => {
  if (showsSecret(presented.method) !== showsSecret(client.authMethod)) {
    return 'another method than registered';
  }
  if (!showsSecret(client.authMethod)) {
    return client.authMethod === 'none' ? undefined : 'another method than registered';
  }
  return isSame(presented.secret, client.secret) ? undefined : 'wrong secret';
};

/** `client_secret_post` and `client_secret_basic` are interchangeable: libraries choose one whatever was registered. */
const showsSecret = (method: TokenEndpointAuthMethod): boolean =>
  method === 'client_secret_post' || method === 'client_secret_basic';

/** The same answer for every failure. Source: RFC 6749 §5.2. */
export const invalidClient = (why: string, challenge?: 'Basic'): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_client',
    'The client is unknown or did not authenticate as registered.',
    why,
    challenge ? { challenge } : {},
  );

export const challengeOf = (method: TokenEndpointAuthMethod): 'Basic' | undefined =>
  method === 'client_secret_basic' ? 'Basic' : undefined;

const isSame = (one: Fingerprint | undefined, other: Fingerprint | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.length === other.length &&
  timingSafeEqual(Buffer.from(one), Buffer.from(other));

const isSent = (authorization: string | undefined): boolean =>
  authorization !== undefined && authorization.trim() !== '';

const BASIC = /^\s*basic +(?<credentials>[A-Za-z0-9+/]+={0,2})\s*$/i;

/** @returns undefined for any other header, and a malformed one. Source: RFC 7617 §2; RFC 6749 §2.3.1. */
export const basicCredentials = (
  authorization: string | undefined,
): { readonly id: string; readonly secret: Fingerprint } | undefined => {
  const credentials = BASIC.exec(authorization ?? '')?.groups?.['credentials'] ?? '';
  try {
    const bytes = Buffer.from(credentials, 'base64');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const [, id, secret] = /^([^:]+):(.*)$/s.exec(text) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    return { id: formDecoded(id), secret: fingerprint(formDecoded(secret)) };
  } catch {
    return undefined;
  }
};

/** Ids and secrets are form-encoded within Basic credentials. @throws URIError, TypeError */
const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

const MAX_ID_LENGTH = 500;

/** Limits of fetching a client metadata document. Source: docs/decisions/oauth.md, "Client metadata documents". */
export const DOCUMENT_LIMITS = { maxBytes: 5 * 1024, timeoutSeconds: 10 } as const;

/**
 * Whether a client id is the URL of its metadata document: https with a path, normalized, so that no two ids name one
 * document. Plain http is for clients on the same machine; the SSRF guard blocks it wherever the service is deployed.
 * Source: draft-ietf-oauth-client-id-metadata-document §3.
 */
export const isDocumentUrl = (clientId: string): boolean => {
  if (clientId.length > MAX_ID_LENGTH || !HTTPS_OR_LOOPBACK.test(clientId)) return false;
  const url = URL.parse(clientId);
  return (
    url?.href === clientId &&
    url.pathname !== '/' &&
    !clientId.includes('#') &&
    url.username === '' &&
    url.password === ''
  );
};

/**
 * The client that a metadata document describes. Other servers may read the document too, so unknown grant types are
 * ignored. A secret is refused: anybody could read it there.
 * @param url - the client's id, which is the document's address
 * @throws OAuthRefusal invalid_client
 * Source: draft-ietf-oauth-client-id-metadata-document §4; docs/decisions/oauth.md, "Client metadata documents".
 */
export const readClientDocument = (
  url: string,
  answer: TargetAnswer,
  rules: MetadataRules,
  now: EpochSeconds,
): OAuthClient => {
  try {
    const sent = readMetadata(parsed(answer));
    if (sent['client_id'] !== url) throw unusable('its client_id is not its own URL');
    if (sent['client_secret'] !== undefined) throw unusable('it carries a secret');
    const grantTypes = readGrantTypes(sent);
    return {
      id: url,
      source: 'metadata_document',
      name: readClientName(sent, new URL(url).host),
      redirectUris: readRedirectUris(sent, rules),
      ...authenticationOf(sent),
      scopes: readClientScopes(sent),
      ...(doesWithoutRefresh(grantTypes) && { withoutRefresh: true }),
      createdAt: now,
      expiresAt: now + documentCacheSeconds(answer),
    };
  } catch (error) {
    if (!(error instanceof OAuthRefusal) || error.code === 'invalid_client') throw error;
    throw unusable(error.description);
  }
};

/** A document of a host that the operator does not accept. @param url - normalized, so its host is ASCII */
export const refusedDocumentHost = (url: string): OAuthRefusal =>
  unusable(`this service takes none from ${new URL(url).host}`);

/** @param problem - completes the sentence "the document cannot be used:" */
const unusable = (problem: string): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_client',
    `The metadata document of the client cannot be used: ${problem}`,
    undefined,
    { document: 'unusable' },
  );

/**
 * How the client authenticates. A document that offers `none`, alone or among others, is a public client's, which may
 * sign nevertheless; one that offers only signatures must sign. The list says what the client can do, since it cannot
 * know our server. Source: RFC 7591 §2, `token_endpoint_auth_method`. Real documents also have
 * `token_endpoint_auth_methods_supported`, a name of RFC 8414.
 */
const authenticationOf = (sent: SentMetadata): Pick<OAuthClient, 'authMethod' | 'keys'> => {
  const { token_endpoint_auth_method: method = 'none' } = sent;
  const { token_endpoint_auth_methods_supported: others } = sent;
  const offered: readonly unknown[] = [method, ...(Array.isArray(others) ? others : [])];
  const keys = offered.includes('private_key_jwt') ? readClientKeys(sent) : undefined;
  if (offered.includes('none')) return { authMethod: 'none', ...(keys && { keys }) };
  if (!offered.includes('private_key_jwt')) {
    throw unusable('its token_endpoint_auth_method must be none or private_key_jwt');
  }
  if (!keys) throw unusable('it must sign, but has no usable jwks_uri or jwks');
  return { authMethod: 'private_key_jwt', keys };
};

const JSON_TYPE = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

const parsed = ({ status, headers, body }: TargetAnswer): unknown => {
  if (status !== 200) throw unusable(`its address answered ${status}`);
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw unusable('it is not served as JSON');
  try {
    return parsedJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw unusable('it is not JSON');
  }
};

/**
 * How long a document is cached: as its server says, but 5 minutes to a day; an hour by default. Source: RFC 9111
 * §5.2; draft-ietf-oauth-client-id-metadata-document §4.4.
 */
export const documentCacheSeconds = ({ headers }: TargetAnswer): number => {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return 5 * MINUTE;
  const maxAge = /\bmax-age\s*=\s*"?(\d{1,10})/.exec(control)?.[1];
  return Math.min(Math.max(maxAge === undefined ? HOUR : Number(maxAge), 5 * MINUTE), DAY);
};

/**
 * A metadata document that could not be fetched. The client may be faultless: a service without internet access
 * admits no client with a document.
 * @param url - normalized, so its host is ASCII
 */
export const unreachable = (url: string, reason: NoAnswerReason): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_client',
    `The metadata document of the client could not be fetched from ${new URL(url).host}: ${NO_ANSWER_CAUSES[reason]} (${reason}).`,
    `metadata document: ${reason}`,
    { document: 'unreachable' },
  );

const UNUSED_SECONDS = 90 * DAY;

/** Expiry of a registration that never gets a grant. Source: docs/decisions/oauth.md, "Unused clients". */
export const registrationExpiry = (createdAt: EpochSeconds): EpochSeconds =>
  createdAt + UNUSED_SECONDS;

/**
 * Prolongs a client to outlive its newest grant, and a day more, so that it is written at most once a day.
 * @returns undefined if it lasts long enough already
 */
export const prolongedExpiry = (
  expiresAt: EpochSeconds,
  now: EpochSeconds,
  refreshTokenSeconds: number,
): EpochSeconds | undefined => {
  const least = now + Math.max(UNUSED_SECONDS, refreshTokenSeconds);
  return expiresAt < least ? least + DAY : undefined;
};

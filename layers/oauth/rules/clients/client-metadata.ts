import { member } from '../../../platform/rules/json/json.ts';
import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { Scope, TokenEndpointAuthMethod } from '../../../tokens/rules/oauth-records.ts';
import { isRedirectUri, type RedirectUriRules } from './redirect-uri.ts';
import { knownScopes } from '../../../tokens/rules/oauth-scopes.ts';

/** Client metadata from a registration or a metadata document. */
export type SentMetadata = Readonly<Record<string, unknown>>;

export interface MetadataRules extends RedirectUriRules {
  readonly maxRedirectUris: number;
  readonly takesAssertions?: boolean;
}

export const AUTH_METHODS: readonly TokenEndpointAuthMethod[] = [
  'client_secret_post',
  'client_secret_basic',
  'none',
];

/** @throws OAuthRefusal invalid_client_metadata unless it is an object. Source: RFC 7591 §3.1. */
export const readMetadata = (sent: unknown): SentMetadata => {
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) return { ...sent };
  throw invalidMetadata('The metadata must be a JSON object.');
};

/** @throws OAuthRefusal invalid_redirect_uri. Source: RFC 7591 §2; docs/protocol.md, "Registration". */
export const readRedirectUris = (
  { redirect_uris: sent }: SentMetadata,
  rules: MetadataRules,
): readonly string[] => {
  if (!isTextList(sent) || sent.length === 0) {
    throw invalidUri('redirect_uris must be a list of at least one URI.');
  }
  if (sent.length > rules.maxRedirectUris) {
    throw invalidUri(`At most ${rules.maxRedirectUris} redirect URIs are allowed.`);
  }
  const wrong = sent.findIndex((uri) => !isRedirectUri(uri, rules));
  if (wrong === -1) return sent;
  throw invalidUri(
    `redirect_uris[${wrong}] must use https, or http on localhost or 127.0.0.1, without fragment, ` +
      `user name or wildcard, in at most ${rules.maxLength} characters. A scheme of an app needs the ` +
      'operator of this service, who lists the whole URI in allowed_redirect_uris.',
  );
};

const MAX_NAME_LENGTH = 200;
/** Control characters, line breaks, and bidirectional controls that disguise text. */
const DECEPTIVE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * The client's name on the consent page.
 * @param otherwise - name of a client that sends none
 * @throws OAuthRefusal invalid_client_metadata
 */
export const readClientName = ({ client_name: sent }: SentMetadata, otherwise: string): string => {
  if (sent === undefined || sent === null) return otherwise;
  if (typeof sent !== 'string' || sent.length > MAX_NAME_LENGTH || DECEPTIVE.test(sent)) {
    throw invalidMetadata(
      `client_name must be a line of text of at most ${MAX_NAME_LENGTH} characters.`,
    );
  }
  return sent.trim() === '' ? otherwise : sent;
};

/** Unknown scopes are dropped. @throws OAuthRefusal invalid_client_metadata */
export const readClientScopes = ({ scope: sent }: SentMetadata): readonly Scope[] => {
  if (sent === undefined || sent === null) return [];
  if (typeof sent === 'string') return knownScopes(sent);
  throw invalidMetadata('scope must be a string of names between spaces.');
};

/**
 * Refuses a client that cannot use the authorization code flow.
 * @returns the named grant types, `authorization_code` among them; undefined if none were named
 * @throws OAuthRefusal invalid_client_metadata. Source: RFC 7591 §2.1.
 */
export const readGrantTypes = (sent: SentMetadata): readonly string[] | undefined => {
  const responseTypes = readList(sent, 'response_types');
  if (responseTypes && !responseTypes.includes('code')) throw noCodeFlow();
  const grantTypes = readList(sent, 'grant_types');
  if (grantTypes && !grantTypes.includes('authorization_code')) throw noCodeFlow();
  return grantTypes;
};

/** A client that lists grant types without `refresh_token` cannot refresh; one that lists none might. */
export const doesWithoutRefresh = (grantTypes: readonly string[] | undefined): boolean =>
  grantTypes !== undefined && !grantTypes.includes('refresh_token');

const readList = (sent: SentMetadata, name: string): readonly string[] | undefined => {
  const value = member(sent, name) ?? undefined;
  if (value === undefined || isTextList(value)) return value;
  throw invalidMetadata(`${name} must be a list of strings.`);
};

const noCodeFlow = () =>
  invalidMetadata('Clients use the grant type authorization_code and the response type code.');

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

export const invalidMetadata = (description: string) =>
  new OAuthRefusal('invalid_client_metadata', description);

const invalidUri = (description: string) => new OAuthRefusal('invalid_redirect_uri', description);

import { OAuthRefusal } from '../../../platform/rules/refusal/oauth-refusal.ts';
import type { TargetAnswer } from '../../../target/rules/target.ts';
import { DAY, type EpochSeconds, HOUR, MINUTE } from '../../../platform/rules/time.ts';
import {
  type MetadataRules,
  readClientName,
  readClientScopes,
  readGrantTypes,
  readMetadata,
  readRedirectUris,
  type SentMetadata,
} from './client-metadata.ts';
import { readClientKeys } from './client-keys.ts';
import type { OAuthClient } from '../../../tokens/rules/oauth-records.ts';

const MAX_ID_LENGTH = 500;
const SCHEME = /^https:\/\/|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/;

/**
 * What may be fetched of a metadata document, and how long that may take.
 * Source: docs/decisions/oauth.md, "Client metadata documents".
 */
export const DOCUMENT_LIMITS = { maxBytes: 5 * 1024, timeoutSeconds: 10 } as const;

/**
 * Whether a client's id is the URL of its metadata document: https with a path, in its normal form,
 * so that no two texts name one document. On the client's own machine http will do as well; where
 * the service is not run there, the guard of outgoing requests lets none of it through.
 *
 * Source: draft-ietf-oauth-client-id-metadata-document §3.
 */
export const isDocumentUrl = (clientId: string): boolean => {
  if (clientId.length > MAX_ID_LENGTH || !SCHEME.test(clientId)) return false;
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
 * The client that a document describes. Other servers may read it too, so that grant types which
 * are not ours are its own affair; a secret is not, since anybody can read it there.
 *
 * @param url - the client's id, where the document was found
 * @throws OAuthRefusal invalid_client
 *
 * Source: draft-ietf-oauth-client-id-metadata-document §4; docs/decisions/oauth.md, "Client metadata
 * documents".
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
    readGrantTypes(sent);
    return {
      id: url,
      source: 'metadata_document',
      name: readClientName(sent, new URL(url).host),
      redirectUris: readRedirectUris(sent, rules),
      ...authenticationOf(sent),
      scopes: readClientScopes(sent),
      createdAt: now,
      expiresAt: now + documentCacheSeconds(answer),
    };
  } catch (error) {
    if (!(error instanceof OAuthRefusal) || error.code === 'invalid_client') throw error;
    throw unusable(error.description);
  }
};

/** Of a host whose documents the operator does not take; such a URL is ASCII. */
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
 * How the client authenticates. A document that offers `none`, as its method or among others, is a public
 * client's, which may sign all the same; one that offers signatures alone must sign. Its server cannot choose
 * for ours: the list says what the client can do.
 *
 * Source: RFC 7591 §2, `token_endpoint_auth_method`. Documents of real clients carry
 * `token_endpoint_auth_methods_supported` beside it, a name of RFC 8414.
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
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw unusable('it is not JSON');
  }
};

/**
 * How long a document may be used without looking again, in seconds: as its server says, between
 * five minutes and a day, and an hour where it says nothing.
 *
 * Source: RFC 9111 §5.2; draft-ietf-oauth-client-id-metadata-document §4.4.
 */
export const documentCacheSeconds = ({ headers }: TargetAnswer): number => {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return 5 * MINUTE;
  const maxAge = /\bmax-age\s*=\s*"?(\d{1,10})/.exec(control)?.[1];
  return Math.min(Math.max(maxAge === undefined ? HOUR : Number(maxAge), 5 * MINUTE), DAY);
};

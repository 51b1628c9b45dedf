import {
  authorizationServer,
  type ResourceForm,
  routerAddresses,
} from '../../platform/rules/addresses.ts';
import { ASSERTION_ALGORITHMS } from './clients/client-assertion.ts';
import { type IdentityProvider, takesAssertions } from '../../identity/rules/providers.ts';
import { TOOL_SCOPES } from '../../tokens/rules/authorization.ts';
import { OFFLINE_ACCESS } from '../../tokens/rules/oauth-scopes.ts';
import { offeredGrantTypes } from './parameters.ts';

const ADVERTISED_SCOPES = ['openid', 'email', ...TOOL_SCOPES] as const;

/** @param ending - of the requested address: clients compare `resource` with it. Source: RFC 9728 §2, §3.3. */
export const protectedResourceMetadata = (
  baseUrl: string,
  slug: string,
  form: ResourceForm,
  ending = '',
) => {
  const addresses = routerAddresses(baseUrl, slug);
  return {
    resource: `${addresses[form]}${ending}`,
    authorization_servers: [authorizationServer(baseUrl)],
    bearer_methods_supported: ['header'],
    resource_documentation: addresses.docs,
    scopes_supported: ADVERTISED_SCOPES,
  };
};

/**
 * Lists every scope, also `profile` and `offline_access`: the metadata of resources omits these two, since clients
 * request all that they read there. Source: RFC 8414 §2; RFC 9207 §3; docs/protocol.md, "Server metadata".
 */
export const authorizationServerMetadata = (baseUrl: string) => {
  const issuer = authorizationServer(baseUrl);
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    userinfo_endpoint: `${issuer}/userinfo`,
    registration_endpoint: `${issuer}/register`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [...ADVERTISED_SCOPES, 'profile', OFFLINE_ACCESS],
    response_types_supported: ['code'],
    // The default would include `fragment`.
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
    authorization_response_iss_parameter_supported: true,
    // Clients of OAuth alone would expect RS256 by default. Source: OpenID Connect Core 1.0 §3.1.3.7.
    id_token_signing_alg_values_supported: ['ES256'],
    client_id_metadata_document_supported: true,
  };
};

/**
 * Additions of the documents at the standard addresses. The path-appended address lists only methods of registered
 * clients, which have no keys. Source: RFC 8414 §2; docs/decisions/oauth.md, "Client authentication".
 */
export const clientAuthenticationMetadata = {
  token_endpoint_auth_methods_supported: [
    'client_secret_post',
    'client_secret_basic',
    'none',
    'private_key_jwt',
  ],
  token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
} as const;

/**
 * Additions where the operator accepts assertions of identity providers. Source: MCP extension Enterprise-Managed
 * Authorization, "Discovery"; docs/access.md, "Enterprise-managed authorization".
 */
export const enterpriseMetadata = (providers: readonly IdentityProvider[]) =>
  takesAssertions(providers)
    ? {
        grant_types_supported: offeredGrantTypes(true),
        authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      }
    : {};

/**
 * The metadata as an OpenID provider's, with what concerns ID tokens. Source: OpenID Connect Discovery §3;
 * docs/decisions/oauth.md, "Metadata routes".
 */
export const openIdConfiguration = (baseUrl: string, providers: readonly IdentityProvider[]) => ({
  ...authorizationServerMetadata(baseUrl),
  ...clientAuthenticationMetadata,
  ...enterpriseMetadata(providers),
  subject_types_supported: ['public'],
  claims_supported: [
    'iss',
    'sub',
    'aud',
    'iat',
    'exp',
    'auth_time',
    'nonce',
    'at_hash',
    'email',
    'email_verified',
    'name',
  ],
  claims_parameter_supported: false,
  // The default would be true.
  request_uri_parameter_supported: false,
});

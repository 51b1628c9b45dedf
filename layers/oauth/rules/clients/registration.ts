import {
  AUTH_METHODS,
  doesWithoutRefresh,
  invalidMetadata,
  type MetadataRules,
  readClientName,
  readClientScopes,
  readGrantTypes,
  readMetadata,
  readRedirectUris,
  type SentMetadata,
} from './client-metadata.ts';
import { asksOfflineAccess } from '../../../tokens/rules/oauth-scopes.ts';
import { offeredGrantTypes } from '../parameters.ts';
import type { Scope, TokenEndpointAuthMethod } from '../../../tokens/rules/oauth-records.ts';

export interface Registration {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly authMethod: TokenEndpointAuthMethod;
  readonly grantTypes: readonly string[];
  /** Empty: the client named none. */
  readonly scopes: readonly Scope[];
  readonly offlineAccess: boolean;
}

const NAMELESS = 'MCP client';

/**
 * Reads the metadata of a registration. Unknown members are ignored, also an id or secret that the client chose. A
 * client that names no authentication method gets `client_secret_post`, where the RFC says `client_secret_basic`:
 * docs/decisions/oauth.md, "Client authentication".
 * @throws OAuthRefusal invalid_redirect_uri, invalid_client_metadata
 * Source: RFC 7591 §2; docs/protocol.md, "Registration".
 */
export const readRegistration = (body: unknown, rules: MetadataRules): Registration => {
  const sent = readMetadata(body);
  const grantTypes = readKnownGrantTypes(sent, offeredGrantTypes(rules.takesAssertions === true));
  const { scope } = sent;
  return {
    redirectUris: readRedirectUris(sent, rules),
    name: readClientName(sent, NAMELESS),
    authMethod: readAuthMethod(sent),
    grantTypes,
    scopes: readClientScopes(sent),
    offlineAccess:
      !doesWithoutRefresh(grantTypes) && (typeof scope !== 'string' || asksOfflineAccess(scope)),
  };
};

const readAuthMethod = ({ token_endpoint_auth_method: sent }: SentMetadata) => {
  if (sent === undefined || sent === null) return 'client_secret_post';
  const method = AUTH_METHODS.find((one) => one === sent);
  if (method !== undefined) return method;
  throw invalidMetadata(`token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}.`);
};

const readKnownGrantTypes = (sent: SentMetadata, offered: readonly string[]): readonly string[] => {
  const { response_types: responseTypes } = sent;
  const grantTypes = readGrantTypes(sent) ?? offeredGrantTypes(false);
  const isKnown = grantTypes.every((one) => offered.includes(one));
  const codeAlone = !Array.isArray(responseTypes) || responseTypes.every((one) => one === 'code');
  if (isKnown && codeAlone) return grantTypes;
  throw invalidMetadata(`grant_types may name ${offered.join(', ')}; response_types only code.`);
};

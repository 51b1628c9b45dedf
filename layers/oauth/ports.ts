import type { DeploymentsPorts } from '../deployments/ports.ts';
import type { IdentityPorts } from '../identity/ports.ts';
import type { TargetPorts } from '../target/ports.ts';
import type { ClientDocumentHosts } from './rules/clients/client-document-hosts.ts';
import type { AuthorizationRequests } from './store/authorization-requests.ts';
import type { ClientAssertions } from './store/client-assertions.ts';
import type { Clients } from './store/clients.ts';
import type { Codes } from './store/codes.ts';
import type { RefreshTokens } from './store/grant-items.ts';
import type { Grants } from './store/grants.ts';
import type { IdentityAssertions } from './store/identity-assertions.ts';

export interface OauthPorts extends DeploymentsPorts, IdentityPorts, TargetPorts {
  readonly clients: Clients;
  readonly clientAssertions: ClientAssertions;
  readonly identityAssertions: IdentityAssertions;
  readonly authorizationRequests: AuthorizationRequests;
  readonly codes: Codes;
  readonly grants: Grants;
  readonly refreshTokens: RefreshTokens;
}

export interface OauthSettings {
  /**
   * Private-use redirect URIs that the operator allows, exactly. Source: docs/decisions/oauth.md, "Redirect URIs".
   */
  readonly allowedRedirectUris?: readonly string[];
  /** Whether the metadata is served at the origin's root, too. Source: docs/decisions/oauth.md, "Metadata routes". */
  readonly rootAuthorizationServer?: boolean;
  /** Hosts whose client metadata documents are accepted; absent: all. */
  readonly clientDocumentHosts?: ClientDocumentHosts;
}

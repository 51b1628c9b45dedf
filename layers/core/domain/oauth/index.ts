export {
  checkPrompt,
  checkResponseType,
  checkState,
  readCodeChallenge,
  readRequestedScopes,
} from './authorization.ts';
export { authorizationResponse } from './authorization-response.ts';
export { type Choice, readChoice } from './choice.ts';
export {
  authenticationFault,
  challengeOf,
  invalidClient,
  type PresentedAssertion,
  presentedAssertion,
  type PresentedClient,
  readPresentedClient,
} from './client-authentication.ts';
export {
  ASSERTION_ALGORITHMS,
  type ClientAssertion,
  readClientAssertion,
} from './client-assertion.ts';
export { unreachable } from './client-document-failure.ts';
export {
  type ClientDocumentHosts,
  readClientDocumentHosts,
  takesDocumentOf,
} from './client-document-hosts.ts';
export {
  DOCUMENT_LIMITS,
  isDocumentUrl,
  readClientDocument,
  unusable,
  unwelcome,
} from './client-document.ts';
export { prolongedExpiry, registrationExpiry } from './client-expiry.ts';
export type { MetadataRules } from './client-metadata.ts';
export {
  checkCodeClient,
  checkCodeUnexpired,
  checkSameRedirectUri,
  checkVerifier,
  type CodeExchange,
  invalidCode,
  readCodeExchange,
} from './code-exchange.ts';
export { csrfToken, isCsrfToken } from './csrf.ts';
export {
  type AssertionTerms,
  type IdentityAssertion,
  readIdentityAssertion,
} from './identity-assertion.ts';
export { type IdentityProvider, readIdentityProviders } from './identity-providers.ts';
export { type GrantType, readGrantType } from './grant-type.ts';
export {
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  openIdConfiguration,
  protectedResourceMetadata,
  TOOL_SCOPES,
} from './metadata.ts';
export { optionalParameter, requiredParameter, type SentParameters } from './parameters.ts';
export { isChallenge } from './pkce.ts';
export {
  type AccessToken,
  type AuthorizationCode,
  type AuthorizationRequest,
  type ClientKeys,
  type Grant,
  type OAuthClient,
  type RefreshToken,
  type Scope,
  SCOPES,
} from './records.ts';
export { matchesRedirectUri } from './redirect-uri.ts';
export {
  checkRefreshTokenClient,
  checkRefreshTokenUnexpired,
  invalidRefresh,
  readRefreshParameters,
  type RefreshParameters,
} from './refresh-parameters.ts';
export { readRegistration, type Registration } from './registration.ts';
export { readResource, slugOfResource, checkResource } from './resource.ts';
export { assertedScopes, isScope, knownScopes, narrowScopes, splitScopes } from './scopes.ts';
export { encodedState } from './state.ts';
export {
  accessTokenOf,
  authorizationCodeOf,
  clientIdOf,
  clientSecretOf,
  isRegisteredId,
  kindOfToken,
  refreshTokenOf,
} from './tokens.ts';
export { readRevocation, type Revocation } from './revocation.ts';
export { userInfo } from './user-info.ts';
export {
  answersOnDevice,
  type RedirectTarget,
  redirectTarget,
  SCOPE_WORDS,
  shownName,
} from './consent-display.ts';

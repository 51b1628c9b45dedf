export {
  checkPrompt,
  checkResponseType,
  checkState,
  readCodeChallenge,
  readRequestedScopes,
} from './authorization/authorization.ts';
export { authorizationResponse } from './authorization/authorization-response.ts';
export { type Choice, readChoice } from './authorization/choice.ts';
export {
  authenticationFault,
  challengeOf,
  invalidClient,
  type PresentedAssertion,
  type PresentedClient,
  readPresentedClient,
} from './clients/client-authentication.ts';
export { ASSERTION_ALGORITHMS, readClientAssertion } from './clients/client-assertion.ts';
export { unreachable } from './clients/client-document-failure.ts';
export {
  type ClientDocumentHosts,
  readClientDocumentHosts,
  takesDocumentOf,
} from './clients/client-document-hosts.ts';
export {
  DOCUMENT_LIMITS,
  isDocumentUrl,
  readClientDocument,
  refusedDocumentHost,
} from './clients/client-document.ts';
export { prolongedExpiry, registrationExpiry } from './clients/client-expiry.ts';
export type { MetadataRules } from './clients/client-metadata.ts';
export {
  checkCodeClient,
  checkCodeUnexpired,
  checkSameRedirectUri,
  checkVerifier,
  invalidCode,
  readCodeExchange,
} from './tokens/code-exchange.ts';
export { csrfToken, isCsrfToken } from './authorization/csrf.ts';
export { type IdentityAssertion, readIdentityAssertion } from './tokens/identity-assertion.ts';
export { readIdentityProviders } from './tokens/identity-providers.ts';
export { type GrantType, readGrantType } from './grant-type.ts';
export {
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  openIdConfiguration,
  protectedResourceMetadata,
} from './metadata.ts';
export { optionalParameter, requiredParameter, type SentParameters } from './parameters.ts';
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
export { matchesRedirectUri } from './clients/redirect-uri.ts';
export {
  checkRefreshTokenClient,
  checkRefreshTokenUnexpired,
  invalidRefresh,
  readRefreshParameters,
} from './tokens/refresh-parameters.ts';
export { readRegistration } from './clients/registration.ts';
export { readResource, slugOfResource, checkResource } from './resource.ts';
export { assertedScopes, narrowScopes } from './scopes.ts';
export { encodedState } from './authorization/state.ts';
export {
  accessTokenOf,
  authorizationCodeOf,
  clientIdOf,
  clientSecretOf,
  isRegisteredId,
  kindOfToken,
  refreshTokenOf,
} from './tokens/tokens.ts';
export { readRevocation, type Revocation } from './tokens/revocation.ts';
export { userInfo } from './tokens/user-info.ts';
export {
  answersOnDevice,
  redirectTarget,
  SCOPE_WORDS,
  shownName,
} from './authorization/consent-display.ts';

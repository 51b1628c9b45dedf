import type { Ports } from '../../ports.ts';
import type { BeginAuthorizationPorts } from './begin-authorization.ts';
import type { DecidePorts } from './decide.ts';
import type { DescribeConsentPorts } from './describe-consent.ts';
import type { DescribeUserPorts } from './describe-user.ts';
import type { ExchangeAssertionPorts } from './exchange-assertion.ts';
import type { ExchangeCodePorts } from './exchange-code.ts';
import type { RefreshPorts } from './refresh.ts';
import type { RegisterPorts } from './register.ts';
import type { RevokePorts } from './revoke.ts';

export { checkFormOrigin, checkScriptOrigin } from '../../domain/access/form-origin.ts';
export { authorizationServer, consolePages } from '../../domain/addresses.ts';
export {
  type AuthorizationRequest,
  authorizationServerMetadata,
  clientAuthenticationMetadata,
  enterpriseMetadata,
  csrfToken,
  isCsrfToken,
  openIdConfiguration,
  optionalParameter,
  redirectTarget,
  readGrantType,
  readRevocation,
  SCOPE_WORDS,
  SCOPES,
  shownName,
  type GrantType,
  type SentParameters,
} from '../../domain/oauth/index.ts';
export { beginAuthorization } from './begin-authorization.ts';
export { approve, type Chosen, type ChoiceFault, deny } from './decide.ts';
export { type ConsentSubject, describeConsent } from './describe-consent.ts';
export { describeUser } from './describe-user.ts';
export {
  endAccount,
  type EndAccountPorts,
  endClient,
  type EndClientPorts,
  endSessions,
  endTokens,
} from './end-tokens.ts';
export { forgetIdentities, type ForgetIdentitiesPorts } from './forget-identities.ts';
export { exchangeAssertion } from './exchange-assertion.ts';
export { exchangeCode } from './exchange-code.ts';
export { findAuthorization } from './find-authorization.ts';
export { findClient, type FindClientPorts } from './find-client.ts';
export type { Issued } from './issued.ts';
export { refresh } from './refresh.ts';
export { register, type Registered } from './register.ts';
export { revoke } from './revoke.ts';
export { retireSigningKey, type RetireSigningKeyPorts } from './retire-signing-key.ts';
export {
  rotateSigningKey,
  type RotateSigningKeyPorts,
  type Rotation,
} from './rotate-signing-key.ts';
export type { TokenRequest } from './token-request.ts';

/** What the endpoints that programs talk to can touch. */
export type MachinePorts = RegisterPorts &
  ExchangeCodePorts &
  ExchangeAssertionPorts &
  RefreshPorts &
  RevokePorts &
  DescribeUserPorts &
  Pick<Ports, 'log' | 'signingKeys' | 'timeLeft'>;

/** What login and consent can touch, beside what signs people in. */
export type AuthorizePorts = BeginAuthorizationPorts & DescribeConsentPorts & DecidePorts;

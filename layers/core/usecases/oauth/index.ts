import type { Ports } from '../../ports.ts';
import type { BeginAuthorizationPorts } from './authorization/begin-authorization.ts';
import type { DecidePorts } from './authorization/decide.ts';
import type { DescribeConsentPorts } from './authorization/describe-consent.ts';
import type { DescribeUserPorts } from './tokens/describe-user.ts';
import type { ExchangeAssertionPorts } from './tokens/exchange-assertion.ts';
import type { ExchangeCodePorts } from './tokens/exchange-code.ts';
import type { RefreshPorts } from './tokens/refresh.ts';
import type { RegisterPorts } from './clients/register.ts';
import type { RevokePorts } from './tokens/revoke.ts';

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
export { beginAuthorization } from './authorization/begin-authorization.ts';
export { approve, type Chosen, type ChoiceFault, deny } from './authorization/decide.ts';
export { type ConsentSubject, describeConsent } from './authorization/describe-consent.ts';
export { describeUser } from './tokens/describe-user.ts';
export {
  endAccount,
  type EndAccountPorts,
  endClient,
  type EndClientPorts,
  endSessions,
  endTokens,
} from './tokens/end-tokens.ts';
export { forgetIdentities, type ForgetIdentitiesPorts } from './tokens/forget-identities.ts';
export { exchangeAssertion } from './tokens/exchange-assertion.ts';
export { exchangeCode } from './tokens/exchange-code.ts';
export { findAuthorization } from './authorization/find-authorization.ts';
export { findClient, type FindClientPorts } from './clients/find-client.ts';
export type { Issued } from './tokens/issued.ts';
export { refresh } from './tokens/refresh.ts';
export { register, type Registered } from './clients/register.ts';
export { revoke } from './tokens/revoke.ts';
export { retireSigningKey, type RetireSigningKeyPorts } from './signing-keys/retire-signing-key.ts';
export {
  rotateSigningKey,
  type RotateSigningKeyPorts,
  type Rotation,
} from './signing-keys/rotate-signing-key.ts';
export type { TokenRequest } from './tokens/token-request.ts';

/** What the endpoints that programs talk to can touch. */
export type MachinePorts = RegisterPorts &
  ExchangeCodePorts &
  ExchangeAssertionPorts &
  RefreshPorts &
  RevokePorts &
  DescribeUserPorts &
  Pick<Ports, 'log' | 'mintingKeys' | 'signingKeys' | 'timeLeft'>;

/** What login and consent can touch, beside what signs people in. */
export type AuthorizePorts = BeginAuthorizationPorts & DescribeConsentPorts & DecidePorts;

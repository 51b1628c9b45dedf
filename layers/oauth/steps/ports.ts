import type { TokensPorts } from '../../tokens/ports.ts';
import type { OauthSettings } from '../ports.ts';
import type { AccountPorts } from '../../accounts/steps/ports.ts';
import type {
  FinishCompanySignInPorts,
  beginCompanySignIn,
} from '../../identity/steps/company-sign-in.ts';
import type { beginAuthorization } from './authorization/begin-authorization.ts';
import type { DecidePorts } from './authorization/decide.ts';
import type { describeConsent } from './authorization/describe-consent.ts';
import type { describeUser } from './tokens/describe-user.ts';
import type { ExchangeAssertionPorts } from './tokens/exchange-assertion.ts';
import type { ExchangeCodePorts } from './tokens/exchange-code.ts';
import type { refresh } from './tokens/refresh.ts';
import type { register } from './clients/register.ts';
import type { revoke } from './tokens/revoke.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type MachinePorts = PortsOf<
  typeof register | typeof refresh | typeof revoke | typeof describeUser
> &
  ExchangeCodePorts &
  ExchangeAssertionPorts &
  Pick<TokensPorts, 'log' | 'mintingKeys' | 'signingKeys' | 'timeLeft'> & {
    readonly settings: Pick<OauthSettings, 'rootAuthorizationServer'>;
  };

export type SitePorts = PortsOf<
  typeof beginCompanySignIn | typeof beginAuthorization | typeof describeConsent
> &
  AccountPorts &
  FinishCompanySignInPorts &
  DecidePorts;

import type { TokensPorts } from '../../tokens/ports.ts';
import type { OauthSettings } from '../ports.ts';
import type { AccountPorts } from '../../accounts/steps/ports.ts';
import type {
  BeginCompanySignInPorts,
  FinishCompanySignInPorts,
} from '../../identity/steps/company-sign-in.ts';
import type { BeginAuthorizationPorts } from './authorization/begin-authorization.ts';
import type { DecidePorts } from './authorization/decide.ts';
import type { describeConsent } from './authorization/describe-consent.ts';
import type { DescribeUserPorts } from './tokens/describe-user.ts';
import type { ExchangeAssertionPorts } from './tokens/exchange-assertion.ts';
import type { ExchangeCodePorts } from './tokens/exchange-code.ts';
import type { RefreshPorts } from './tokens/refresh.ts';
import type { RegisterPorts } from './clients/register.ts';
import type { RevokePorts } from './tokens/revoke.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type MachinePorts = RegisterPorts &
  ExchangeCodePorts &
  ExchangeAssertionPorts &
  RefreshPorts &
  RevokePorts &
  DescribeUserPorts &
  Pick<TokensPorts, 'log' | 'mintingKeys' | 'signingKeys' | 'timeLeft'> & {
    readonly settings: Pick<OauthSettings, 'rootAuthorizationServer'>;
  };

export type SitePorts = AccountPorts &
  BeginCompanySignInPorts &
  FinishCompanySignInPorts &
  BeginAuthorizationPorts &
  PortsOf<typeof describeConsent> &
  DecidePorts;

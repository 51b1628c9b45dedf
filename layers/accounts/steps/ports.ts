import type { FindSessionPorts } from './sessions.ts';
import type { AccountsPorts, AccountsSettings } from '../ports.ts';
import type { openApiSession } from './api-session.ts';
import type { CommandLinePorts } from './command-line.ts';
import type { ConsoleLinkPorts } from './console/console-links.ts';
import type { signInToConsole } from './console/console-session.ts';
import type { createAccount } from './create-account.ts';
import type { MachineSessionPorts } from './machine-session.ts';
import type { requestSignUp } from './ask-for-mail.ts';
import type { resetPassword } from './reset-password.ts';
import type { ProvisionAccountPorts } from './operator/provision-account.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type AccountPorts = PortsOf<
  | typeof openApiSession
  | typeof signInToConsole
  | typeof createAccount
  | typeof requestSignUp
  | typeof resetPassword
> &
  FindSessionPorts &
  ConsoleLinkPorts &
  CommandLinePorts &
  ProvisionAccountPorts &
  MachineSessionPorts &
  Pick<AccountsPorts, 'asksAddressFirst' | 'onlyCompany'> & {
    readonly settings: Pick<AccountsSettings, 'signUp'>;
  };

import type { FindSessionPorts } from './sessions.ts';
import type { AccountsPorts, AccountsSettings } from '../ports.ts';
import type { openApiSession } from './api-session.ts';
import type { CommandLinePorts } from './command-line.ts';
import type { ConsoleLinkPorts } from './console/console-links.ts';
import type { SignInToConsolePorts } from './console/console-session.ts';
import type { CreateAccountPorts } from './create-account.ts';
import type { MachineSessionPorts } from './machine-session.ts';
import type { MailRequestPorts } from './ask-for-mail.ts';
import type { ResetPasswordPorts } from './reset-password.ts';
import type { ProvisionAccountPorts } from './operator/provision-account.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type AccountPorts = PortsOf<typeof openApiSession> &
  FindSessionPorts &
  SignInToConsolePorts &
  ConsoleLinkPorts &
  CommandLinePorts &
  CreateAccountPorts &
  MailRequestPorts &
  ProvisionAccountPorts &
  MachineSessionPorts &
  Pick<AccountsPorts, 'asksAddressFirst' | 'onlyCompany'> &
  ResetPasswordPorts & { readonly settings: Pick<AccountsSettings, 'signUp'> };

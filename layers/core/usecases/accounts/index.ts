import type { OpenApiSessionPorts, EndApiSessionPorts } from './api-session.ts';
import type { ConsoleLinkPorts } from './console/console-links.ts';
import type { SignInToConsolePorts } from './console/console-session.ts';
import type { CreateAccountPorts } from './create-account.ts';
import type { MailRequestPorts } from './ask-for-mail.ts';
import type { ResetPasswordPorts } from './reset-password.ts';
import type { ProvisionAccountPorts } from './operator/provision-account.ts';

export {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../domain/accounts/password-length.ts';
export { checkSignUpIsOpen } from '../../domain/accounts/sign-up-policy.ts';
export { PLANS } from '../../domain/plan.ts';
export { canonicalEmail } from '../../domain/accounts/email.ts';
export type { User } from '../../domain/accounts/user.ts';
export { type ApiSession, endApiSession, openApiSession } from './api-session.ts';
export {
  type ConsoleToken,
  issueConsoleToken,
  signInToConsole,
} from './console/console-session.ts';
export {
  CONSOLE_LINK_MAX_SECONDS,
  expectConsoleLink,
  followConsoleLink,
  makeConsoleLink,
} from './console/console-links.ts';
export { createAccount } from './create-account.ts';
export { expectMailToken } from './mail-tokens.ts';
export { endOwnSession, listOwnSessions } from './own-sessions.ts';
export { provisionAccount } from './operator/provision-account.ts';
export { requestPasswordReset } from './request-password-reset.ts';
export { requestSignUp } from './request-sign-up.ts';
export { resetPassword } from './reset-password.ts';
export { setOperator, type SetOperatorPorts } from './operator/set-operator.ts';
export { setPlan } from './operator/set-plan.ts';
export {
  type BrowserSession,
  endBrowserSession,
  findBrowserSession,
  type LiveSession,
  startSession,
} from './sessions.ts';
export { KNOWN_DEVICE_SECONDS, signIn } from './sign-in.ts';

/** What accounts and sessions can touch. */
export type AccountPorts = OpenApiSessionPorts &
  EndApiSessionPorts &
  SignInToConsolePorts &
  ConsoleLinkPorts &
  CreateAccountPorts &
  MailRequestPorts &
  ProvisionAccountPorts &
  ResetPasswordPorts;

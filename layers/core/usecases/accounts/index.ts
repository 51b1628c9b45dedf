import type { OpenApiSessionPorts, EndApiSessionPorts } from './api-session.ts';
import type { CreateAccountPorts } from './create-account.ts';
import type { MailRequestPorts } from './mail-to-anyone.ts';
import type { ResetPasswordPorts } from './reset-password.ts';
import type { VerifyEmailPorts } from './verify-email.ts';

export type { User } from '../../domain/accounts/user.ts';
export { type ApiSession, endApiSession, openApiSession } from './api-session.ts';
export { createAccount, type SignUp } from './create-account.ts';
export { expectMailToken } from './mail-tokens.ts';
export { provisionAccount } from './provision-account.ts';
export { requestPasswordReset } from './request-password-reset.ts';
export { resendVerification } from './resend-verification.ts';
export { resetPassword } from './reset-password.ts';
export { setPlan } from './set-plan.ts';
export { endSession, findSession, startSession, type StartedSession } from './sessions.ts';
export { signIn } from './sign-in.ts';
export { verifyEmail } from './verify-email.ts';

/** What accounts and sessions can touch. */
export type AccountPorts = OpenApiSessionPorts &
  EndApiSessionPorts &
  CreateAccountPorts &
  MailRequestPorts &
  ResetPasswordPorts &
  VerifyEmailPorts;

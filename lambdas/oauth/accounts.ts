import {
  type AccountPorts,
  createAccount,
  endApiSession,
  openApiSession,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '@hosted-mcp/core/accounts';
import { apiBody, apiReply, type Endpoint, type HttpEvent } from '@hosted-mcp/core/http';
import * as z from 'zod/mini';

const text = (name: string, maxLength: number) =>
  z
    .string(`${name} must be a string.`)
    .check(z.maxLength(maxLength, `${name} must have at most ${maxLength} characters.`));

const email = text('email', 320);
/** UTF-16 units: the rules for passwords count characters, and say so better. */
const password = text('password', 1000);
const token = text('token', 200);

const SignUpBody = z.object({ email, password, name: z.optional(text('name', 200)) });
const EmailBody = z.object({ email });
const TokenBody = z.object({ token });
const NewPasswordBody = z.object({ token, password });
const SignInBody = z.object({ email, password });

/** The same whoever asked, and whether or not there is an account. Source: management-api.md; D28. */
const mailed = () =>
  apiReply(202, {
    status: 'accepted',
    message: 'If the address can be used, a mail is on its way.',
  });

const addressOf = ({ requestContext }: HttpEvent): string => requestContext.http.sourceIp;

/** POST /accounts */
export const postAccount =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    const sent = apiBody(event, SignUpBody);
    await createAccount(ports, { ...sent, sourceIp: addressOf(event) });
    return mailed();
  };

/** POST /accounts/verify */
export const postVerification =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    await verifyEmail(ports, apiBody(event, TokenBody).token, addressOf(event));
    return apiReply(200, { email_verified: true });
  };

/** POST /accounts/resend-verification */
export const postResend =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    await resendVerification(ports, apiBody(event, EmailBody).email, addressOf(event));
    return mailed();
  };

/** POST /accounts/password-reset */
export const postReset =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    await requestPasswordReset(ports, apiBody(event, EmailBody).email, addressOf(event));
    return mailed();
  };

/** POST /accounts/password-reset/confirm */
export const postNewPassword =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    const sent = apiBody(event, NewPasswordBody);
    await resetPassword(ports, { ...sent, sourceIp: addressOf(event) });
    return apiReply(200, { password_changed: true });
  };

/** POST /sessions */
export const postSession =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    const sent = apiBody(event, SignInBody);
    const session = await openApiSession(ports, { ...sent, sourceIp: addressOf(event) });
    return apiReply(200, {
      access_token: session.accessToken,
      token_type: 'Bearer',
      expires_in: session.expiresInSeconds,
    });
  };

/** DELETE /sessions/current */
export const deleteSession =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    await endApiSession(ports, event.headers['authorization']);
    return apiReply(204);
  };
